"""Cutting pictures into a puzzle, and keeping the truth apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.errors import InputError, shown
from tessella.imaging.erode import erode as wear
from tessella.imaging.grid import tiles
from tessella.puzzle import Puzzle, Shape
from tessella.truth import Truth, edge_classes


def cut(
    image: NDArray[np.uint8],
    piece: int | Shape = 28,
    *,
    turned: bool = False,
    erode: int = 0,
    seed: int = 0,
) -> tuple[Puzzle, Truth]:
    """Cut `image` into equal pieces from its top-left corner and shuffle them.

    Parameters
    ----------
    image : RGB, ``(H, W, 3)``; what is left over at the right and bottom is dropped
    piece : side of a square piece, or (height, width)
    turned : turn pieces at random: quarter turns, or half turns when not square
    erode : how many pixels every side of every piece loses to a black frame
    seed : of the shuffle and the turns

    Returns
    -------
    the puzzle, whose shape is known, and the truth about it

    Examples
    --------
    >>> puzzle, truth = cut(np.zeros((60, 90, 3), np.uint8), 28)
    >>> len(puzzle), puzzle.shape
    (6, (2, 3))
    """
    return cut_panels([image], piece, turned=turned, erode=erode, seed=seed)


def cut_panels(
    images: Sequence[NDArray[np.uint8]],
    piece: int | Shape = 28,
    *,
    missing: float = 0.0,
    block: Shape | None = None,
    foreign: int = 0,
    foreign_from: Sequence[NDArray[np.uint8]] = (),
    turned: bool = False,
    erode: int = 0,
    seed: int = 0,
) -> tuple[Puzzle, Truth]:
    """Cut several pictures into equal pieces and shuffle them together; lose some, add strangers.

    Parameters
    ----------
    images : RGB, ``(H, W, 3)`` each, in any sizes; each is a sheet of the truth
    missing : share of every picture's pieces that is taken out at random, rounded to whole pieces
    block : rows and columns of a hole that every picture gets at a random place
    foreign : how many pieces of `foreign_from` are put among the others; no two of them were
        neighbours
    piece, turned, erode, seed : as for `cut`; `seed` also of what is missing and foreign

    Returns
    -------
    the puzzle, whose shape is known where it is of one picture and nothing foreign; and the truth,
    whose sheets have holes where pieces are missing, and whose foreign pieces lie on no sheet

    Examples
    --------
    >>> pictures = [np.zeros((60, 90, 3), np.uint8), np.ones((90, 90, 3), np.uint8)]
    >>> puzzle, truth = cut_panels(pictures, 28, missing=0.34)
    >>> len(puzzle), [sheet.shape for sheet in truth.arrangement.sheets]
    (10, [(2, 3), (3, 3)])
    """
    size = (piece, piece) if isinstance(piece, int) else piece
    _check_losses(images, missing, foreign, foreign_from)
    chance = np.random.default_rng((seed, 1))  # a stream of its own: a whole picture needs none
    cells = [_cells(image, size) for image in images]
    left = [_left(panel.shape, missing, block, chance) for panel in cells]
    strangers = _strangers([_cells(image, size) for image in foreign_from], foreign, chance)
    kept = [panel.pieces[here.ravel()] for panel, here in zip(cells, left, strict=True)]
    ordered = np.concatenate([*kept, *(piece[None] for piece in strangers)])

    rng = np.random.default_rng(seed)
    count = len(ordered)
    order = rng.permutation(count)  # piece k is the order[k]-th in reading order
    turns = _random_turns(rng, count, square=size[0] == size[1]) if turned else np.zeros(count, int)
    pieces = wear(_turn_each(ordered[order], turns), erode)
    shape = cells[0].shape if len(images) == 1 and not foreign else None
    puzzle = Puzzle(pieces, upright=not turned, shape=shape, eroded=erode)

    where = np.argsort(order)  # which piece lies in each cell
    arrangement = Arrangement(_sheets(left, where, -turns[where] % 4))
    return puzzle, Truth(arrangement, edge_classes(puzzle))


@dataclass(frozen=True, eq=False)
class _Panel:
    """A picture's pieces in reading order, ``(rows * cols, h, w, 3)``."""

    pieces: NDArray[np.uint8]
    shape: Shape


