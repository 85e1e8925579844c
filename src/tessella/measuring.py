"""Asking a measure about every admissible pair of edges, block by block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, Self, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tessella import asking, edges
from tessella.asking import Asking
from tessella.checkpoint import State
from tessella.describing import describe
from tessella.kernels.ranking import best_of
from tessella.puzzle import Puzzle
from tessella.scores import Scores, width
from tessella.threads import at_most, chunks, spread
from tessella.vectors import Searching
from tessella.watch import SILENT, Watcher
from tessella.workshop import ALONE, Workshop

KEEP = 64
"""How many candidates an edge keeps of a measure that has no wish of its own."""

Keep = int | Literal["usual"] | None
"""How many candidates an edge keeps: a number, as many as the measure wishes, or None for all."""

DENSE_BYTES = 256 * 2**20
"""Up to this size every score is kept, beside the best of every edge: 4,096 upright pieces."""

DENSE_BYTES_TURNED = 3 * DENSE_BYTES
"""The same for turned pieces, of which lists hold a smaller part: 3,547 pieces."""

_BLOCK_CELLS = 2**21


class Measure(Protocol):
    """Pixels in, scores out: how well do two pictures continue each other?

    One question serves all variants: piece A lies to the left of piece B. Turning is the caller's
    work. What depends on one piece alone is computed once by `right` and `left`; `raw` combines.
    """

    @property
    def distance(self) -> bool:
        """Whether scores are ``-log(1 + d)`` of a distance d."""

    def right(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[Any]:
        """Describe pieces ``(A, H, W, 3)`` by their right side; one row a piece."""

    def left(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[Any]:
        """Describe pieces ``(B, H, W, 3)`` by their left side; one row a piece."""

    def raw(self, right: NDArray[Any], left: NDArray[Any]) -> NDArray[np.floating[Any]]:
        """Compare every row of `right` with every row of `left`, ``(A, B)``, higher is better."""

    def score(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        """Turn raw values into scores, number by number, keeping their order."""


@runtime_checkable
class Selective(Protocol):
    """What a measure has besides, that asks another where its own answers are in doubt.

    The choice is made edge by edge, once all of them have been measured: an edge's candidates are
    ranked by one measure or by the other.
    """

    def doubtful(self, scores: Scores) -> NDArray[np.bool_]:
        """Say which edges, ``(4N,)``, want a second opinion, given the first."""

    def second(self) -> Measure:
        """Return the measure that gives it."""


@runtime_checkable
class Scorer(Protocol):
    """Scores pairs of edges of one puzzle, those that it is asked about."""

    @property
    def title(self) -> str:
        """What scores, and what was done to the pieces before; for people."""

    @property
    def slack(self) -> float:
        """How far from the proposer's best a candidate may be to be asked about."""

    def proposer(self) -> Measure | Scorer:
        """Return who proposes candidates by looking at all pairs."""

    def score(
        self, pairs: NDArray[np.int32], threads: int | None, watch: Watcher
    ) -> NDArray[np.float32]:
        """Score pairs of edges ``(M, 2)``, the first facing right, ``(M,)``; tells every pair."""


@runtime_checkable
class Learned(Protocol):
    """A measure too dear to be asked about every pair: a cheaper one proposes, it decides."""

    @property
    def distance(self) -> bool:
        """Whether scores are ``-log(1 + d)`` of a distance d."""

    def usual(self) -> int | None:
        """Say how many candidates are proposed for every edge if nobody says; None for all."""

    def fingerprint(self) -> str:
        """Return what tells its weights from others."""

    def suited(self, puzzle: Puzzle) -> Self:
        """Return the same measure with everything chosen that `puzzle` decides."""

    def scorer(self, puzzle: Puzzle) -> Scorer:
        """Return who scores pairs of `puzzle`."""


@runtime_checkable
class Portioned(Protocol):
    """What a measure has besides whose comparisons are long: how many edges are asked at once."""

    @property
    def portion(self) -> int:
        """How many edges are compared with all others at once, whatever the threads."""


@runtime_checkable
class Mirrored(Protocol):
    """What a measure has besides that says the same of two edges whichever way up they lie.

    Where pieces may lie upside down, every pair is asked about twice then; once is enough.
    """

    def mirrored(self, puzzle: Puzzle) -> bool:
        """Whether ``raw`` of an edge that faces right and another is that of the other and it.

        Where it is not, as of strips that only lie level at one end, the better of both counts.
        """


@runtime_checkable
class Vectored(Protocol):
    """What a measure has besides whose `raw` is the product of vectors: large puzzles are searched.

    `tessella.vectors` then lists the best of every edge; nobody knows the worst.
    """

    @property
    def vectors(self) -> bool:
        """Whether it is so."""


