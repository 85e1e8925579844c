from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from tessella.kernels import ranking
from tessella.kernels.ranking import best_of, keep_best_plain


@st.composite
def tables(draw):
    """Values with many ties and some that may not be listed; pieces that own several columns."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 12))
    worth = st.sampled_from([-np.inf, -2.0, -1.5, 0.0, 0.5, 3.0])
    values = draw(npst.arrays(np.float32, (rows, columns), elements=worth))
    piece = st.integers(0, 3)
    row_piece = draw(npst.arrays(np.int32, rows, elements=piece))
    column_piece = draw(npst.arrays(np.int32, columns, elements=piece))
    return values, row_piece, column_piece, draw(st.integers(0, columns))


@given(tables())
@settings(max_examples=25, deadline=None)
def test_keep_best_equals_its_twin_ties_included(table):
    for fast, plain in zip(best_of(*table), keep_best_plain(*table), strict=True):
        assert np.array_equal(fast, plain)


def test_of_equals_the_lower_column_comes_first():
    values = np.array([[1, 2, 2, 1, 2]], np.float32)
    _, _, column, _ = best_of(values, np.array([9], np.int32), np.arange(5, dtype=np.int32), 4)
    assert column.tolist() == [[1, 2, 4, 0]]


def test_own_columns_count_neither_for_the_list_nor_for_the_range():
    values = np.array([[9, 1, 2, -9]], np.float32)
    owner = np.array([0, 1, 2, 0], np.int32)
    lo, hi, column, value = best_of(values, np.array([0], np.int32), owner, 4)
    assert (lo[0], hi[0]) == (1, 2)
    assert column.tolist() == [[2, 1, -1, -1]]
    assert value[0, 2:].tolist() == [-np.inf, -np.inf]


@pytest.mark.parametrize("k", [ranking._SORT_FROM, ranking._SORT_FROM + 1])
def test_long_lists_are_sorted_and_short_ones_kept_to_the_same_end(k):
    rng = np.random.default_rng(0)
    values = rng.integers(0, 50, (3, k + 10)).astype(np.float32)
    pieces = np.arange(k + 10, dtype=np.int32)
    table = values, np.array([0, 1, 2], np.int32), pieces, k
    for fast, plain in zip(best_of(*table), keep_best_plain(*table), strict=True):
        assert np.array_equal(fast, plain)
