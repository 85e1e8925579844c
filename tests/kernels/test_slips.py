from __future__ import annotations

import numpy as np
import pytest

from tessella.kernels import slips


def told(seed: int, slip_count: int):
    rng = np.random.default_rng(seed)
    state = rng.normal(0, 5, (3, 4, slip_count)).astype(np.float32)
    return state, rng.normal(0, 5, (slip_count, 3, 4)).astype(np.float32)


@pytest.mark.parametrize("slip_count", [1, 2, 3, 13])
def test_advance_equals_its_twin(slip_count):
    state, said = told(slip_count, slip_count)
    plain = state.copy()
    slips.advance(state, said, 0.05)
    slips.advance_plain(plain, said, 0.05)
    np.testing.assert_allclose(state, plain, rtol=1e-4, atol=1e-4)


def test_settle_equals_its_twin():
    state, _ = told(5, 7)
    out, plain = np.empty((3, 4), np.float32), np.empty((3, 4), np.float32)
    slips.settle(state, 0.25, out)
    slips.settle_plain(state, 0.25, plain)
    np.testing.assert_array_equal(out, plain)


def test_what_says_nothing_at_any_slip_scores_0_after_any_number_of_stretches():
    chances = np.log(np.array([0.1, 0.2, 0.4, 0.2, 0.1], np.float32))
    state = np.tile(chances, (2, 2, 1))
    for _ in range(9):
        slips.advance(state, np.zeros((5, 2, 2), np.float32), 0.05)
    out = np.empty((2, 2), np.float32)
    slips.settle(state, 2.0**-8, out)
    assert not out.any()


def test_a_slip_may_change_by_one_step_from_stretch_to_stretch_but_not_by_two():
    def total(first: int, second: int) -> float:
        state = np.log(np.full((1, 1, 5), 0.2, np.float32))
        for slip in (first, second):
            said = np.full((5, 1, 1), -50, np.float32)
            said[slip] = 10
            slips.advance(state, said, 0.05)
        out = np.empty((1, 1), np.float32)
        slips.settle(state, 2.0**-8, out)
        return float(out[0, 0])

    assert total(2, 2) > total(2, 3) > total(2, 4) + 20
