"""The network for sides of strips in NumPy; `tessella.networks.shred_form` says what it does.

Paper without ink is described by zeros, so only stretches with ink, and as much around them as
the network sees, go through it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.networks.convolution import Scales, along
from tessella.networks.layers import Floats
from tessella.networks.shred_form import STEP, Form
from tessella.networks.shred_model import ShredModel
from tessella.threads import spread

INK = 0.12
"""Pixels with less ink than this, of 1, are grain of the paper."""

SPECK = 2
"""A row with fewer pixels of ink is blank."""

_COARSE = 8  # rows: all scales begin their pixels there


class Engine:
    """The network of a model, ready to run."""

    def __init__(self, model: ShredModel) -> None:
        self.form: Form = model.form
        self.weights = model.weights
        self._scale = Scales(self.form.blocks, self.weights)
        tall = 2 * self.form.reach + _COARSE
        white = self._rows(np.zeros((tall, self.form.size), np.float32))
        self.white: Floats = white[len(white) // 2]

    def describe(
        self, sides: NDArray[np.uint8], threads: int | None = None
    ) -> tuple[Floats, Floats]:
        """Say what sides ``(M, H, size)``, greys that face right, ask and answer.

        Returns
        -------
        what they ask, and what they answer, both from top to bottom as given, ``(M, R, vector +
        1)`` each, R half the height rounded up; the last number is what a side says alone
        """
        rows = -(-sides.shape[1] // STEP)
        shape = (len(sides), rows, self.form.vector + 1)
        asks, answers = np.zeros(shape, np.float32), np.zeros(shape, np.float32)

        def fill(which: int) -> None:
            ink = 1 - sides[which].astype(np.float32) / 255
            asks[which] = self._described(ink, "asks")
            answers[which] = self._described(ink[::-1], "answers")[::-1]

        for _ in spread(fill, range(len(sides)), threads):
            pass
        return asks, answers

    def _described(self, ink: Floats, name: str) -> Floats:
        """Describe one side ``(H, size)``, H even, by the layer `name`, ``(R, vector + 1)``."""
        height, reach = len(ink), self.form.reach
        out = np.zeros((height // STEP, self.form.vector + 1), np.float32)
        some = np.asarray((ink > INK).sum(axis=1) >= SPECK, np.bool_)
        for first, last in stretches(some, 2 * reach):
            begin = max(0, first - reach) // _COARSE * _COARSE
            end = min(-(-height // _COARSE) * _COARSE, -(-(last + reach) // _COARSE) * _COARSE)
            seen = np.zeros((end - begin + 2 * reach, ink.shape[1]), np.float32)
            low, high = max(0, begin - reach), min(height, end + reach)
            seen[low - begin + reach : high - begin + reach] = ink[low:high]
            rows = self._rows(seen)[reach // STEP : (reach + end - begin) // STEP]
            features = (rows - self.white) @ self.weights[name]
            here = slice(begin // STEP, min(end, height) // STEP)
            out[here] = features[: here.stop - here.start]
        return out

    def _rows(self, ink: Floats) -> Floats:
        """Return the features of every two rows of ``(H, size)``, ``(H / 2, width)``."""
        values = _unshuffled(ink)[None]
        total: Floats | None = None
        for i in range(3):
            values = self._scale(values, i)
            _, rows, columns, channels = values.shape
            # Channels before columns: the order in which training read them.
            flat = values[0].transpose(0, 2, 1).reshape(rows, channels * columns)
            features = flat @ self.weights[f"read{i}.weight"] + self.weights[f"read{i}.bias"]
            features = features.repeat(2**i, axis=0)
            total = features if total is None else np.add(total, features, out=total)
        assert total is not None
        lines = np.maximum(total, 0, out=total)[None]
        for k in range(self.form.along):
            inner = along(lines, *self._layer(f"along.{k}.0"))
            inner = along(np.maximum(inner, 0, out=inner), *self._layer(f"along.{k}.1"))
            inner += lines
            lines = np.maximum(inner, 0, out=inner)
        return np.asarray(lines[0])

    def _layer(self, name: str) -> tuple[Floats, Floats]:
        return self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]


def stretches(some: NDArray[np.bool_], gap: int) -> list[tuple[int, int]]:
    """Return where rows are True, first and behind the last; gaps shorter than `gap` are closed.

    >>> stretches(np.array([0, 1, 0, 1, 0, 0, 0, 1], bool), 3)
    [(1, 4), (7, 8)]
    """
    rows = np.flatnonzero(some)
    if not len(rows):
        return []
    cuts = np.flatnonzero(np.diff(rows) > gap)
    first = rows[np.concatenate([[0], cuts + 1])]
    last = rows[np.concatenate([cuts, [len(rows) - 1]])] + 1
    return list(zip(first.tolist(), last.tolist(), strict=True))


def _unshuffled(ink: Floats) -> Floats:
    """Put every 2 x 2 pixels of ``(H, W)`` into one, ``(H / 2, W / 2, 4)``."""
    height, width = ink.shape
    cut = ink.reshape(height // 2, 2, width // 2, 2)
    return cut.transpose(0, 2, 1, 3).reshape(height // 2, width // 2, 4)
