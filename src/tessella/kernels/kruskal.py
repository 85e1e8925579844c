"""Constrained Kruskal: joins, surest first, are added to a forest wherever no pieces collide.

`join_all` adds joins in the order of `surest_first` to what `tessella.kernels.forest.make_forest`
made, and `tessella.kernels.forest.fragments` tells where every piece lies. Fewer joins, say those
whose margin exceeds some threshold, make smaller and safer fragments.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.forest import JOINED, Forest, join
from tessella.kernels.jit import compiled
from tessella.kernels.tables import Tables


@compiled
def join_all(forest: Forest, pairs: NDArray[np.int32], first: int, last: int) -> int:
    """Try joins `first` to `last` of ``(J, 2)`` in order; return how many were made."""
    made = 0
    for j in range(first, last):
        made += join(forest, pairs[j, 0], pairs[j, 1]) == JOINED
    return made


def surest_first(
    tables: Tables, *, seed: int = 0, by_margin: bool = True, least: float = -np.inf
) -> NDArray[np.int32]:
    """Return the listed joins that are surer than `least`, surest first, int32 ``(J, 2)``.

    Parameters
    ----------
    seed : decides between equals
    by_margin : how sure a join is, is its margin, see `listed_joins`; or its score alone
    """
    pairs, score, instead = listed_joins(tables)
    sure = score - instead if by_margin else score
    chosen = np.flatnonzero(sure > least)
    np.random.default_rng(seed).shuffle(chosen)
    return np.asarray(pairs[chosen[np.argsort(-sure[chosen], kind="stable")]])


@compiled
def listed_joins(
    tables: Tables,
) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.float32]]:
    """Return all listed joins ``(J, 2)``, their scores, and what could be instead, ``(J,)``.

    What could be instead of the join of e and f is the mean of the best score that e has besides f
    and the best that f has besides e; the margin is the score less that.
    """
    start, partner, score = tables.start, tables.partner, tables.score
    pairs = np.empty((len(partner), 2), np.int32)
    value = np.empty(len(partner), np.float32)
    instead = np.empty(len(partner), np.float32)
    count = 0
    for e in range(len(start) - 1):
        for k in range(start[e], start[e + 1]):
            f = partner[k]
            if e > f and lists(tables, f, e, score[k]):
                continue  # It is counted there.
            pairs[count, 0], pairs[count, 1], value[count] = e, f, score[k]
            instead[count] = (best_besides(tables, e, f) + best_besides(tables, f, e)) / 2
            count += 1
    return pairs[:count], value[:count], instead[:count]


@compiled
def lists(tables: Tables, e: int, f: int, score: np.float32) -> bool:
    """Say whether edge `e` lists edge `f`, given their score; beside a dense table it need not."""
    first, k = tables.start[e], tables.start[e + 1] - 1
    if k >= first and tables.score[k] < score:
        return True
    while k >= first and tables.score[k] == score:
        if tables.partner[k] == f:
            return True
        k -= 1
    return False


@compiled
def best_besides(tables: Tables, e: int, f: int) -> float:
    """Return the best score that edge `e` lists with another than `f`, 0 for none."""
    k, end = tables.start[e], tables.start[e + 1]
    if k < end and tables.partner[k] == f:
        k += 1
    return float(tables.score[k]) if k < end else 0.0
