"""Drawing strips: side by side, rim to rim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.arrangement import EMPTY, Sheet
from tessella.documents.strips import PAPER, Strips, strips_of
from tessella.errors import InputError
from tessella.files import replacing
from tessella.imaging.read import PIXELS_MAX

_SMALL = 40_000_000
"""Pixels that a picture of all strips as they came may have."""

_INCHES = {0.7071: 11.69, 0.7727: 11.0}  # width by height of usual paper, and its height
_MISSING = 215


def render_strips(
    puzzle: Strips, sheet: Sheet, *, gap: int = 0, background: int = PAPER
) -> NDArray[np.uint8]:
    """Draw a row of strips as greys, ``(H, W)``; ragged strips meet where their rims do on average.

    They lie with the gaps and shifts that the sheet tells, if it does. An empty cell is a grey bar,
    and so is a gap about as wide as a strip; narrower ones are paper that was lost, and white.
    """
    _check(puzzle, sheet, gap)
    typical = int(np.median(puzzle.sizes[:, 1]))
    start, bars = _starts(puzzle, sheet, gap, typical)
    pieces, turns, shifts = sheet.piece[0].tolist(), sheet.turns[0].tolist(), _shifts(sheet)
    widths = [typical if p == EMPTY else int(puzzle.sizes[p, 1]) for p in pieces]
    total = max(s + w for s, w in zip(start, widths, strict=True))
    height = max(
        (int(puzzle.sizes[p, 0]) + s for p, s in zip(pieces, shifts, strict=True) if p != EMPTY),
        default=1,
    )
    if height * total > PIXELS_MAX:
        raise InputError(f"A page of {height} x {total} px has more than {PIXELS_MAX} pixels.")
    image = np.full((height, total), background, np.uint8)
    for begin, end in bars:
        image[:, max(0, begin) : end] = _MISSING
    for piece, turn, at, down in zip(pieces, turns, start, shifts, strict=True):
        room = image if piece == EMPTY else image[down:]
        _draw(puzzle, room, piece, turn, at, typical)
    return image


def strip_places(puzzle: Strips, sheet: Sheet) -> list[tuple[int, int, int, int]]:
    """Return piece, turns, top and left in pixels of every strip, as `render_strips` draws them."""
    _check(puzzle, sheet, 0)
    start, _ = _starts(puzzle, sheet, 0, int(np.median(puzzle.sizes[:, 1])))
    every = zip(
        sheet.piece[0].tolist(), sheet.turns[0].tolist(), _shifts(sheet), start, strict=True
    )
    return [each for each in every if each[0] != EMPTY]


def _starts(
    puzzle: Strips, sheet: Sheet, gap: int, typical: int
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return in which column every strip begins, and from where to where gaps are told."""
    pieces, turns = sheet.piece[0].tolist(), sheet.turns[0].tolist()
    edge = [
        (0.0, float(typical)) if p == EMPTY else _ends(puzzle, p, t)
        for p, t in zip(pieces, turns, strict=True)
    ]
    gaps = [0] * len(pieces) if sheet.gap is None else sheet.gap[0].tolist()
    start, cursor, bars = [], 0.0, []
    for (left, right), lost in zip(edge, gaps, strict=True):
        if 2 * lost > typical:
            bars.append((round(cursor), round(cursor + lost)))
        cursor += lost
        start.append(round(cursor - left))
        cursor += right - left + gap
    lead = min(start)  # a ragged rim may stick out of the page
    return [at - lead for at in start], [(begin - lead, end - lead) for begin, end in bars]


def _shifts(sheet: Sheet) -> list[int]:
    """Return by how much every strip lies lower than the highest."""
    shifts: list[int] = [0] * sheet.shape[1] if sheet.shift is None else sheet.shift[0].tolist()
    return [shift - min(shifts) for shift in shifts]


def _ends(puzzle: Strips, piece: int, turns: int) -> tuple[float, float]:
    """Return where a strip's paper begins and ends on average."""
    first, last = puzzle.rim(piece, turns)
    some = last > first
    if not some.any():
        return 0.0, float(puzzle.sizes[piece, 1])
    return float(first[some].mean()), float(last[some].mean())


def _draw(
    puzzle: Strips, image: NDArray[np.uint8], piece: int, turns: int, at: int, typical: int
) -> None:
    if piece == EMPTY:
        image[:, at : at + typical] = _MISSING
        return
    strip, (first, last) = puzzle.one(piece, turns), puzzle.rim(piece, turns)
    column = np.arange(strip.shape[1])
    paper = (column >= first[:, None]) & (column < last[:, None])
    room = image[: strip.shape[0], at : at + strip.shape[1]]
    room[paper] = np.minimum(room, strip)[paper]  # where strips overlap, ink is seen


def _check(puzzle: Strips, sheet: Sheet, gap: int) -> None:
    if sheet.shape[0] != 1:
        raise InputError(f"Strips lie in one row; the sheet has {sheet.shape[0]}.")
    largest = int(sheet.piece.max())
    if largest >= len(puzzle):
        raise InputError(
            f"The sheet names piece {largest}, but the puzzle has {len(puzzle)} pieces "
            f"(0 to {len(puzzle) - 1})."
        )
    if (sheet.turns % 2).any():
        raise InputError("Strips can lie with 0 or 2 turns; the sheet turns one a quarter.")
    if gap < 0:
        raise InputError(f"The gap between pieces must be 0 px or more; got {gap}.")


def scrambled_strips(puzzle: Strips, *, gap: int = 0) -> NDArray[np.uint8]:
    """Draw all strips in their given order, small enough to look at, ``(H, W)``."""
    height, _ = puzzle.piece_size
    across = int(puzzle.sizes[:, 1].sum())
    factor = min(1.0, float(np.sqrt(_SMALL / (height * across))))
    small = puzzle if factor == 1 else shrunk_strips(puzzle, factor)
    cells = np.arange(len(puzzle), dtype=np.int32)[None]
    return render_strips(small, Sheet(cells, np.zeros(cells.shape, np.int8)), gap=gap)


def shrunk_strips(puzzle: Strips, factor: float) -> Strips:
    """Return the strips at `factor` times their size, as rectangles."""
    small = []
    for i in range(len(puzzle)):
        strip = Image.fromarray(puzzle.one(i))
        size = (max(2, round(strip.width * factor)), max(2, round(strip.height * factor)))
        small.append(np.array(strip.resize(size, Image.Resampling.BOX)))
    return replace(strips_of(small, upright=puzzle.upright, names=puzzle.names), notes=puzzle.notes)


def write_pdf(path: Path, pages: Sequence[NDArray[np.uint8]]) -> None:
    """Write pages of greys ``(H, W)`` as one PDF file, each as high as its paper would be."""
    first, *others = [Image.fromarray(page) for page in pages]
    ratio = min(_INCHES, key=lambda r: abs(r - first.width / first.height))
    with replacing(path) as temporary:
        first.save(
            temporary,
            format="PDF",
            save_all=True,
            append_images=others,
            resolution=first.height / _INCHES[ratio],
        )
