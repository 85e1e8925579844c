"""Laying fragments down: nothing is lost, nothing overlaps, and they lie apart where they can."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella.arrangement import EMPTY, Sheet
from tessella.stages import laying
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


def laid_plainly(fragments, shape, ways, value):
    """Return what `laid_within` must: every place is rated on a canvas that is made anew."""
    size = np.array(shape)
    placed, waiting = {}, list(fragments)
    while waiting:
        fragment = waiting.pop(0)
        best = best_place(fragment, placed, size, ways, value)
        if best is None:
            waiting += fragment.singles()
            continue
        turned, (row, col) = best
        free = [(r + row, c + col) not in placed for r, c in turned.cell.tolist()]
        for k in np.flatnonzero(free).tolist():
            there = turned.cell[k, 0] + row, turned.cell[k, 1] + col
            placed[there] = int(turned.piece[k]), int(turned.turns[k])
        waiting += turned.part(~np.array(free)).singles()
    piece, turns = np.full(3 * size, EMPTY, np.int32), np.zeros(3 * size, np.int8)
    for cell, (name, quarter) in placed.items():
        piece[cell], turns[cell] = name, quarter
    row, col = np.minimum(np.min(list(placed), axis=0), 2 * size).tolist()
    window = np.s_[row : row + shape[0], col : col + shape[1]]
    return Sheet(piece[window], turns[window])


def best_place(fragment, placed, size, ways, value):
    """Return how a fragment is turned and where it lies, None where it has no room."""
    every = [fragment.turned(times) for times in range(ways)]
    if not placed:
        fits = [turned for turned in every if (turned.shape <= size).all()]
        return (fits[0], tuple(size.tolist())) if fits else None
    lies = np.array(list(placed))
    rated = []
    for turned in every:
        first = np.maximum(lies.max(axis=0) + 1 - size, 0)
        last = np.minimum(lies.min(axis=0) + size, 3 * size) - turned.shape
        ways_down, ways_right = (range(a, b + 1) for a, b in zip(first, last, strict=True))
        found = [(rate(turned, place, placed, value), turned, place)
                 for place in itertools.product(ways_down, ways_right)]  # fmt: skip
        most = max((free for (free, _), _, _ in found), default=0)
        if most:
            rated += [max((f for f in found if f[0][0] == most), key=lambda f: f[0][1])]
    return max(rated, key=lambda each: each[0])[1:] if rated else None


def rate(turned, place, placed, value):
    """Return how many cells of a fragment are free at a place, and what it is worth there."""
    free, worth = 0, 0.0
    for piece, cell, turns in zip(turned.piece, turned.cell, turned.turns, strict=True):
        row, col = cell[0] + place[0], cell[1] + place[1]
        free += (row, col) not in placed
        for side, (down, right) in enumerate(((0, 1), (-1, 0), (0, -1), (1, 0))):
            other = placed.get((row + down, col + right))
            if other is not None:
                mine = 4 * piece + (side - turns) % 4
                worth += value(np.array([[mine, 4 * other[0] + (side + 2 - other[1]) % 4]]))[0]
    return free, worth


def at_random(pairs):
    """Return what pairs of edges are worth: whole numbers, some of them alike."""
    return (7919 * pairs[:, 0] + 104_729 * pairs[:, 1]) % 13 - 6.0


@given(SIZES, st.integers(0, 3), st.sampled_from([1, 4]))
def test_within_a_shape_fragments_lie_as_on_a_canvas_that_is_made_anew(sizes, spare, ways):
    fragments, cols = bars(sizes), 4
    shape = -(-sum(r * c for r, c in sizes) // cols) + spare, cols
    found, plain = (way(fragments, shape, ways, at_random) for way in (laid_within, laid_plainly))
    assert found.piece.tolist() == plain.piece.tolist()
    assert found.turns.tolist() == plain.turns.tolist()


def test_what_lies_is_not_laid_again_for_every_fragment(monkeypatch):
    monkeypatch.setattr(laying, "_sheet", lambda *_: pytest.fail("a sheet is made anew"))
    sheet = laid_within(bars([(2, 2)] * 3 + [(1, 1)] * 13), (5, 5), 1, at_random)
    assert (sheet.piece >= 0).sum() == 25


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
