"""Layers of plain convolutional networks in NumPy: im2col and one matrix product each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Layer:
    """A convolution with a bias, and ReLU behind it.

    Attributes
    ----------
    given, made : channels
    size : rows and columns of the kernel
    padding : zeros on all sides
    relu : False for the last of a network
    """

    given: int
    made: int
    size: tuple[int, int] = (3, 3)
    stride: int = 1
    padding: int = 0
    relu: bool = True

    def shapes(self, name: str) -> dict[str, tuple[int, ...]]:
        """Return the shapes of kernel and bias, by name."""
        kernel = (self.made, self.given, *self.size)
        return {f"{name}.weight": kernel, f"{name}.bias": (self.made,)}


@dataclass(frozen=True, eq=False)
class Convolution:
    """A layer with weights, ready to run.

    Attributes
    ----------
    matrix : the kernel, ``(rows * columns * given, made)``
    """

    layer: Layer
    matrix: Floats
    bias: Floats

    @classmethod
    def of(cls, name: str, layer: Layer, weights: Mapping[str, Floats]) -> Convolution:
        """Pick the weights of the layer `name`."""
        kernel = weights[f"{name}.weight"]
        matrix = kernel.transpose(2, 3, 1, 0).reshape(-1, layer.made)
        return cls(layer, np.ascontiguousarray(matrix), weights[f"{name}.bias"])

    def __call__(self, values: Floats) -> Floats:
        """Convolve ``(B, H, W, given)`` to ``(B, H', W', made)``."""
        unfolded = unfold(values, self.layer)  # (B, H', W', rows * columns * given)
        out = unfolded.reshape(-1, unfolded.shape[3]) @ self.matrix
        out += self.bias
        if self.layer.relu:
            np.maximum(out, 0, out=out)
        return out.reshape(*unfolded.shape[:3], self.layer.made)


def unfold(values: Floats, layer: Layer) -> Floats:
    """Return what the kernel sees at every place, ``(B, H', W', rows * columns * given)``."""
    pad, step = layer.padding, layer.stride
    if layer.size == (1, 1) and step == 1 and not pad:
        return values
    padded = np.pad(values, ((0, 0), (pad, pad), (pad, pad), (0, 0))) if pad else values
    seen = sliding_window_view(padded, layer.size, axis=(1, 2))[:, ::step, ::step]
    ordered = seen.transpose(0, 1, 2, 4, 5, 3)  # (B, H', W', rows, columns, given)
    return ordered.reshape(*ordered.shape[:3], -1)


def pool(values: Floats) -> Floats:
    """Take the best of every 3 x 3 at steps of 2; a last window may reach beyond the border."""
    for axis in (1, 2):
        size = values.shape[axis]
        count = max(1, -(-(size - 3) // 2) + 1)
        parts = [_every_second(values, axis, start, count) for start in range(3)]
        values = np.asarray(np.maximum(parts[0], np.maximum(parts[1], parts[2])))
    return values


def _every_second(values: Floats, axis: int, start: int, count: int) -> Floats:
    """Return `count` rows or columns from `start` on; the last stands in for those beyond it."""
    which = np.minimum(start + 2 * np.arange(count), values.shape[axis] - 1)
    return np.asarray(values.take(which, axis))


def enlarge(values: Floats) -> Floats:
    """Repeat every row and column of ``(B, H, W, C)``."""
    return values.repeat(2, axis=1).repeat(2, axis=2)
