"""Company: several measures heard together, each as far as this very puzzle bears it out.

A network knows the joints, wear and light that it was trained on, and which of several networks
knows these tiles best is not known beforehand. But the puzzle tells: where three joins around a
corner are sure, they say who lies at the fourth side, whatever is thought of that pair itself. On
such pairs measures are weighed against each other, by maximum likelihood: a pair's odds among the
candidates of its edge rise exponentially with the weighted sum of its scores (a product of experts:
Hinton, Neural Computation 14, 2002). Who tells nothing here gets no weight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tessella.puzzle import Puzzle
from tessella.scores import Scores, column
from tessella.watch import SILENT, Watcher

Floats = NDArray[np.float64]
Companion = Callable[[NDArray[np.int32], int | None, Watcher], NDArray[np.float32]]
"""Given ascending pairs of edges ``(M, 2)``, the first facing right: their scores, ``(M,)``."""


@runtime_checkable
class Accompanied(Protocol):
    """What a learned measure has besides that hears others before it decides."""

    def accompanied(
        self, puzzle: Puzzle, scores: Scores, threads: int | None, watch: Watcher
    ) -> Scores:
        """Return what all say together, given its own `scores` of `puzzle`."""


_FAINT = -40.0
"""Scores that lie further below an edge's best than this are all alike."""


@dataclass(frozen=True)
class Company:
    """How companions are heard; chosen on real panels and photographs (docs/experiments, tiles).

    Attributes
    ----------
    near : companions are asked about candidates that lie no further below the best, in the eyes of
        either edge (natural logarithms of odds)
    least : so many of an edge's best candidates they are asked about, whatever the lead
    sure : the chance, by both of its edges, from which on a join counts as sure
    false : the share of what sure joins tell that is taken for false
    strength : how firmly the leading measure is trusted, alone, before anything is told: as much as
        so many pairs would say whose weights' error is 1
    rounds : how often what is sure is chosen anew by what was weighed
    """

    near: float = 3.0
    least: int = 3
    sure: float = 0.4
    false: float = 0.1
    strength: float = 20.0
    rounds: int = 3

    def heard(
        self,
        scores: Scores,
        companions: Sequence[Companion],
        threads: int | None = None,
        watch: Watcher = SILENT,
    ) -> Scores:
        """Return what all say together: logarithms of chances, up to a constant for every edge.

        Who is not listed, but has a score, stays as far below the listed ones as before.
        """
        lists = Lists.of(scores)
        few = lists.among(self.near, self.least)
        pairs = np.stack([lists.edge[few], lists.partner[few]], axis=1)
        said = [lists.levelled(lists.score)]
        watch.stage("asking others", len(pairs) * len(companions))
        for companion in companions:
            value = np.full(len(lists.edge), np.nan)
            value[few] = companion(pairs, threads, watch)
            said.append(lists.levelled(value))
        weights = self.weighed(lists, np.stack(said))
        return lists.put_back(scores, np.tensordot(weights, np.stack(said), 1))

    def credible(self, lists: Lists, value: Floats, pairs: NDArray[np.int64]) -> Floats:
        """Return how likely it is that `pairs` are told truly: joins that are sure may be wrong.

        What is told falsely is any candidate of the edge, as good as the next.
        """
        true = (1 - self.false) * lists.chances(value)[pairs]
        anyone = self.false / np.diff(lists.start)[lists.edge[pairs]]
        return np.asarray(true / (true + anyone), np.float64)

    def weighed(self, lists: Lists, said: Floats) -> Floats:
        """Return what each of ``said`` ``(K, M)`` weighs, the leading measure's first, ``(K,)``."""
        weights: Floats = np.eye(1, len(said))[0]
        for _ in range(self.rounds):
            value = weights @ said
            pairs = lists.implied(lists.mates(value, self.sure))
            if not len(pairs):
                break
            part = _Told.of(lists, said, pairs, self.credible(lists, value, pairs))
            weights = _likeliest(part, self.strength)
        return weights


