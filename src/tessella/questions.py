"""Questions: which joins a person should be asked about, so that the answers help most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from tessella.confidence import Join
from tessella.result import Result

SURE = 0.95
"""A join less sure than this hangs in the air with its neighbours."""


def next_questions(result: Result, count: int = 10) -> tuple[Join, ...]:
    """Return the joins of `result` whose answer is worth most, the worthiest first."""
    return tuple(worthwhile(result.joins)[:count])


def worthwhile(joins: Iterable[Join]) -> list[Join]:
    """Return joins, those whose answer is worth most first.

    A question is worth its entropy, times how many doubtful joins hang on it: itself, and all that
    the two pieces have besides.
    """
    every = list(joins)
    doubtful = Counter(piece for join in every if join.confidence < SURE for piece in _pieces(join))
    value = {id(join): _entropy(join.confidence) * _hanging(join, doubtful) for join in every}
    return sorted(every, key=lambda join: (-value[id(join)], join.confidence, join.edges))


def _pieces(join: Join) -> Sequence[int]:
    return join.edges[0] // 4, join.edges[1] // 4


def _hanging(join: Join, doubtful: Counter[int]) -> int:
    own = 2 * (join.confidence < SURE)  # It was counted with both of its pieces.
    return 1 + sum(doubtful[piece] for piece in _pieces(join)) - own


def _entropy(chance: float) -> float:
    inside = min(max(chance, 1e-9), 1 - 1e-9)
    return float(-inside * np.log(inside) - (1 - inside) * np.log(1 - inside))
