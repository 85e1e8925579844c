from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.kernels import border
from tessella.kernels.border import GRAIN

QUICK = settings(max_examples=25, deadline=None)
sizes = st.tuples(st.integers(1, 5), st.integers(1, 6), st.integers(1, 30), st.integers(0, 9))


def borders(rows: int, columns: int, length: int, seed: int):
    rng = np.random.default_rng(seed)
    right = rng.normal(0, 40, (rows, length)).astype(np.float32)
    left = rng.normal(0, 40, (columns, length)).astype(np.float32)
    left[0, 0] = right[0, 0]  # a difference of exactly 0
    return right, left, np.empty((rows, columns), np.float32)


@given(sizes)
@QUICK
def test_sum_abs_equals_its_twin(size):
    right, left, out = borders(*size)
    plain = np.empty_like(out)
    border.sum_abs(right, left, out)
    border.sum_abs_plain(right, left, plain)
    np.testing.assert_allclose(out, plain, rtol=1e-5)


@given(sizes, st.sampled_from([0.05, 0.3, 0.5, 1.0]))
@QUICK
def test_sum_powers_equals_its_twin(size, p):
    right, left, out = borders(*size)
    plain = np.empty_like(out)
    border.sum_powers(right, left, np.float32(p), out)
    border.sum_powers_plain(right, left, np.float32(p), plain)
    # What 0 gives instead of 0 grows as p falls.
    np.testing.assert_allclose(out, plain, rtol=1e-5, atol=2.0 ** (-127 * p) * right.shape[1])


@pytest.mark.parametrize("columns", [1, 255, 256, 257, 600])
def test_columns_before_at_and_behind_the_end_of_a_tile_are_all_filled(columns):
    right, left, out = borders(2, columns, 7, 1)
    out[:] = np.nan
    plain = np.empty_like(out)
    border.sum_abs(right, left, out)
    border.sum_abs_plain(right, left, plain)
    np.testing.assert_allclose(out, plain, rtol=1e-5)


@pytest.mark.parametrize("kernel", ["sum_abs", "sum_powers"])
def test_a_result_does_not_depend_on_the_block_it_is_computed_in(kernel):
    right, left, whole = borders(5, 300, 11, 2)
    more = (np.float32(0.3),) if kernel == "sum_powers" else ()
    run = getattr(border, kernel)
    run(right, left, *more, whole)
    part = np.empty((2, 120), np.float32)
    run(right[2:4], left[100:220], *more, part)
    assert np.array_equal(part, whole[2:4, 100:220])


def test_powers_are_right_to_six_digits_over_all_magnitudes():
    x = np.logspace(-6, 4, 2000).astype(np.float32)
    for p in (0.05, 0.3, 0.9):
        found = np.array([border.to_power(v, np.float32(p)) for v in x])
        np.testing.assert_allclose(found, x.astype(np.float64) ** np.float32(p), rtol=2e-6)


def test_zero_to_a_power_is_as_good_as_zero():
    assert 0 <= border.to_power(np.float32(0), np.float32(0.3)) < 1e-11


@given(st.integers(1, 4), st.integers(1, 5), st.integers(0, 9))
@QUICK
def test_settle_equals_its_twin(rows, columns, seed):
    distance = np.random.default_rng(seed).normal(0, 10, (rows, columns))
    out = np.empty((rows, columns), np.float32)
    plain = np.empty_like(out)
    border.settle(distance, out)
    border.settle_plain(distance, plain)
    assert np.array_equal(out, plain)


def test_what_cancellation_leaves_behind_settles_to_a_tie():
    distance = np.array([[-1e-9, 0.0, 1e-9, 5 + 1e-9, 5 - 1e-9, 5 + 2 * GRAIN]])
    out = np.empty(distance.shape, np.float32)
    border.settle(distance, out)
    assert out.tolist() == [[0, 0, 0, -5, -5, np.float32(-5 - 2 * GRAIN)]]
