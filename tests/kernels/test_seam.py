from __future__ import annotations

import numpy as np
import pytest

from tessella.kernels import seam as kernel


def noise(*shape):
    return np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_unfolding_puts_every_pixel_between_those_above_and_below(rows):
    values = noise(3, rows, 4, 6)
    found, expected = (np.full((3, rows, 4, 3, 6), np.nan, np.float32) for _ in range(2))
    kernel.unfold(values, found)
    kernel.unfold_plain(values, expected)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("columns", [1, 2, 3, 7])
def test_spilling_gives_two_columns_as_they_are(columns):
    product = noise(2, 3, columns, 3, 5)
    expected = kernel.fold_plain(product)
    found = np.empty((2, 3, 2, 5), np.float32)
    for start in (0, columns):
        kernel.spill(product, start, found)
        np.testing.assert_allclose(found, expected[:, :, start : start + 2], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("rows", [4, 5])
@pytest.mark.parametrize("start", [1, 2])
def test_own_columns_are_cut_at_zero_pooled_and_unfolded(rows, start):
    product = noise(2, rows, 7, 3, 5)
    values = np.maximum(kernel.fold_plain(product), 0)[:, :, start : start + 6]
    pooled = values[:, : rows // 2 * 2].reshape(2, rows // 2, 2, 3, 2, 5).max(axis=(2, 4))
    for call, given in ((kernel.carry, values), (kernel.carry_pooled, pooled)):
        found, expected = (np.empty((*given.shape[:3], 3, 5), np.float32) for _ in range(2))
        call(product, start, found)
        kernel.unfold_plain(np.ascontiguousarray(given), expected)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    found = np.empty((2, rows // 2, 5), np.float32)
    kernel.hold(product, start, found)
    column = values[:, : rows // 2 * 2, 0].reshape(2, -1, 2, 5).max(axis=2)
    np.testing.assert_allclose(found, column, rtol=1e-5, atol=1e-6)


def test_weighing_multiplies_own_columns_by_the_head():
    product, head = noise(2, 4, 7, 3, 5), noise(4, 6, 5)
    found = np.empty(2, np.float32)
    kernel.weigh(product, 2, head, found)
    values = np.maximum(kernel.fold_plain(product), 0)[:, :, 2:8]
    np.testing.assert_allclose(found, np.einsum("arwc,rwc->a", values, head), rtol=1e-4, atol=1e-5)


def joined(product, left, right, pairs):
    """The pair columns after ReLU, written plainly, ``(B, R, m, C)``."""
    out = kernel.fold_plain(product)
    out[:, :, :2] += left[pairs[:, 0]]
    out[:, :, -2:] += right[pairs[:, 1]]
    return np.maximum(out, 0)


PAIRS = np.array([[0, 1], [2, 0], [1, 1], [2, 2]])


@pytest.mark.parametrize("inner", [0, 1, 2, 3])
def test_joining_adds_both_pieces_parts_and_unfolds(inner):
    product, left, right = noise(4, 6, inner, 3, 5), noise(3, 6, 2, 5), -noise(3, 6, 2, 5)
    found, expected = (np.empty((4, 6, inner + 2, 3, 5), np.float32) for _ in range(2))
    kernel.join(product, left, right, PAIRS, found)
    kernel.unfold_plain(joined(product, left, right, PAIRS), expected)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("rows", [6, 7])
@pytest.mark.parametrize("odd", [0, 1])
@pytest.mark.parametrize("inner", [0, 1, 2, 3])
def test_pooling_takes_in_the_columns_beside_the_pair(inner, odd, rows):
    product, left, right = noise(4, rows, inner, 3, 5), noise(3, rows, 2, 5), noise(3, rows, 2, 5)
    held = [np.abs(noise(3, rows // 2, 5)), np.abs(noise(3, rows // 2, 5)[::-1])]
    values = joined(product, left, right, PAIRS)[:, : rows // 2 * 2]
    values = np.maximum(values[:, ::2], values[:, 1::2])
    before, behind = held[0][PAIRS[:, 0]][:, :, None], held[1][PAIRS[:, 1]][:, :, None]
    wide = np.concatenate([*([before] if odd else []), values, behind], axis=2)
    windows = (inner + 3 + odd) // 2
    pooled = np.maximum(wide[:, :, 0 : 2 * windows : 2], wide[:, :, 1 : 2 * windows : 2])
    found, expected = (np.empty((*pooled.shape[:3], 3, 5), np.float32) for _ in range(2))
    kernel.join_pooled(product, left, right, PAIRS, *held, odd, found)
    kernel.unfold_plain(np.ascontiguousarray(pooled), expected)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_finishing_weighs_the_pair_columns_and_adds():
    product, left, right = noise(4, 6, 2, 3, 5), noise(3, 6, 2, 5), noise(3, 6, 2, 5)
    head = noise(6, 4, 5)
    out = np.arange(4, dtype=np.float32)
    kernel.finish(product, left, right, PAIRS, head, out)
    told = np.einsum("brmc,rmc->b", joined(product, left, right, PAIRS), head)
    np.testing.assert_allclose(out, np.arange(4) + told, rtol=1e-4, atol=1e-5)
