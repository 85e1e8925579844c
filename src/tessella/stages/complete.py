"""Sheets completed: what is of one picture on one sheet, and in its place where that is found.

Uniting leaves apart what nothing holds together: skies, water, walls. Their pieces do not know
their places, but they know their picture (`tessella.stages.kinship`). So what is akin passes
through the ordinary stages as if it were all of one picture; and if what comes out is nearly a full
rectangle that breaks hardly anything sure (`tessella.odds.sure`), it takes the place of all its
fragments. If it is not, they lie on one sheet, apart from each other. Two knots of which neither is
a full rectangle are one picture if together they are. A picture with holes stays as it was. Blank
pieces, which any picture may have, fill what is left (`tessella.stages.spare`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.odds import Sure
from tessella.puzzle import Shape
from tessella.solving import Job
from tessella.stages.kinship import Bonds, Knot, kin
from tessella.stages.laying import Fragment, fragment_of, has_holes, laid_apart
from tessella.stages.spare import Adopted, Picture, adopted, filled
from tessella.stages.stage import Answer, Stage

FEWEST = 32
"""Fewer pieces are no picture."""

_NONE = np.empty(0, np.intp)
_BONDS = Bonds()
Stages = Callable[[Job], Sequence[Stage]]


@dataclass(frozen=True)
class Complete:
    """When a sheet is whole; chosen on photographs (docs/experiments, odds).

    Attributes
    ----------
    stages : what one picture goes through
    bonds : what fragments must have in common to lie on one sheet
    spare : the share of a rectangle that may be empty, and of pieces that may lie outside of it;
        if fewer do than `stray`, these belong elsewhere
    broken : the share of what is sure that a rectangle may break
    """

    stages: Stages
    name: str = "complete"
    bonds: Bonds = _BONDS
    spare: float = 0.15
    stray: float = 0.06
    broken: float = 0.07

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return the answer with every sheet completed that can be."""
        odds = job.evidence.odds
        if not answer.open or job.panels is None or odds is None:
            return answer
        assert answer.arrangement is not None
        sheets = answer.arrangement.sheets
        closed = [is_closed(sheet) for sheet in sheets]
        shut = [sheet for sheet, whole in zip(sheets, closed, strict=True) if whole]
        pictures: list[Picture] = [(Knot.on(sheet), sheet) for sheet in shut]
        blank = job.evidence.blank
        akin = kin(sheets, odds, self.bonds, closed, blank >= 0)
        takes = adopted(akin, sheets, blank)
        for knot in akin.knots:
            pictures += self._pictures(knot, sheets, job, takes)
        laid: list[Sheet] = []
        for knot, whole in filled(pictures, akin.spare, blank, lambda shape: _fits(shape, job)):
            laid += _laid(knot, whole, sheets, job)
        arrangement = Arrangement(tuple(laid) or sheets)
        history = (*answer.history, job.compatibility.fitness(arrangement))
        return replace(answer, arrangement=arrangement, history=history, stopped=job.stop())

    def _pictures(
        self, knot: Knot, sheets: Sequence[Sheet], job: Job, takes: Adopted
    ) -> list[Picture]:
        """Return a knot, or the knots in it that are pictures, each with its rectangle."""
        if not knot.firm:
            pictures = [e for part in knot.parts for e in self._pictures(part, sheets, job, takes)]
            if job.stop() or any(self._is_full(one) for _, one in pictures):
                return pictures
            whole = self._whole(knot, sheets, job, takes)
            return [whole] if self._is_full(whole[1]) else pictures
        return [self._whole(knot, sheets, job, takes)]

    def _is_full(self, sheet: Sheet | None) -> bool:
        """Say whether there is a rectangle that lacks next to nothing."""
        return sheet is not None and float((sheet.piece < 0).mean()) <= self.stray

    def _whole(self, knot: Knot, sheets: Sequence[Sheet], job: Job, takes: Adopted) -> Picture:
        """Return a knot with what it adopted, and the rectangle that they make, if they do."""
        mine = np.concatenate([knot.pieces, *(takes.get(k, _NONE) for k in knot.seeds)])
        whole = Knot(np.sort(mine), knot.seeds)
        if job.stop() or knot.size < FEWEST or any(map(has_holes, _parts(knot, sheets))):
            return whole, None
        return whole, self._rectangle(whole.pieces, knot.pieces, job)

    def _rectangle(self, pieces: NDArray[np.intp], own: NDArray[np.intp], job: Job) -> Sheet | None:
        """Return the rectangle that `pieces` make, None where they do not.

        Parameters
        ----------
        own : those without which a row or a column at its border is none
        """
        part = replace(job, evidence=job.evidence.part(pieces), panels=None, checkpoint=None)
        answer = Answer(searched=part.compatibility)
        for stage in self.stages(part):
            answer = stage(answer, part)
        assert answer.arrangement is not None
        assert part.evidence.odds is not None
        mine = np.isin(pieces, own)
        sheet = trimmed(answer.arrangement.sheets[0], mine)
        laid = sheet.piece[sheet.piece >= 0]
        outside = len(own) - int(mine[laid].sum())
        lacking = max(sheet.piece.size - len(laid), outside) / len(pieces)
        if lacking > self.spare or not _fits(sheet.shape, job):
            return None
        if Sure.by(part.evidence.odds).speaks_against(answer.arrangement, self.broken):
            return None
        if lacking > self.stray and _fits(answer.arrangement.sheets[0].shape, job):
            sheet = answer.arrangement.sheets[0]
        named = np.where(sheet.piece >= 0, pieces[sheet.piece], EMPTY).astype(np.int32)
        return Sheet(named, sheet.turns)


