"""Tiles with joints, worn sides and colours of their own: networks that look at whole tiles.

Every edge is described once by a network that sees its tile; products of vectors propose
candidates among all pairs, and a small network judges those. `tessella.networks.tile_form` says
how. Unlike the networks of `dlcm`, which begin with the pixels on both sides of a seam, these do
not need that the picture goes on from one pixel to the next.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tessella import edges, models, registry
from tessella.company import Company
from tessella.errors import InputError
from tessella.measures._companions import companions, networks
from tessella.measures._learned import check
from tessella.measures.dlcm import Dlcm
from tessella.measuring import Measure
from tessella.networks.tile_engine import Engine
from tessella.networks.tile_model import KIND, TileModel
from tessella.networks.tile_tables import Describing, Tables, in_files, in_memory
from tessella.odds.calibration import Calibration, calibration_in
from tessella.puzzle import Puzzle
from tessella.scores import Scores
from tessella.shortlist import look_up
from tessella.watch import SILENT, Watcher
from tessella.workshop import Workshop

_READ = Calibration(slope=1.0, offset=1.5)
"""How models are read that say nothing of it, as the first shipped one."""

MOST = 1500
"""Companions are not asked about more pieces: on two cores that takes a minute and a half."""

_PORTION = 2**15
"""Pairs between two words about how far the work has come."""


@dataclass(frozen=True)
class Tiles:
    """Scores are natural logarithms of odds, as the networks see them.

    Attributes
    ----------
    model : a shipped model's name or the path of an .npz file; None takes the shipped one
    count : candidates proposed for every edge, 0 for all; None leaves it to the model
    slack : how far from the best a candidate may be, ``inf`` for any; None leaves it to the model
    company : whether networks of other training are heard too, as far as the puzzle bears them out
        (`tessella.company`); of more than 1,500 pieces they are not
    """

    model: str | None = None
    count: int | None = None
    slack: float | None = None
    company: bool = True

    def __post_init__(self) -> None:
        check(self.count, "cpu")
        if self.slack is not None and not self.slack >= 0:
            raise InputError(f"Setting slack must be 0 or more; got {self.slack}.")
        if self.model is not None:
            find(self.model)

    @property
    def distance(self) -> bool:
        """Scores are no distances."""
        return False

    @property
    def calibration(self) -> Calibration:
        """How scores are read: what the model's training found."""
        return calibration_in(self._network().facts, _READ)

    def usual(self) -> int | None:
        """Say how many candidates are proposed for every edge; None for all."""
        if self.count is not None:
            return self.count or None
        return self._network().count

    def fingerprint(self) -> str:
        """Return a digest of the model's weights."""
        model = self._network()
        read = model.form, sorted(model.beside.items())
        digest = hashlib.blake2b(repr(read).encode(), digest_size=16)
        for name in sorted(model.weights):
            digest.update(np.ascontiguousarray(model.weights[name]).data)
        for network in networks() if self.company else ():
            digest.update(Dlcm(model=network.model).fingerprint().encode())
        return digest.hexdigest()

    def suited(self, puzzle: Puzzle) -> Tiles:
        """Return the measure with its model chosen."""
        if not puzzle.square:
            height, width = puzzle.piece_size
            raise InputError(
                f"Learned measures need square pieces; these have {height} x {width} px. "
                "Use --measure mgc."
            )
        return replace(self, model=self.model or _shipped())

    def scorer(self, puzzle: Puzzle) -> Judge:
        """Return who scores pairs of `puzzle`."""
        model = self._network()
        slack = model.slack if self.slack is None else self.slack
        return Judge(replace(model, slack=slack), puzzle)

    def accompanied(
        self, puzzle: Puzzle, scores: Scores, threads: int | None, watch: Watcher
    ) -> Scores:
        """Return what the networks and their companions say together, where that takes minutes."""
        if not self.company or len(puzzle) > MOST:
            return scores
        return Company().heard(scores, companions(puzzle), threads, watch)

    def _network(self) -> TileModel:
        return find(self.model or _shipped())


