"""Strips in a row: the path with the greatest sum of compatibilities, by local search.

An asymmetric travelling-salesman path (T. M. Paixao et al., "A deep learning-based compatibility
score for reconstruction of strip-shredded text documents", SIBGRAPI 2018, hand this to a
travelling-salesman program). Ours begins with the surest joins and improves the path by
`tessella.kernels.path`: Or-opt, 3-opt, 2-opt for strips that may be turned, and kicks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.errors import InputError
from tessella.kernels import path as kernel
from tessella.kernels.chance import seeded
from tessella.puzzle import Shape
from tessella.solving import Covers, Job, Solution
from tessella.watch import Generation
from tessella.wishes.obeying import obeyed

STRIPS_MAX = 6000
"""So many strips have a table of pairs that fits into a gigabyte or so."""

KICKS_MIN = 500

_BATCH = 100
"""How many kicks are made between two looks at the clock."""


@dataclass(frozen=True)
class Path:
    """Greedy joins, then local search with kicks; every strip in one row.

    Attributes
    ----------
    adjust : which post-processing the scores get; `evidence` keeps their sum meaningful
    kicks : how many for every strip, but at least `KICKS_MIN` in all unless it is 0
    near : how many of the best partners of a side moves may ask for
    """

    covers: ClassVar[Covers] = Covers(grids=False, wishes=True)

    adjust: str = "evidence"
    kicks: float = 30.0
    near: int = 12

    def __post_init__(self) -> None:
        if not 0 <= self.kicks < np.inf:
            raise InputError(f"Setting kicks must be 0 or more; got {self.kicks}.")
        if self.near < 1:
            raise InputError(f"Setting near must be at least 1; got {self.near}.")

    def solve(self, job: Job) -> Solution:
        """Lay all strips in a row; see `tessella.solving.Solver`."""
        self.covers.check("path", job)
        return obeyed(job, self._search)

    def _search(self, job: Job) -> Solution:
        compatibility, shape = job.compatibility, job.shape
        _check(compatibility, shape)
        fit = fits(compatibility)
        close = nearest(fit, self.near, compatibility.upright)
        trail = kernel.make_trail(first_path(fit, close), not compatibility.upright)
        kernel.descend(fit, close, trail)
        done = self._wander(fit, close, trail, job)
        arrangement = Arrangement((row_of(trail.node[1:-1], shape),))
        return Solution(arrangement, compatibility.fitness(arrangement), stopped=not done)

    def _wander(
        self,
        fit: NDArray[np.float64],
        close: NDArray[np.int64],
        trail: kernel.Trail,
        job: Job,
    ) -> bool:
        """Kick and descend; return whether all kicks were made."""
        count = len(trail.place)
        total = max(KICKS_MIN, round(self.kicks * count)) if count > 2 and self.kicks else 0
        state = np.array([seeded(job.seed, 0, 0)], np.uint64)
        job.watch.stage("kicking", total)
        best, still = -np.inf, 0
        for number, first in enumerate(range(0, total, _BATCH)):
            if job.stop():
                return False
            kicks = min(_BATCH, total - first)
            kernel.wander(fit, close, trail, kicks, state)
            job.watch.advance(kicks)
            row = Arrangement((row_of(trail.node[1:-1], job.shape),))
            now = job.compatibility.fitness(row)
            best, still = (now, 0) if now > best else (best, still + 1)
            seen = None if still else row
            job.watch.generation(Generation(0, number, best, still, seen))
        return total > 0 or not job.stop()


def _check(compatibility: Compatibility, shape: Shape | None) -> None:
    """Raise unless these are strips, or pieces of a puzzle that is one row."""
    count = compatibility.pieces
    if count > STRIPS_MAX:
        raise InputError(f"The solver path takes {STRIPS_MAX} strips at most; got {count}.")
    if compatibility.square and not compatibility.upright and count > 1:
        raise InputError(
            "The solver path turns strips over, not by a quarter as square pieces may be turned; "
            "choose another."
        )
    ends = np.diff(compatibility.start)[1::2]  # how many candidates tops and bottoms have
    row = not ends.any() if shape is None else shape[0] == 1 and shape[1] >= count
    if not row:
        asked = "an unknown shape" if shape is None else f"a shape of {shape[0]} x {shape[1]}"
        raise InputError(
            f"The solver path lays strips in one row, which {asked} is not; choose another."
        )


def fits(compatibility: Compatibility) -> NDArray[np.float64]:
    """Return the compatibility of every two ends, 0 with a stop, ``(2N + 2, 2N + 2)``.

    Ends 2i and 2i + 1 are the right and the left side of strip i. What may not join is 0 too; no
    move makes such a join.
    """
    count = compatibility.pieces
    end = 2 * np.arange(2 * count, dtype=np.int32)  # as edges
    fit = np.zeros((2 * count + 2, 2 * count + 2))
    for a, edge in enumerate(end):
        others = end[a % 2 ^ 1 :: 2] if compatibility.upright else end
        others = others[others // 4 != edge // 4]
        pairs = np.stack([np.full_like(others, edge), others], axis=1)
        fit[a, others // 2] = compatibility.of(pairs)
    return fit


def nearest(fit: NDArray[np.float64], keep: int, upright: bool) -> NDArray[np.int64]:
    """Return the `keep` best partners of every end, best first, -1 behind the last."""
    ends = len(fit) - 2
    near = np.full((ends + 2, keep), -1, np.int64)
    for a in range(ends):
        other = np.arange(a % 2 ^ 1, ends, 2) if upright else np.arange(ends)
        other = other[other // 2 != a // 2]
        best = other[np.argsort(-fit[a, other], kind="stable")[:keep]]
        near[a, : len(best)] = best
    return near


def first_path(fit: NDArray[np.float64], near: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the nodes of a path that takes the surest joins first."""
    first = np.repeat(np.arange(len(near)), near.shape[1])
    second = near.ravel()
    listed = second >= 0
    first, second = first[listed], second[listed]
    order = np.argsort(-fit[first, second], kind="stable")
    return kernel.greedy(first[order], second[order], len(fit) // 2 - 1)


def row_of(nodes: NDArray[np.int64], shape: Shape | None) -> Sheet:
    """Return nodes as one row, as long as `shape` says; the whole row may be turned over.

    The strip with the smallest number decides, so that an answer does not depend on chance.
    """
    if nodes[np.argmin(nodes >> 1)] % 2:
        nodes = nodes[::-1] ^ 1
    spare = 0 if shape is None else shape[1] - len(nodes)
    piece = np.pad(nodes >> 1, (0, spare), constant_values=EMPTY)[None]
    turns = np.pad(nodes % 2 * 2, (0, spare))[None]
    return Sheet(piece.astype(np.int32), turns.astype(np.int8))
