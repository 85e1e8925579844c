"""The enhanced genetic solver of the paper, and our guided version of it.

D. Rika, D. Sholomon, E. O. David, A. Pais, N. S. Netanyahu, "A Generic Hybrid Framework for 2D
Visual Reconstruction", Sections IV and V-C. Fitness is the sum of compatibilities over all joins;
parents are drawn by roulette; the best chromosome passes on unchanged.

`strategy=paper` is that algorithm as written: a random first population, and a crossover whose
kernel grows by phases 1.1, 1.2, 2, 3, 4.1, 4.2 and 5 in that order at every placement.
`strategy=guided`, the default, keeps the frame and changes five things, each measured in
docs/experiments/: the first population is grown greedily; a third of the children come from a
crossover that always makes the surest placement next (`tessella.kernels.growth`), the others from
the paper's; a few children of every generation have their doubtful pieces dealt out again
(`tessella.kernels.assignment`); and once nothing improves, whole blocks of the best are tried in
other places (`tessella.kernels.shift`), and in the end segments of it are moved
(`tessella.kernels.moving`). With `merging`, a very large puzzle is first merged into
fragments (`tessella.kernels.merging`), which growth then tends to lay as wholes; last moves, for
which they count nothing, put right what was merged wrongly. With `beliefs`, its flat regions
are then laid anew by belief propagation (`tessella.kernels.beliefs`). With `gentle`,
learned scores are searched by min-max first, where a wrong join costs less, then by chances.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from tessella.checkpoint import Checkpoint
from tessella.compatibility import Compatibility
from tessella.errors import InputError, NameUnknown
from tessella.kernels.crossover import PHASES, Rules
from tessella.kernels.growth import Guide
from tessella.puzzle import Shape
from tessella.solvers._breeders import GuidedBreeder, PhaseBreeder
from tessella.solvers._evolution import Breeder, Evolution, Limits
from tessella.solvers._islands import Islands, usual
from tessella.solvers._merging import MANY, Merged, merged, sharpened, strengthened
from tessella.solvers._moving import moved
from tessella.solvers._rolling import rolled
from tessella.solving import Solution
from tessella.stop import Stop, never
from tessella.threads import available
from tessella.watch import SILENT, Watcher

_ESSENTIAL = ("4.1", "4.2", "5")

_ROUGH = 400
"""Puzzles of more pieces are searched gently first; of smaller ones islands find the fittest."""

_LUKEWARM = 0.3
"""The heat of moves that put right what merging did wrong."""

_THOROUGH = 4
"""How many times as many moves as usual follow a gentle search."""


@dataclass(frozen=True)
class Genetic:
    """Settings of the genetic solver.

    Attributes
    ----------
    adjust : which post-processing the scores get; strategy `paper` has the paper's, `minmax`
    strategy : `guided` (ours) or `paper`
    population, patience : chromosomes; generations without a better one before giving up (paper:
        100 and 50; guided: 30 and 20)
    elitism : how many of the best pass on unchanged
    alpha0, alpha_tests, skip1, skip2, mutate, without : the paper's crossover. Phase 1 takes a
        piece whose score exceeds alpha = max(alpha0, C_mean), asking the added piece or both;
        phases 1.1 and 1.2 are skipped with chance skip1, phases 2 and 3 with skip2, unless mutate
        is false; `without` names phases to leave out, as in ``1.1,1.2``
    seeding, margin, inherit, noise, depth : strategy `guided` only; see `Guide`. Seeding is
        `greedy` or `random`
    mix : strategy `guided` only: the share of children that the paper's crossover makes
    polish, cells, coverage : strategy `guided` only: how many children of a generation are
        polished, with how many cells at once, and how often a doubtful piece takes part
    shifts : strategy `guided` only: whether blocks of the best are tried in other places before
        giving up (`tessella.kernels.shift`)
    islands : strategy `guided` only: how many evolutions there are at most, until three agree on
        the best; None leaves it to the number of pieces: 20 for 100, 4 for 500, 1 above 600,
        and 1 where `gentle` counts
    moves : strategy `guided` only: whether segments of what was found are moved in the end
        (`tessella.kernels.moving`)
    gentle : strategy `guided` only: whether a puzzle of more than 400 pieces with scores of a
        learned measure is searched by min-max first, where wrong joins cost less, and only then by
        `posterior`; the fitness of its generations is min-max's
    merging : strategy `guided` only: whether a puzzle of more than 4,096 pieces is first merged
        into fragments (`tessella.kernels.merging`), whose joins then count for more; the fitness
        of its generations counts them so too
    beliefs : strategy `guided` only: whether doubtful regions of a merged, upright puzzle are laid
        anew in the end by what neighbours believe of each other, and moved; takes a measure of
        distances
    """

    adjust: str = "posterior"
    strategy: Literal["guided", "paper"] = "guided"
    population: int | None = None
    patience: int | None = None
    elitism: int = 1
    alpha0: float = 0.8
    alpha_tests: Literal["added", "both"] = "added"
    skip1: float = 0.1
    skip2: float = 0.2
    mutate: bool = True
    without: str = ""
    seeding: Literal["greedy", "random"] = "greedy"
    margin: float = 1.0
    inherit: float = 0.4
    noise: float = 0.05
    depth: int = 4
    mix: float = 0.67
    polish: int = 1
    cells: int = 48
    coverage: float = 3.0
    shifts: bool = True
    islands: int | None = None
    moves: bool = True
    gentle: bool = True
    merging: bool = True
    beliefs: bool = True

    def __post_init__(self) -> None:
        if self.strategy == "paper" and self.adjust == "posterior":
            object.__setattr__(self, "adjust", "minmax")
        for name in (p for p in self.without.split(",") if p.strip()):
            if name.strip() not in PHASES or name.strip() in _ESSENTIAL:
                raise NameUnknown("phase that can be left out", name.strip(), PHASES[:4])
        sizes = {"population": self.population, "patience": self.patience, "cells": self.cells}
        for name, size in sizes.items():
            if size is not None and size < 2:
                raise InputError(f"Setting {name} must be at least 2; got {size}.")
        if self.islands is not None and self.islands < 1:
            raise InputError(f"Setting islands must be at least 1; got {self.islands}.")
        if not 0 <= self.elitism < self.limits().population:
            raise InputError(f"Setting elitism must be 0 to population - 1; got {self.elitism}.")
        for name in ("skip1", "skip2", "alpha0", "mix"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"Setting {name} must lie in [0, 1]; got {getattr(self, name)}.")

    def limits(self) -> Limits:
        """Return the population's size, elitism and patience."""
        paper = self.strategy == "paper"
        return Limits(
            self.population or (100 if paper else 30),
            self.elitism,
            self.patience or (50 if paper else 20),
        )

    def solve(
        self,
        compatibility: Compatibility,
        shape: Shape | None,
        *,
        seed: int = 0,
        threads: int | None = None,
        stop: Stop = never,
        watch: Watcher = SILENT,
        checkpoint: Checkpoint | None = None,
    ) -> Solution:
        """Arrange all pieces; see `tessella.solving.Solver`."""
        count = threads or available()
        told = self._gentle(compatibility)
        islands = self._islands(compatibility.pieces, told is not None)
        found, firm, fragments = self._evolved(
            told or compatibility, shape, islands, seed, count, stop, watch, checkpoint
        )
        if self.moves and self.strategy == "guided" and not found.stopped:
            move = partial(moved, seed=seed, threads=count, stop=stop, watch=watch)
            if told:
                found = move(move(found, firm, _THOROUGH), compatibility, _THOROUGH)
            else:
                found = move(rolled(found, firm) if fragments else found, firm)
                if fragments and not found.stopped:
                    found = move(found, sharpened(compatibility), heat=_LUKEWARM)
        if self.beliefs and fragments:
            from tessella.solvers._beliefs import believed  # It loads much of scipy.

            found = believed(
                found,
                compatibility,
                fragments.firm,
                seed=seed,
                threads=count,
                stop=stop,
                watch=watch,
            )
        return replace(found, fitness=compatibility.fitness(found.arrangement))

    def _gentle(self, compatibility: Compatibility) -> Compatibility | None:
        """Return what is searched first, if anything is."""
        wanted = self.gentle and self.strategy == "guided" and compatibility.pieces > _ROUGH
        return compatibility.gentle if wanted else None

    def _evolved(
        self,
        compatibility: Compatibility,
        shape: Shape | None,
        islands: int,
        seed: int,
        threads: int,
        stop: Stop,
        watch: Watcher,
        checkpoint: Checkpoint | None,
    ) -> tuple[Solution, Compatibility, Merged | None]:
        """Return what evolution finds, the compatibilities that moves count, and fragments."""
        told = firm = compatibility
        fragments = None
        breeder: Breeder
        if self.strategy == "paper":
            rules = self.rules(compatibility)
            breeder = PhaseBreeder(rules, self.alpha0, compatibility, shape, threads)
        else:
            if self.merging and compatibility.pieces > MANY:
                fragments = merged(compatibility, shape, stop)
                told = strengthened(compatibility, fragments.joins.neighbor)
                firm = strengthened(compatibility, fragments.firm)
            breeder = GuidedBreeder(self, told, shape, threads, fragments)
        evolution = Evolution(
            compatibility=told,
            shape=shape,
            breeder=breeder,
            limits=self.limits(),
            seed=seed,
            threads=threads,
            stop=stop,
            watch=watch,
            checkpoint=checkpoint,
            shifts=self.shifts and self.strategy == "guided",
        )
        return Islands(evolution, islands).run(), firm, fragments

    def _islands(self, pieces: int, gentle: bool) -> int:
        """Return how many evolutions there are at most."""
        if self.strategy == "paper":
            return 1
        return self.islands or (1 if gentle else usual(pieces))

    def rules(self, compatibility: Compatibility) -> Rules:
        """Return what the paper's crossover follows."""
        left_out = {name.strip() for name in self.without.split(",")}
        phases = sum(1 << i for i, name in enumerate(PHASES) if name not in left_out)
        skips = [self.skip1, self.skip1, self.skip2, self.skip2] if self.mutate else [0.0] * 4
        # The paper's phases 4 and 5 remain intact: no random piece takes the place of phase 4's.
        return Rules(
            phases=phases,
            skip=np.array([round(65536 * s) for s in skips] + [0], np.int64),
            both=int(self.alpha_tests == "both"),
            square=int(compatibility.square),
        )

    def guide(self, compatibility: Compatibility) -> Guide:
        """Return what guided growth follows."""
        square = int(compatibility.square)
        return Guide(self.margin, self.inherit, self.noise, self.depth, square)
