"""The learned measure: small networks that look at both sides of the seam.

Rika et al., "A Generic Hybrid Framework for 2D Visual Reconstruction", Section III. The networks
score what a cheaper measure proposes, or every pair; on the processor by exact factorisation at
the seam (`tessella.networks.seam`), or on a graphics card.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tessella import models, registry
from tessella.errors import InputError
from tessella.imaging.resize import resized
from tessella.measures._learned import Device, check, faces, placed
from tessella.measuring import Measure
from tessella.models import choice
from tessella.networks import scoring
from tessella.networks.model import Model
from tessella.odds.calibration import LOGARITHMS, Calibration, calibration_in
from tessella.puzzle import Puzzle
from tessella.shortlist import look_up
from tessella.watch import Watcher


@dataclass(frozen=True)
class Dlcm:
    """Scores are sums of sub-networks, and of classical measures where the model says so.

    Attributes
    ----------
    model : a shipped model's name or the path of an .npz file; None chooses by the puzzle
    device : where the networks run; auto takes a graphics card if torch can use one
    count : candidates proposed for every edge, 0 for all; None leaves it to the model
    slack : how far from the proposer's best a candidate may be, ``inf`` for any; None leaves it to
        the model
    """

    model: str | None = None
    device: Device = "auto"
    count: int | None = None
    slack: float | None = None

    def __post_init__(self) -> None:
        check(self.count, self.device)
        if self.slack is not None and not self.slack >= 0:
            raise InputError(f"Setting slack must be 0 or more; got {self.slack}.")
        if self.model is not None:
            models.find(self.model)

    @property
    def distance(self) -> bool:
        """Scores are no distances."""
        return False

    @property
    def calibration(self) -> Calibration:
        """How scores are read: what the model's training found."""
        return LOGARITHMS if self.model is None else calibration_in(self._network().facts)

    def usual(self) -> int | None:
        """Say how many candidates are proposed for every edge; None for all."""
        if self.count is not None:
            return self.count or None
        return self._network().count

    def fingerprint(self) -> str:
        """Return a digest of the model's weights."""
        model = self._network()
        digest = hashlib.blake2b(digest_size=16)
        read = (
            dict(model.beside),
            model.mirrored,
            model.by,
            model.slack,
            model.piece,
            model.rows,
            model.depth,
        )
        digest.update(repr(read).encode())
        for sub in model.subnetworks if model.scout is None else (*model.subnetworks, model.scout):
            for array in (*sub.kernels, sub.head):
                digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    def suited(self, puzzle: Puzzle) -> Dlcm:
        """Return the measure with its model chosen for `puzzle`, and with its device."""
        chosen = choice.choose(puzzle).name if self.model is None else self.model
        choice.check(models.find(chosen), puzzle)
        return replace(self, model=chosen, device=placed(self.device))

    def scorer(self, puzzle: Puzzle) -> Networks:
        """Return who scores pairs of `puzzle`."""
        model = self._network()
        slack = model.slack if self.slack is None else self.slack
        return Networks(replace(model, slack=slack), puzzle, self.device)

    def _network(self) -> Model:
        assert self.model is not None, "suited() chooses the model"
        return models.find(self.model)


@dataclass(frozen=True, eq=False)
class Networks:
    """A model that scores pairs of edges of one puzzle."""

    model: Model
    puzzle: Puzzle
    device: Device

    @property
    def title(self) -> str:
        """The model's name, and what was done to the pieces."""
        size = self.puzzle.piece_size[0]
        if size == self.model.piece:
            return self.model.name
        return f"{self.model.name}, pieces resized from {size} to {self.model.piece} px"

    @property
    def slack(self) -> float:
        """How far from the proposer's best a candidate may be."""
        return self.model.slack

    @cached_property
    def seen(self) -> Puzzle:
        """The puzzle with pieces of the model's size."""
        return resized(self.puzzle, self.model.piece)

    def proposer(self) -> Measure | Networks:
        """Return the classical measure that the model names, or the model's own scout."""
        if self.model.scout is None:
            made: Measure = registry.make("measure", self.model.by)
            return made
        scout = replace(
            self.model,
            name=f"the scout of {self.model.name}",
            subnetworks=(self.model.scout,),
            mirrored=False,
            beside={},
            by="mgc",
            scout=None,
        )
        return Networks(scout, self.puzzle, self.device)

    def score(
        self, pairs: NDArray[np.int32], threads: int | None, watch: Watcher
    ) -> NDArray[np.float32]:
        """Score pairs of edges ``(M, 2)``, the first facing right, ``(M,)``."""
        asked = *faces(self.seen, pairs), self.seen.eroded
        if self.device == "cuda":
            from tessella.learning import scoring as on_card

            views = (1 + self.model.mirrored) * len(self.model.subnetworks)
            parts = scoring.Parts(watch, views)
            total = on_card.pairs(self.model, *asked, device="cuda", watch=parts)
        else:
            total = scoring.pairs(self.model, *asked, watch, threads)
        for name, weight in self.model.beside.items():
            scores = look_up(self.puzzle, registry.make("measure", name), pairs, threads)
            total = total + np.float32(weight) * scores
        return np.asarray(total, np.float32)
