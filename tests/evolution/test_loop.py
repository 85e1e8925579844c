"""A generation is handed to threads in portions: not too small to be worth a call, none unfair."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella.evolution.loop import portion

many = st.integers(1, 10_000)


@given(children=st.integers(1, 200), pieces=many, threads=st.integers(1, 64))
def test_every_thread_gets_its_share_and_no_portion_is_empty(children, pieces, threads):
    step = portion(children, pieces, threads)
    assert 1 <= step <= max(1, -(-children // threads))


@pytest.mark.parametrize(
    ("pieces", "expected"), [(70, 29), (432, 9), (2360, 7), (22_755, 7)], ids=str
)
def test_small_puzzles_are_bred_in_few_calls_and_large_ones_by_quarters(pieces, expected):
    assert portion(29, pieces, 1) == expected