@dataclass(frozen=True, eq=False)
class Lists:
    """Listed pairs of edges, ascending.

    Attributes
    ----------
    start : pairs of edge e stand at ``start[e]:start[e + 1]``, ``(4N + 1,)``
    edge, partner : ``(M,)`` each
    score : what the leading measure said, ``(M,)``
    back : where the pair stands that is the same the other way round; itself if none does, ``(M,)``
    """

    start: NDArray[np.int64]
    edge: NDArray[np.int32]
    partner: NDArray[np.int32]
    score: Floats
    back: NDArray[np.int64]

    @classmethod
    def of(cls, scores: Scores) -> Lists:
        """Return the pairs that `scores` list."""
        edge, place = np.nonzero(scores.partner >= 0)
        partner = scores.partner[edge, place]
        order = np.lexsort((partner, edge))
        edge, place, partner = edge[order], place[order], partner[order]
        count = len(scores.partner)
        code = edge.astype(np.int64) * count + partner
        turned = partner.astype(np.int64) * count + edge
        at = np.minimum(np.searchsorted(code, turned), len(code) - 1)
        back = np.where(code[at] == turned, at, np.arange(len(code)))
        start = np.searchsorted(edge, np.arange(count + 1)).astype(np.int64)
        score = scores.score[edge, place].astype(np.float64)
        return cls(start, edge.astype(np.int32), partner, score, back)

    def best(self, value: Floats) -> Floats:
        """Return the best of every edge's values, -inf of an edge without any, ``(4N,)``."""
        out = np.full(len(self.start) - 1, -np.inf)
        np.maximum.at(out, self.edge, value)
        return out

    def among(self, near: float, least: int) -> NDArray[np.intp]:
        """Return pairs so near the best of either edge, or among its first, ascending."""
        order = np.lexsort((-self.score, self.edge))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order)) - self.start[self.edge[order]]
        wanted = (self.best(self.score)[self.edge] - self.score <= near) | (rank < least)
        return np.flatnonzero(wanted | wanted[self.back])

    def levelled(self, value: Floats) -> Floats:
        """Return values less the best of their edge, the mean of both ways, ``(M,)``.

        Who was not asked about (nan) counts as the one in the middle of those who were.
        """
        asked = ~np.isnan(value)
        order = np.lexsort((np.where(asked, value, np.inf), self.edge))
        many = np.bincount(self.edge[asked], minlength=len(self.start) - 1)
        some = np.flatnonzero(many)
        middle, high = np.zeros(len(many)), np.zeros(len(many))
        middle[some] = value[order[self.start[some] + (many[some] - 1) // 2]]
        high[some] = value[order[self.start[some] + many[some] - 1]]
        own = np.maximum(np.where(asked, value, middle[self.edge]) - high[self.edge], _FAINT)
        return (own + own[self.back]) / 2

    def chances(self, value: Floats) -> Floats:
        """Return the chance of every pair among the candidates of its edge, ``(M,)``."""
        odds = np.exp(value - self.best(value)[self.edge])
        return odds / np.bincount(self.edge, odds, len(self.start) - 1)[self.edge]

    def mates(self, value: Floats, sure: float) -> NDArray[np.int64]:
        """Return the partner of every edge that is surely joined, -1 of all others, ``(4N,)``."""
        chance = self.chances(value)
        both = chance * chance[self.back]
        top = value >= self.best(value)[self.edge]
        held = np.flatnonzero(top & top[self.back] & (both > sure))
        mate = np.full(len(self.start) - 1, -1, np.int64)
        mate[self.edge[held]] = self.partner[held]
        return mate

    def implied(self, mate: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the pairs that three joins around a corner say to be neighbours, ascending.

        At a corner of piece p meet its edge e, that joins a, and the next one counter-clockwise,
        that joins b. The edge of a that faces as b lies joins c; then b and c are neighbours.
        """
        e = np.flatnonzero(mate >= 0)
        beside, above = mate[e], mate[_next(e, 1)]
        e, beside, above = (each[above >= 0] for each in (e, beside, above))
        corner = mate[_next(beside, -1)]
        beside, above, corner = (each[corner >= 0] for each in (beside, above, corner))
        one, two = _next(above, 1), _next(corner, -1)
        code = np.concatenate([self._code(one, two), self._code(two, one)])
        listed = self._code(self.edge, self.partner)
        return np.flatnonzero(np.isin(listed, code))

    def _code(self, edge: NDArray[np.integer], partner: NDArray[np.integer]) -> NDArray[np.int64]:
        return edge.astype(np.int64) * (len(self.start) - 1) + partner

    def put_back(self, scores: Scores, value: Floats) -> Scores:
        """Return `scores` with the values of listed pairs in the place of theirs."""
        value = value.astype(np.float32)
        order = np.lexsort((self.partner, -value, self.edge))  # Ties by the lower edge.
        place = np.arange(len(order)) - self.start[self.edge[order]]
        partner, score = np.full_like(scores.partner, -1), np.full_like(scores.score, -np.inf)
        partner[self.edge[order], place] = self.partner[order]
        score[self.edge[order], place] = value[order]
        low = -self.best(-value.astype(np.float64)).astype(np.float32)
        some = np.diff(self.start) > 0
        hi = np.where(some, score[:, 0], scores.hi)
        before = -self.best(-self.score).astype(np.float32)
        sunk = np.where(some, low - before, 0).astype(np.float32)
        dense = scores.dense
        if dense is not None:
            dense = dense + sunk[:, None]
            dense[self.edge, column(self.partner, scores.upright)] = value
        return replace(
            scores,
            hi=hi,
            lo=np.where(some, np.minimum(low, scores.lo + sunk), scores.lo),
            partner=partner,
            score=score,
            dense=dense,
        )


def _next(edge: NDArray[np.int64], step: int) -> NDArray[np.int64]:
    """Return the edges of the same pieces, so many further counter-clockwise."""
    return edge - edge % 4 + (edge + step) % 4


def _likeliest(part: _Told, strength: float) -> Floats:
    """Return weights of 0 and more by which what is told is likeliest, ``(K,)``.

    Newton's method; the function is convex. Who would get less than 0 is left out, one by one.
    """
    before = np.eye(1, len(part.said))[0]
    free = np.ones(len(before), np.bool_)
    while True:
        weights = np.where(free, before, 0.0)
        for _ in range(_STEPS):
            slope, bend = part.slope(weights)
            slope = slope + 2 * strength * (weights - before)
            bend = bend + 2 * strength * np.eye(len(before))
            step = np.zeros(len(before))
            step[free] = np.linalg.solve(bend[np.ix_(free, free)], slope[free])
            weights = weights - np.clip(step, -_STEP, _STEP)
        if (weights >= 0).all() or not free.any():
            return np.maximum(weights, 0.0)
        free[int(np.argmin(weights))] = False


_STEPS, _STEP = 30, 0.5


@dataclass(frozen=True, eq=False)
class _Told:
    """The candidates of edges whose partner is told.

    Attributes
    ----------
    row : which of these edges a candidate is of, ascending, ``(C,)``
    said : what is said of them, ``(K, C)``
    right : what is said of the right ones, all together, ``(K,)``
    counts : how much an edge counts, one a row
    """

    row: NDArray[np.int64]
    said: Floats
    right: Floats
    counts: Floats

    @classmethod
    def of(cls, lists: Lists, said: Floats, pairs: NDArray[np.int64], counts: Floats) -> _Told:
        """Take the candidates of the edges of `pairs`; a pair counts once."""
        own = lists.edge[pairs]
        length = np.diff(lists.start)[own]
        row = np.repeat(np.arange(len(pairs)), length)
        offset = np.arange(len(row)) - np.repeat(np.cumsum(length) - length, length)
        at = np.repeat(lists.start[own], length) + offset
        return cls(row, said[:, at], said[:, pairs] @ counts, counts)

    def slope(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return first and second derivatives of minus the logarithm of the likelihood."""
        value = weights @ self.said
        count = int(self.row[-1]) + 1
        high = np.full(count, -np.inf)
        np.maximum.at(high, self.row, value)
        odds = np.exp(value - high[self.row])
        chance = odds / np.bincount(self.row, odds, count)[self.row]
        mean = np.stack([np.bincount(self.row, chance * each, count) for each in self.said])
        slope = mean @ self.counts - self.right
        bend = (self.said * (chance * self.counts[self.row])) @ self.said.T
        bend -= (mean * self.counts) @ mean.T
        return slope, bend
