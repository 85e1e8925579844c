"""Spare pieces: blank on all sides, so that any picture may have them, shared out among pictures.

They go where most of what lies on their sheet goes, or where edges of their colour are free. What
has no place in the rectangle of its picture then fills the blank holes of others, and what is left
makes rows along their blank sides, of one as many as of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Sheet
from tessella.edges import TOP
from tessella.kernels.board import ACROSS, DOWN
from tessella.puzzle import Shape
from tessella.stages.kinship import Kin, Knot
from tessella.stages.laying import SIDES

_NONE = np.empty(0, np.intp)

Picture = tuple[Knot, Sheet | None]
"""A knot, and the rectangle that its pieces make, if they do."""

Adopted = dict[int, NDArray[np.intp]]
"""What knots take of the spare pieces, by the seed that names the knot."""


def adopted(akin: Kin, sheets: Sequence[Sheet], blank: NDArray[np.int32]) -> Adopted:
    """Return what every knot takes of the spare pieces.

    Parameters
    ----------
    blank : the colour of every edge that has one alone, -1 of all others, ``(4N,)``
    """
    seed = np.full(len(blank) // 4, -1, np.intp)
    for part in (part for knot in akin.knots for part in knot.leaves()):
        seed[part.pieces] = part.seeds[0]
    free = blank.copy()
    heirs: dict[int, list[NDArray[np.intp]]] = {}
    for sheet in sheets:
        free[sheet.joins().ravel()] = -1
        held = sheet.piece[sheet.piece >= 0]
        some, known = np.intersect1d(held, akin.spare), seed[held][seed[held] >= 0]
        if len(some) and len(known):
            heirs.setdefault(int(np.bincount(known).argmax()), []).append(some)
    taken = [pieces for several in heirs.values() for pieces in several]
    rest = np.setdiff1d(akin.spare, np.concatenate([_NONE, *taken]))
    colour = blank[4 * rest]
    for each in np.unique(colour):
        wanted = np.bincount(seed[np.flatnonzero(free == each) // 4] + 1, minlength=1)[1:]
        for heir, share in _shared(rest[colour == each], wanted):
            heirs.setdefault(heir, []).append(share)
    return {key: np.concatenate(several) for key, several in heirs.items()}


def _shared(
    pieces: NDArray[np.intp], wanted: NDArray[np.intp]
) -> list[tuple[int, NDArray[np.intp]]]:
    """Share `pieces` out in proportion to how many each heir wants, ``(H,)``."""
    heirs = np.flatnonzero(wanted)
    if not len(heirs):
        return []
    ends = np.round(np.cumsum(wanted[heirs]) / wanted.sum() * len(pieces)).astype(np.intp)
    return list(zip(heirs.tolist(), np.split(pieces, ends[:-1]), strict=True))


def filled(
    pictures: Sequence[Picture],
    spare: NDArray[np.intp],
    blank: NDArray[np.int32],
    fits: Callable[[Shape], bool],
) -> list[Picture]:
    """Return pictures whose blank holes and sides have what is spare.

    Parameters
    ----------
    spare : pieces that any picture may have, ``(M,)``
    blank : the colour of every edge that has one alone, -1 of all others, ``(4N,)``
    fits : says whether a picture may have a shape
    """
    wholes = {number: whole for number, (_, whole) in enumerate(pictures) if whole is not None}
    stuck = [knot.pieces for number, (knot, _) in enumerate(pictures) if number not in wholes]
    laid = [sheet.piece.ravel() for sheet in wholes.values()]
    free = np.setdiff1d(spare, np.concatenate([_NONE, *laid, *stuck]))
    for number, sheet in wholes.items():
        wholes[number], free = _without_holes(sheet, free, blank)
    growing = [number for number, sheet in wholes.items() if (sheet.piece >= 0).all()]
    while growing:
        for number in tuple(growing):
            longer, left = _with_row(wholes[number], free, blank)
            if len(left) == len(free) or not fits(longer.shape):
                growing.remove(number)
            else:
                wholes[number], free = longer, left
    given = np.setdiff1d(spare, np.concatenate([free, *stuck]))
    return [
        (_giving(knot, given, wholes.get(number)), wholes.get(number))
        for number, (knot, _) in enumerate(pictures)
    ]


def _without_holes(
    sheet: Sheet, free: NDArray[np.intp], blank: NDArray[np.int32]
) -> tuple[Sheet, NDArray[np.intp]]:
    """Return `sheet` with its blank holes filled, and what is left of `free`."""
    piece, holes = sheet.piece.copy(), hole_colours(sheet, blank)
    for colour in np.unique(holes[holes >= 0]):
        row, col = np.nonzero(holes == colour)
        some = free[blank[4 * free] == colour][: len(row)]
        piece[row[: len(some)], col[: len(some)]] = some
        free = np.setdiff1d(free, some)
    return Sheet(piece, sheet.turns), free


def _with_row(
    sheet: Sheet, free: NDArray[np.intp], blank: NDArray[np.int32]
) -> tuple[Sheet, NDArray[np.intp]]:
    """Return `sheet` with a row more along a side that is blank throughout, if there are enough."""
    for turns in SIDES:
        turned = sheet.turned(turns)
        colour = np.unique(blank[turned.edges_facing(TOP)[0]])
        some = free[blank[4 * free] == colour[0]][: turned.shape[1]]
        if len(colour) == 1 and colour[0] >= 0 and len(some) == turned.shape[1]:
            piece = np.vstack([some.astype(np.int32), turned.piece])
            longer = Sheet(piece, np.vstack([np.zeros(len(some), np.int8), turned.turns]))
            return longer.turned(-turns), np.setdiff1d(free, some)
    return sheet, free


def _giving(knot: Knot, given: NDArray[np.intp], whole: Sheet | None) -> Knot:
    """Return a knot with what was given to it, and without what was given to others."""
    mine = _NONE if whole is None else np.intersect1d(given, whole.piece)
    kept = np.setdiff1d(knot.pieces, np.setdiff1d(given, mine))
    return Knot(np.union1d(kept, mine), knot.seeds)


def hole_colours(sheet: Sheet, blank: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the colour of every empty cell to which most neighbours turn it, else -1."""
    facing = [np.pad(sheet.edges_facing((side + 2) % 4), 1, constant_values=-1) for side in SIDES]
    rows, cols = sheet.shape
    around = np.stack(
        [
            each[1 + down : 1 + down + rows, 1 + across : 1 + across + cols]
            for each, down, across in zip(facing, DOWN, ACROSS, strict=True)
        ]
    )
    colours = np.where(around >= 0, blank[around], -1)
    most = colours.max(axis=0)
    clear = 2 * (colours == most).sum(axis=0) > (around >= 0).sum(axis=0)
    return np.where((sheet.piece < 0) & (most >= 0) & clear, most, -1)