class Distance:
    """Base of the classical measures: `raw` is minus a distance, the score ``-log(1 + d)``."""

    @property
    def distance(self) -> bool:
        """Scores are of distances."""
        return True

    def score(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        """Return ``-log(1 + d)``; what rounding made negative counts as 0."""
        return cast(NDArray[np.float32], (-np.log1p(np.maximum(-raw, 0))).astype(np.float32))


def inside(pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.uint8]:
    """Return the pieces without their worn frame: what border measures read."""
    return pieces[:, eroded:-eroded, eroded:-eroded] if eroded else pieces


def rim(pieces: NDArray[np.uint8], eroded: int, direction: int) -> NDArray[np.uint8]:
    """Return the two outermost columns inside the frame, ``(A, H, 2, 3)``, the outer one first.

    Parameters
    ----------
    direction : `edges.RIGHT` or `edges.LEFT`
    """
    seen = inside(pieces, eroded)
    return seen[:, :, :-3:-1] if direction == edges.RIGHT else seen[:, :, :2]


def measure(
    puzzle: Puzzle,
    by: Measure | Learned,
    *,
    keep: Keep = "usual",
    dense: bool | None = None,
    threads: int | None = None,
    watch: Watcher = SILENT,
    stage: str = "measuring",
    workshop: Workshop = ALONE,
) -> Scores:
    """Score all admissible pairs of edges of `puzzle`, or those that are proposed to `by`.

    Parameters
    ----------
    keep : how many of the best candidates of an edge to list; None lists all. A learned measure
        scores as many proposed ones.
    dense : whether to keep every score as well; None decides by size
    stage : what `watch` is told
    workshop : does the blocks of a puzzle too large to keep every score, and keeps them
    """
    with at_most(threads):
        return _measured(puzzle, by, keep, dense, threads, watch, stage, workshop)


def _measured(
    puzzle: Puzzle,
    by: Measure | Learned,
    keep: Keep,
    dense: bool | None,
    threads: int | None,
    watch: Watcher,
    stage: str,
    workshop: Workshop,
) -> Scores:
    """Do what `measure` says; what describes edges keeps to the threads too."""
    if isinstance(by, Learned):
        from tessella.shortlist import measure_learned  # It builds upon this file.

        return measure_learned(
            puzzle, by, keep=keep, dense=dense, threads=threads, watch=watch, workshop=workshop
        )
    scores = empty(puzzle, distance=by.distance, keep=kept(by, keep), dense=dense)
    groups = puzzle.groups()
    watch.stage(stage, 4 * len(puzzle))
    _ask(scores, puzzle, by, groups, threads, watch, workshop, stage)
    if isinstance(by, Selective):
        doubted = by.doubtful(scores)
        watch.stage(f"{stage} again", int(doubted.sum()))
        some = [edges.Group(group.right[doubted[group.right]], group.left) for group in groups]
        _ask(scores, puzzle, by.second(), some, threads, watch, workshop, f"{stage} again")
    return scores


def kept(by: Measure | Learned, keep: Keep) -> int | None:
    """Return how many candidates to keep where the measure may have the say."""
    if keep != "usual":
        return keep
    return by.usual() if isinstance(by, Learned) else KEEP


def empty(puzzle: Puzzle, *, distance: bool, keep: int | None, dense: bool | None) -> Scores:
    """Make room for the scores of `puzzle`; see `measure`."""
    count = len(puzzle)
    columns = width(count, puzzle.upright)
    dense = keeps_all(puzzle) if dense is None else dense
    candidates = columns if puzzle.upright or puzzle.square else columns // 2
    k = candidates if keep is None else min(keep, candidates)
    total = 4 * count
    return Scores(
        pieces=count,
        upright=puzzle.upright,
        square=puzzle.square,
        distance=distance,
        lo=np.full(total, np.inf, np.float32),  # of edges that join nothing, as of strips' ends
        hi=np.full(total, -np.inf, np.float32),
        partner=np.full((total, k), -1, np.int32),
        score=np.full((total, k), -np.inf, np.float32),
        dense=_table(puzzle) if dense else None,
    )


def keeps_all(puzzle: Puzzle) -> bool:
    """Whether every score of `puzzle` is kept where nobody says; else blocks are measured."""
    most = DENSE_BYTES if puzzle.upright else DENSE_BYTES_TURNED
    return 16 * len(puzzle) * width(len(puzzle), puzzle.upright) <= most


def _table(puzzle: Puzzle) -> NDArray[np.float32]:
    """Make room for every score; what no edge may join is ``-inf`` from the start."""
    shape = (4 * len(puzzle), width(len(puzzle), puzzle.upright))
    return np.full(shape, -np.inf, np.float32)


def _ask(
    scores: Scores,
    puzzle: Puzzle,
    by: Measure,
    groups: list[edges.Group],
    threads: int | None,
    watch: Watcher,
    workshop: Workshop,
    stage: str,
) -> None:
    """Compare every edge of each group's `right` with all of its `left`, and store the answers."""
    for number, group in enumerate(groups):
        if not len(group.right):
            continue
        name = f"{stage}-{number}".replace(" ", "-")
        kept = workshop if scores.dense is None else None
        right = describe(puzzle, group.right, edges.RIGHT, by, kept, f"{name}-right", threads)
        left = describe(puzzle, group.left, edges.LEFT, by, kept, f"{name}-left", threads)
        if scores.dense is None:
            job = _job(by, group, right, left, scores.partner.shape[1])
            for block, arrays in workshop.done(name, job, threads):
                _store_block(scores, job.of(block), arrays)
                watch.advance(len(arrays["lo"]))
            continue
        step = max(32, _BLOCK_CELLS // len(group.left))
        if isinstance(by, Portioned):
            step = by.portion

        twice = np.array_equal(group.right, group.left)
        mirrors = twice and isinstance(by, Mirrored)
        whole = np.empty((len(right), len(left)), np.float32) if mirrors else None
        once = isinstance(by, Mirrored) and by.mirrored(puzzle)

        def fill(
            rows: slice,
            group: edges.Group = group,
            right: NDArray[Any] = right,
            left: NDArray[Any] = left,
            whole: NDArray[np.float32] | None = whole,
            once: bool = once,
        ) -> int:
            if whole is None:
                store(scores, by.score, group, rows, by.raw(right[rows], left))
            elif not once:
                whole[rows] = by.raw(right[rows], left)
            else:
                raw = by.raw(right[rows], left[rows.start :])
                whole[rows, rows.start :] = raw
                whole[rows.stop :, rows] = raw[:, rows.stop - rows.start :].T
            return int(rows.stop - rows.start)

        for done in spread(fill, chunks(len(group.right), step), threads):
            watch.advance(done)
        if whole is not None:
            if not once:
                np.maximum(whole, whole.T.copy(), out=whole)
            for rows in chunks(len(group.right), step):
                store(scores, by.score, group, rows, whole[rows])


def _job(
    by: Measure, group: edges.Group, right: NDArray[Any], left: NDArray[Any], keep: int
) -> Asking | Searching:
    """Return how the best candidates of a group's edges are found, block by block."""
    if isinstance(by, Vectored) and by.vectors:
        return Searching(group.right, group.left, right, left, keep)
    tile = (by.portion, 0) if isinstance(by, Portioned) else (asking.ROWS, asking.COLUMNS)
    return Asking(by, group.right, group.left, right, left, keep, *tile)


def _store_block(scores: Scores, which: NDArray[np.int32], block: State) -> None:
    """Keep what a block says of edges `which`."""
    for name in ("lo", "hi", "partner", "score"):
        getattr(scores, name)[which] = block[name]


def store(
    scores: Scores,
    score: Callable[[NDArray[np.floating[Any]]], NDArray[np.float32]],
    group: edges.Group,
    rows: slice,
    raw: NDArray[np.floating[Any]],
) -> None:
    """Keep the best of some of a group's edges, given all their raw values ``(A, B)``."""
    which = group.right[rows]
    values = np.ascontiguousarray(raw, np.float32)  # (A, B)
    k = scores.partner.shape[1]
    lo, hi, best, value = best_of(values, which // 4, group.left // 4, k)
    some = lo <= hi  # False for a puzzle's only piece, which has no candidates.
    scores.lo[which] = np.where(some, score(np.where(some, lo, 0)), np.inf)
    scores.hi[which] = np.where(some, score(np.where(some, hi, 0)), -np.inf)
    listed = best >= 0
    scores.partner[which] = np.where(listed, group.left[best], -1)
    scores.score[which] = np.where(listed, score(np.where(listed, value, 0)), -np.inf)
    if scores.dense is not None:
        table = score(values)
        sides = len(group.left) // scores.pieces  # Columns of one piece lie side by side.
        own = which[:, None] // 4 * sides + np.arange(sides)
        table[np.arange(len(which))[:, None], own] = -np.inf
        every = slice(None) if scores.upright or scores.square else slice(which[0] % 2, None, 2)
        scores.dense[which, every] = table
