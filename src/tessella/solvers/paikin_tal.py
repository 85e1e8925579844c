"""Paikin and Tal's greedy solver: grow from the most distinctive piece, surest placement first.

G. Paikin, A. Tal, "Solving multiple square jigsaw puzzles with missing pieces", CVPR 2015,
Section 4. Best buddies, the choice of the first piece, and the precedence of best buddies over
all other placements are the paper's. This version departs from it in four ways:

- A cell is rated against all of its neighbours, not only the one that proposed a piece.
- Confidence is renewed after every placement, not only once no best buddies are left. The paper
  then divides anew by the second-best distance among the remaining pieces; a solver here sees
  compatibilities, so it takes the difference to the second best that remains, both for the cell
  and for the piece.
- Confidence looks one step ahead: the best buddies of a piece would come to lie beside it, and
  where they would touch the nucleus they should fit it. That tells a border of the picture, which
  finds a false buddy all too easily, from a seam. `foresight` weighs it; 0 leaves it out.
- An edge with several equally good partners has no best buddy, so that pieces which look alike
  (a white sky) wait until what can be told apart is placed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tessella.errors import InputError
from tessella.kernels.board import Box, Rules, empty_board
from tessella.kernels.buddies import best_buddies
from tessella.solvers._filling import completed
from tessella.solving import Covers, Job, Solution
from tessella.wishes.obeying import obeyed


@dataclass(frozen=True)
class PaikinTal:
    """Greedy growth of one nucleus; the seed decides only between equals.

    Attributes
    ----------
    adjust : which post-processing the scores get
    foresight : weight of how the best buddies of a piece would fit the nucleus; 0 leaves it out
    """

    covers: ClassVar[Covers] = Covers(wishes=True)

    adjust: str = "ratio"
    foresight: float = 0.25

    def __post_init__(self) -> None:
        if not 0 <= self.foresight < np.inf:
            raise InputError(f"foresight must be 0 or more; got {self.foresight}.")

    def solve(self, job: Job) -> Solution:
        """Arrange all pieces; see `tessella.solving.Solver`."""
        self.covers.check("paikin_tal", job)
        return obeyed(job, self._search)

    def _search(self, job: Job) -> Solution:
        rules = make_rules(job, self.foresight)
        board = empty_board(job.compatibility.pieces)
        return completed(job, rules, board, "placing")


def make_rules(job: Job, foresight: float) -> Rules:
    """Return what the nucleus's growth follows; an unknown shape bounds nothing."""
    compatibility = job.compatibility
    count = compatibility.pieces
    upright, square = compatibility.upright, compatibility.square
    rows, cols = job.shape or (count, count)
    rank = np.random.default_rng(job.seed).permutation(count).astype(np.int32)
    return Rules(
        tables=compatibility.tables,
        buddy=best_buddies(compatibility.tables),
        rank=rank,
        turn_step=4 if upright else 1 if square else 2,
        box=Box(rows, cols, int(square and not upright)),
        foresight=float(foresight),
    )
