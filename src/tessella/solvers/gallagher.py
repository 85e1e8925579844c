"""Gallagher's tree: joins are made surest first, then what left the frame fills its holes.

A. C. Gallagher, "Jigsaw puzzles with pieces of unknown orientation", CVPR 2012. Kruskal's
algorithm joins fragments, each turned and shifted as a whole, unless pieces would collide; the
tree of all pieces is trimmed to the frame, laid wherever and whichever way round it holds the most
of them; the others fill the holes, those with most neighbours first. This version departs from it:

- The paper orders joins by dissimilarity over the edge's second smallest one. A solver sees
  compatibilities of both edges together, so a join counts by how much it exceeds the mean of the
  best that either edge has besides; pieces that look alike, which are as sure of each other as of
  a third, come last. ``order=score`` takes the compatibilities as they come instead (with
  ``adjust=ratio`` the mean of both edges' ratios, each as exp(-r)) and does worse.
- Only listed joins are tried. If those leave several fragments, the largest is the tree.
- With an unknown shape nothing is trimmed; pieces outside the tree, if any, fill the cells
  around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.kernels.forest import Fragments, fragments, make_forest
from tessella.kernels.kruskal import join_all, surest_first
from tessella.kernels.placer import Bounds, fill, make_layout
from tessella.kernels.window import densest_window
from tessella.puzzle import Shape
from tessella.solving import Covers, Job, Solution

_STEP = 256
"""How many joins are tried between two looks at the clock."""


@dataclass(frozen=True)
class Gallagher:
    """Settings of the tree solver; the seed decides only between equals.

    Attributes
    ----------
    adjust : which post-processing the scores get
    order : which joins are surest: by ``margin`` over the best alternatives, or by ``score`` alone
    """

    covers: ClassVar[Covers] = Covers()

    adjust: str = "ratio"
    order: Literal["margin", "score"] = "margin"

    def solve(self, job: Job) -> Solution:
        """Arrange all pieces; see `tessella.solving.Solver`."""
        self.covers.check("gallagher", job)
        compatibility, shape, seed = job.compatibility, job.shape, job.seed
        count = compatibility.pieces
        by_margin = self.order == "margin"
        pairs = surest_first(compatibility.tables, seed=seed, by_margin=by_margin)
        forest = make_forest(count)
        job.watch.stage("joining", count - 1)
        made = tried = 0
        stopped = False
        while made < count - 1 and tried < len(pairs) and not stopped:
            joined = join_all(forest, pairs, tried, min(tried + _STEP, len(pairs)))
            made, tried = made + joined, tried + _STEP
            job.watch.advance(joined)
            stopped = made < count - 1 and job.stop()
        frame = _frame(compatibility, fragments(forest), shape)
        arrangement = Arrangement((_filled(compatibility, frame, shape, seed),))
        return Solution(arrangement, compatibility.fitness(arrangement), stopped=stopped)


def _frame(compatibility: Compatibility, forest: Fragments, shape: Shape | None) -> Sheet:
    """Return the frame with what it holds of the largest fragment."""
    tree = np.flatnonzero(forest.label == 0)
    row, col = forest.row[tree], forest.col[tree]
    if shape is None:
        # A ring of cells in which those outside the tree have room.
        ring = int(np.ceil(np.sqrt(compatibility.pieces - len(tree))))
        size = int(row.max()) + 1 + 2 * ring, int(col.max()) + 1 + 2 * ring
        row, col = row + ring, col + ring
    else:
        ways = (
            [shape, shape[::-1]] if compatibility.square and not compatibility.upright else [shape]
        )
        holds = [densest_window(row, col, *way) for way in ways]
        size, (_, top, left) = max(zip(ways, holds, strict=True), key=lambda way: way[1][0])
        row, col = row - top, col - left
    inside = (row >= 0) & (row < size[0]) & (col >= 0) & (col < size[1])
    piece: NDArray[np.int32] = np.full(size, -1, np.int32)
    turns = np.zeros(size, np.int8)
    piece[row[inside], col[inside]] = tree[inside]
    turns[row[inside], col[inside]] = forest.turns[tree[inside]]
    return Sheet(piece, turns)


def _filled(compatibility: Compatibility, frame: Sheet, shape: Shape | None, seed: int) -> Sheet:
    """Return all pieces in the frame, laid as asked for; an unknown shape is cut to its pieces."""
    count = compatibility.pieces
    bounds = Bounds(
        tables=compatibility.tables,
        buddy=np.full(4 * count, -1, np.int32),
        rank=np.random.default_rng(seed).permutation(count).astype(np.int32),
        turn_step=4 if compatibility.upright else 1 if compatibility.square else 2,
        rows=frame.shape[0],
        cols=frame.shape[1],
    )
    layout = make_layout(bounds, np.pad(frame.piece, 1, constant_values=-1), np.pad(frame.turns, 1))
    fill(bounds, layout, count)
    piece, turns = layout.piece[1:-1, 1:-1], layout.turns[1:-1, 1:-1]
    if shape is None:
        rows, cols = np.nonzero(piece >= 0)
        held = np.s_[rows.min() : rows.max() + 1, cols.min() : cols.max() + 1]
        piece, turns = piece[held], turns[held]
    sheet = Sheet(piece, turns.astype(np.int8))
    return sheet if shape in (None, sheet.shape) else sheet.turned(1)
