"""What measures have in common whose network is given both pieces of every pair."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tessella import continuity, models, registry
from tessella.errors import InputError
from tessella.imaging.resize import frame_at, resized
from tessella.measures._learned import Device, check, faces, placed
from tessella.measuring import Measure
from tessella.networks import pair_scoring
from tessella.networks.pair_model import Kind, PairModel
from tessella.odds.calibration import LOGARITHMS, Calibration, calibration_in
from tessella.puzzle import Puzzle
from tessella.watch import Watcher


@dataclass(frozen=True)
class Pairs:
    """A network scores what a classical measure proposes.

    Attributes
    ----------
    model : a shipped model's name or the path of an .npz file; None chooses by the puzzle
    device : where the network runs; auto takes a graphics card if torch can use one
    count : candidates proposed for every edge, 0 for all; None leaves it to the model
    """

    kind: ClassVar[Kind]

    model: str | None = None
    device: Device = "auto"
    count: int | None = None

    def __post_init__(self) -> None:
        check(self.count, self.device)
        if self.model is not None:
            find(self.model, self.kind)

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
        read = model.by, model.piece, model.rows, model.depth, model.hide
        digest = hashlib.blake2b(repr(read).encode(), digest_size=16)
        for name in sorted(model.weights):
            digest.update(np.ascontiguousarray(model.weights[name]).data)
        return digest.hexdigest()

    def suited(self, puzzle: Puzzle) -> Self:
        """Return the measure with its model chosen for `puzzle`, and with its device."""
        if not puzzle.square:
            height, width = puzzle.piece_size
            raise InputError(
                f"Learned measures need square pieces; these have {height} x {width} px. "
                "Use --measure mgc."
            )
        chosen = _choose(self.kind, puzzle) if self.model is None else self.model
        _check(find(chosen, self.kind), puzzle)
        return replace(self, model=chosen, device=placed(self.device))

    def scorer(self, puzzle: Puzzle) -> Pairwise:
        """Return who scores pairs of `puzzle`."""
        return Pairwise(self._network(), puzzle, self.device)

    def _network(self) -> PairModel:
        assert self.model is not None, "suited() chooses the model"
        return find(self.model, self.kind)


@dataclass(frozen=True, eq=False)
class Pairwise:
    """A model that scores pairs of edges of one puzzle."""

    model: PairModel
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
        """All that are proposed are asked about."""
        return math.inf

    @cached_property
    def seen(self) -> Puzzle:
        """The puzzle with pieces of the model's size."""
        return resized(self.puzzle, self.model.piece)

    def proposer(self) -> Measure:
        """Return the classical measure that the model names."""
        made: Measure = registry.make("measure", self.model.by)
        return made

    def score(
        self, pairs: NDArray[np.int32], threads: int | None, watch: Watcher
    ) -> NDArray[np.float32]:
        """Score pairs of edges ``(M, 2)``, the first facing right, ``(M,)``."""
        asked = *faces(self.seen, pairs), self.seen.eroded
        if self.device == "cuda":
            from tessella.learning import pairs as on_card

            return on_card.pairs(self.model, *asked, device="cuda", watch=watch)
        return pair_scoring.pairs(self.model, *asked, watch, threads)


def find(name: str, kind: Kind) -> PairModel:
    """Return the model `name` of that kind: a shipped one, or the path of an ``.npz`` file."""
    file = models.path(name, kind)
    status = file.stat()
    return _load(file, kind, status.st_mtime_ns, status.st_size)


@cache
def _load(file: Path, kind: Kind, _changed: int, _size: int) -> PairModel:
    """Return the model in a file, read once as long as the file does not change."""
    return PairModel.load(file, kind)


def _choose(kind: Kind, puzzle: Puzzle) -> str:
    """Return the shipped model that suits `puzzle`: by worn frame, continuity and piece size."""
    shipped = [find(name, kind) for name in models.names(kind)]
    fitting = [model for model in shipped if _fits(model, puzzle)]
    if not fitting:
        offered = "; ".join(f"{m.name} for {_range(m)} px on {m.piece} px pieces" for m in shipped)
        raise InputError(
            f"No shipped model of {kind} was trained for a worn frame of {puzzle.eroded} px on "
            f"pieces of {puzzle.piece_size[0]} px ({offered or 'there are none'}); train one, or "
            "use --measure mgc."
        )
    tiles = [model for model in fitting if model.tiles]
    others = [model for model in fitting if not model.tiles]
    some = (
        tiles if tiles and (not others or continuity.share(puzzle) < continuity.CLEAN) else others
    )
    size = puzzle.piece_size[0]
    return min(some, key=lambda m: (abs(math.log(m.piece / size)), m.name)).name


def _fits(model: PairModel, puzzle: Puzzle) -> bool:
    return model.eroded[0] <= frame_at(puzzle, model.piece) <= model.eroded[1]


def _range(model: PairModel) -> str:
    low, high = model.eroded
    return str(low) if low == high else f"{low} to {high}"


def _check(model: PairModel, puzzle: Puzzle) -> None:
    """Raise unless `model` can score `puzzle`."""
    if not _fits(model, puzzle):
        raise InputError(
            f"Model {model.name} was trained for worn frames of {_range(model)} px on pieces of "
            f"{model.piece} px; this puzzle's would have {frame_at(puzzle, model.piece)} px there. "
            "Choose another --model."
        )
