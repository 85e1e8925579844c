"""Kinship: which fragments and loose pieces are of one picture, though nothing tells their places.

A piece of sky does not know its place, but its candidates lie in its own sky. Of every edge that is
still free, the chances of other free edges, nobody among them, are counted between fragments;
those that have most in common become one, again and again (average linkage: Sokal and Michener,
1958). What joins a large fragment is no bridge to other large ones: a white piece may be of any
picture with a white sky. The tree of who became one with whom is what is asked: a picture is one of
its knots.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Sheet
from tessella.odds import Odds

_NONE = np.empty(0, np.intp)
_MOST = 30.0

_FAINT = 0.02
"""Who has more candidates than fifty alike knows nothing: white is white in every picture."""

_CHANCE = 1.5
"""What two fragments have in common by chance; how it was come by is in docs/experiments, odds,
"Kinship", and that it should be chosen anew."""


@dataclass(frozen=True, eq=False)
class Knot:
    """A fragment, or two knots that became one.

    Attributes
    ----------
    size : pieces that it holds
    large : whether it holds a large fragment
    own : a fragment's pieces; none of a knot made of others, ``(M,)``
    sheet : a fragment's number among the sheets; None of a loose piece and of other knots
    parts : the two knots it was made of, the one with more pieces first; none for a fragment
    """

    size: int
    large: bool
    own: NDArray[np.intp]
    sheet: int | None = None
    parts: tuple[Knot, ...] = ()

    def fragments(self) -> Iterator[Knot]:
        """Yield the fragments it was made of; knots are deep where pieces came one by one."""
        waiting = [self]
        while waiting:
            knot = waiting.pop()
            if knot.parts:
                waiting += knot.parts[::-1]
            else:
                yield knot

    @cached_property
    def pieces(self) -> NDArray[np.intp]:
        """All that it holds, ascending, ``(M,)``."""
        return np.sort(np.concatenate([each.own for each in self.fragments()]))

    @property
    def sheets(self) -> tuple[int, ...]:
        """The sheets that it holds, by number."""
        return tuple(each.sheet for each in self.fragments() if each.sheet is not None)


@dataclass(frozen=True)
class Bonds:
    """What two knots must have in common to become one, in chances for every free edge.

    Attributes
    ----------
    loose : where one of them is no large fragment
    large : where both are
    pieces : of a large fragment, at least
    """

    loose: float = 0.06
    large: float = 0.1
    pieces: int = 32


def kin(sheets: Sequence[Sheet], odds: Odds, bonds: Bonds, closed: Sequence[bool]) -> list[Knot]:
    """Return what hangs together by kinship, the largest first.

    Parameters
    ----------
    sheets : fragments; what lies on none of them is a fragment of one piece
    closed : marks the sheets that are kin to nobody
    """
    home = homes(sheets, odds.pieces)
    count = int(home.max()) + 1
    apart = {number for number, whole in enumerate(closed) if whole}
    free, common = _in_common(sheets, odds, home, count, np.isin(home, list(apart)))
    members = np.split(np.argsort(home, kind="stable"), np.cumsum(np.bincount(home))[:-1])
    knots: dict[int, Knot] = {
        number: Knot(
            len(held), len(held) >= bonds.pieces, held, number if number < len(sheets) else None
        )
        for number, held in enumerate(members)
        if number not in apart
    }

    def offer(one: int, two: int) -> None:
        value = (common[one][two] - _CHANCE) / min(free[one], free[two])
        both = knots[one].large and knots[two].large
        if value > (bonds.large if both else bonds.loose):
            heapq.heappush(heap, (-value, one, two))

    heap: list[tuple[float, int, int]] = []
    for one, near in common.items():
        for two in near:
            if one < two and one in knots and two in knots:
                offer(one, two)
    new = count
    large = {number for number, knot in knots.items() if knot.large}
    while heap:
        _, one, two = heapq.heappop(heap)
        if one not in knots or two not in knots:
            continue
        _unite(common, one, two, new, large)
        parts = sorted((knots.pop(one), knots.pop(two)), key=lambda knot: -knot.size)
        if any(part.large for part in parts):
            large.add(new)
        knots[new] = Knot(parts[0].size + parts[1].size, new in large, _NONE, None, tuple(parts))
        free[new] = free.pop(one) + free.pop(two)
        for other in common[new]:
            offer(other, new)
        new += 1
    return sorted(knots.values(), key=lambda knot: (-knot.size, int(knot.pieces[0])))


def homes(sheets: Sequence[Sheet], pieces: int) -> NDArray[np.intp]:
    """Return the fragment of every piece, ``(N,)``: its sheet, or one of its own behind them."""
    home = np.full(pieces, -1, np.intp)
    for number, sheet in enumerate(sheets):
        home[sheet.piece[sheet.piece >= 0]] = number
    alone = home < 0
    home[alone] = len(sheets) + np.arange(int(alone.sum()))
    return home


Common = dict[int, dict[int, float]]


def _in_common(
    sheets: Sequence[Sheet],
    odds: Odds,
    home: NDArray[np.intp],
    count: int,
    apart: NDArray[np.bool_],
) -> tuple[dict[int, float], Common]:
    """Return how many free edges every fragment has, and what each two have in common."""
    edge, partner = odds.edge(), odds.partner.astype(np.int64)
    free = ~np.repeat(apart, 4)
    for sheet in sheets:
        free[sheet.joins().ravel()] = False
    some = free[edge] & free[partner] & (home[edge // 4] != home[partner // 4])
    edge, partner = edge[some], partner[some]
    chance = np.exp(np.clip(odds.lead[some].astype(np.float64) - odds.nobody, -_MOST, _MOST))
    chance /= 1 + np.bincount(edge, chance, minlength=len(free))[edge]
    chance[chance < _FAINT] = 0.0
    code, where = np.unique(home[edge // 4] * count + home[partner // 4], return_inverse=True)
    common: Common = {number: {} for number in range(count)}
    for pair, shared in zip(code.tolist(), np.bincount(where, chance).tolist(), strict=True):
        one, two = divmod(pair, count)
        common[one][two] = common[one].get(two, 0.0) + shared
        common[two][one] = common[two].get(one, 0.0) + shared
    edges = np.bincount(home, free.reshape(-1, 4).sum(axis=1), minlength=count)
    return {number: max(float(some), 1.0) for number, some in enumerate(edges)}, common


def _unite(common: Common, one: int, two: int, new: int, large: set[int]) -> None:
    """Let `new` have in common what `one` and `two` had with others.

    If one of them is large, what the other had in common with large ones is forgotten.
    """
    made: dict[int, float] = {}
    bridge = len({one, two} & large) == 1
    for mine in (one, two):
        for other, shared in common.pop(mine).items():
            if other not in (one, two):
                counts = mine in large or other not in large or not bridge
                made[other] = made.get(other, 0.0) + shared * counts
    for other, shared in made.items():
        near = common[other]
        near.pop(one, None)
        near.pop(two, None)
        near[new] = shared
    common[new] = made
