"""The plain forward pass of a pair, layer by layer in NumPy: the specification."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.networks.model import Model, Subnetwork
from tessella.networks.view import seen


def forward(
    model: Model, left: NDArray[np.uint8], right: NDArray[np.uint8], eroded: int
) -> NDArray[np.float64]:
    """Score pairs of pieces ``(A, P, P, 3)``, the i-th of `left` beside the i-th of `right`."""
    if model.mirrored:
        once = replace(model, mirrored=False)
        other = forward(once, left[:, ::-1], right[:, ::-1], eroded)
        return (forward(once, left, right, eroded) + other) / 2
    total = np.zeros(len(left))
    for sub in model.subnetworks:
        size = sub.architecture.planes, model.rows, model.depth
        parts = [
            seen(left, eroded, *size, edges.RIGHT),
            seen(right, eroded, *size, edges.LEFT),
        ]
        total += score(sub, np.concatenate(parts, axis=2))
    return total


def score(sub: Subnetwork, pair: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return one sub-network's scores of pairs ``(A, rows, 2 * depth, planes)``."""
    values = pair.astype(np.float64)
    kernels = iter(sub.kernels)
    for layer in sub.architecture.layers:
        values = _pool(values) if layer == "pool" else _convolve(values, next(kernels))
    return np.asarray(np.einsum("ahwc,chw->a", values, sub.head.astype(np.float64)))


def _convolve(values: NDArray[np.float64], kernel: NDArray[np.float32]) -> NDArray[np.float64]:
    """Convolve with padding 1, then ReLU."""
    height, width = values.shape[1:3]
    padded = np.pad(values, ((0, 0), (1, 1), (1, 1), (0, 0)))
    out = np.zeros((*values.shape[:3], len(kernel)))
    for i in range(3):
        for j in range(3):
            out += padded[:, i : i + height, j : j + width] @ kernel[:, :, i, j].T
    return np.maximum(out, 0)


def _pool(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take the best of every 2 x 2; a last odd row or column is dropped."""
    height, width = values.shape[1] // 2, values.shape[2] // 2
    cut = values[:, : 2 * height, : 2 * width]
    return np.asarray(cut.reshape(len(cut), height, 2, width, 2, -1).max(axis=(2, 4)))
