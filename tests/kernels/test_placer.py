from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.compatibility import from_dense, from_lists
from tessella.kernels.board import PLACED
from tessella.kernels.buddies import best_buddies
from tessella.kernels.placer import Bounds, fill, make_layout
from tessella.kernels.tables import look_up

KINDS = [(True, True), (False, True), (False, False)]


def told(pieces, upright, square, keep, seed):
    """Return random compatibilities of all pairs."""
    every = np.arange(4 * pieces)
    e = every[:, None]
    f = 4 * np.arange(pieces) + (e + 2) % 4 if upright else every
    allowed = (e // 4 != f // 4) & (upright | square | ((e - f) % 2 == 0))
    noise = np.random.default_rng(seed).uniform(0, 1, allowed.shape)
    return from_dense(
        pieces, upright, square, np.where(allowed, noise, -np.inf).astype(np.float32), keep
    )


def make_bounds(known, shape, seed=0, buddies=True):
    none = np.full(4 * known.pieces, -1, np.int32)
    return Bounds(
        tables=known.tables,
        buddy=best_buddies(known.tables) if buddies else none,
        rank=np.random.default_rng(seed).permutation(known.pieces).astype(np.int32),
        turn_step=4 if known.upright else 1 if known.square else 2,
        rows=shape[0],
        cols=shape[1],
    )


def start_with(cells, size):
    """Return a grid of `size` and a free rim with these pieces, (row, col) to (piece, turns)."""
    piece = np.full((size[0] + 2, size[1] + 2), -1, np.int32)
    turns = np.zeros_like(piece)
    for cell, (p, t) in cells.items():
        piece[cell], turns[cell] = p, t
    return piece, turns


def read(layout):
    return {
        (int(r), int(c)): (int(layout.piece[r, c]), int(layout.turns[r, c]))
        for r, c in np.argwhere(layout.piece >= 0)
    }


def around(cell):
    row, col = cell
    return [(row, col + 1), (row - 1, col), (row, col - 1), (row + 1, col)]


def plain_fill(bounds, lies, size):
    """Rate every free cell before every placement; return what lies where in the end."""
    lies = dict(lies)
    while len(lies) < len(bounds.rank):
        free = {near for cell in lies for near in around(cell)} - set(lies)
        rated = [rate(bounds, lies, cell) for cell in free if allowed(bounds, lies, cell, size)]
        _, cell, what = max(rated)
        lies[cell] = what
    return lies


def allowed(bounds, lies, cell, size):
    inside = 1 <= cell[0] <= size[0] and 1 <= cell[1] <= size[1]
    tall, wide = np.ptp([*lies, cell], axis=0) + 1
    return inside and tall <= bounds.rows and wide <= bounds.cols


def rate(bounds, lies, cell):
    """Return what sorts a free cell, the cell, and the piece and turns for it."""
    tables = bounds.tables
    shown = {
        side: 4 * lies[near][0] + (side + 2 - lies[near][1]) % 4
        for side, near in enumerate(around(cell))
        if near in lies
    }
    used = {p for p, _ in lies.values()}
    options = {
        (int(f) // 4, (side - int(f)) % 4)
        for side, e in shown.items()
        for f in tables.partner[tables.start[e] : tables.start[e + 1]]
    }
    options = {o for o in options if o[0] not in used}
    if not options:
        left = set(range(len(bounds.rank))) - used
        options = {(p, t) for p in left for t in range(0, 4, bounds.turn_step)}

    def value(option):
        total = 0.0
        for side, e in shown.items():
            f = 4 * option[0] + (side - option[1]) % 4
            total += float(look_up(tables, e, f)) + 2.0 * (bounds.buddy[e] == f)
        return total

    best = max(options, key=lambda o: (value(o), -bounds.rank[o[0]], -o[1]))
    return (len(shown), value(best) / len(shown)), cell, best


@settings(max_examples=40)
@given(
    rows=st.integers(1, 4),
    cols=st.integers(1, 4),
    kind=st.sampled_from(KINDS),
    keep=st.integers(1, 8),
    floating=st.booleans(),
    buddies=st.booleans(),
    step=st.sampled_from([1, 100]),
    seed=st.integers(0, 2**31 - 1),
)
def test_fills_as_its_plain_twin_does(rows, cols, kind, keep, floating, buddies, step, seed):
    pieces = rows * cols
    bounds = make_bounds(told(pieces, *kind, keep, seed), (rows, cols), seed, buddies)
    size = (2 * rows - 1, 2 * cols - 1) if floating else (rows, cols)
    first = (rows, cols) if floating else (1 + seed % rows, 1 + seed % cols)
    cells = {first: (seed % pieces, 0)}
    layout = make_layout(bounds, *start_with(cells, size))
    while layout.tally[PLACED] < pieces:
        fill(bounds, layout, min(int(layout.tally[PLACED]) + step, pieces))
    assert read(layout) == plain_fill(bounds, cells, size)


def test_scattered_pieces_are_the_start_of_one_layout():
    bounds = make_bounds(told(20, False, True, 6, 1), (4, 5))
    cells = {(1, 1): (3, 1), (4, 5): (7, 0), (2, 4): (0, 3)}
    layout = make_layout(bounds, *start_with(cells, (4, 5)))
    fill(bounds, layout, 20)
    assert read(layout) == plain_fill(bounds, cells, (4, 5))
    assert layout.placed.all()


def test_the_cell_with_more_neighbours_goes_first_whatever_the_scores():
    """Piece 3 suits the end of the row perfectly, but the corner has two neighbours."""
    partner = np.full((16, 1), -1, np.int32)
    score = np.zeros((16, 1), np.float32)
    partner[4], partner[14], score[4], score[14] = 14, 4, 1, 1
    known = from_lists(4, True, True, partner, score)
    bounds = make_bounds(known, (2, 3))
    cells = {(1, 1): (0, 0), (1, 2): (1, 0), (2, 1): (2, 0)}
    layout = make_layout(bounds, *start_with(cells, (2, 3)))
    fill(bounds, layout, 4)
    assert read(layout)[2, 2] == (3, 0)


@pytest.mark.parametrize(("buddies", "chosen"), [(True, 1), (False, 2)])
def test_a_best_buddy_of_one_goes_before_a_better_sum(buddies, chosen):
    """Cell (2, 2) lies below piece 0 and to the right of piece 3."""
    pairs = {(3, 5): 0.6, (3, 9): 0.5, (12, 10): 0.55, (12, 6): 0.2, (12, 2): 0.9}
    partner = np.full((16, 3), -1, np.int32)
    score = np.zeros((16, 3), np.float32)
    for (e, f), value in pairs.items():
        for a, b in ((e, f), (f, e)):
            k = int((partner[a] >= 0).sum())
            partner[a, k], score[a, k] = b, value
    bounds = make_bounds(from_lists(4, True, True, partner, score), (2, 2), buddies=buddies)
    layout = make_layout(bounds, *start_with({(1, 2): (0, 0), (2, 1): (3, 0)}, (2, 2)))
    fill(bounds, layout, 3)
    assert read(layout)[2, 2] == (chosen, 0)


@pytest.mark.parametrize("upright", [True, False])
def test_pieces_that_nobody_lists_are_placed_too(upright):
    nobody = np.full((48, 1), -1, np.int32)
    known = from_lists(12, upright, True, nobody, np.zeros((48, 1), np.float32))
    bounds = make_bounds(known, (3, 4))
    layout = make_layout(bounds, *start_with({(1, 1): (5, 0)}, (3, 4)))
    fill(bounds, layout, 12)
    assert sorted(p for p, _ in read(layout).values()) == list(range(12))


def test_what_lies_never_outgrows_its_bounds():
    bounds = make_bounds(told(12, True, True, 12, 3), (3, 4))
    layout = make_layout(bounds, *start_with({(3, 4): (0, 0)}, (5, 7)))
    fill(bounds, layout, 12)
    rows, cols = np.array(list(read(layout))).T
    assert (np.ptp(rows), np.ptp(cols)) == (2, 3)


def test_no_more_is_placed_than_asked_for():
    bounds = make_bounds(told(12, True, True, 12, 3), (3, 4))
    layout = make_layout(bounds, *start_with({(1, 1): (0, 0)}, (3, 4)))
    fill(bounds, layout, 5)
    assert layout.tally[PLACED] == layout.placed.sum() == len(read(layout)) == 5
