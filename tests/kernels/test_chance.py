from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.kernels.chance import below, draw, seeded, unit


def states(seed=0):
    return np.array([seed], np.uint64)


def test_the_first_words_are_those_of_splitmix64():
    """The reference generator, started at 0."""
    state = states()
    found = [int(draw(state)) for _ in range(3)]
    assert found == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_the_same_state_gives_the_same_words_and_moves_on():
    one, two = states(5), states(5)
    words = [int(draw(one)) for _ in range(50)]
    assert words == [int(draw(two)) for _ in range(50)]
    assert len(set(words)) == 50
    np.testing.assert_array_equal(one, two)


@settings(max_examples=25, deadline=None)
@given(limit=st.integers(1, 2**31 - 1), seed=st.integers(0, 2**63))
def test_numbers_stay_below_their_limit(limit, seed):
    state = states(seed)
    assert all(0 <= below(state, limit) < limit for _ in range(50))


def test_numbers_below_a_limit_are_equally_likely():
    state = states(1)
    counts = np.bincount([below(state, 6) for _ in range(12000)], minlength=6)
    assert len(counts) == 6
    assert (np.abs(counts - 2000) < 5 * np.sqrt(2000)).all()


def test_unit_numbers_fill_the_unit_interval_evenly():
    state = states(2)
    found = np.array([unit(state) for _ in range(4000)])
    assert 0 <= found.min() < 0.01
    assert 0.99 < found.max() < 1
    assert abs(found.mean() - 0.5) < 0.025


def test_streams_of_a_seed_differ_in_all_three_numbers():
    begun = {int(seeded(a, b, c)) for a in range(8) for b in range(8) for c in range(8)}
    assert len(begun) == 512


def test_streams_next_to_each_other_have_nothing_in_common():
    rows = []
    for place in range(64):
        state = states(int(seeded(1, 2, place)))
        rows.append([unit(state) for _ in range(64)])
    apart = np.corrcoef(np.array(rows))[np.triu_indices(64, 1)]
    assert abs(apart.mean()) < 0.02
    assert np.abs(apart).max() < 0.6
