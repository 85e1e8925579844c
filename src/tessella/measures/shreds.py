"""Strips from any shredder: a network describes every side, products of rows compare them.

The network was trained on pages that a simulated shredder cut, each in its own manner: with lost
columns, ragged, frayed and torn sides, slips, tilt, shadows, JPEG. It knows print that goes on
over a gap. `tessella.networks.shred_form` says how it describes and compares. Ragged shreds have
the run of the blade besides, as `contour` compares it, slip by slip.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tessella import edges, models
from tessella.documents.strips import PAPER
from tessella.errors import InputError
from tessella.kernels.slips import advance, settle
from tessella.measures.contour import Contour
from tessella.measuring import inside
from tessella.networks.layers import Floats
from tessella.networks.shred_engine import Engine
from tessella.networks.shred_form import BLOCK, STEP
from tessella.networks.shred_model import KIND, ShredModel
from tessella.odds.calibration import Calibration
from tessella.puzzle import Puzzle

GRAIN = 2.0**-8
"""Scores are rounded to multiples of this, well above what the order of sums leaves behind."""

CHANGE = 0.05
"""Chance that the slip of two strips changes by a step from one stretch to the next."""


@dataclass(frozen=True)
class Shreds:
    """Scores are natural logarithms of odds: 0 says nothing.

    Attributes
    ----------
    model : a shipped model's name or the path of an .npz file; None takes the shipped one
    weight : of the correlation of both rims, where strips are ragged
    """

    calibration: ClassVar[Calibration] = Calibration(slope=0.43, offset=1.8)

    model: str | None = None
    weight: float = 40.0

    def __post_init__(self) -> None:
        if not 0 <= self.weight < np.inf:
            raise InputError(f"Setting weight must be 0 or more; got {self.weight}.")
        if self.model is not None:
            find(self.model)

    @property
    def distance(self) -> bool:
        """Scores are evidence, not distances."""
        return False

    @property
    def portion(self) -> int:
        """How many sides are compared with all others at once."""
        return 128

    def mirrored(self, puzzle: Puzzle) -> bool:
        """Say whether slips reach as far as heights differ: then either end tells the same."""
        most = len(self._network().weights["slips"]) // 2 * STEP
        tall = [puzzle.rim(piece, 0).shape[1] for piece in range(len(puzzle))]
        return bool(max(tall) - min(tall) <= most)

    def right(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[Any]:
        """Describe the right sides of strips that have no rims, ``(A, R, D)``; see `look`."""
        return self._plain(inside(pieces, eroded), edges.RIGHT)

    def left(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[Any]:
        """Describe the left sides of strips that have no rims, ``(B, R, D)``; see `look`."""
        return self._plain(inside(pieces, eroded)[:, ::-1, ::-1], edges.LEFT)

    def _plain(self, pieces: NDArray[np.uint8], direction: int) -> NDArray[Any]:
        """Describe pieces whose side faces right, as seen when it faces `direction`."""
        model, height = self._network(), pieces.shape[1] // STEP * STEP
        seen = pieces[:, :height] if direction == edges.RIGHT else pieces[:, -height:]
        sides = np.full((len(pieces), height, model.form.size), PAPER, np.uint8)
        across = min(model.form.size, pieces.shape[2])
        sides[:, :, -across:] = seen[:, :, -across:].mean(axis=3).astype(np.uint8)
        rows = np.full(len(pieces), height // STEP)
        return _described(model, sides, rows).facing(np.arange(len(pieces)), direction)

    def look(self, puzzle: Puzzle, which: NDArray[np.int32], direction: int) -> NDArray[Any]:
        """Return the rows of edges `which`, turned to face `direction`, ``(A, R, D)``, float16.

        Of the last two numbers of a row, one is what a side says alone and the other is 1 where
        the other side's stands.
        """
        if not puzzle.flat:
            raise InputError("The measure shreds is for strips; use --measure mgc for pieces.")
        side = 2 * (which // 4) + which % 4 // 2
        return _known(puzzle, self).facing(side, direction)

    def raw(self, right: NDArray[Any], left: NDArray[Any]) -> NDArray[np.float32]:
        """Return the evidence for every pair over all slips, ``(A, B)``."""
        prior = self._network().weights["slips"]
        most, rows = len(prior) // 2, right.shape[1]
        state = np.empty((len(right), len(left), len(prior)), np.float32)
        state[...] = prior
        evidence = np.empty((len(prior), len(right), len(left)), np.float32)
        for start in range(0, rows, BLOCK):
            end = min(start + BLOCK, rows)
            other = left[:, start:end].astype(np.float32).reshape(len(left), -1)
            for s in range(len(prior)):
                one = _shifted(right, start + most - s, end + most - s)
                np.matmul(one.reshape(len(right), -1), other.T, out=evidence[s])
            advance(state, evidence, CHANGE)
        out = np.empty((len(right), len(left)), np.float32)
        settle(state, GRAIN, out)
        return out

    def score(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        """Return the evidence as it is."""
        return raw.astype(np.float32)

    def _network(self) -> ShredModel:
        return find(self.model or _shipped())


@dataclass(frozen=True, eq=False)
class Described:
    """Sides of strips, each turned to face right.

    Attributes
    ----------
    asks, answers : from top to bottom, ``(M, R, V)``
    alone : what a side says alone, ``(M, R)``
    rows : how many of the rows are the strip's own, ``(M,)``
    run : the run of its rim, ``(M, R)``; None where strips are not ragged
    """

    asks: NDArray[np.float16]
    answers: NDArray[np.float16]
    alone: Floats
    rows: NDArray[np.int64]
    run: Floats | None = None

    def facing(self, side: NDArray[Any], direction: int) -> NDArray[np.float16]:
        """Return the rows of sides, by number, turned to face `direction`, ``(A, R, D)``."""
        asks, answers, alone = self.asks[side], self.answers[side], self.alone[side][..., None]
        ones = np.ones_like(alone)
        parts = [asks, answers, alone, ones]
        if direction == edges.LEFT:
            parts = [answers, asks, ones, alone]
        if self.run is not None:  # Turned over, a rim runs the other way.
            parts.append((1 if direction == edges.RIGHT else -1) * self.run[side][..., None])
        out = np.concatenate(parts, axis=2).astype(np.float16)
        if direction == edges.LEFT:
            for row, own in enumerate(self.rows[side].tolist()):
                out[row, :own] = out[row, :own][::-1].copy()
        return out


@lru_cache(maxsize=1)
def _known(puzzle: Puzzle, by: Shreds) -> Described:
    """Describe all sides of strips, right and left in turn; of the last puzzle it is known."""
    model = find(by.model or _shipped())
    size, count = model.form.size, len(puzzle)
    height = puzzle.piece_size[0] // STEP * STEP
    every = np.arange(4 * count, dtype=np.int32)[::2]
    sides = np.full((2 * count, height, size), PAPER, np.uint8)
    rows = np.empty(2 * count, np.int64)
    for row, edge in enumerate(every.tolist()):
        seen = puzzle.facing(every[row : row + 1], edges.RIGHT)[0, :, :, 0]
        tall = puzzle.rim(edge // 4, 0).shape[1]
        across, own = min(size, seen.shape[1]), tall // STEP * STEP
        # An odd row is left out at the bottom of the strip as it was read, whichever way it lies.
        first = tall - own if edge % 4 else 0
        sides[row, :own, size - across :] = seen[first : first + own, -across:]
        rows[row] = own // STEP
    described = _described(model, sides, rows)
    if not puzzle.ragged or not by.weight:
        return described
    return replace(described, run=_runs(puzzle, by, every, height // STEP))


def _described(model: ShredModel, sides: NDArray[np.uint8], rows: NDArray[np.int64]) -> Described:
    """Describe sides ``(M, H, size)`` that face right."""
    asks, answers = Engine(model).describe(sides)
    half = [part[..., :-1].astype(np.float16) for part in (asks, answers)]
    return Described(half[0], half[1], asks[..., -1] + answers[..., -1], rows)


def _runs(puzzle: Puzzle, by: Shreds, which: NDArray[np.int32], rows: int) -> Floats:
    """Return the run of the rims of edges that face right, ``(A, rows)``."""
    height = puzzle.piece_size[0]
    runs = Contour().look(puzzle, which, edges.RIGHT)[:, height:]  # (A, H), of norm 1
    runs = runs[:, : rows * STEP].reshape(len(which), rows, STEP).mean(axis=2)
    return np.asarray(runs * np.sqrt(by.weight * STEP), np.float32)


def _shifted(right: NDArray[np.float16], start: int, end: int) -> Floats:
    """Return rows `start` to `end` of ``(A, R, D)``, zeros beyond the ends."""
    count, rows, numbers = right.shape
    out = np.zeros((count, end - start, numbers), np.float32)
    low, high = max(0, start), min(rows, end)
    if low < high:
        out[:, low - start : high - start] = right[:, low:high]
    return out


def find(name: str) -> ShredModel:
    """Return the model `name`: a shipped one, or the path of an ``.npz`` file."""
    file = models.path(name, KIND)
    status = file.stat()
    return _load(file, status.st_mtime_ns, status.st_size)


def _shipped() -> str:
    """Return the name of the shipped model, the first by name."""
    names = models.names(KIND)
    if not names:
        raise InputError(
            "No model of shreds ships with this tessella; name a trained one with --model FILE.npz."
        )
    return names[0]


@cache
def _load(file: Path, _changed: int, _size: int) -> ShredModel:
    """Return the model in a file, read once as long as the file does not change."""
    return ShredModel.load(file)
