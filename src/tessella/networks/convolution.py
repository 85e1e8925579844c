"""Convolutions over pixels and over rows in NumPy, for the networks of tiles and of strips.

A convolution copies every pixel with its two neighbours in the row, which lie side by side in
memory, and is then three matrix products, one for each row of the kernel.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tessella.networks.layers import Floats


def convolved(values: Floats, weight: Floats, bias: Floats) -> Floats:
    """Convolve ``(B, H, W, C)`` over 3 x 3 pixels; beyond the sides there are zeros."""
    count, height, width, channels = values.shape
    kernel = weight.reshape(3, 3 * channels, -1)
    three = np.zeros((count, height + 2, width, 3, channels), np.float32)
    middle = three[:, 1:-1]
    middle[:, :, 1:, 0], middle[:, :, :, 1] = values[:, :, :-1], values
    middle[:, :, :-1, 2] = values[:, :, 1:]
    flat = three.reshape(count * (height + 2) * width, 3 * channels)
    size = len(flat) - 2 * width  # The last two rows begin no window.
    out = np.empty((len(flat), kernel.shape[2]), np.float32)
    np.matmul(flat[:size], kernel[0], out=out[:size])
    out[:size] += flat[width : width + size] @ kernel[1]
    out[:size] += flat[2 * width :] @ kernel[2]
    kept = out.reshape(count, height + 2, width, -1)[:, :height]
    return np.asarray(kept + bias)


def thinned(values: Floats, weight: Floats, bias: Floats) -> Floats:
    """Convolve ``(B, H, W, C)`` at every second row and column."""
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
