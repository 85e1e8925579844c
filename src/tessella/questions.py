"""Questions: which joins a person should be asked about, so that the answers help most.

A person who looks at a join says that it is right, or picks the right partner among a few, or says
that it is none of these. So a question is worth most where the join is likely wrong, where the
right partner is likely among those that are shown, and where much else hangs on it: the doubtful
joins of the cell in question with neighbours that lie right.

Who is shown goes by more than the one edge: a partner must suit the other neighbours of the cell as
well, as far as these can be trusted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.confidence import Join
from tessella.odds import Odds
from tessella.result import Result
from tessella.sureness import trusted
from tessella.wishes import Wishes
from tessella.witnesses import LOW

SHOWN = 5
"""Partners among which a person picks, the one of the answer among them."""

_SAME = 0.25
"""What a second question about a piece is worth beside one, a third beside two."""


_NONE = 0.1
"""What is gained by hearing that it is none of those shown, where picking one gains 1."""

_ALONE = 0.1
"""What an answer is worth where no neighbour can be trusted."""

_CLOSELY = 64
"""So many joins at least, and eight for each that is asked for, are looked at closely."""


@dataclass(frozen=True)
class Question:
    """A join, and who else could be the partner of one of its edges.

    Attributes
    ----------
    join : what is asked about
    edge : whose partner is wanted, one of the join's
    partners : the other edge of the join, and then the likeliest of the others
    value : what the answer is worth: about how many joins it would put right
    """

    join: Join
    edge: int
    partners: tuple[int, ...]
    value: float


def next_questions(
    result: Result, count: int = 10, wishes: Wishes | None = None
) -> tuple[Question, ...]:
    """Return the questions about `result` whose answers are worth most, the worthiest first.

    Parameters
    ----------
    wishes : what was told since; what they join is not asked about, nor what `result` is certain of
    """
    joined = {_pair(*pair) for pair in wishes.joined} if wishes else set()
    open_ = [join for join in result.joins if _pair(*join.edges) not in joined]
    return tuple(worthwhile(result.joins, result.odds, count, open_))


def worthwhile(
    joins: Iterable[Join],
    odds: Odds | None = None,
    count: int | None = None,
    about: Iterable[Join] | None = None,
) -> list[Question]:
    """Return questions whose answers are worth most, the worthiest first.

    Of questions about the same piece the first one counts most: each answer may make the next one
    unnecessary.

    Parameters
    ----------
    joins : all of an answer
    about : those of them that may be asked about; what is certain never is
    """
    every = list(joins)
    seen = _Seen(every, odds)
    asked = [join for join in (every if about is None else about) if join.confidence < 1]
    asked.sort(key=lambda join: (-seen.crude(join), join.confidence, join.edges))
    most = len(asked) if count is None else max(8 * count, _CLOSELY)
    questions = [seen.question(join) for join in asked[:most]]
    questions.sort(key=lambda q: (-q.value, q.join.confidence, q.join.edges))
    return _spread(questions, len(questions) if count is None else count)


def _spread(questions: list[Question], count: int) -> list[Question]:
    """Return the `count` worthiest, of which each makes others about its pieces less so."""
    used: defaultdict[int, int] = defaultdict(int)
    chosen: list[Question] = []
    rest = questions[: max(8 * count, _CLOSELY)]
    while rest and len(chosen) < count:
        worth = [q.value * _SAME ** max(used[p] for p in _pieces(q.join)) for q in rest]
        best = rest.pop(int(np.argmax(worth)))
        for piece in _pieces(best.join):
            used[piece] += 1
        chosen.append(best)
    return [*chosen, *(rest + questions[max(8 * count, _CLOSELY) :])[: count - len(chosen)]]


class _Seen:
    """How an answer lies: the partner of every edge, how sure that is, and who else could be it."""

    def __init__(self, joins: Sequence[Join], odds: Odds | None) -> None:
        most = max((max(join.edges) for join in joins), default=3)
        pieces = most // 4 + 1 if odds is None else odds.pieces
        self.mate = np.full(4 * pieces, -1, np.int64)
        self.sure = np.zeros(4 * pieces)
        for join in joins:
            e, f = join.edges
            self.mate[e], self.mate[f] = f, e
            self.sure[[e, f]] = trusted(join.confidence)
        lies = self.mate >= 0
        number, total = lies.reshape(-1, 4).sum(axis=1), self.sure.reshape(-1, 4).sum(axis=1)
        others = np.repeat(number, 4) - lies
        self.trust = (np.repeat(total, 4) - self.sure) / np.maximum(others, 1)
        self.table = None if odds is None else _Table(odds)

    def around(self, edge: int) -> list[tuple[int, int]]:
        """Return the joins of the piece of `edge`: its edges, and those that face them."""
        first = edge - edge % 4
        return [(k, int(self.mate[k])) for k in range(first, first + 4) if self.mate[k] >= 0]

    def hanging(self, other: int) -> float:
        """Return how many joins are put right if the right piece lies where that of `other` does.

        They are those with neighbours that lie right.
        """
        doubts = ((1 - self.sure[k]) * self.trust[mate] for k, mate in self.around(other))
        return _ALONE + float(sum(doubts))

    def crude(self, join: Join) -> float:
        """Return what a question is worth at most."""
        doubt = 1.0 - float(trusted(join.confidence))
        return doubt * max(self.hanging(edge) for edge in join.edges)

    def question(self, join: Join) -> Question:
        """Ask for the partner of that edge of a join whose answer is worth more."""
        ways = []
        for edge, other in (join.edges, join.edges[::-1]):
            partners, share = self.rivals(edge, other)
            share = _NONE + share * self.trust[edge]
            gain = (1 - trusted(join.confidence)) * share * self.hanging(other)
            ways.append((gain, edge, partners))
        value, edge, partners = max(ways, key=lambda way: (way[0], -way[1]))
        return Question(join, edge, partners, value)

    def rivals(self, edge: int, other: int) -> tuple[tuple[int, ...], float]:
        """Return `other` and the likeliest others, and how likely the right one is among these.

        The latter given that `other` is wrong.
        """
        if self.table is None:
            return (other,), 0.0
        partner, chance, nobody = self.table.listed(edge)
        rest = partner != other
        partner, chance = partner[rest], chance[rest]
        total = np.log(np.maximum(chance, np.exp(LOW)))
        for mine, faces in self.around(other):
            if faces != edge:
                turned = 4 * (partner // 4) + (partner + mine - other) % 4
                total += self.trust[faces] * self.table.worth(faces, turned)
        best = np.argsort(-total, kind="stable")[: SHOWN - 1]
        share = float(chance[best].sum() / (chance.sum() + nobody + 1e-12))
        return (other, *(int(e) for e in partner[best])), share


class _Table:
    """Chances of the candidates of every edge, and what they are worth."""

    def __init__(self, odds: Odds) -> None:
        self.odds = odds
        self.chance, self.nobody = odds.chances()
        self.worths = np.log(np.maximum(self.chance, np.exp(LOW)))

    def listed(self, edge: int) -> tuple[NDArray[np.int64], NDArray[np.float64], float]:
        """Return the candidates of an edge, the chance of each, and that of nobody."""
        part = slice(self.odds.start[edge], self.odds.start[edge + 1])
        partner = self.odds.partner[part].astype(np.int64)
        return partner, self.chance[part], float(self.nobody[edge])

    def worth(self, edge: int, others: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what joining an edge to each of `others` is worth, ``(K,)``."""
        first, end = int(self.odds.start[edge]), int(self.odds.start[edge + 1])
        if first == end:
            return np.full(len(others), LOW)
        partner = self.odds.partner[first:end]  # ascending
        at = np.minimum(np.searchsorted(partner, others), end - first - 1)
        return np.where(partner[at] == others, self.worths[first:end][at], LOW)


def _pair(e: int, f: int) -> tuple[int, int]:
    return min(e, f), max(e, f)


def _pieces(join: Join) -> tuple[int, int]:
    return join.edges[0] // 4, join.edges[1] // 4