def is_closed(sheet: Sheet) -> bool:
    """Say whether a sheet is a whole picture already."""
    return sheet.piece.size >= FEWEST and bool((sheet.piece >= 0).all())


def trimmed(sheet: Sheet, own: NDArray[np.bool_]) -> Sheet:
    """Return `sheet` without outer rows and columns that are less than half full.

    Parameters
    ----------
    own : marks the pieces of which a row or a column must hold one, ``(N,)``
    """
    top, left, (bottom, right) = 0, 0, sheet.shape
    full = sheet.piece >= 0
    mine = full & own[sheet.piece]
    while bottom - top > 1 and right - left > 1:
        held, some = (each[top:bottom, left:right] for each in (full, mine))
        lines = ((each[0], each[-1], each[:, 0], each[:, -1]) for each in (held, some))
        sides = [line.mean() * own_line.any() for line, own_line in zip(*lines, strict=True)]
        worst = int(np.argmin(sides))
        if sides[worst] >= 0.5:
            break
        top, left = top + (worst == 0), left + (worst == 2)
        bottom, right = bottom - (worst == 1), right - (worst == 3)
    return Sheet(sheet.piece[top:bottom, left:right], sheet.turns[top:bottom, left:right])


def _parts(knot: Knot, sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return what of a knot lies on each of `sheets`, where it lies there."""
    kept = [np.isin(sheet.piece, knot.pieces) for sheet in sheets]
    return [
        Sheet(np.where(some, sheet.piece, EMPTY).astype(np.int32), sheet.turns)
        for sheet, some in zip(sheets, kept, strict=True)
        if some.any()
    ]


def _fits(shape: Shape, job: Job) -> bool:
    """Say whether a panel may have `shape`."""
    panels = job.panels
    if panels is None or panels.count is None or panels.count > len(panels.shapes):
        return True
    ways = {shape} if job.compatibility.upright else {shape, (shape[1], shape[0])}
    return any(r <= rows and c <= cols for rows, cols in panels.shapes for r, c in ways)


def _laid(knot: Knot, whole: Sheet | None, sheets: Sequence[Sheet], job: Job) -> list[Sheet]:
    """Return the sheet of a picture; what has no place on it lies apart.

    A piece that is akin to nobody is left over, and one for which there is no room.
    """
    parts = _parts(knot, sheets) if whole is None else [whole]
    fragments = sorted(map(fragment_of, parts), key=lambda each: -len(each.piece))
    held = [fragment.piece for fragment in fragments]
    alone = np.setdiff1d(knot.pieces, np.concatenate([np.empty(0, np.intp), *held]))
    if whole is not None and (whole.piece >= 0).all():
        return [whole]
    if knot.size < 2:
        return []
    none = np.zeros((len(alone), 2), np.int64)
    singles = Fragment(alone, none, none[:, 0]).singles()
    together = laid_apart([*fragments, *singles], 1)
    return [together] if _fits(together.shape, job) else [each.sheet() for each in fragments]
