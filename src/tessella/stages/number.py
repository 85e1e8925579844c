"""No more sheets than there are panels, where somebody said how many.

Completing sorts pieces into so many pictures, but what meets no other, and fragments of a few
pieces, may make further sheets. What still meets another sheet lies beside it; what belongs nowhere
is left over. A sheet of fewer than 8 pieces is a fragment and no panel (`tessella.sorting`).
Where all shapes are told, every sheet lies within one of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tessella.arrangement import Arrangement, Sheet
from tessella.puzzle import Shape
from tessella.solving import Job
from tessella.sorting import counted
from tessella.stages.complete import fits, is_closed
from tessella.stages.kinship import Bonds, together
from tessella.stages.laying import fragment_of, laid_apart
from tessella.stages.stage import Answer

_BONDS = Bonds()


@dataclass(frozen=True)
class Number:
    """Brings an answer to the number of panels that is told; it has no constants.

    What it is worth is in docs/experiments/odds.md.
    """

    name: str = "number"

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return the answer with no more sheets that count than there are panels."""
        if answer.arrangement is None:
            return answer
        arrangement = numbered(answer.arrangement, job)
        if arrangement is answer.arrangement:
            return answer
        history = (*answer.history, job.compatibility.fitness(arrangement))
        return replace(answer, arrangement=arrangement, history=history)


def numbered(arrangement: Arrangement, job: Job) -> Arrangement:
    """Return `arrangement` with no more sheets that count than the panels of `job`.

    If all their shapes are known, every sheet has one of its own.
    """
    return _shaped(_fewer(arrangement, job), job)


def _fewer(arrangement: Arrangement, job: Job) -> Arrangement:
    count, odds = None if job.panels is None else job.panels.count, job.evidence.odds
    numbers = counted(arrangement)
    if count is None or odds is None or len(numbers) <= count:
        return arrangement
    large = sorted((arrangement.sheets[k] for k in numbers), key=_held, reverse=True)
    told = job.belonging
    name = together(large, odds, _BONDS, [is_closed(sheet) for sheet in large], count, told)
    pictures = [[large[k] for k in np.flatnonzero(name == first)] for first in np.unique(name)]
    joined = sorted((_one(parts, job) for parts in pictures), key=_held, reverse=True)
    if told is not None:  # What somebody has on a panel is one, however small.
        joined.sort(key=lambda sheet: not told.names_panel(sheet.piece))
    small = [sheet for k, sheet in enumerate(arrangement.sheets) if k not in numbers]
    return Arrangement((*joined[:count], *small))


def _held(sheet: Sheet) -> int:
    return int((sheet.piece >= 0).sum())


def _one(parts: Sequence[Sheet], job: Job) -> Sheet:
    """Return a sheet with all parts apart from each other, or the largest if that does not fit."""
    if len(parts) == 1:
        return parts[0]
    sheet = laid_apart([fragment_of(part) for part in parts], 1)
    return sheet if fits(sheet.shape, job) else parts[0]


def _shaped(arrangement: Arrangement, job: Job) -> Arrangement:
    """Return `arrangement` with every sheet within a panel's shape, no two within the same.

    As many pieces as can be stay; those outside are left over.
    """
    from scipy.optimize import linear_sum_assignment

    shapes = () if job.panels is None else job.panels.shapes
    if job.panels is None or job.panels.count != len(shapes):
        return arrangement
    either = job.compatibility.square and not job.compatibility.upright
    numbers = counted(arrangement)
    ways = [[_within(arrangement.sheets[k], shape, either) for shape in shapes] for k in numbers]
    held = np.array([[_held(sheet) for sheet in row] for row in ways])
    if not numbers:
        return arrangement
    sheets = list(arrangement.sheets)
    for row, chosen in zip(*linear_sum_assignment(held, maximize=True), strict=True):
        sheets[numbers[row]] = ways[row][chosen]
    same = all(a is b for a, b in zip(sheets, arrangement.sheets, strict=True))
    return arrangement if same else Arrangement(tuple(sheets))


def _within(sheet: Sheet, shape: Shape, either: bool) -> Sheet:
    """Return the part of a sheet of at most `shape` that holds most pieces."""
    best = sheet
    most = -1
    for rows, cols in {shape, shape[::-1]} if either else {shape}:
        high, wide = min(rows, sheet.shape[0]), min(cols, sheet.shape[1])
        if (high, wide) == sheet.shape:
            return sheet
        total = np.pad((sheet.piece >= 0).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        inside = total[high:, wide:] - total[:-high, wide:] - total[high:, :-wide]
        inside = inside + total[:-high, :-wide]
        if int(inside.max()) > most:
            top, left = np.unravel_index(int(inside.argmax()), inside.shape)
            window = np.s_[top : top + high, left : left + wide]
            most, best = int(inside.max()), Sheet(sheet.piece[window], sheet.turns[window])
    return best
