from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.kernels.heap import drop_first, push


def memory(capacity):
    return np.empty(capacity), np.empty((capacity, 3), np.int64)


@settings(max_examples=25, deadline=None)
@given(steps=st.lists(st.integers(0, 5) | st.none(), max_size=60))
def test_the_first_entry_is_always_the_greatest_left(steps):
    """A number is added, None takes the first away; few numbers make many equal."""
    key, item = memory(64)
    size, left, first = 0, [], None
    for number, step in enumerate(steps):
        if step is not None:
            size = push(key, item, size, float(step), number, 10 * number, 100 * number)
            left.append((float(step), number))
        elif size:
            size = drop_first(key, item, size)
            left.remove(first)
        assert size == len(left)
        if size:
            first = float(key[0]), int(item[0, 0])
            assert first in left
            assert first[0] == max(left)[0]
            assert item[0].tolist() == [first[1], 10 * first[1], 100 * first[1]]


def test_what_goes_in_comes_out_sorted():
    key, item = memory(100)
    numbers = np.random.default_rng(0).permutation(100)
    size = 0
    for number in numbers:
        size = push(key, item, size, number / 7, number, 0, 0)
    found = []
    while size:
        found.append(int(item[0, 0]))
        size = drop_first(key, item, size)
    assert found == list(range(99, -1, -1))


def test_the_last_entry_can_be_dropped():
    key, item = memory(1)
    assert drop_first(key, item, push(key, item, 0, 1.0, 2, 3, 4)) == 0
