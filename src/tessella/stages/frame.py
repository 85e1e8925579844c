"""Frames: the full rectangle that the pieces of a picture make, where nobody knows its shape.

While the shape is open, skies fray: their pieces fit anywhere along the border, and no row must end
where the others do. But so many pieces make few rectangles, and most of these have no room for what
is sure to lie together, or far too much of it. In those that are left the pieces are arranged as if
the shape were known. The outcome is believed if it breaks hardly anything sure
(`tessella.odds.sure`): then nothing, or next to nothing, is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter

import numpy as np

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.odds import Sure
from tessella.puzzle import Shape
from tessella.solving import Job
from tessella.stages.laying import has_holes, trimmed
from tessella.stages.stage import Answer, Stage

FEWEST = 32
"""Fewer pieces are no picture: nearly any rectangle holds what is sure of them."""

LARGE = 2000
"""Beyond so many pieces a search takes a minute, and few rectangles are tried."""

STEPS = (-1, 0, 1)

Stages = Callable[[Job], Sequence[Stage]]


@dataclass(frozen=True)
class Frame:
    """Which rectangles are tried; chosen on photographs of train/ (docs/experiments, odds).

    Attributes
    ----------
    stages : what one picture of a known shape goes through
    most : rectangles that are tried of those that have no cell to spare
    guesses : rectangles that are tried of very many pieces, before any search without one
    empty : the share of cells that may be empty in a rectangle like the answer's
    broken : the share of what is sure that a rectangle may break
    tried : what came of every rectangle; for the pieces of one job
    """

    stages: Stages
    name: str = "frame"
    most: int = 2
    guesses: int = 3
    empty: float = 0.01
    broken: float = 0.07
    tried: dict[Shape, Arrangement] = field(default_factory=dict)

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return the full rectangle that all pieces make, or the answer as it was."""
        wanted = job.shape is None and job.panels is None and job.evidence.odds is not None
        if not answer.open or not wanted or job.compatibility.pieces < FEWEST:
            return answer
        free = answer.arrangement
        assert free is not None
        parts = fragments(free.sheets[0])
        if (free.sheets[0].piece >= 0).all() or any(map(has_holes, parts)):
            return answer
        found = replace(self, tried={}).fitter(free, largest(parts), job)
        if found is None:
            return replace(answer, stopped=job.stop())
        history = (*answer.history, job.compatibility.fitness(found))
        return replace(answer, arrangement=found, history=history, stopped=job.stop())

    def exact(self, core: Sheet, job: Job) -> Arrangement | None:
        """Return the fittest rectangle without a cell to spare, None where none is believed.

        Parameters
        ----------
        core : the largest fragment, for which there must be room; what hangs over does not count
        """
        pieces, inner = job.compatibility.pieces, trimmed(core).shape
        shapes = exact_frames(pieces, inner, job.compatibility.upright)
        return self._fittest(shapes[: self.most], job)

    def likely(self, core: Sheet, whole: bool, job: Job) -> Arrangement | None:
        """Return the pieces within the likeliest frame, None where none is believed.

        It has no cell to spare, or is like `core`, or has one side like the core's. Tried one after
        the other, the first that breaks no more of what is sure than is thought to be false is
        taken at once, else the one that breaks least. It may break more only where no cell is
        empty: such a rectangle is not made by chance.

        Parameters
        ----------
        core : the largest fragment
        whole : whether no piece is another picture's: only then may no cell be to spare
        """
        assert job.evidence.odds is not None
        pieces, inner = job.compatibility.pieces, trimmed(core).shape
        shapes = exact_frames(pieces, inner, job.compatibility.upright)[:1] if whole else []
        shapes += frames_like(inner, pieces, self.empty)[:1]
        shapes += frames_along(inner, pieces, self.empty)
        sure = Sure.by(job.evidence.odds)
        tried: list[tuple[int, Arrangement]] = []
        for shape in list(dict.fromkeys(shapes))[: self.guesses]:
            found = self._within(shape, job)
            if job.stop():
                return None
            tried.append((sure.broken(found), found))
            if tried[-1][0] <= sure.false:
                break
        if not tried:
            return None
        best = min(tried, key=itemgetter(0))[1]
        full = bool((best.sheets[0].piece >= 0).all())
        return None if sure.speaks_against(best, self.broken if full else 0.0) else best

    def fitter(self, free: Arrangement, core: Sheet | None, job: Job) -> Arrangement | None:
        """Return a rectangle that is fitter than the `free` answer, None where there is none.

        The one most like the answer is tried first; if it has no cell to spare, or the pieces are
        very many, no other is.

        Parameters
        ----------
        core : see `exact`; None: no others are tried
        """
        pieces, fitness = job.compatibility.pieces, job.compatibility.fitness
        shapes = frames_like(trimmed(free.sheets[0]).shape, pieces, self.empty)
        best = max(free, self._fittest(shapes[:1], job) or free, key=fitness)
        if core is not None and pieces <= LARGE and (best.sheets[0].piece < 0).any():
            best = max(best, self.exact(core, job) or free, key=fitness)
        return None if best is free else best

    def _fittest(self, shapes: Sequence[Shape], job: Job) -> Arrangement | None:
        """Arrange all pieces within each of `shapes`; return the fittest if it is believed."""
        assert job.evidence.odds is not None
        made = []
        for shape in shapes:
            made.append(self._within(shape, job))
            if job.stop():
                return None
        if not made:
            return None
        best = max(made, key=job.compatibility.fitness)
        return None if Sure.by(job.evidence.odds).speaks_against(best, self.broken) else best

    def _within(self, shape: Shape, job: Job) -> Arrangement:
        """Arrange all pieces within `shape`, unless that was done."""
        if shape not in self.tried:
            part = replace(job, shape=shape, panels=None, checkpoint=None)
            self.tried[shape] = passed(self.stages(part), part)
        return self.tried[shape]


