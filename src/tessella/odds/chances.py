"""Chances over every candidate of an edge, and nobody.

What tells the true partner of an edge from all others is not its score but its lead: the score less
that of the best rival, averaged over both edges of the pair (Gallagher, CVPR 2012, and Paikin and
Tal, CVPR 2015, divide distances for the same reason). A pair's odds rise exponentially with it.
Nobody, a border or a lost piece, is one more candidate, whose lead is the calibration's offset and
whose share of all edges is estimated from the puzzle itself by expectation maximisation
(Dempster, Laird and Rubin, 1977): so a picture with many holes expects holes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tessella.errors import FormatError
from tessella.files import replacing
from tessella.odds.calibration import Calibration
from tessella.scores import Scores

LEAST, MOST = 0.02, 0.9
"""The share of edges without a partner lies between these."""

_ROUNDS = 30
_SCALINGS = 20
_DEEP = -60.0
"""Logarithms of odds below this are all alike."""


@dataclass(frozen=True, eq=False)
class Odds:
    """Chances of the pairs that scores list; every other pair has none.

    Attributes
    ----------
    pieces, upright, square : what decides which edges may join
    start : candidates of edge e stand at ``start[e]:start[e + 1]``, int64 ``(4N + 1,)``
    partner : ascending within an edge, int32 ``(M,)``
    lead : of every pair in logarithms of odds, the same either way, float32 ``(M,)``
    nobody : what a lead must exceed for a partner to be likelier than nobody
    share : of edges that are thought to have no partner
    fitted : whether how scores are read was seen on validation pictures, or only guessed
    """

    pieces: int
    upright: bool
    square: bool
    start: NDArray[np.int64]
    partner: NDArray[np.int32]
    lead: NDArray[np.float32]
    nobody: float
    share: float
    fitted: bool = True

    def edge(self) -> NDArray[np.int64]:
        """Return the edge whose candidate each listed pair is, ``(M,)``."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def places(self, pairs: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return where pairs of edges ``(J, 2)`` stand in the lists, -1 where they do not."""
        low, high = self.start[pairs[:, 0]], self.start[pairs[:, 0] + 1]
        end = high
        while (open_ := low < high).any():
            middle = np.where(open_, (low + high) // 2, 0)
            after = self.partner[middle] < pairs[:, 1]
            low = np.where(open_ & after, middle + 1, low)
            high = np.where(open_ & ~after, middle, high)
        if not len(self.partner):
            return np.full(len(pairs), -1)
        here = (low < end) & (self.partner[np.minimum(low, len(self.partner) - 1)] == pairs[:, 1])
        return np.where(here, low, -1)

    def relabelled(self, order: NDArray[np.intp]) -> Odds:
        """Return the same odds with piece i called ``order[i]``."""
        name = (4 * np.asarray(order, np.int64)[:, None] + np.arange(4)).ravel()
        edge, partner = name[self.edge()], name[self.partner]
        sort = np.argsort(edge * len(name) + partner)
        start = np.searchsorted(edge[sort], np.arange(len(self.start))).astype(np.int64)
        return replace(
            self, start=start, partner=partner[sort].astype(np.int32), lead=self.lead[sort]
        )

    def save(self, path: Path) -> None:
        """Write everything to one ``.npz`` file."""
        facts = np.array([self.pieces, self.upright, self.square, self.fitted], np.int64)
        level = np.array([self.nobody, self.share])
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(
                file,
                facts=facts,
                level=level,
                start=self.start,
                partner=self.partner,
                lead=self.lead,
            )

    @classmethod
    def load(cls, path: Path) -> Odds:
        """Read what `save` wrote."""
        try:
            with path.open("rb") as file, np.load(file) as held:
                pieces, upright, square, *fitted = (int(x) for x in held["facts"])
                nobody, share = (float(x) for x in held["level"])
                lists = held["start"], held["partner"], held["lead"]
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as problem:
            raise FormatError(f"{path} holds no odds: {problem}.") from problem
        return cls(pieces, bool(upright), bool(square), *lists, nobody, share, fitted != [0])

    def chances(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the chance of every listed pair ``(M,)`` and of nobody for every edge ``(4N,)``.

        Both ways a pair has the same chance, and those of an edge and nobody add up to 1: odds are
        scaled until they do (Sinkhorn, 1964).
        """
        edge = self.edge()
        odds = np.exp(np.clip(self.lead.astype(np.float64) - self.nobody, _DEEP, -_DEEP))
        scale = np.ones(len(self.start) - 1)
        for _ in range(_SCALINGS):
            heard = np.bincount(edge, odds * scale[self.partner], minlength=len(scale))
            scale = np.sqrt(scale / (heard + 1))
        pair = odds * scale[edge] * scale[self.partner]
        total = np.bincount(edge, pair, minlength=len(scale)) + scale
        return pair / np.sqrt(total[edge] * total[self.partner]), scale / total


def odds_of(scores: Scores, calibration: Calibration) -> Odds:
    """Return what the listed pairs of `scores` are worth by `calibration`."""
    start, partner, score = _both_ways(scores)
    lead = calibration.slope * _leads(start, partner, score)
    edges = len(start) - 1
    edge = np.repeat(np.arange(edges), np.diff(start))
    heard = np.bincount(edge, np.exp(np.clip(lead, _DEEP, -_DEEP)), minlength=edges)
    asked = heard[np.diff(start) > 0]  # the ends of strips have no candidates
    share = 0.3
    for _ in range(_ROUNDS if len(asked) else 0):
        weight = np.exp(calibration.offset) * share / (1 - share)
        share = float(np.clip((weight / (asked + weight)).mean(), LEAST, MOST))
    nobody = calibration.offset + float(np.log(share / (1 - share)))
    facts = scores.pieces, scores.upright, scores.square
    return Odds(*facts, start, partner, lead.astype(np.float32), nobody, share, calibration.fitted)


def _both_ways(
    scores: Scores,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """Return every listed pair both ways, with the mean of what both edges say of it.

    Returns
    -------
    start ``(4N + 1,)``, partner ``(M,)``, ascending within an edge, score ``(M,)``
    """
    edges = len(scores.partner)
    e, place = np.nonzero((scores.partner >= 0) & np.isfinite(scores.score))
    f = scores.partner[e, place].astype(np.int64)
    value = scores.score[e, place].astype(np.float64)
    low, high = np.minimum(e, f), np.maximum(e, f)
    code, where = np.unique(low * edges + high, return_inverse=True)
    mean = np.bincount(where, value) / np.maximum(np.bincount(where), 1)
    low, high = code // edges, code % edges
    row, col = np.concatenate([low, high]), np.concatenate([high, low])
    order = np.lexsort((col, row))
    start = np.searchsorted(row[order], np.arange(edges + 1)).astype(np.int64)
    return start, col[order].astype(np.int32), np.concatenate([mean, mean])[order]


def _leads(
    start: NDArray[np.int64], partner: NDArray[np.int32], score: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return every pair's lead: its score less that of the best rival of either edge, ``(M,)``."""
    edges = len(start) - 1
    edge = np.repeat(np.arange(edges), np.diff(start))
    length = np.diff(start)
    some = length > 0
    first, second = np.zeros(edges), np.zeros(edges)
    top = np.full(edges, -1, np.int64)
    if some.any():
        begins = start[:-1][some]
        first[some] = np.maximum.reduceat(score, begins)
        best = np.flatnonzero(score == first[edge])
        best = best[np.concatenate([[True], np.diff(edge[best]) > 0])]  # of equals the earliest
        others = score.copy()
        others[best] = -np.inf
        second[some] = np.maximum.reduceat(others, begins)
        top[some] = partner[best]
    lone = length == 1  # A single candidate has no rival: who it was is all that is known.
    second[lone] = first[lone]
    rival = np.where(top[edge] == partner, second[edge], first[edge])
    # The same pair the other way round stands where its names change places.
    back = np.argsort(partner, kind="stable")  # edges ascend already
    ahead = score - rival
    other = np.empty_like(ahead)
    other[back] = ahead
    return (ahead + other) / 2
