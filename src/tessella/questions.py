"""Questions: which joins a person should be asked about, so that the answers help most.

A person who looks at a join says that it is right, or picks the right partner among a few, or says
that it is none of these. So a question is worth most where the join is likely wrong, where the
right partner is likely among those that are shown, and where much else hangs on it: the other
joins of the two pieces that are doubtful too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tessella.confidence import Join
from tessella.odds import Odds
from tessella.result import Result
from tessella.wishes import Wishes

SHOWN = 5
"""Partners among which a person picks, the one of the answer among them."""

_SAME = 0.25
"""What a second question about a piece is worth beside one, a third beside two."""


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
    wishes : those that `result` holds to; what they join is not asked about again
    """
    told = {_pair(*pair) for pair in wishes.joined} if wishes else set()
    open_ = [join for join in result.joins if _pair(*join.edges) not in told]
    return tuple(worthwhile(open_, result.odds, count))


def worthwhile(
    joins: Iterable[Join], odds: Odds | None = None, count: int | None = None
) -> list[Question]:
    """Return questions about `joins`, those whose answers are worth most first.

    Of questions about the same piece the first one counts most: each answer may make the next one
    unnecessary.
    """
    every = list(joins)
    table = None if odds is None else _Table(odds)
    doubt: defaultdict[int, float] = defaultdict(float)
    for join in every:
        for piece in _pieces(join):
            doubt[piece] += 1 - join.confidence
    found = [_question(join, table, doubt) for join in every]
    found.sort(key=lambda q: (-q.value, q.join.confidence, q.join.edges))
    return _spread(found, len(found) if count is None else count)


def _spread(found: list[Question], count: int) -> list[Question]:
    """Return the `count` worthiest, of which each makes others about its pieces less so."""
    used: defaultdict[int, int] = defaultdict(int)
    chosen: list[Question] = []
    rest = found[: max(8 * count, 64)]
    while rest and len(chosen) < count:
        worth = [q.value * _SAME ** max(used[p] for p in _pieces(q.join)) for q in rest]
        best = rest.pop(int(np.argmax(worth)))
        for piece in _pieces(best.join):
            used[piece] += 1
        chosen.append(best)
    return [*chosen, *(rest + found[max(8 * count, 64) :])[: count - len(chosen)]]


def _question(join: Join, table: _Table | None, doubt: dict[int, float]) -> Question:
    """Ask for the partner of that edge of a join whose right one is likelier among those shown."""
    wrong = 1 - join.confidence
    ways = []
    for edge, other in (join.edges, join.edges[::-1]):
        partners, share = ((other,), 0.0) if table is None else table.rivals(edge, other)
        # What hangs on the answer: the joins of the piece that may have to go.
        hanging = doubt[other // 4] + 0.5 * doubt[edge // 4]
        ways.append((wrong * (0.2 + share) * (1 + hanging), edge, partners))
    value, edge, partners = max(ways, key=lambda way: (way[0], -way[1]))
    return Question(join, edge, partners, value)


class _Table:
    """Chances of the candidates of every edge."""

    def __init__(self, odds: Odds) -> None:
        self.odds = odds
        self.chance, self.nobody = odds.chances()

    def rivals(self, edge: int, other: int) -> tuple[tuple[int, ...], float]:
        """Return `other` and the likeliest others, and how likely the right one is among these.

        The latter given that `other` is wrong.
        """
        part = slice(self.odds.start[edge], self.odds.start[edge + 1])
        partner, chance = self.odds.partner[part], self.chance[part]
        rest = partner != other
        partner, chance = partner[rest], chance[rest]
        best = np.argsort(-chance, kind="stable")[: SHOWN - 1]
        total = float(chance.sum() + self.nobody[edge])
        share = float(chance[best].sum()) / total if total > 0 else 0.0
        return (other, *(int(e) for e in partner[best])), share


def _pair(e: int, f: int) -> tuple[int, int]:
    return min(e, f), max(e, f)


def _pieces(join: Join) -> tuple[int, int]:
    return join.edges[0] // 4, join.edges[1] // 4