def _cells(image: NDArray[np.uint8], size: Shape) -> _Panel:
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise InputError(
            "A picture to cut must be uint8 of shape (height, width, 3); "
            f"got {image.dtype} of shape {image.shape}."
        )
    return _Panel(*tiles(image, size))


def _check_losses(
    images: Sequence[NDArray[np.uint8]],
    missing: float,
    foreign: int,
    foreign_from: Sequence[NDArray[np.uint8]],
) -> None:
    if not images:
        raise InputError("There must be at least one picture to cut; got none.")
    if not 0 <= missing < 1:
        raise InputError(
            f"The share of missing pieces must be 0 or more and below 1; got {shown(missing)}."
        )
    if foreign < 0:
        raise InputError(f"The number of foreign pieces must be 0 or more; got {shown(foreign)}.")
    if foreign and not foreign_from:
        raise InputError(
            f"{foreign} foreign pieces need pictures to come from; name some, or leave them out."
        )
    if any(np.array_equal(stranger, image) for stranger in foreign_from for image in images):
        raise InputError(
            "A picture cannot give foreign pieces to itself; take them from other pictures."
        )


def _left(
    shape: Shape, missing: float, block: Shape | None, chance: np.random.Generator
) -> NDArray[np.bool_]:
    """Return which cells of a picture keep their pieces, ``(rows, cols)``."""
    rows, cols = shape
    here = np.ones(shape, np.bool_)
    if block is not None:
        if not (1 <= block[0] <= rows and 1 <= block[1] <= cols):
            raise InputError(
                f"A block of {shown(block[0])} x {shown(block[1])} cells must fit into every "
                f"picture; one has {rows} x {cols} pieces."
            )
        top, side = (int(chance.integers(n - b + 1)) for n, b in zip(shape, block, strict=True))
        here[top : top + block[0], side : side + block[1]] = False
    lost = round(missing * here.size)
    held = np.flatnonzero(here)
    if lost >= len(held):
        raise InputError(
            f"Of a picture of {rows} x {cols} pieces nothing would be left; take out fewer."
        )
    if lost:
        here.ravel()[chance.choice(held, lost, replace=False)] = False
    return here


def _strangers(
    panels: Sequence[_Panel], count: int, chance: np.random.Generator
) -> list[NDArray[np.uint8]]:
    """Draw `count` pieces of other pictures, no two of which could be joined truly."""
    strangers: list[NDArray[np.uint8]] = []
    every = [(p, cell) for p, panel in enumerate(panels) for cell in range(len(panel.pieces))]
    taken: set[tuple[int, int, int]] = set()
    for number in chance.permutation(len(every)) if count else ():
        if len(strangers) == count:
            break
        p, cell = every[number]
        row, col = divmod(cell, panels[p].shape[1])
        beside = ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
        if not taken.intersection((p, *at) for at in beside):
            taken.add((p, row, col))
            strangers.append(panels[p].pieces[cell])
    if len(strangers) < count:
        raise InputError(
            f"{count} foreign pieces were asked for, but the pictures that give them have room for "
            f"{len(strangers)} that are not neighbours; ask for fewer, or name more pictures."
        )
    return strangers


def _sheets(
    left: Sequence[NDArray[np.bool_]], where: NDArray[np.int64], turns: NDArray[np.int64]
) -> tuple[Sheet, ...]:
    """Lay the pieces of every picture, in reading order, into the cells that have any."""
    made, first = [], 0
    for here in left:
        cells, turned = np.full(here.shape, EMPTY), np.zeros(here.shape, np.int64)
        mine = slice(first, first + int(here.sum()))
        cells[here], turned[here] = where[mine], turns[mine]
        made.append(Sheet(cells.astype(np.int32), turned.astype(np.int8)))
        first = mine.stop
    return tuple(made)


def _random_turns(rng: np.random.Generator, count: int, *, square: bool) -> NDArray[np.int64]:
    return rng.integers(4, size=count) if square else 2 * rng.integers(2, size=count)


def _turn_each(pieces: NDArray[np.uint8], turns: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Turn piece k counter-clockwise ``turns[k]`` times; odd turns need square pieces."""
    out = pieces.copy()
    for times in (1, 2, 3):
        chosen = turns == times
        if chosen.any():
            out[chosen] = np.rot90(pieces[chosen], times, axes=(1, 2))
    return out
