"""What is left beside pictures that are whole, sorted once more as a puzzle of its own.

A picture that is whole has no piece to give or to take. Without its pieces there are fewer rivals,
lists have room for others, and chances are read anew: so what is left is united and completed
again, and again, as long as that makes another picture whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.panels import Panels
from tessella.solving import Job
from tessella.stages.frame import FEWEST, LARGE, Stages
from tessella.stages.passing import passed
from tessella.stages.stage import Answer
from tessella.watch import Apart


@dataclass(frozen=True)
class Again:
    """What it is worth is in docs/experiments/odds.md.

    Attributes
    ----------
    stages : what several pictures go through
    empty : the share of cells that may be empty in a picture that is whole
    most : where more pieces lie on one sheet that is not whole, nothing is sorted again: such a
        picture takes many minutes, and every one would be searched anew
    """

    stages: Stages
    name: str = "again"
    empty: float = 0.01
    most: int = LARGE

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return the answer with what lies on no whole sheet sorted once more."""
        if not answer.open or job.panels is None or job.evidence.odds is None:
            return answer
        assert answer.arrangement is not None
        arrangement = self._sorted(answer.arrangement, job)
        if arrangement is answer.arrangement:
            return answer
        history = (*answer.history, job.compatibility.fitness(arrangement))
        return replace(answer, arrangement=arrangement, history=history, stopped=job.stop())

    def _sorted(self, arrangement: Arrangement, job: Job) -> Arrangement:
        """Return `arrangement`, or one of which more pieces lie on whole sheets."""
        whole = tuple(sheet for sheet in arrangement.sheets if self._is_whole(sheet))
        panels = _left(job.panels or Panels(), whole)
        held = [sheet.piece[sheet.piece >= 0] for sheet in whole]
        rest = np.setdiff1d(np.arange(job.compatibility.pieces), np.concatenate([_NONE, *held]))
        if not whole or panels is None or len(rest) < FEWEST or job.stop():
            return arrangement
        if any(count_of(s) > self.most for s in arrangement.sheets if not self._is_whole(s)):
            return arrangement
        evidence = job.evidence.part(rest, job.threads)
        part = replace(
            job,
            evidence=evidence,
            panels=panels,
            belonging=job.belonging and job.belonging.part(rest),
            watch=Apart(job.watch),
            checkpoint=job.checkpoint and job.checkpoint.beside(self.name),
            workshop=job.workshop.within(self.name),
        )
        found = passed(self.stages(part), part).arrangement
        assert found is not None
        if not any(map(self._is_whole, found.sheets)):
            return arrangement
        found = self._sorted(found, part)
        return Arrangement((*whole, *(_called(sheet, rest) for sheet in found.sheets)))

    def _is_whole(self, sheet: Sheet) -> bool:
        """Say whether a sheet is a full rectangle, or next to it."""
        return sheet.piece.size >= FEWEST and float((sheet.piece < 0).mean()) <= self.empty


_NONE = np.empty(0, np.int32)


def count_of(sheet: Sheet) -> int:
    """Return how many pieces lie on a sheet."""
    return int((sheet.piece >= 0).sum())


def _left(panels: Panels, whole: tuple[Sheet, ...]) -> Panels | None:
    """Return what is known of the panels that are not whole yet, None if all are."""
    shapes = list(panels.shapes)
    for sheet in whole:
        for shape in (sheet.shape, sheet.shape[::-1]):
            if shape in shapes:
                shapes.remove(shape)
                break
    if panels.count is None:
        return Panels(None, tuple(shapes))
    count = panels.count - len(whole)
    return Panels(count, tuple(shapes[:count])) if count > 0 else None


def _called(sheet: Sheet, names: NDArray[np.intp]) -> Sheet:
    """Return a sheet of some pieces as one of all; piece i is called ``names[i]``."""
    piece = np.where(sheet.piece >= 0, names[sheet.piece], EMPTY).astype(np.int32)
    return Sheet(piece, sheet.turns)
