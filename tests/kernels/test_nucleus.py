from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.kernels.nucleus import LONGEST, OPEN, PLACED, clear, make_nucleus, middle, put
from tessella.kernels.specification import PlainNucleus, neighbor


def empty(pieces, shape, either_way=False):
    nucleus = make_nucleus(pieces, shape, either_way=either_way)
    clear(nucleus.grid, nucleus.where, nucleus.box)
    return nucleus


def place(nucleus, piece, cell, turns=0):
    put(nucleus.grid, nucleus.where, nucleus.step, nucleus.box, piece, turns, cell)


def cell_of(nucleus, row, col):
    return middle(nucleus.grid, nucleus.step) + row * nucleus.step[4] + col


shapes = st.tuples(st.integers(1, 5), st.integers(1, 5)) | st.none()


@pytest.mark.parametrize("either_way", [True, False])
@settings(max_examples=25, deadline=None)
@given(shape=shapes, spare=st.integers(0, 3), data=st.data())
def test_a_cell_is_open_when_the_box_holds_the_kernel_with_it(shape, either_way, spare, data):
    """Walls on the grid say what arithmetic on the nucleus's extent says."""
    cells = 12 if shape is None else shape[0] * shape[1]
    pieces = max(1, cells - spare)
    fast, slow = empty(pieces, shape, either_way), PlainNucleus(shape, either_way)
    cell = (0, 0)
    for piece in range(pieces):
        place(fast, piece, cell_of(fast, *cell))
        slow.put(piece, 0, cell)
        beside = {neighbor(*c, d) for c in slow.held for d in range(4)}
        is_open = {c for c in beside if fast.grid[cell_of(fast, *c)] == OPEN}
        assert is_open == {c for c in beside if slow.is_open(c)}
        if is_open:
            cell = data.draw(st.sampled_from(sorted(is_open)))
        assert is_open or piece == cells - 1
    assert fast.box[PLACED] == pieces


@pytest.mark.parametrize("shape", [(2, 3), None])
def test_clearing_removes_pieces_and_walls(shape):
    used, fresh = empty(6, shape), empty(6, shape)
    for piece in range(3):
        place(used, piece, cell_of(used, 0, piece), turns=1)
    clear(used.grid, used.where, used.box)
    np.testing.assert_array_equal(used.grid, fresh.grid)
    assert (used.where[:, 0] == -1).all()
    assert used.box[PLACED] == 0


def test_an_upright_box_is_not_laid_on_its_side():
    nucleus = empty(6, (2, 3))
    place(nucleus, 0, cell_of(nucleus, 0, 0))
    place(nucleus, 1, cell_of(nucleus, 1, 0))
    assert nucleus.grid[cell_of(nucleus, 2, 0)] != OPEN
    assert nucleus.grid[cell_of(nucleus, 0, 2)] == OPEN


def test_a_box_for_either_way_is_decided_by_the_first_long_row_or_column():
    nucleus = empty(6, (3, 2), either_way=True)
    for row in range(3):
        assert nucleus.grid[cell_of(nucleus, row, 0)] == OPEN
        place(nucleus, row, cell_of(nucleus, row, 0))
    place(nucleus, 3, cell_of(nucleus, 0, 1))
    assert nucleus.grid[cell_of(nucleus, 0, 2)] != OPEN


def test_the_grid_of_a_large_puzzle_of_unknown_shape_stays_bounded():
    assert len(make_nucleus(10**5, None, either_way=False).grid) == (2 * LONGEST + 1) ** 2
