"""Layers do what their definitions say, place by place."""

import numpy as np
import pytest

from tessella.networks.layers import Convolution, Layer, enlarge, pool


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def plain(values, kernel, bias, layer):
    """Every place by itself."""
    pad, step = layer.padding, layer.stride
    padded = np.pad(values, ((0, 0), (pad, pad), (pad, pad), (0, 0))).astype(np.float64)
    rows, cols = layer.size
    height, width = (
        (n - k) // step + 1 for n, k in zip(padded.shape[1:3], layer.size, strict=True)
    )
    out = np.empty((len(values), height, width, layer.made))
    for i in range(height):
        for j in range(width):
            seen = padded[:, step * i : step * i + rows, step * j : step * j + cols]
            out[:, i, j] = np.einsum("bijc,ocij->bo", seen, kernel) + bias
    return np.maximum(out, 0) if layer.relu else out


@pytest.mark.parametrize(
    "layer",
    [
        Layer(3, 5, padding=1),
        Layer(3, 5, stride=2),
        Layer(3, 5, stride=2, padding=1),
        Layer(3, 5, (1, 1)),
        Layer(3, 5, (7, 9), relu=False),
    ],
)
def test_a_convolution_is_the_sum_over_its_window(layer):
    values, bias = numbers(2, 7, 9, 3), numbers(5, seed=1)
    kernel = numbers(5, 3, *layer.size, seed=2)
    weights = {"one.weight": kernel, "one.bias": bias}
    assert {n: w.shape for n, w in weights.items()} == layer.shapes("one")
    found = Convolution.of("one", layer, weights)(values)
    np.testing.assert_allclose(found, plain(values, kernel, bias, layer), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("size", "wanted"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3)]
)
def test_pooling_takes_the_best_of_windows_that_begin_inside(size, wanted):
    values = numbers(2, size, 5, 3)
    found = pool(values)
    assert found.shape == (2, wanted, 2, 3)
    for i in range(wanted):
        for j in range(2):
            window = values[:, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3]
            np.testing.assert_array_equal(found[:, i, j], window.max(axis=(1, 2)))


def test_enlarging_repeats_rows_and_columns():
    values = numbers(1, 2, 3, 4)
    found = enlarge(values)
    assert found.shape == (1, 4, 6, 4)
    for i in range(4):
        for j in range(6):
            np.testing.assert_array_equal(found[:, i, j], values[:, i // 2, j // 2])
