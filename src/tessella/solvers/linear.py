"""Linear programs over all positions at once, with the successive rejection of wrong matches.

R. Yu, C. Russell, L. Agapito, "Solving jigsaw puzzles with linear programming", BMVC 2016. Every
edge is matched with its best partner. Two linear programs, one for the rows and one for the
columns, find the positions that violate the matches the least by the weighted sum of absolute
differences. Matches that they violate are rejected, the edges matched with the next best that is
left, and all is repeated until none is violated. Turned pieces are, as in the paper, one element
for every way to turn them: an upright puzzle of four times as many elements, whose answer holds
the picture four times. This version departs from the paper in these ways:

- The dual program is solved: a flow along the matches, bounded by their weights. It has one row an
  element instead of two a match, and the positions are the prices of its rows, which are integers.
- A match weighs, as in the paper, the distance of the best alternative of either edge in relation
  to its own, but to the power `sharpness`, and alternatives that were rejected still count: what
  is matched late, with the fourth or fifth partner, has little say. A solver here sees no
  distances; the logarithm of a compatibility serves as one.
- A rejected match stays rejected in all four turns.
- Matches that stand in the end are laid in the order of their weights; one that would put two
  pieces in one cell or overstep a known shape is left out. The largest assembly is kept, and the
  greedy nucleus of `tessella.solvers.paikin_tal` places all other pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array

from tessella.errors import InputError
from tessella.kernels.assembly import lay_pairs, single_pieces
from tessella.kernels.board import ACROSS, DOWN
from tessella.solvers._filling import fill
from tessella.solvers._matching import Candidates, Matches
from tessella.solvers.paikin_tal import make_rules
from tessella.solving import Covers, Job, Solution

_RANGE = 1e3
"""Weights beyond this range would drown the others in the solver's tolerances."""

_EXACT = 1e-5
"""How far from what a match says positions may be."""

_FORESIGHT = 0.25
"""As `paikin_tal` has it."""


@dataclass(frozen=True)
class Linear:
    """Successive linear programs; the seed decides only between equals.

    Attributes
    ----------
    adjust : which post-processing the scores get
    depth : how many partners of an edge may be tried, best first
    sharpness : the power of a match's weight; 1 is the paper's
    rounds : how many times matches may be rejected
    """

    covers: ClassVar[Covers] = Covers()

    adjust: str = "ratio"
    depth: int = 10
    sharpness: float = 2.0
    rounds: int = 20

    def __post_init__(self) -> None:
        for name in ("depth", "rounds"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be 1 or more; got {getattr(self, name)}.")
        if not 0 < self.sharpness < np.inf:
            raise InputError(f"sharpness must be greater than 0; got {self.sharpness}.")

    def solve(self, job: Job) -> Solution:
        """Arrange all pieces; see `tessella.solving.Solver`."""
        self.covers.check("linear", job)
        compatibility = job.compatibility
        rules = make_rules(job, _FORESIGHT)
        left = Candidates.best(compatibility, self.depth)
        job.watch.stage("linear programs", self.rounds)
        stopped = False
        for _ in range(self.rounds):
            kept, violated = judge(left, self.sharpness, rules.turn_step)
            job.watch.advance()
            stopped = bool(len(violated)) and job.stop()
            if not len(violated) or stopped:
                break
            left.reject(violated)
        fragments = single_pieces(compatibility.pieces)
        lay_pairs(fragments, rules.box, kept.best_first())
        return fill(job, rules, fragments, stopped=stopped)


def judge(left: Candidates, sharpness: float, turn_step: int) -> tuple[Matches, NDArray[np.int32]]:
    """Match what is left and find positions; return the matches that they keep.

    The pairs that they violate, ``(V, 2)``, come second.
    """
    pair, ratio = left.nearest()
    turns = np.arange(0, 4, turn_step)
    tail, head, side = _elements(pair, turns)
    count = len(left.partner) // 4 * len(turns)
    weight = np.tile(np.clip(ratio**sharpness, 1 / _RANGE, _RANGE), len(turns))
    wrong = np.zeros(len(tail), np.bool_)
    for steps in (DOWN, ACROSS):
        position = positions(count, tail, head, steps[side], weight)
        short = np.abs(position[head] - position[tail] - steps[side])
        wrong |= short > _EXACT
    violated: NDArray[np.bool_] = np.any(wrong.reshape(len(turns), len(pair)), axis=0)
    return Matches(pair[~violated], ratio[~violated]), pair[violated]


def _elements(
    pair: NDArray[np.int32], turns: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the elements that pairs of edges match, and the side of the first, ``(T M,)`` each.

    Element i T + t is piece i in the t-th of its T ways to turn.
    """
    e, f = pair.T.astype(np.int64)
    side = (e + turns[:, None]) % 4  # (T, M)
    ways = len(turns)
    tail = e // 4 * ways + turns[:, None] * ways // 4
    head = f // 4 * ways + (side + 2 - f) % 4 * ways // 4
    return tail.ravel(), head.ravel(), side.ravel()


def positions(
    count: int,
    tail: NDArray[np.int64],
    head: NDArray[np.int64],
    step: NDArray[np.int64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the z ``(count,)`` with the least sum of weight * abs(z[head] - z[tail] - step).

    They are the prices of the flow along the matches, no more than `weight` either way, that
    gains the most, `step` a unit.
    """
    matches = len(tail)
    if matches == 0:
        return np.zeros(count)
    sign = np.repeat([1.0, -1.0], matches)
    where = np.concatenate([head, tail]), np.tile(np.arange(matches), 2)
    balance = csr_array((sign, where), shape=(count, matches))
    solve: Any = linprog  # its stubs, where installed, know no sparse arrays
    for presolve in (True, False):  # no flow at all is allowed: it fails by rounding if at all
        answer = solve(
            -step.astype(np.float64),
            A_eq=balance,
            b_eq=np.zeros(count),
            bounds=np.stack([-weight, weight], axis=1),
            method="highs-ds",
            options={"presolve": presolve},
        )
        if answer.success:
            break
    assert answer.success, answer.message
    prices: NDArray[np.float64] = -answer.eqlin.marginals
    return prices
