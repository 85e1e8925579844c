"""Pomeranz's greedy solver: place all pieces, keep the largest sound segment, place the rest anew.

D. Pomeranz, M. Shemesh, O. Ben-Shahar, "A fully automated greedy square jigsaw puzzle solver", CVPR
2011. The *placer* fills the cell with most neighbours first, with the piece that is a
best buddy of most of them, else the most compatible one; what lies floats until it spans the
frame. The *segmenter* finds regions in which best buddies lie together. The *shifter* keeps the
largest of them and has the placer lay all others around it, as long as the share of joins that
are of best buddies grows. The best of several first pieces by that share is the answer. This
version departs from it:

- The paper's compatibility is directed and built on prediction from two columns of pixels. A
  solver here is given compatibilities, by any measure and the same both ways; best buddies are
  compatibility from them, and an edge with several equally good partners has none.
- A segment grows by a rule of its own: a piece is taken up if more than half of its joins with
  the segment are of best buddies.
- First pieces are the most distinctive one (most best buddies that have most themselves), then
  random ones, `starts` in all.
- Of two arrangements with the same share of best buddies, the fitter is better.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement
from tessella.compatibility import Compatibility
from tessella.errors import InputError
from tessella.kernels.board import EAST, NORTH, SOUTH, WEST
from tessella.kernels.buddies import best_buddies, first_piece
from tessella.kernels.placer import Bounds, fill, make_layout
from tessella.kernels.segments import segments, share_of_buddies
from tessella.puzzle import Shape
from tessella.solving import Covers, Job, Solution

Grid = NDArray[np.int32]


@dataclass(frozen=True)
class Pomeranz:
    """Settings of the greedy solver; upright pieces and a known shape only.

    Attributes
    ----------
    adjust : which post-processing the scores get
    starts : how many first pieces are tried
    """

    covers: ClassVar[Covers] = Covers(turned=False, unknown=False)

    adjust: str = "ratio"
    starts: int = 10

    def __post_init__(self) -> None:
        if self.starts < 1:
            raise InputError(f"starts must be at least 1; got {self.starts}.")

    def solve(self, job: Job) -> Solution:
        """Arrange all pieces; see `tessella.solving.Solver`."""
        self.covers.check("pomeranz", job)
        compatibility, shape = job.compatibility, job.shape
        assert shape is not None
        bounds = _bounds(compatibility, shape, job.seed)
        starts = _starts(bounds, self.starts)
        job.watch.stage("placing", len(starts))
        best: Attempt | None = None
        stopped = False
        for start in starts:
            for attempt in _attempts(compatibility, bounds, start):
                if best is None or attempt.worth > best.worth:
                    best = attempt
                stopped = job.stop()
                if stopped:
                    break
            job.watch.advance()
            if stopped:
                break
        assert best is not None
        return Solution(best.arrangement, best.worth[1], stopped=stopped)


@dataclass(frozen=True, eq=False)
class Attempt:
    """A complete arrangement, and its share of best buddies and fitness."""

    arrangement: Arrangement
    worth: tuple[float, float]


def _bounds(compatibility: Compatibility, shape: Shape, seed: int) -> Bounds:
    return Bounds(
        tables=compatibility.tables,
        buddy=best_buddies(compatibility.tables),
        rank=np.random.default_rng(seed).permutation(compatibility.pieces).astype(np.int32),
        turn_step=4,
        rows=shape[0],
        cols=shape[1],
    )


def _starts(bounds: Bounds, most: int) -> list[int]:
    """Return the pieces to begin with: the most distinctive one, then random ones."""
    first = first_piece(bounds.tables, bounds.buddy, bounds.rank)
    others = np.argsort(bounds.rank)
    return [first, *others[others != first].tolist()][:most]


def _attempts(compatibility: Compatibility, bounds: Bounds, start: int) -> Iterator[Attempt]:
    """Yield what the placer makes of one piece, then of the largest segment, while that helps."""
    segment: Grid = np.array([[start]], np.int32)
    share = -1.0
    while True:
        grid = _placed(bounds, segment)
        turns = np.zeros_like(grid)
        gained = share_of_buddies(grid, turns, bounds.buddy)
        arrangement = _framed(grid, (bounds.rows, bounds.cols))
        yield Attempt(arrangement, (gained, compatibility.fitness(arrangement)))
        if gained <= share:
            return
        share = gained
        segment = _largest(grid, segments(grid, turns, bounds.buddy))


def _placed(bounds: Bounds, segment: Grid) -> Grid:
    """Return all pieces, laid around this segment, with a free rim."""
    height, width = segment.shape
    down, across = bounds.rows - height + 1, bounds.cols - width + 1
    # Room for the frame to reach beyond the segment on any side.
    roomy = np.pad(segment, ((down, down), (across, across)), constant_values=-1)
    layout = make_layout(bounds, roomy, np.zeros_like(roomy))
    fill(bounds, layout, len(bounds.rank))
    north, south, west, east = layout.tally[[NORTH, SOUTH, WEST, EAST]]
    return layout.piece[north - 1 : south + 2, west - 1 : east + 2]


def _largest(grid: Grid, label: Grid) -> Grid:
    """Return the largest segment alone, as small a grid as holds it."""
    largest = np.bincount(label[label >= 0]).argmax()
    rows, cols = np.nonzero(label == largest)
    held = np.s_[rows.min() : rows.max() + 1, cols.min() : cols.max() + 1]
    return np.where(label == largest, grid, -1)[held].astype(np.int32)


def _framed(grid: Grid, shape: Shape) -> Arrangement:
    """Return the pieces of a grid with a rim as an arrangement of the whole shape."""
    piece = np.full(shape, -1, np.int32)
    piece[: grid.shape[0] - 2, : grid.shape[1] - 2] = grid[1:-1, 1:-1]
    return Arrangement.single(piece)
