"""Folders of strips: rectangles of any sizes, or shreds on a dark bed, with or without masks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tessella.documents import shreds
from tessella.documents.pages import to_grey
from tessella.documents.strips import Strips, strips_of
from tessella.errors import FormatError, InputError
from tessella.imaging import manifest
from tessella.imaging.manifest import Manifest
from tessella.imaging.read import PIXELS_MAX, read_alpha, read_image
from tessella.puzzle import Shape
from tessella.watch import SILENT, Watcher

MASK = "_mask"
"""A picture called NAME_mask beside NAME says where NAME shows paper."""


@dataclass(frozen=True)
class Listed:
    """The files of a folder of strips; `masks` is empty or as long as `names`."""

    names: tuple[str, ...]
    masks: tuple[str, ...] = ()


def paired(names: Sequence[str]) -> Listed:
    """Tell the masks among `names` from the strips they belong to.

    >>> paired(["1.jpeg", "1_mask.png", "2.jpeg", "2_mask.png"])
    Listed(names=('1.jpeg', '2.jpeg'), masks=('1_mask.png', '2_mask.png'))
    """
    mask_of = {Path(n).stem.removesuffix(MASK): n for n in names if Path(n).stem.endswith(MASK)}
    strips = tuple(n for n in names if n not in mask_of.values())
    masks = {n: mask_of.pop(Path(n).stem, None) for n in strips}
    if mask_of:
        raise InputError(
            f"{next(iter(mask_of.values()))} is called a mask, but there is no strip it belongs to."
        )
    missing = [name for name, mask in masks.items() if mask is None]
    if len(missing) == len(strips):
        return Listed(strips)
    if missing:
        raise InputError(
            f"Some strips have masks and {missing[0]} has none; give every strip one, or none."
        )
    return Listed(strips, tuple(mask for mask in masks.values() if mask is not None))


def read_folder(
    folder: Path, names: Sequence[str], known: Manifest | None, watch: Watcher = SILENT
) -> Strips:
    """Read a folder of strips.

    Parameters
    ----------
    names : the pictures of a folder that has no ``puzzle.json``; its strips may lie on a dark bed
    known : what ``puzzle.json`` says
    """
    if known is None:
        return read_strips(folder, paired(names), upright=False, bed=True, watch=watch)
    files = Listed(known.pieces, known.masks)
    return read_strips(folder, files, upright=known.upright, size=known.piece, watch=watch)


def read_strips(
    folder: Path,
    files: Listed,
    *,
    upright: bool,
    size: tuple[int | None, int | None] = (None, None),
    bed: bool = False,
    watch: Watcher = SILENT,
) -> Strips:
    """Read the strips of `folder`.

    Parameters
    ----------
    size : the height and the width that every strip must have, where not None
    bed : whether to look for a dark bed around strips that have no masks
    """
    watch.stage("reading", len(files.names))
    greys, coloured, pixels = [], 0, 0
    for name in files.names:
        grey, colour = to_grey(read_image(folder / name))
        _check_size(folder, name, grey.shape, size)
        pixels += grey.size
        if pixels > PIXELS_MAX:
            raise InputError(
                f"The strips of {folder} have more than {PIXELS_MAX // 10**6} million pixels "
                "together; scan them at a lower resolution or solve fewer at once."
            )
        coloured += colour
        greys.append(grey)
        watch.advance()
    masks = _read_masks(folder, files, greys)
    if masks is None and bed and shreds.on_dark_bed(greys):
        masks = [shreds.paper_mask(grey) for grey in greys]
    if masks is None:
        puzzle = strips_of(greys, upright=upright, names=files.names)
    else:
        puzzle = shreds.shreds_of(greys, masks, upright=upright, names=files.names)
    return replace(puzzle, notes=_notes(coloured, len(greys)))


def adapted(
    strips: Strips,
    upright: bool | None,
    shape: Shape | Literal["unknown"] | None,
    piece: Shape | Literal["auto"] | None,
    resize: int | None,
    pages: int | None,
) -> Strips:
    """Return what was read with what the user says of it; refuse what makes no sense."""
    if shape is not None and shape != "unknown" and shape != (1, len(strips)):
        raise InputError(
            f"{len(strips)} strips lie in one row; leave --shape out and use --pages to say how "
            "many pages they make."
        )
    if piece not in (None, "auto"):
        raise InputError("--piece is for pictures cut into a grid; leave it out for strips.")
    if resize is not None:
        raise InputError("--resize is for square pieces; leave it out for strips.")
    known = strips.upright if upright is None else upright
    return replace(strips, upright=known, pages=pages)


def describe(puzzle: Strips, names: tuple[str, ...]) -> Manifest:
    """Return the ``puzzle.json`` of strips that are written as rectangles."""
    sides = [np.unique(puzzle.sizes[:, axis]).tolist() for axis in (0, 1)]
    height, width = (side[0] if len(side) == 1 else None for side in sides)
    return Manifest(
        piece=(height, width),
        channels=1,
        upright=puzzle.upright,
        shape=None,
        eroded=0,
        pieces=names,
        kind="strips",
    )


def _check_size(
    folder: Path, name: str, shape: tuple[int, ...], size: tuple[int | None, int | None]
) -> None:
    for side, wanted, what in zip(shape, size, ("height", "width"), strict=True):
        if wanted is not None and side != wanted:
            raise FormatError(
                f"{folder / manifest.NAME} says piece_{what} {wanted}, but {name} has {side} px."
            )


def _read_masks(
    folder: Path, files: Listed, greys: list[NDArray[np.uint8]]
) -> list[NDArray[np.bool_]] | None:
    if not files.masks:
        return _read_alphas(folder, files, greys)
    masks = []
    for mask_name, name, grey in zip(files.masks, files.names, greys, strict=True):
        mask = read_image(folder / mask_name)[..., 0] >= 128
        if mask.shape != grey.shape:
            raise InputError(
                f"The mask {mask_name} has {mask.shape[0]} x {mask.shape[1]} px, but {name} has "
                f"{grey.shape[0]} x {grey.shape[1]}."
            )
        masks.append(mask)
    return masks


def _read_alphas(
    folder: Path, files: Listed, greys: list[NDArray[np.uint8]]
) -> list[NDArray[np.bool_]] | None:
    """Return masks by how opaque the pictures are; None where all are opaque everywhere."""
    masks, torn = [], False
    for name, grey in zip(files.names, greys, strict=True):
        alpha = read_alpha(folder / name)
        masks.append(np.ones(grey.shape, np.bool_) if alpha is None else alpha >= 128)
        torn = torn or not bool(masks[-1].all())
    return masks if torn else None


def _notes(coloured: int, count: int) -> tuple[str, ...]:
    if not coloured:
        return ()
    return (f"{coloured} of {count} strips are in colour; their greys were used.",)
