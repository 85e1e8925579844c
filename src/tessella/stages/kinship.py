"""Kinship: which fragments and loose pieces are of one picture, though nothing tells their places.

A piece of sky does not know its place, but its candidates lie in its own sky, theirs too, and at
last some lie at the border of a fragment that is sure. So whoever is loose walks: of a free edge to
one of its candidates, each by its chance, nobody being the end; where walks arrive is where they
come from (random walks that are absorbed: Grady, 2006, parts pictures so). Fragments whose own free
edges walk to each other are of one picture, those that meet most first (average linkage: Sokal and
Michener, 1958); what is loose goes where most of its walks end. Two that meet a little may be one
picture: who completes sheets finds out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Sheet
from tessella.belonging import Belonging, components
from tessella.odds import Odds
from tessella.stages.parting import Foes, told_homes

_NONE = np.empty(0, np.intp)
_MOST = 30.0

Pairs = list[tuple[int, int]]

_STEPS = 64
_FAINT = 1e-4
"""Walks end after so many steps, and where they come less often than this."""


@dataclass(frozen=True, eq=False)
class Knot:
    """A fragment with what is loose about it, or two knots that became one.

    Attributes
    ----------
    pieces : all that it holds, ascending, ``(M,)``
    seeds : the first piece of every fragment that it was made of
    parts : the two knots it was made of, the one with more pieces first; or none
    firm : False where the parts may as well be two pictures
    """

    pieces: NDArray[np.intp]
    seeds: tuple[int, ...]
    parts: tuple[Knot, ...] = ()
    firm: bool = True

    @classmethod
    def on(cls, sheet: Sheet) -> Knot:
        """Return what lies on a sheet."""
        pieces = np.sort(sheet.piece[sheet.piece >= 0]).astype(np.intp)
        return cls(pieces, (int(pieces[0]),))

    @classmethod
    def of(cls, one: Knot, two: Knot, firm: bool) -> Knot:
        """Return what two knots make together."""
        parts = (one, two) if one.size >= two.size else (two, one)
        pieces = np.sort(np.concatenate([one.pieces, two.pieces]))
        return cls(pieces, one.seeds + two.seeds, parts, firm)

    def leaves(self) -> Iterator[Knot]:
        """Yield the knots it was made of that are made of no others."""
        waiting = [self]
        while waiting:
            knot = waiting.pop()
            if knot.parts:
                waiting += knot.parts[::-1]
            else:
                yield knot

    @property
    def size(self) -> int:
        """How many pieces it holds."""
        return len(self.pieces)


@dataclass(frozen=True)
class Bonds:
    """What makes fragments akin; chosen on photographs of train/ (docs/experiments/odds.md).

    Attributes
    ----------
    pieces : of a fragment at which walks end, at least
    least : walks from one to the other, for every free edge of the one that has fewer; a quarter of
        it is enough where one of them has not yet twice as many pieces, and for a doubt elsewhere
    heard : a single piece whose free edges expect fewer partners each is nobody's
    """

    pieces: int = 16
    least: float = 0.04
    heard: float = 0.05

    def enough(self, pieces: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the least by the pieces of the smaller of two fragments."""
        return np.where(pieces < 2 * self.pieces, self.least / 4, self.least)


@dataclass(frozen=True, eq=False)
class Kin:
    """Who belongs together.

    Attributes
    ----------
    knots : what hangs together, the largest first
    spare : pieces that any picture may have: all that they could join is blank, ``(M,)``
    """

    knots: list[Knot]
    spare: NDArray[np.intp]


