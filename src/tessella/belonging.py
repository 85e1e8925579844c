"""Belonging: which pieces lie on one sheet, and which do not, as somebody who knows them says.

Who says so of two pieces says it of all that holds together with them. So pieces gather in
clusters, along what is told and along joins; joins that would bring together what was told apart
are cut, the least sure of them, as water meets over the lowest saddle (seeded watersheds: Meyer and
Beucher, 1990).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement
from tessella.odds import Odds
from tessella.sureness import chances

Sure = Callable[[], NDArray[np.float64]]
"""Tells how sure joins are, ``(J,)``; asked only where something must be cut."""


@dataclass(frozen=True, eq=False)
class Belonging:
    """What is told.

    Attributes
    ----------
    name : of the sheet of every piece, -1 where nothing is told of it, ``(N,)``
    differ : pairs of names that are not one sheet, ``(D, 2)``
    panels : names that stand for panels, whatever else is found, ``(P,)``
    """

    name: NDArray[np.intp]
    differ: NDArray[np.intp]
    panels: NDArray[np.intp]

    def part(self, pieces: NDArray[np.intp]) -> Belonging:
        """Return what is told of some pieces alone, piece ``pieces[i]`` being called i."""
        return replace(self, name=self.name[pieces])

    def closed(self, pieces: NDArray[np.int32]) -> bool:
        """Say whether some pieces are of one sheet, and nobody tells of another piece on it."""
        some = np.zeros(len(self.name), np.bool_)
        some[pieces[pieces >= 0]] = True
        mine = np.unique(self.name[some & (self.name >= 0)])
        one = not np.isin(self.differ, mine).all(axis=1).any()
        return one and not np.isin(self.name[~some], mine).any()

    def names_panel(self, pieces: NDArray[np.int32]) -> bool:
        """Say whether one of some pieces lies on a panel, whatever else is found."""
        return bool(np.isin(self.name[pieces[pieces >= 0]], self.panels).any())

    def foes(self, home: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return pairs of homes that may not become one, ``(F, 2)``.

        Parameters
        ----------
        home : of every piece, ``(N,)``; -1 for none
        """
        lies: defaultdict[int, set[int]] = defaultdict(set)
        for where, names in self._holding(home).items():
            for name in names:
                lies[name].add(where)
        pairs = {(a, b) for one, two in self.differ.tolist() for a in lies[one] for b in lies[two]}
        both = {pair for a, b in pairs if a != b for pair in ((a, b), (b, a))}
        return np.array(sorted(both), np.intp).reshape(-1, 2)

    def clusters(self, joins: NDArray[np.intp], sure: Sure) -> NDArray[np.intp]:
        """Return the cluster of every piece, ``(N,)``.

        Parameters
        ----------
        joins : pairs of pieces that hold together, ``(J, 2)``
        """
        fellows, pieces = self._fellows(), len(self.name)
        whole = components(pieces, np.concatenate([joins, fellows]))
        first = dict(
            zip(self.name[fellows[:, 0]].tolist(), whole[fellows[:, 0]].tolist(), strict=True)
        )
        torn = [first[a] for a, b in self.differ.tolist() if first.get(a, -1) == first.get(b, -2)]
        some = np.flatnonzero(np.isin(whole[joins[:, 0]], torn))
        if not len(some):
            return whole
        cut = some[~self._kept(joins[some], sure()[some])]
        return components(pieces, np.concatenate([np.delete(joins, cut, axis=0), fellows]))

    def united(self, home: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the first of those with which every home is told to be one, ``(H,)``.

        Homes that already hold what was told apart stay as they are.
        """
        pairs = home[self._fellows()]
        union = _Union(self._holding(home), self._enemies())
        for one, two in pairs.tolist():
            union.unite(one, two)
        return np.array([union.first(k) for k in range(int(home.max(initial=-1)) + 1)], np.intp)

    def _fellows(self) -> NDArray[np.intp]:
        """Return the first piece of every name, and another or itself, ``(M, 2)``."""
        named = np.flatnonzero(self.name >= 0)
        _, at, which = np.unique(self.name[named], return_index=True, return_inverse=True)
        return np.stack([named[at[which]], named], axis=1)

    def _kept(self, joins: NDArray[np.intp], sure: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which joins are kept so that nothing told apart holds together, ``(J,)``."""
        union = _Union(self._holding(np.arange(len(self.name))), self._enemies())
        for one, two in self._fellows().tolist():
            union.unite(one, two)
        kept = np.zeros(len(joins), np.bool_)
        for k in np.argsort(-sure, kind="stable").tolist():
            kept[k] = union.unite(*joins[k].tolist())
        return kept

    def _holding(self, home: NDArray[np.intp]) -> dict[int, set[int]]:
        """Return the names of every home that holds any."""
        holding: defaultdict[int, set[int]] = defaultdict(set)
        for piece in np.flatnonzero((self.name >= 0) & (home >= 0)).tolist():
            holding[int(home[piece])].add(int(self.name[piece]))
        return holding

    def _enemies(self) -> defaultdict[int, set[int]]:
        """Return which names differ from every name."""
        enemies: defaultdict[int, set[int]] = defaultdict(set)
        for one, two in self.differ.tolist():
            enemies[one].add(two)
            enemies[two].add(one)
        return enemies


class _Union:
    """Things that become one unless names of theirs differ (a union-find)."""

    def __init__(self, holding: dict[int, set[int]], enemies: dict[int, set[int]]) -> None:
        self._above: dict[int, int] = {}
        self._holding = holding
        self._enemies = enemies

    def first(self, thing: int) -> int:
        """Return the first of those that a thing is one with."""
        first = thing
        while first in self._above:
            first = self._above[first]
        while thing != first:
            self._above[thing], thing = first, self._above[thing]
        return first

    def unite(self, one: int, two: int) -> bool:
        """Make two things one; return whether they are now."""
        one, two = sorted((self.first(one), self.first(two)))
        if one == two:
            return True
        mine, other = (self._holding.get(each, set()) for each in (one, two))
        if any(self._enemies[name] & other for name in mine if name in self._enemies):
            return False
        self._above[two] = one
        if other:
            self._holding[one] = mine | other
        return True


def components(pieces: int, joins: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return by numbers which pieces hang together by `joins` ``(J, 2)``, ``(N,)``."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    one, two = joins.reshape(-1, 2).T
    graph = coo_matrix((np.ones(len(one), np.int8), (one, two)), shape=(pieces, pieces))
    return np.asarray(connected_components(graph, directed=False)[1], np.intp)


def held_by(arrangement: Arrangement, odds: Odds) -> NDArray[np.float64]:
    """Return how sure the joins of `arrangement` are, in its own order, ``(J,)``."""
    return np.concatenate([sure for _, sure in chances(arrangement, odds)])
