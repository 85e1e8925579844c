"""Frames: the full rectangle that the pieces of a picture make, where nobody knows its shape.

While the shape is open, skies fray: their pieces fit anywhere along the border, and no row must end
where the others do. But so many pieces make few rectangles, and most of these have no room for what
is sure to lie together, or far too much of it. In those that are left the pieces are arranged as if
the shape were known. The outcome is believed if it breaks hardly anything sure
(`tessella.odds.sure`): then nothing, or next to nothing, is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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

LATE = ("move", "exchange", "mend", "believe")
"""Stages that better what lies within a frame, and hardly touch what is sure there. Of very many
pieces they take nearly all of the time, so a frame is believed before they begin."""

STEPS = (-1, 0, 1)

Stages = Callable[[Job], Sequence[Stage]]


@dataclass(frozen=True)
class Frame:
    """Which rectangles are tried; chosen on photographs of train/ (docs/experiments/odds.md).

    Attributes
    ----------
    stages : what one picture of a known shape goes through
    most : rectangles that are tried of those that have no cell to spare
    guesses : rectangles that are tried of very many pieces, before any search without one
    empty : the share of cells that may be empty in a rectangle like the answer's
    broken : the share of what is sure that a rectangle may break
    """

    stages: Stages
    name: str = "frame"
    most: int = 2
    guesses: int = 3
    empty: float = 0.01
    broken: float = 0.07

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
        found = Framing(self, job).fitter(free, largest(parts))
        if found is None:
            return replace(answer, stopped=job.stop())
        history = (*answer.history, job.compatibility.fitness(found))
        return replace(answer, arrangement=found, history=history, stopped=job.stop())


class Framing:
    """The rectangles that the pieces of one job are tried in; none of them twice."""

    def __init__(self, how: Frame, job: Job) -> None:
        assert job.evidence.odds is not None
        self.how, self.job = how, job
        self.pieces = job.compatibility.pieces
        self.sure = Sure.by(job.evidence.odds)
        self._trials: dict[Shape | None, _Trial] = {}

    @property
    def large(self) -> bool:
        """Say whether pieces are so many that late stages wait."""
        return self.pieces > LARGE

    def free(self, late: bool = False) -> Arrangement:
        """Return what the pieces come to while the shape is open.

        Parameters
        ----------
        late : whether very many go through the late stages, too
        """
        return self._trial(None).finished() if late else self._early(None)

    def told(self) -> Arrangement | None:
        """Return the fittest of the panels' known shapes that the pieces nearly fill, or None."""
        panels, empty = self.job.panels, self.how.empty
        shapes = () if panels is None else panels.shapes
        spare = {(rows, cols): rows * cols - self.pieces for rows, cols in shapes}
        return self._fittest([s for s, left in spare.items() if 0 <= left <= empty * self.pieces])

    def exact(self, core: Sheet) -> Arrangement | None:
        """Return the fittest rectangle without a cell to spare, None where none is believed.

        Parameters
        ----------
        core : the largest fragment, for which there must be room; what hangs over does not count
        """
        shapes = exact_frames(self.pieces, trimmed(core).shape, self.job.compatibility.upright)
        return self._fittest(shapes[: self.how.most])

    def likely(self, core: Sheet, whole: bool) -> Arrangement | None:
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
        inner, empty = trimmed(core).shape, self.how.empty
        upright = self.job.compatibility.upright
        shapes = exact_frames(self.pieces, inner, upright)[:1] if whole else []
        shapes += frames_like(inner, self.pieces, empty)[:1]
        shapes += frames_along(inner, self.pieces, empty)
        broken: list[tuple[int, Shape]] = []
        for shape in list(dict.fromkeys(shapes))[: self.how.guesses]:
            broken.append((self.sure.broken(self._early(shape)), shape))
            if self.job.stop():
                return None
            if broken[-1][0] <= self.sure.false:
                break
        if not broken:
            return None
        rows, cols = min(broken, key=itemgetter(0))[1]
        return self._believed((rows, cols), self.how.broken if rows * cols == self.pieces else 0.0)

    def fitter(self, free: Arrangement, core: Sheet | None) -> Arrangement | None:
        """Return a rectangle that is fitter than the `free` answer, None where there is none.

        The one most like the answer is tried first; if it has no cell to spare, or the pieces are
        very many, no other is.

        Parameters
        ----------
        core : see `exact`; None: no others are tried
        """
        fitness = self.job.compatibility.fitness
        shapes = frames_like(trimmed(free.sheets[0]).shape, self.pieces, self.how.empty)
        best = max(free, self._fittest(shapes[:1]) or free, key=fitness)
        if core is not None and not self.large and (best.sheets[0].piece < 0).any():
            best = max(best, self.exact(core) or free, key=fitness)
        return None if best is free else best

    def _fittest(self, shapes: Sequence[Shape]) -> Arrangement | None:
        """Arrange all pieces within each of `shapes`; return the fittest if it is believed."""
        fit: list[tuple[float, Shape]] = []
        for shape in shapes:
            fit.append((self.job.compatibility.fitness(self._early(shape)), shape))
            if self.job.stop():
                return None
        return self._believed(max(fit, key=itemgetter(0))[1], self.how.broken) if fit else None

    def _believed(self, shape: Shape, broken: float) -> Arrangement | None:
        """Return the pieces within `shape` unless they break more than `broken` of what is sure."""
        if self.sure.speaks_against(self._early(shape), broken):
            return None
        found = self._trial(shape).finished()
        return None if self.sure.speaks_against(found, broken) else found

    def _early(self, shape: Shape | None) -> Arrangement:
        """Arrange all pieces within `shape`; very many by the early stages alone."""
        trial = self._trial(shape)
        return trial.begun() if self.large else trial.finished()

    def _trial(self, shape: Shape | None) -> _Trial:
        if shape not in self._trials:
            job = replace(self.job, shape=shape, panels=None, checkpoint=None)
            self._trials[shape] = _Trial(self.how, job)
        return self._trials[shape]


class _Trial:
    """A job on its way through the stages, as far as it was asked to go."""

    def __init__(self, how: Frame, job: Job) -> None:
        self.job = job
        stages = list(how.stages(job))
        early = [stage.name not in LATE for stage in stages]
        count = early.index(False) if False in early else len(stages)
        self.early, self.late = stages[:count], stages[count:]
        self.answer = Answer(searched=job.compatibility)

    def begun(self) -> Arrangement:
        """Return what the early stages come to."""
        return self._gone(self.early)

    def finished(self) -> Arrangement:
        """Return what all stages come to."""
        self.begun()
        return self._gone(self.late)

    def _gone(self, stages: list[Stage]) -> Arrangement:
        while stages:
            self.answer = stages.pop(0)(self.answer, self.job)
        assert self.answer.arrangement is not None
        return self.answer.arrangement


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
