"""Fragments that are told to be of one picture, or of different ones, while kin are sought."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.belonging import Belonging, held_by
from tessella.odds import Odds

Pairs = list[tuple[int, int]]


def told_homes(
    sheets: Sequence[Sheet], odds: Odds, blank: NDArray[np.bool_], told: Belonging
) -> NDArray[np.intp]:
    """Return the fragment of every piece, ``(N,)``; those told to be of one picture are one.

    Fragments that hold what was told apart are parted. A join of two blank edges holds nothing
    together.
    """
    arrangement = Arrangement(tuple(sheets))
    joins = arrangement.joins()
    some = ~blank[joins].all(axis=1)
    return told.clusters(joins[some].astype(np.intp) // 4, lambda: held_by(arrangement, odds)[some])


@dataclass(frozen=True, eq=False)
class Foes:
    """Fragments that may not become one.

    Attributes
    ----------
    of_each : the foes of every fragment that has any
    fragments : how many fragments there are
    """

    of_each: dict[int, set[int]]
    fragments: int

    @classmethod
    def of(cls, told: Belonging | None, home: NDArray[np.intp]) -> Foes:
        """Return whose foes fragments are, given the fragment of every piece, ``(N,)``."""
        each: defaultdict[int, set[int]] = defaultdict(set)
        for one, two in [] if told is None else told.foes(home).tolist():
            each[one].add(two)
        return cls(dict(each), int(home.max(initial=-1)) + 1)

    def among(self, seeds: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which of some fragments are foes, ``(S, S)``."""
        place = {seed: k for k, seed in enumerate(seeds.tolist())}
        foes = np.zeros((len(seeds), len(seeds)), np.bool_)
        for one, others in self.of_each.items():
            for two in others & place.keys():
                if one in place:
                    foes[place[one], place[two]] = True
        return foes

    def parted(
        self,
        mine: NDArray[np.intp],
        ends: Any,
        name: NDArray[np.intp],
        seeds: NDArray[np.intp],
        loose: NDArray[np.intp],
    ) -> NDArray[np.intp]:
        """Return the seed that each loose fragment goes with, so that none meets a foe, ``(L,)``.

        Those that are surest of their way go first; who cannot go there goes the next best way.

        Parameters
        ----------
        mine : with which each goes if there are no foes, -1 for none, ``(L,)``
        ends : how often walks from each end at each seed, sparse ``(L, S)``
        name : the first of the seeds with which each became one, ``(S,)``
        """
        told = [k for k, fragment in enumerate(loose.tolist()) if fragment in self.of_each]
        going = [k for k in told if mine[k] >= 0]
        if not going:
            return mine
        mine, knots = mine.copy(), self._knots(name, seeds)
        walks = {k: ends[k].toarray().ravel() for k in going}
        for k in sorted(going, key=lambda k: -walks[k].max()):
            fragment, mine[k] = int(loose[k]), -1
            total = np.bincount(name, walks[k], minlength=len(name))
            for first in np.argsort(-total, kind="stable")[: int((total > 0).sum())].tolist():
                if not self.of_each[fragment] & knots[first]:
                    mine[k] = int(np.where(name == first, walks[k], -1.0).argmax())
                    knots[first].add(fragment)
                    break
        return mine

    def let(
        self,
        doubts: Pairs,
        mine: NDArray[np.intp],
        name: NDArray[np.intp],
        seeds: NDArray[np.intp],
        loose: NDArray[np.intp],
    ) -> Pairs:
        """Return the pairs of knots, by their first seeds, that may become one.

        Parameters
        ----------
        mine, name : see `parted`
        """
        if not self.of_each:
            return doubts
        knots = self._knots(name, seeds)
        for k in np.flatnonzero(mine >= 0).tolist():
            knots[int(name[mine[k]])].add(int(loose[k]))
        foes = {
            first: {foe for each in held for foe in self.of_each.get(each, ())}
            for first, held in knots.items()
        }
        return [(one, two) for one, two in doubts if not foes[one] & knots[two]]

    def _knots(self, name: NDArray[np.intp], seeds: NDArray[np.intp]) -> dict[int, set[int]]:
        """Return the seeds of every knot, by the first of them."""
        knots: defaultdict[int, set[int]] = defaultdict(set)
        for seed, first in zip(seeds.tolist(), name.tolist(), strict=True):
            knots[first].add(seed)
        return knots
