from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella.kernels.window import densest_window


def held(row, col, top, left, rows, cols):
    return int(((row >= top) & (row < top + rows) & (col >= left) & (col < left + cols)).sum())


def cells(places):
    row, col = np.array(sorted(places), np.int32).T
    return row - row.min(), col - col.min()


@given(
    places=st.sets(st.tuples(st.integers(0, 9), st.integers(0, 12)), min_size=1, max_size=40),
    rows=st.integers(1, 12),
    cols=st.integers(1, 12),
)
def test_no_other_window_holds_more(places, rows, cols):
    row, col = cells(places)
    count, top, left = densest_window(row, col, rows, cols)
    assert count == held(row, col, top, left, rows, cols)
    assert count == max(
        held(row, col, t, c, rows, cols) for t in range(-12, 13) for c in range(-12, 13)
    )


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (5, 6)])
def test_a_window_as_large_as_the_extent_holds_all(rows, cols):
    row, col = (each.ravel().astype(np.int32) for each in np.mgrid[:3, :4])
    assert densest_window(row, col, rows, cols) == (12, 0, 0)


def test_the_window_moves_to_where_most_lie():
    row, col = cells({(0, 0), (5, 7), (5, 8), (6, 8)})
    assert densest_window(row, col, 2, 2) == (3, 5, 7)