def passed(stages: Sequence[Stage], job: Job) -> Arrangement:
    """Return what a job's pieces come to by `stages`."""
    answer = Answer(searched=job.compatibility)
    for stage in stages:
        answer = stage(answer, job)
    assert answer.arrangement is not None
    return answer.arrangement


def exact_frames(pieces: int, core: Shape, upright: bool) -> list[Shape]:
    """Return the rectangles of so many pieces that have room for `core`.

    The least oblong comes first, and of two that lies first which lies as `core` does. Turned
    pieces have no up and down: then one way round stands for both.
    """
    ways = {core} if upright else {core, core[::-1]}
    every = [(rows, pieces // rows) for rows in range(1, pieces + 1) if pieces % rows == 0]
    room = [
        (rows, cols)
        for rows, cols in every
        if (upright or rows <= cols) and any(r <= rows and c <= cols for r, c in ways)
    ]
    lies = core[0] > core[1]
    return sorted(room, key=lambda s: (max(s) - min(s), (s[0] > s[1]) != lies, s))


def frames_like(shape: Shape, pieces: int, empty: float) -> list[Shape]:
    """Return rectangles like `shape`, of as many rows and columns or one more or less.

    They have a cell for every piece, and at most a share `empty` besides; the most like comes
    first.
    """
    near = [(abs(i) + abs(j), (shape[0] + i, shape[1] + j)) for i in STEPS for j in STEPS]
    room = [
        (unlike, rows * cols - pieces, (rows, cols))
        for unlike, (rows, cols) in near
        if 0 <= rows * cols - pieces <= empty * pieces
    ]
    return [shape for *_, shape in sorted(room)]


def frames_along(shape: Shape, pieces: int, empty: float) -> list[Shape]:
    """Return rectangles with one side as long as that of `shape`, the other at least as long.

    They have a cell for every piece, and at most a share `empty` besides; the most like comes
    first.
    """
    ways = [(shape[0], -(-pieces // shape[0])), (-(-pieces // shape[1]), shape[1])]
    room = [
        (rows - shape[0] + cols - shape[1], (rows, cols))
        for rows, cols in ways
        if rows >= shape[0] and cols >= shape[1] and rows * cols - pieces <= empty * pieces
    ]
    return [shape for _, shape in sorted(room)]


def fragments(sheet: Sheet) -> list[Sheet]:
    """Return what hangs together on a sheet, each fragment on a sheet of its own."""
    from scipy.ndimage import find_objects, label

    names, _ = label(sheet.piece >= 0)
    return [
        Sheet(
            np.where(names[box] == number, sheet.piece[box], EMPTY).astype(np.int32),
            sheet.turns[box],
        )
        for number, box in enumerate(find_objects(names), start=1)
    ]


def largest(sheets: Sequence[Sheet]) -> Sheet:
    """Return the sheet with most pieces."""
    return max(sheets, key=lambda sheet: int((sheet.piece >= 0).sum()))
