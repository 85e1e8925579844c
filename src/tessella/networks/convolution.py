"""Convolutions over pixels and over rows, for the networks of tiles and of strips."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tessella.kernels import winograd
from tessella.networks.layers import Floats

_ROOM = 2**17
"""Numbers that are worked on at once: what fits beside the processor."""


class Convolution:
    """A convolution over 3 x 3 pixels; beyond the sides there are zeros.

    By windows of 4 x 4 results, with a quarter of the products (`tessella.kernels.winograd`).
    """

    def __init__(self, weight: Floats, bias: Floats) -> None:
        self.weight = winograd.taken(weight)  # (36, C, D)
        self.bias = bias

    def __call__(self, values: Floats) -> Floats:
        """Convolve ``(B, H, W, C)``, ``(B, H, W, D)``."""
        count, height, width, channels = values.shape
        made = len(self.bias)
        high, wide = -(-height // winograd.FOUR), -(-width // winograd.FOUR)  # windows
        tall, across = winograd.FOUR * high, winograd.FOUR * wide
        seen = np.zeros((count, tall + 2, across + 2, channels), np.float32)
        seen[:, 1 : height + 1, 1 : width + 1] = values
        out = np.empty((count, tall, across, made), np.float32)
        step = min(high, max(1, _ROOM // (len(self.weight) * wide * max(channels, made))))
        lines = np.empty((4 * step + 2, 6, wide * channels), np.float32)
        back = np.empty((4, 6, wide * made), np.float32)
        for image, start in itertools.product(range(count), range(0, high, step)):
            rows = min(step, high - start)
            given = np.empty((36, rows, wide * channels), np.float32)
            part = slice(4 * start, 4 * (start + rows))
            winograd.analyse(seen[image, part.start : part.stop + 2], lines[: 4 * rows + 2], given)
            products = np.matmul(given.reshape(36, rows * wide, channels), self.weight)
            products = products.reshape(36, rows, wide * made)
            winograd.synthesise(products, back, self.bias, out[image, part])
        return out[:, :height, :width]


class Scales:
    """The scales of a network: residual blocks of 3 x 3 convolutions, each scale half the last.

    Parameters
    ----------
    blocks : how many of each scale
    weights : of all layers by name, ``scaleI`` and ``scaleI.K.0``, ``scaleI.K.1``
    """

    def __init__(self, blocks: Sequence[int], weights: Mapping[str, Floats]) -> None:
        self._layers = {
            name: (weights[f"{name}.weight"], weights[f"{name}.bias"])
            for name in (f"scale{i}" for i in range(len(blocks)))
        }
        halves = ((i, k, half) for i, n in enumerate(blocks) for k in range(n) for half in range(2))
        names = ["scale0", *(f"scale{i}.{k}.{half}" for i, k, half in halves)]
        self._blocks = blocks
        self._convolutions = {
            name: Convolution(weights[f"{name}.weight"], weights[f"{name}.bias"]) for name in names
        }

    def __call__(self, values: Floats, number: int) -> Floats:
        """Return scale `number` of ``(B, H, W, C)``: of the pixels, or of the scale before."""
        name = f"scale{number}"
        if number:
            values = thinned(values, *self._layers[name])
        else:
            values = self._convolutions[name](values)
        np.maximum(values, 0, out=values)
        for k in range(self._blocks[number]):
            inner = self._convolutions[f"{name}.{k}.0"](values)
            np.maximum(inner, 0, out=inner)
            inner = self._convolutions[f"{name}.{k}.1"](inner)
            inner += values
            values = np.maximum(inner, 0, out=inner)
        return values


def thinned(values: Floats, weight: Floats, bias: Floats) -> Floats:
    """Convolve ``(B, H, W, C)`` over 3 x 3 pixels at every second row and column."""
    padded = np.pad(values, ((0, 0), (1, 1), (1, 1), (0, 0)))
    seen = sliding_window_view(padded, (3, 3), axis=(1, 2))[:, ::2, ::2]
    ordered = seen.transpose(0, 1, 2, 4, 5, 3)  # (B, H', W', rows, columns, C)
    out = ordered.reshape(-1, 9 * values.shape[3]) @ weight
    out += bias
    return out.reshape(*ordered.shape[:3], -1)


def along(values: Floats, weight: Floats, bias: Floats) -> Floats:
    """Convolve ``(B, rows, C)`` over three rows; beyond the ends there are zeros."""
    count, rows, channels = values.shape
    three = np.zeros((count, rows, 3, channels), np.float32)
    three[:, 1:, 0], three[:, :, 1], three[:, :-1, 2] = values[:, :-1], values, values[:, 1:]
    out = three.reshape(count * rows, 3 * channels) @ weight
    out += bias
    return out.reshape(count, rows, -1)
