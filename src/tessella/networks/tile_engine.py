"""The networks for tiles in NumPy; `tessella.networks.tile_form` says what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.networks.convolution import Scales, along
from tessella.networks.layers import Floats
from tessella.networks.tile_model import TileModel
from tessella.threads import chunks, spread

_TILES = 4
"""Tiles that go through the networks together: what they need stays near the processor."""

_PAIRS = 64
"""Pairs that are judged together."""


@dataclass(frozen=True, eq=False)
class Light:
    """What all tiles of a puzzle have in common: their mean colour ``(3,)``, and their spread."""

    mean: Floats
    spread: np.float32

    def normalised(self, tiles: Floats) -> Floats:
        """Return tiles ``(N, S, S, 3)`` about 0: less the mean, by the spread."""
        return (tiles - self.mean) / self.spread


def light_of(portions: Callable[[], Iterable[Floats]]) -> Light:
    """Find the light of all tiles of a puzzle, given some at a time, ``(n, S, S, 3)``, twice."""
    total, count = np.zeros(3), 0
    for tiles in portions():
        total += tiles.sum(axis=(0, 1, 2), dtype=np.float64)
        count += tiles.size // 3
    mean = (total / max(1, count)).astype(np.float32)
    squares = sum(float(np.square(t - mean).sum(dtype=np.float64)) for t in portions())
    return Light(mean, np.float32(max(np.sqrt(squares / max(1, 3 * count)), 4.0)))


class Engine:
    """The networks of a model, ready to run."""

    def __init__(self, model: TileModel) -> None:
        self.form, self.weights = model.form, model.weights
        self._scale = Scales(self.form.blocks, self.weights)

    def describe(self, tiles: Floats, threads: int | None = None) -> Floats:
        """Describe tiles whose edges face right, ``(M, S, S, 3)``, ``(M, rows, width)``."""
        out = np.empty((len(tiles), self.form.rows, self.form.width), np.float32)

        def fill(part: slice) -> None:
            out[part] = self._described(tiles[part])

        for _ in spread(fill, chunks(len(tiles), _TILES), threads):
            pass
        return out

    def _described(self, tiles: Floats) -> Floats:
        values, total = _unshuffled(tiles), None
        for i in range(3):
            values = self._scale(values, i)
            count, rows, columns, channels = values.shape
            kept = self.form.columns[i]
            # Channels before columns: the order in which training read them.
            near = values[:, :, columns - kept :].transpose(0, 1, 3, 2)
            features = self._rows(near.reshape(count, rows, channels * kept), f"read{i}")
            features = features.repeat(2**i, axis=1)
            total = features if total is None else np.add(total, features, out=total)
        assert total is not None
        values = np.maximum(total, 0, out=total)
        for k in range(self.form.along):
            inner = self._rows(values, f"along.{k}.0")
            values = values + self._rows(np.maximum(inner, 0, out=inner), f"along.{k}.1")
            np.maximum(values, 0, out=values)
        return values

    def _rows(self, values: Floats, name: str) -> Floats:
        return along(values, *self._layer(name))

    def _layer(self, name: str) -> tuple[Floats, Floats]:
        return self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]

    def _linear(self, rows: Floats, name: str) -> Floats:
        return np.asarray(rows @ self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"])

    def vectors(self, rows: Floats, *, second: bool) -> Floats:
        """Return the vectors of edges ``(E, rows, width)`` as first or second of a pair."""
        both = [self._linear(rows, name) for name in ("asks", "answers")]
        return np.concatenate(both[::-1] if second else both, axis=2).reshape(len(rows), -1)

    def parts(self, rows: Floats) -> Floats:
        """Return what `judge` needs of edges ``(E, rows, width)``, ``(E, rows, 2 pair)``."""
        return np.concatenate([self._linear(rows, n) for n in ("shared", "matched")], axis=2)

    def judge(
        self,
        first: Floats,
        second: Floats,
        pairs: NDArray[np.int64],
        threads: int | None = None,
    ) -> Floats:
        """Judge pairs ``(M, 2)`` of rows of two tables of parts, ``(M,)``."""
        out = np.empty(len(pairs), np.float32)

        def fill(some: slice) -> None:
            out[some] = self._judged(first[pairs[some, 0]], second[pairs[some, 1]])

        for _ in spread(fill, chunks(len(pairs), _PAIRS), threads):
            pass
        return out

    def _judged(self, one: Floats, other: Floats) -> Floats:
        half = self.form.pair
        values = np.empty_like(one)
        np.add(one[..., :half], other[..., :half], out=values[..., :half])
        np.maximum(values[..., :half], 0, out=values[..., :half])
        np.multiply(one[..., half:], other[..., half:], out=values[..., half:])
        values = _halved(self._rows(values, "first"))
        values = _halved(self._rows(values, "second"))
        values = np.maximum(self._rows(values, "third"), 0)
        return self._linear(values.reshape(len(values), -1), "verdict")[:, 0]


def _halved(values: Floats) -> Floats:
    """Cut ``(B, rows, C)`` at zero and take the better of every two rows."""
    count, rows, channels = values.shape
    paired = values.reshape(count, rows // 2, 2, channels)
    best = np.maximum(paired[:, :, 0], paired[:, :, 1])
    return np.maximum(best, 0, out=best)


def _unshuffled(tiles: Floats) -> Floats:
    """Put every 2 x 2 pixels of ``(B, S, S, 3)`` into one, ``(B, S / 2, S / 2, 12)``."""
    count, side = tiles.shape[:2]
    cut = tiles.reshape(count, side // 2, 2, side // 2, 2, 3)
    return cut.transpose(0, 1, 3, 5, 2, 4).reshape(count, side // 2, side // 2, 12)