@dataclass(frozen=True, eq=False)
class Judge:
    """A model that scores pairs of edges of one puzzle.

    Attributes
    ----------
    job : what described the puzzle's edges, where their tables lie in files
    """

    model: TileModel
    puzzle: Puzzle
    job: Describing | None = None

    @property
    def title(self) -> str:
        """The model's name, and what was done to the pieces."""
        size = self.puzzle.piece_size[0] - 2 * self.puzzle.eroded
        if size == self.model.piece:
            return self.model.name
        return f"{self.model.name}, pieces resized from {size} to {self.model.piece} px"

    @property
    def slack(self) -> float:
        """How far from the proposer's best a candidate may be."""
        return self.model.slack

    @cached_property
    def engine(self) -> Engine:
        """The model's networks."""
        return Engine(self.model)

    @cached_property
    def tables(self) -> Tables:
        """The vectors of all edges as the first and as the second of a pair, and their parts."""
        return in_memory(self.model, self.puzzle) if self.job is None else self.job.tables()

    def stored(self, workshop: Workshop, threads: int | None, watch: Watcher) -> Judge:
        """Return the same with its tables in files that all processes map."""
        return replace(self, job=in_files(self.model, self.puzzle, workshop, threads, watch))

    def portable(self) -> Judge:
        """Return what another process needs; it reads tables from their files."""
        return replace(self)

    def proposer(self) -> Measure:
        """Return the products of the edges' vectors."""
        return Proposer(self)

    def score(
        self, pairs: NDArray[np.int32], threads: int | None, watch: Watcher = SILENT
    ) -> NDArray[np.float32]:
        """Score pairs of edges ``(M, 2)``, the first facing right, ``(M,)``."""
        out = np.empty(len(pairs), np.float32)
        known = self.tables
        first, second = known["first-vectors"], known["second-vectors"]
        parts = known["first-parts"], known["second-parts"]
        for start in range(0, len(pairs), _PORTION):
            some = pairs[start : start + _PORTION].astype(np.int64)
            scores = self.engine.judge(*parts, some, threads)
            scores += np.einsum("md,md->m", first[some[:, 0]], second[some[:, 1]])
            out[start : start + _PORTION] = scores
            watch.advance(len(some))
        for name, weight in self.model.beside.items():
            by: Measure = registry.make("measure", name)
            out += np.float32(weight) * look_up(self.puzzle, by, pairs, threads)
        return out


@dataclass(frozen=True, eq=False)
class Proposer:
    """All pairs at once, by products of vectors."""

    vectors: ClassVar[bool] = True

    judge: Judge

    @property
    def distance(self) -> bool:
        """Scores are no distances."""
        return False

    def look(self, puzzle: Puzzle, which: NDArray[np.int32], direction: int) -> NDArray[Any]:
        """Return the vectors of edges; `puzzle` is the judge's own."""
        assert puzzle is self.judge.puzzle
        role = "first" if direction == edges.RIGHT else "second"
        return self.judge.tables[f"{role}-vectors"][which]

    def right(self, _pieces: NDArray[np.uint8], _eroded: int) -> NDArray[Any]:
        """Refuse: vectors belong to the edges of a puzzle."""
        raise AssertionError("vectors are looked up, not made of pieces")

    left = right

    def raw(self, right: NDArray[Any], left: NDArray[Any]) -> NDArray[np.float32]:
        """Return the scores of all pairs, ``(A, B)``."""
        return np.asarray(right @ left.T, np.float32)

    def score(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        """Return the scores as they are."""
        return raw.astype(np.float32)


def find(name: str) -> TileModel:
    """Return the model `name`: a shipped one, or the path of an ``.npz`` file."""
    file = models.path(name, KIND)
    status = file.stat()
    return _load(file, status.st_mtime_ns, status.st_size)


def _shipped() -> str:
    """Return the name of the shipped model, the first by name."""
    names = models.names(KIND)
    if not names:
        raise InputError(
            "No model of tiles ships with this tessella; name a trained one with --model FILE.npz."
        )
    return names[0]


@cache
def _load(file: Path, _changed: int, _size: int) -> TileModel:
    """Return the model in a file, read once as long as the file does not change."""
    return TileModel.load(file)
