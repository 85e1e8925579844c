"""Which edges match: the best partners of every edge, and how far ahead of the others they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.compatibility import Compatibility

_LEAST = 0.01
"""Added to every distance, so that a perfect match does not outweigh all others together."""

_FAR = 10.0
"""The distance of nobody."""


class Matches(NamedTuple):
    """Pairs of edges that should lie against each other.

    Attributes
    ----------
    pair : int32 ``(M, 2)``
    weight : how much each counts, float64 ``(M,)``
    """

    pair: NDArray[np.int32]
    weight: NDArray[np.float64]

    def best_first(self) -> NDArray[np.int32]:
        """Return the pairs by falling weight."""
        return self.pair[np.argsort(-self.weight, kind="stable")]


class Candidates(NamedTuple):
    """The best partners of every edge, and nobody, who is further away than any of them.

    A solver sees compatibilities; minus their logarithm serves as the distance of two edges.

    Attributes
    ----------
    partner : best first, -1 for nobody, int32 ``(4N, K + 1)``
    distance : infinite once a partner is rejected, float64 ``(4N, K + 1)``
    two_best : distances of the first two, rejected or not, float64 ``(4N, 2)``
    """

    partner: NDArray[np.int32]
    distance: NDArray[np.float64]
    two_best: NDArray[np.float64]

    @classmethod
    def best(cls, compatibility: Compatibility, depth: int) -> Candidates:
        """Return the `depth` best partners of every edge."""
        nth, listed = np.arange(depth), np.diff(compatibility.start)
        edge, rank = np.nonzero(nth < listed[:, None])
        where = compatibility.start[edge] + rank
        score = compatibility.score[where].astype(np.float64)
        known = score > np.exp(_LEAST - _FAR)
        edge, rank = edge[known], rank[known]
        partner = np.full((len(listed), depth + 1), -1, np.int32)
        distance = np.full(partner.shape, _FAR)
        partner[edge, rank] = compatibility.partner[where[known]]
        distance[edge, rank] = _LEAST - np.log(score[known])
        return cls(partner, distance, distance[:, :2].copy())

    def reject(self, pairs: NDArray[np.int32]) -> None:
        """Strike pairs of edges ``(J, 2)`` off, from both sides."""
        for mine, other in (pairs.T, pairs.T[::-1]):
            nth, column = np.nonzero(self.partner[mine] == other[:, None])
            self.distance[mine[nth], column] = np.inf

    def nearest(self) -> Matches:
        """Match every edge with its nearest partner; where both edges do, it counts twice."""
        every = np.arange(len(self.partner))
        column = self.distance.argmin(axis=1)
        chosen = np.zeros(self.partner.shape, np.bool_)
        chosen[every, column] = self.partner[every, column] >= 0
        return self._matches(chosen)[0]

    def near(self, slack: float) -> Matches:
        """Match edges that are both almost the nearest partner of each other.

        That is no further away than `slack` times the nearest, or `slack` times 1, where the
        ratio adjustment sees the second best. An edge that has only such partners, as far as
        listed, cannot tell them apart and is matched with none.
        """
        reach = slack * np.minimum(self.distance[:, :1], 1)
        near = (self.distance <= reach) & (self.partner >= 0)
        near[near[:, :-1].all(axis=1)] = False
        matches, votes = self._matches(near)
        return Matches(matches.pair[votes == 2], matches.weight[votes == 2])

    def _matches(self, chosen: NDArray[np.bool_]) -> tuple[Matches, NDArray[np.int64]]:
        """Return every chosen pair once, with the sum of its edges' weights and their number.

        The weight is the distance of the best alternative that either edge has, rejected or not, in
        relation to that of the pair.
        """
        edge, column = np.nonzero(chosen)
        other = self.partner[edge, column].astype(np.intp)
        instead = np.minimum(self._instead(edge, other), self._instead(other, edge))
        key = np.minimum(edge, other) * len(chosen) + np.maximum(edge, other)
        _, first, match = np.unique(key, return_index=True, return_inverse=True)
        weight = np.zeros(len(first))
        np.add.at(weight, match, instead / self.distance[edge, column])
        pair = np.stack([edge, other], axis=1)[first].astype(np.int32)
        return Matches(pair, weight), np.bincount(match, minlength=len(first))

    def _instead(self, edge: NDArray[np.intp], other: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the distance of every edge's best partner but its `other`."""
        column = (self.partner[edge, 0] == other).astype(np.intp)
        distance: NDArray[np.float64] = self.two_best[edge, column]
        return distance
