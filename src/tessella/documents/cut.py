"""Cutting pages into strips, and keeping the truth apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.documents.strips import WIDTH_MIN, Strips, strips_of
from tessella.errors import InputError
from tessella.imaging.read import PIXELS_MAX
from tessella.truth import Truth, edge_classes


def cut_strips(
    pages: Sequence[NDArray[np.uint8]],
    count: int = 85,
    *,
    turned: bool = False,
    seed: int = 0,
    names: Sequence[str] = (),
) -> tuple[Strips, Truth]:
    """Cut every page into `count` vertical strips of equal width and shuffle those of all pages.

    Parameters
    ----------
    pages : greys ``(H, W)``; what is left over at the right of a page is dropped
    turned : turn strips upside down at random
    seed : of the shuffle and the turns
    names : what to call the pages in messages

    Returns
    -------
    the puzzle, and the truth about it: one sheet a page

    Examples
    --------
    >>> puzzle, truth = cut_strips([np.zeros((60, 92), np.uint8)] * 2, 9)
    >>> len(puzzle), puzzle.piece_size, len(truth.arrangement.sheets)
    (18, (60, 10), 2)
    """
    if count < 1:
        raise InputError(f"--strips must be at least 1; got {count}.")
    if sum(page.size for page in pages) > PIXELS_MAX:
        raise InputError(
            f"The {len(pages)} pages have more than {PIXELS_MAX // 10**6} million pixels "
            "together; give a smaller --dpi or fewer pages."
        )
    ordered = [s for k, page in enumerate(pages) for s in _sliced(page, count, _name(names, k))]
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(ordered))  # strip k is the order[k]-th in reading order
    turns = 2 * rng.integers(2, size=len(ordered)) if turned else np.zeros(len(ordered), np.int64)
    shuffled = [np.rot90(ordered[i], turns[k]) for k, i in enumerate(order)]
    puzzle = strips_of(shuffled, upright=not turned)

    where = np.argsort(order).astype(np.int32).reshape(len(pages), 1, count)
    sheets = tuple(Sheet(cells, (-turns[cells] % 4).astype(np.int8)) for cells in where)
    return puzzle, Truth(Arrangement(sheets), edge_classes(puzzle), puzzle.blank())


def _name(names: Sequence[str], page: int) -> str:
    return names[page] if names else f"Page {page + 1}"


def _sliced(page: NDArray[np.uint8], count: int, name: str) -> list[NDArray[np.uint8]]:
    """Return the strips of one page from left to right."""
    if page.ndim != 2 or page.dtype != np.uint8 or page.size == 0:
        raise InputError(
            "A page to cut must be uint8 of shape (height, width); "
            f"got {page.dtype} of shape {page.shape}."
        )
    width = page.shape[1] // count
    if width < WIDTH_MIN:
        raise InputError(
            f"{name} is {page.shape[1]} px wide, too narrow for {count} strips of at least "
            f"{WIDTH_MIN} px; give fewer --strips or a larger --dpi."
        )
    return [page[:, k * width : (k + 1) * width] for k in range(count)]
