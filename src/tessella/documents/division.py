"""The division of a row of worn strips into pages: cut where it holds least, into equal widths.

A cut costs what the join was worth; where a join is less likely than none, it gains. A page that is
much wider or narrower than the others costs too. So the number of pages is found, where nobody
knows it: that which costs least.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Sheet
from tessella.documents.columns import CERTAIN, holds
from tessella.documents.strips import Strips
from tessella.edges import LEFT, RIGHT
from tessella.odds import Worth
from tessella.odds.worth import RELIEF
from tessella.result import Result

RATIOS = (0.7071, 0.7727)
"""Width by height of a page that strips are taken to come from: A4 and Letter."""

UNEVEN = 0.25
"""By so much of its width a page of shreds may be wider or narrower than the others for nothing."""

PAGE = 0.3
"""What one page more costs: of two divisions that are about as good, that into fewer counts."""

_UNFAIR = 10.0
_WIDE = 20.0
_SLACK = 1.05
_SURE = 8.0  # logarithm of odds from which on a join is as dear as any


def guess_pages(puzzle: Strips) -> int:
    """Return how many pages of a usual paper size all strips make."""
    across = float(puzzle.widths().sum()) / float(np.median(puzzle.sizes[:, 0]))
    counts = np.arange(1, min(len(puzzle), int(across / min(RATIOS)) + 2) + 1)
    misfit = np.abs(np.log(across / counts[:, None] / np.array(RATIOS))).min(axis=1)
    return int(counts[misfit.argmin()])


def divided(
    puzzle: Strips,
    result: Result,
    row: Sheet,
    pages: int | None,
    known: NDArray[np.bool_] | None = None,
) -> list[Sheet]:
    """Cut a row into pages; None finds how many.

    Joins that somebody told are marked in `known` ``(n - 1,)``, and are not cut.

    Strips that were not kept, or not found, leave pages narrower than paper, so that there may be
    more pages than all strips fill.
    """
    hold = _hold(result, row)
    hold = hold if known is None else np.where(known, CERTAIN, hold)
    ends = np.concatenate([[0.0], np.cumsum(puzzle.widths()[row.piece[0]])])
    if pages is not None:
        cuts = _cheapest(hold, ends, pages)[1]
    else:
        guess = guess_pages(puzzle)
        most = min(len(puzzle), guess + guess // 2)  # one page with gaps stays one
        room = float(np.median(puzzle.sizes[:, 0])) * max(RATIOS) * _SLACK
        every = [_cheapest(hold, ends, k, room) for k in range(max(1, guess - 1), most + 1)]
        cuts = min(every, key=lambda one: one[0] + PAGE * (len(one[1]) - 1))[1]
    return [Sheet(row.piece[:, a:b], row.turns[:, a:b]) for a, b in pairwise(cuts)]


def _hold(result: Result, row: Sheet) -> NDArray[np.float64]:
    """Return how much every join of a row holds, at most 1, ``(n - 1,)``; below 0 it should not.

    Odds that are only guessed do not say where a page ends.
    """
    if result.odds is None or not result.odds.fitted:
        return holds(result.compatibility, row).astype(np.float64)
    pairs = np.stack([row.edges_facing(RIGHT)[0][:-1], row.edges_facing(LEFT)[0][1:]], axis=1)
    worth = Worth.by(result.odds).joins(pairs.astype(np.int32)) - RELIEF
    return np.asarray(np.clip(worth / _SURE, -1, 1), np.float64)


def _cheapest(
    hold: NDArray[np.float64], ends: NDArray[np.float64], pages: int, room: float = np.inf
) -> tuple[float, list[int]]:
    """Return what the best division into `pages` costs, and where each begins and the last ends.

    Parameters
    ----------
    hold : of every join, ``(n - 1,)``
    ends : where strips begin in the row, and where the last ends, ``(n + 1,)``
    room : how wide a page may be
    """
    # best[p][k]: least that p pages cost which end before place k; where[p][k]: the last's start.
    count = len(hold) + 1
    best = np.full((pages + 1, count + 1), np.inf)
    where = np.zeros((pages + 1, count + 1), np.int64)
    best[0, 0] = 0
    fair = ends[-1] / pages
    before = np.concatenate([[0.0], hold])
    for k in range(1, count + 1):
        wide = ends[k] - ends[:k]
        cost = np.maximum(0, np.abs(wide / fair - 1) - UNEVEN) * _UNFAIR + before[:k]
        cost += np.maximum(0, wide / room - 1) * _WIDE
        total = best[:-1, :k] + cost  # (pages, k)
        where[1:, k] = total.argmin(axis=1)
        best[1:, k] = total.min(axis=1)
    cuts = [count]
    for page in range(pages, 0, -1):
        cuts.append(int(where[page, cuts[-1]]))
    return float(best[pages, count]), cuts[::-1]
