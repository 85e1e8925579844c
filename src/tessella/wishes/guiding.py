"""Evidence that goes with wishes, so that a search goes the way that they point.

What is joined fits perfectly, and its edges fit nothing else; what is forbidden does not fit;
pieces whose turns are known fit only as they lie.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tessella.compatibility import Compatibility
from tessella.evidence import Evidence
from tessella.scores import Scores
from tessella.wishes.groups import Known
from tessella.wishes.wish import Wishes

NOBODY, ANYBODY = -2, -1
_ROWS = 256
"""Rows of a dense table that are looked at together."""


def guided(evidence: Evidence, known: Known) -> Evidence:
    """Return `evidence` as far as what is known leaves it."""
    return _Rules.of(known).guided(evidence)


def _anew(evidence: Evidence, rules: _Rules) -> Compatibility:
    """Return compatibilities as if what wishes rule out had never been a candidate.

    A learned measure's scores are chances among an edge's candidates: who is known to lie elsewhere
    leaves its share to the others. Distances say the same whoever else there is.
    """
    scores, by = evidence.scores, evidence.adjustment
    if scores is None or by is None or scores.distance:
        return evidence.compatibility
    return by.adjust(rules.struck(scores))


@dataclass(frozen=True, eq=False)
class _Rules:
    """What decides whether a pair of edges is kept.

    Attributes
    ----------
    only : the one partner of an edge, `NOBODY` at a border, or where the partner is not among the
        pieces, `ANYBODY` where it is open, ``(4N,)``
    turns : of every piece, -1 where they are unknown, ``(N,)``
    wishes : of which `forbidden` counts
    """

    only: NDArray[np.int64]
    turns: NDArray[np.int64]
    wishes: Wishes

    @classmethod
    def of(cls, known: Known) -> _Rules:
        pieces = known.facts.pieces
        only = np.full(4 * pieces, ANYBODY, np.int64)
        for e, f in known.joins():
            only[e], only[f] = f, e
        turns = np.full(pieces, -1, np.int64)
        for piece, quarter in known.turns.items():
            turns[piece] = quarter
        if known.frames or (known.facts.shape is not None and len(known.shapes) == 1):
            _close_borders(only, known)
        return cls(only, turns, known.wishes)

    def part(self, pieces: NDArray[np.intp]) -> _Rules:
        """Return the rules of some pieces alone, piece ``pieces[i]`` being called i."""
        name = np.full(len(self.turns), -1, np.int64)
        name[pieces] = np.arange(len(pieces))
        only = self.only.reshape(-1, 4)[pieces].ravel()
        held = np.flatnonzero(only >= 0)
        new = name[only[held] // 4]
        only[held] = np.where(new < 0, NOBODY, 4 * new + only[held] % 4)
        both = np.array(self.wishes.forbidden, np.int64).reshape(-1, 2)
        both = both[(name[both // 4] >= 0).all(axis=1)]
        forbidden = (4 * name[both // 4] + both % 4).tolist()
        return _Rules(
            only, self.turns[pieces], Wishes(forbidden=tuple((e, f) for e, f in forbidden))
        )

    def guided(self, evidence: Evidence) -> Evidence:
        """Return `evidence` as far as the rules leave it."""
        coarse = None if evidence.coarse is None else self.applied(evidence.coarse)
        return replace(
            evidence,
            compatibility=self.applied(_anew(evidence, self)),
            coarse=coarse,
            wished=(evidence, self),
        )

    def keep(self, e: NDArray[np.int64], f: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say of pairs of edges, ``(M,)`` each, whether they may still fit."""
        keep: NDArray[np.bool_] = (self.only[e] == ANYBODY) | (self.only[e] == f)
        keep &= (self.only[f] == ANYBODY) | (self.only[f] == e)
        mine, other = self.turns[e // 4], self.turns[f // 4]
        opposite = (e + mine - f - other - 2) % 4 == 0
        keep &= (mine < 0) | (other < 0) | opposite
        if self.wishes.forbidden:
            named = np.zeros(len(self.only), np.bool_)
            named[np.array(self.wishes.forbidden).ravel()] = True
            some = np.flatnonzero(named[e])
            keep[some] &= ~self.wishes.forbids(np.stack([e[some], f[some]], axis=1))
        return keep

    def applied(self, compatibility: Compatibility) -> Compatibility:
        """Return `compatibility` without what may not fit, what is joined being at its best."""
        edges, dense = np.arange(4 * compatibility.pieces), compatibility.dense
        e = np.repeat(edges, np.diff(compatibility.start))
        f = compatibility.partner.astype(np.int64)
        joined = np.flatnonzero(self.only >= 0)
        keep = self.keep(e, f) & (self.only[e] < 0)
        e = np.concatenate([e[keep], joined])
        f = np.concatenate([f[keep], self.only[joined]])
        score = np.concatenate([compatibility.score[keep], np.ones(len(joined), np.float32)])
        order = np.argsort(e, kind="stable")  # A joined edge has no other candidate.
        start = np.concatenate([[0], np.cumsum(np.bincount(e, minlength=len(edges)))])
        return Compatibility(
            compatibility.pieces,
            compatibility.upright,
            compatibility.square,
            start.astype(np.int64),
            f[order].astype(np.int32),
            score[order],
            dense=None if dense is None else self._dense(dense, compatibility.upright),
        )

    def struck(self, scores: Scores) -> Scores:
        """Return `scores` without pairs that may not fit; an edge that none is left is let be."""
        own = np.repeat(np.arange(len(scores.partner)), scores.partner.shape[1])
        listed = scores.partner.ravel().astype(np.int64)
        keep = ((listed < 0) | self.keep(own, listed)).reshape(scores.partner.shape)
        keep |= ~(keep & (scores.partner >= 0)).any(axis=1, keepdims=True)
        order = np.argsort(~keep, axis=1, kind="stable")
        dropped = np.where(keep, scores.partner, -1), np.where(keep, scores.score, -np.inf)
        partner, score = (np.take_along_axis(each, order, axis=1) for each in dropped)
        dense = scores.dense
        if dense is not None:
            dense = dense.copy()
            rows, place = np.nonzero(~keep)
            column = scores.partner[rows, place]
            dense[rows, column // 4 if scores.upright else column] = -np.inf
        return replace(scores, hi=score[:, 0], partner=partner, score=score, dense=dense)

    def _dense(self, table: NDArray[np.float32], upright: bool) -> NDArray[np.float32]:
        """Return a table of all pairs, changed likewise."""
        out = table.copy()
        touched = (self.only != ANYBODY) | np.repeat(self.turns >= 0, 4) & (not upright)
        for e, f in self.wishes.forbidden:
            touched[[e, f]] = True
        which = np.flatnonzero(touched)
        for first in range(0, len(which), _ROWS):
            self._strike(out, which[first : first + _ROWS], upright)
        return out

    def _strike(self, table: NDArray[np.float32], rows: NDArray[np.intp], upright: bool) -> None:
        """Make 0 of what may not fit `rows`, and 1 of what is joined; both ways."""
        cols = np.arange(table.shape[1])
        e = np.repeat(rows, len(cols))
        f = np.tile(cols, len(rows))
        if upright:
            f = 4 * f + (e + 2) % 4
        drop = ~self.keep(e.astype(np.int64), f.astype(np.int64))
        for one, other in ((e[drop], f[drop]), (f[drop], e[drop])):
            table[one, other // 4 if upright else other] = 0
        held = rows[self.only[rows] >= 0]
        partner = self.only[held]
        for one, other in ((held, partner), (partner, held)):
            table[one, other // 4 if upright else other] = 1


def _close_borders(only: NDArray[np.int64], known: Known) -> None:
    """Leave edges that face the rim of a known shape to nobody."""
    for group in known.groups:
        if group.sheet is None:
            continue
        shape = known.frames.get(group.sheet, known.shapes[0])
        for piece, pose in group.at(0):
            for side, (down, across) in enumerate(((0, 1), (-1, 0), (0, -1), (1, 0))):
                if not known.facts.inside(shape, pose.row + down, pose.col + across):
                    only[4 * piece + (side - pose.turns) % 4] = NOBODY
