"""Laying fragments down: nothing is lost, nothing overlaps, and they lie apart where they can."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella.arrangement import EMPTY
from tessella.stages.laying import Fragment, laid_apart, laid_within, sheets_of


def nothing(pairs):
    return np.full(len(pairs), -1.0)


def bar(first: int, rows: int, cols: int) -> Fragment:
    cell = np.argwhere(np.ones((rows, cols), bool))
    return Fragment(np.arange(first, first + len(cell)), cell, np.zeros(len(cell), np.int64))


def bars(sizes) -> list[Fragment]:
    made, first = [], 0
    for rows, cols in sizes:
        made.append(bar(first, rows, cols))
        first += rows * cols
    return made


SIZES = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=6)


@given(SIZES)
def test_apart_nobody_touches_a_stranger(sizes):
    fragments = bars(sizes)
    sheet = laid_apart(fragments, 1)
    joins = {(e // 4, f // 4) for e, f in sheet.joins().tolist()}
    own = {(e // 4, f // 4) for each in fragments for e, f in each.sheet().joins().tolist()}
    assert joins == own
    assert sorted(sheet.piece[sheet.piece != EMPTY]) == list(range(sum(r * c for r, c in sizes)))


@given(SIZES, st.integers(0, 3), st.sampled_from([1, 4]))
def test_within_a_shape_every_piece_lies_once(sizes, spare, ways):
    fragments = bars(sizes)
    pieces = sum(r * c for r, c in sizes)
    cols = 4
    rows = -(-pieces // cols) + spare
    sheet = laid_within(fragments, (rows, cols), ways, nothing)
    assert sheet.shape == (rows, cols)
    assert sorted(sheet.piece[sheet.piece != EMPTY]) == list(range(pieces))


def test_within_a_shape_fragments_lie_apart_where_they_can():
    sheet = laid_within(bars([(2, 2), (2, 2)]), (2, 5), 1, nothing)
    assert len(sheet.joins()) == 8


def test_within_a_shape_fragments_lie_where_they_are_worth_most():
    def wanted(pairs):
        both = np.sort(pairs // 4, axis=1)
        return np.where((both[:, 0] == 1) & (both[:, 1] == 4), 5.0, -1.0)

    sheet = laid_within(bars([(2, 2), (1, 1)]), (4, 5), 1, wanted)
    joins = {tuple(sorted(pair)) for pair in (sheet.joins() // 4).tolist()}
    assert (1, 4) in joins
    assert len(joins) == 5


def test_a_fragment_is_turned_as_a_whole():
    turned = bar(0, 1, 3).turned(1)
    assert turned.shape == (3, 1)
    assert (turned.turns == 1).all()
    # Counter-clockwise: what lay to the right lies above.
    assert turned.sheet().piece[:, 0].tolist() == [2, 1, 0]


def test_single_pieces_belong_nowhere_unless_there_is_nothing_else():
    assert len(sheets_of(bars([(2, 2), (1, 1), (1, 1)]))) == 1
    assert len(sheets_of(bars([(1, 1), (1, 1)]))) == 1


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_four_turns_are_none(turns):
    fragment = bar(0, 2, 3).turned(turns)
    again = fragment.turned(4 - turns)
    assert (again.cell == bar(0, 2, 3).cell).all()
    assert (again.turns == 0).all()
