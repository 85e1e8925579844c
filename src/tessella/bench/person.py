"""A person in the loop, simulated: asked about joins, answering truthfully, round after round.

The person is shown a join and a few other partners of one of its edges, and picks the right one or
says that it is none of these: one answer either way. After every round the puzzle is solved again
from the last answer, with all that was told as wishes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.questions import Question, worthwhile
from tessella.result import Result
from tessella.session import Session
from tessella.truth import Truth
from tessella.wishes import Wishes

EACH = 10
"""Questions a round."""

Choose = Callable[[list[Question], int, np.random.Generator], list[Question]]
"""Given all questions that are open, the worthiest first, and how many to ask: those to ask."""


def worthiest(every: list[Question], count: int, chance: np.random.Generator) -> list[Question]:
    """Ask what is worth most."""
    del chance
    return every[:count]


def least_sure(every: list[Question], count: int, chance: np.random.Generator) -> list[Question]:
    """Ask about the joins of least confidence."""
    del chance
    return sorted(every, key=lambda q: (q.join.confidence, q.join.edges))[:count]


def any_(every: list[Question], count: int, chance: np.random.Generator) -> list[Question]:
    """Ask about any joins."""
    named = sorted(every, key=lambda q: q.join.edges)
    return [named[k] for k in chance.permutation(len(named))[:count]]


WAYS: dict[str, Choose] = {"worth": worthiest, "least sure": least_sure, "random": any_}


def answered(question: Question, partner: NDArray[np.int32]) -> Wishes:
    """Return what a truthful person says; `partner` is the true one of every edge, -1 for none."""
    true = int(partner[question.edge])
    if true in question.partners:
        return Wishes(joined=((question.edge, true),))
    return Wishes(forbidden=tuple((question.edge, each) for each in question.partners))


@dataclass(frozen=True)
class Round:
    """Where things stand after some answers.

    Attributes
    ----------
    answers : so far
    joins : of the truth
    wrong : joins of the answer that are not true
    found : true joins of the answer
    """

    answers: int
    joins: int
    wrong: int
    found: int


def conversation(
    session: Session, truth: Truth, way: str, share: float = 0.3, seed: int = 0
) -> Iterator[Round]:
    """Yield how an answer fares, from the first on, until a `share` of the joins was asked about.

    Parameters
    ----------
    way : how questions are chosen, one of `WAYS`
    """
    partner, chance = truth.partners(), np.random.default_rng(seed)
    total = len(truth.arrangement.joins())
    result, wishes, count = session.solve(), Wishes(), 0
    while True:
        yield _fares(result, partner, count, total)
        # Of an edge whose partner is in none of the lists shown so far, others are shown next.
        open_ = worthwhile(result.joins, result.odds)
        asked = WAYS[way](open_, min(EACH, round(share * total) - count), chance)
        if not asked:
            return
        for question in asked:
            wishes = wishes.and_also(answered(question, partner))
        count += len(asked)
        result = session.resolve(result, wishes)


def _fares(result: Result, partner: NDArray[np.int32], answers: int, total: int) -> Round:
    joins = result.arrangement.joins()
    right = int((partner[joins[:, 0]] == joins[:, 1]).sum())
    return Round(answers, total, len(joins) - right, right)


def at_share(rounds: list[Round], share: float) -> Round:
    """Return the last round that asked about no more than a `share` of the joins."""
    within = [each for each in rounds if each.answers <= round(share * each.joins)]
    return within[-1]