def kin(
    sheets: Sequence[Sheet],
    odds: Odds,
    bonds: Bonds,
    closed: Sequence[bool],
    blank: NDArray[np.bool_] | None = None,
    count: int | None = None,
    told: Belonging | None = None,
) -> Kin:
    """Return what hangs together by kinship, and what may.

    Parameters
    ----------
    sheets : fragments; what lies on none of them is a fragment of one piece
    closed : marks the sheets that are kin to nobody
    blank : marks edges that fit any other of their colour, ``(4N,)``: nobody walks over them, and
        a join of two of them holds nothing together; None: there are none
    count : how many pictures there are beside closed ones: no fewer come out, if there are so many
        fragments, and more only where some meet nobody; None: nobody knows
    told : which pieces are of one picture, with all that holds together with them, and which are
        not; None: nobody says
    """
    blank = np.zeros(4 * odds.pieces, np.bool_) if blank is None else blank
    home = (
        homes(sheets, odds.pieces, blank) if told is None else told_homes(sheets, odds, blank, told)
    )
    size = np.bincount(home)
    apart = np.zeros(len(size), bool)
    for sheet, shut in zip(sheets, closed, strict=True):
        apart[home[sheet.piece[sheet.piece >= 0]]] |= shut
    chance, edges = _walks(sheets, odds, home, apart, blank)
    free = np.maximum(edges, 1.0)
    seeds = np.flatnonzero(~apart & (size >= bonds.pieces))
    loose = np.flatnonzero(~apart & (size < bonds.pieces))
    ends = _ends(chance, free, seeds, loose)
    meet = _meetings(chance, ends, seeds, loose)
    foes = Foes.of(told, home)
    name, tree, doubts = _united(meet, free[seeds], size[seeds], bonds, count, foes.among(seeds))
    expects = np.asarray(chance.sum(axis=1)).ravel()[loose] / free[loose]
    mine = _homeward(ends, name)
    mine[(size[loose] == 1) & (expects < bonds.heard)] = -1
    mine = foes.parted(mine, ends, name, seeds, loose)
    doubts = foes.let(doubts, mine, name, seeds, loose)
    members = np.split(np.argsort(home, kind="stable"), np.cumsum(size)[:-1])

    def knot(some: Sequence[int]) -> Knot:
        pieces = np.concatenate([members[number] for number in some])
        return Knot(np.sort(pieces), (int(pieces[0]),))

    order = np.argsort(mine, kind="stable")
    begin = np.searchsorted(mine[order], np.arange(len(seeds) + 1))
    knots = {
        k: knot([int(seed), *loose[order[begin[k] : begin[k + 1]]].tolist()])
        for k, seed in enumerate(seeds)
    }
    for firm, pairs in ((True, tree), (False, doubts)):
        for one, two in pairs:
            knots[one] = Knot.of(knots[one], knots.pop(two), firm)
    alone = loose[mine < 0]
    mute = (edges[alone] == 0) & np.isin(alone, home[np.flatnonzero(blank) // 4])
    spare = np.sort(np.concatenate([_NONE, *(members[number] for number in alone[mute])]))
    every = [*knots.values(), *(knot([number]) for number in alone[~mute].tolist())]
    return Kin(sorted(every, key=lambda knot: (-knot.size, int(knot.pieces[0]))), spare)


def together(
    sheets: Sequence[Sheet],
    odds: Odds,
    bonds: Bonds,
    shut: Sequence[bool],
    count: int,
    told: Belonging | None = None,
) -> NDArray[np.intp]:
    """Return the first of those with which each sheet makes one picture, ``(S,)``.

    Parameters
    ----------
    shut : marks sheets that make a picture with no other
    count, told : see `kin`
    """
    home = np.full(odds.pieces, -1, np.intp)
    for number, sheet in enumerate(sheets):
        home[sheet.piece[sheet.piece >= 0]] = number
    single = np.flatnonzero(home < 0)
    home[single] = len(sheets) + np.arange(len(single))
    first = np.arange(len(sheets) + len(single)) if told is None else told.united(home)
    kept, name = np.unique(first, return_inverse=True)  # Sheets before single pieces.
    home = name[home]
    apart = np.zeros(len(kept), np.bool_)
    apart[name[: len(sheets)]] = shut
    apart &= np.bincount(name) == 1
    chance, edges = _walks(sheets, odds, home, apart, np.zeros(4 * odds.pieces, np.bool_))
    free = np.maximum(edges, 1.0)
    seeds, loose = np.split(np.arange(len(kept)), [int((kept < len(sheets)).sum())])
    meet = _meetings(chance, _ends(chance, free, seeds, loose), seeds, loose)
    size, foes = np.bincount(home)[seeds], Foes.of(told, home).among(seeds)
    found = _united(meet, free[seeds], size, bonds, count, foes)[0]
    return kept[found[name[: len(sheets)]]]


def homes(sheets: Sequence[Sheet], pieces: int, blank: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the fragment of every piece, ``(N,)``: who hangs together by joins.

    A join of two blank edges tells nothing, and holds nothing together.
    """
    joins = np.concatenate([np.empty((0, 2), np.int32), *(sheet.joins() for sheet in sheets)])
    return components(pieces, joins[~blank[joins].all(axis=1)] // 4)


def _walks(
    sheets: Sequence[Sheet],
    odds: Odds,
    home: NDArray[np.intp],
    apart: NDArray[np.bool_],
    blank: NDArray[np.bool_],
) -> tuple[Any, NDArray[np.float64]]:
    """Return how many free edges of a fragment step to another, and how many there are.

    Parameters
    ----------
    home : fragment of every piece, ``(N,)``
    apart : fragments that nobody walks to or from, ``(F,)``
    blank : edges that nobody walks over, ``(4N,)``

    Returns
    -------
    a sparse matrix of steps ``(F, F)``, and the free edges of every fragment, ``(F,)``
    """
    from scipy import sparse

    free = ~np.repeat(apart[home], 4) & ~blank
    for sheet in sheets:
        free[sheet.joins().ravel()] = False
    edge, partner = odds.edge(), odds.partner
    some = np.flatnonzero(free[edge] & free[partner])
    edge, partner = edge[some], partner[some].astype(np.int64)
    other = home[edge // 4] != home[partner // 4]
    some, edge, partner = some[other], edge[other], partner[other]
    chance = np.exp(np.clip(odds.lead[some].astype(np.float64) - odds.nobody, -_MOST, _MOST))
    chance /= 1 + np.bincount(edge, chance, minlength=len(free))[edge]
    count = len(apart)
    where = home[edge // 4], home[partner // 4]
    steps = sparse.csr_matrix((chance, where), shape=(count, count))  # What is told twice adds up.
    edges = np.bincount(home, free.reshape(-1, 4).sum(axis=1), minlength=count)
    return steps, edges.astype(np.float64)


def _ends(
    chance: Any, free: NDArray[np.float64], seeds: NDArray[np.intp], loose: NDArray[np.intp]
) -> Any:
    """Return how often a walk from each loose fragment ends at each seed, sparse ``(L, S)``."""
    from scipy import sparse

    step = sparse.diags(1 / free[loose]) @ chance[loose]
    among, last = step[:, loose], step[:, seeds]
    ends = last
    for _ in range(_STEPS):
        ends = (among @ ends + last).tocsr()
        ends.data[ends.data < _FAINT] = 0.0
        ends.eliminate_zeros()
    return ends


def _meetings(
    chance: Any, ends: Any, seeds: NDArray[np.intp], loose: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return how many walks lead from each seed to each other and back, ``(S, S)``."""
    there: NDArray[np.float64] = (
        chance[seeds][:, seeds] + chance[seeds][:, loose] @ ends
    ).toarray()
    return there + there.T


def _united(
    meet: NDArray[np.float64],
    free: NDArray[np.float64],
    size: NDArray[np.intp],
    by: Bonds,
    wanted: int | None = None,
    foes: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.intp], Pairs, Pairs]:
    """Unite what meets most, again and again.

    Where it is known how many are wanted, it ends with so many; to meet at all is enough then, and
    what is united first is what meets most compared with what would be enough otherwise.

    Parameters
    ----------
    meet : walks between every two, ``(S, S)``
    free : edges of each, ``(S,)``
    size : pieces of each, ``(S,)``
    wanted : how many shall be left; None: nobody knows
    foes : marks those that may not become one, ``(S, S)``; None: there are none

    Returns
    -------
    the first of those with which each became one, ``(S,)``, who took in whom, one by one, and who
    else may belong together, each of them in one pair at most
    """
    count = len(free)
    name = np.arange(count)
    tree: Pairs = []
    meet, free, size = meet.copy(), free.copy(), size.copy()
    there = np.ones(count, bool)
    foes = np.zeros(meet.shape, np.bool_) if foes is None else foes.copy()

    def row(k: int) -> NDArray[np.float64]:
        bond: NDArray[np.float64] = meet[k] / np.minimum(free[k], free)
        enough = by.enough(np.minimum(size[k], size))
        bond[~there | (bond <= (enough if wanted is None else _FAINT))] = 0.0
        bond[k] = bond[foes[k]] = 0.0
        return bond if wanted is None else bond / enough

    bonds = np.stack([row(k) for k in range(count)]) if count else meet
    first = bonds.argmax(axis=1) if count else name
    best = bonds[np.arange(count), first]
    while best.any() and (wanted is None or int(there.sum()) > wanted):
        k = int(best.argmax())
        one, two = sorted((k, int(first[k])))
        tree.append((one, two))
        name[name == two] = one
        meet[one] += meet[two]
        meet[:, one] += meet[:, two]
        free[one] += free[two]
        size[one] += size[two]
        foes[one] |= foes[two]
        foes[:, one] |= foes[:, two]
        there[two] = False
        bonds[two] = bonds[:, two] = 0.0
        bonds[one] = bonds[:, one] = row(one)
        stale = (first == one) | (first == two) | (bonds[:, one] > best)
        stale[[one, two]] = True
        first[stale] = bonds[stale].argmax(axis=1)
        best[stale] = bonds[stale, first[stale]]
    if wanted is not None:
        return name, tree, []
    may = there & there[:, None] & ~foes
    bonds = np.where(may, meet / np.minimum(free, free[:, None]), 0.0)
    return name, tree, _pairs(np.triu(bonds, 1), by.least / 4)


def _pairs(bonds: NDArray[np.float64], least: float) -> Pairs:
    """Return pairs with a bond above `least`, the strongest first, nobody in two of them."""
    one, two = np.nonzero(bonds > least)
    taken: set[int] = set()
    pairs = []
    for k in np.argsort(-bonds[one, two], kind="stable"):
        pair = int(one[k]), int(two[k])
        if taken.isdisjoint(pair):
            taken.update(pair)
            pairs.append(pair)
    return pairs


def _homeward(ends: Any, name: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the seed that each loose fragment goes with, -1 for none, ``(L,)``.

    It is the one where most walks end among those of which most walks end at all together.
    """
    from scipy import sparse

    home = np.full(ends.shape[0], -1, np.intp)
    if not ends.nnz:
        return home
    count = len(name)
    same = sparse.csr_matrix((np.ones(count), (np.arange(count), name)), shape=(count, count))
    group = np.asarray((ends @ same).argmax(axis=1)).ravel()
    own = sparse.coo_matrix(ends)
    within = name[own.col] == group[own.row]
    row, col, value = own.row[within], own.col[within], own.data[within]
    order = np.lexsort((-col, value, row))  # The last of a row counts: the most, then the first.
    home[row[order]] = col[order]
    return home
