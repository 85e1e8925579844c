from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.compatibility import from_dense, from_lists
from tessella.kernels.board import (
    BEST,
    BUDDIES,
    COL,
    EAST,
    NORTH,
    OPEN,
    PLACED,
    ROW,
    SOUTH,
    TURNS,
    WEST,
    Box,
    Rules,
    empty_board,
    with_room,
)
from tessella.kernels.buddies import best_buddies, first_piece
from tessella.kernels.greedy import grow, grow_plain, rate_plain, renew

KINDS = [(True, True), (True, False), (False, True), (False, False)]


def told(pieces, upright, square, keep, dense, rng, levels=0, boost=0.0):
    """Return random compatibilities; few `levels` make many of them equal.

    A `boost` favours the joins of pieces laid out in reading order, six in a row.
    """
    every = np.arange(4 * pieces)
    e = every[:, None]
    f = 4 * np.arange(pieces) + (e + 2) % 4 if upright else every
    allowed = (e // 4 != f // 4) & (upright | square | ((e - f) % 2 == 0))
    table = rng.uniform(0, 1, allowed.shape)
    if levels:
        table = np.floor(table * levels) / levels
    if boost:
        right, below = np.arange(pieces - 1), np.arange(pieces - 6)
        across = np.stack([4 * right, 4 * (right + 1) + 2], 1)[right % 6 < 5]
        down = np.stack([4 * below + 3, 4 * (below + 6) + 1], 1)
        for a, b in np.concatenate([across, down]):
            table[a, b // 4 if upright else b] += boost
            table[b, a // 4 if upright else a] += boost
    table = np.where(allowed, table / (1 + boost), -np.inf).astype(np.float32)
    if dense:
        return from_dense(pieces, upright, square, table, keep)
    best = np.argsort(-table, axis=1, kind="stable")[:, :keep].astype(np.int32)
    kept = np.take_along_axis(table, best, axis=1)
    partner = 4 * best + (every[:, None] + 2) % 4 if upright else best
    partner = np.where(np.isneginf(kept), -1, partner).astype(np.int32)
    return from_lists(pieces, upright, square, partner, kept)


def rules(compatibility, shape=None, foresight=0.25, seed=0):
    count = compatibility.pieces
    rows, cols = shape or (count, count)
    upright, square = compatibility.upright, compatibility.square
    return Rules(
        tables=compatibility.tables,
        buddy=best_buddies(compatibility.tables),
        rank=np.random.default_rng(seed).permutation(count).astype(np.int32),
        turn_step=4 if upright else 1 if square else 2,
        box=Box(rows, cols, int(square and not upright)),
        foresight=foresight,
    )


def grown(given_rules, step=1000):
    """Return the finished nucleus and where its first piece lies."""
    board = empty_board(len(given_rules.rank))
    while board.tally[PLACED] < len(board.placed):
        grow(given_rules, board, min(int(board.tally[PLACED]) + step, len(board.placed)))
        board = with_room(board)
    return board


def as_plain(board, origin=(0, 0)):
    """Return the nucleus as `grow_plain` does; rows and columns count from `origin`."""
    row, col = origin
    return {
        (int(r - row), int(c - col)): (int(board.piece[r, c]), int(board.turns[r, c]))
        for r, c in np.argwhere(board.piece >= 0)
    }


@settings(max_examples=25, deadline=None)
@given(
    pieces=st.integers(1, 10),
    kind=st.sampled_from(KINDS),
    keep=st.integers(1, 6),
    dense=st.booleans(),
    levels=st.sampled_from([0, 0, 3]),
    rows=st.integers(0, 4),
    foresight=st.sampled_from([0.0, 0.25, 1.0]),
    step=st.sampled_from([1, 3, 1000]),
    seed=st.integers(0, 2**31 - 1),
)
def test_grows_as_its_plain_twin_does(
    pieces, kind, keep, dense, levels, rows, foresight, step, seed
):
    compatibility = told(pieces, *kind, keep, dense, np.random.default_rng(seed), levels)
    shape = (rows, -(-pieces // rows)) if rows else None
    given_rules = rules(compatibility, shape, foresight, seed)
    board = grown(given_rules, step)
    first = first_piece(given_rules.tables, given_rules.buddy, given_rules.rank)
    origin = np.argwhere(board.piece == first)[0]
    assert as_plain(board, origin) == grow_plain(given_rules)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_ratings_are_renewed_whenever_they_must_be(kind, seed):
    """Many edges have best buddies here, right ones and wrong ones."""
    compatibility = told(30, *kind, 5, seed % 2, np.random.default_rng(seed), boost=0.5)
    given_rules = rules(compatibility, (5, 6) if seed < 2 else None, foresight=3.0)
    assert (given_rules.buddy >= 0).sum() > 20
    board = empty_board(30)
    for until in range(1, 30):
        while board.tally[PLACED] < until:
            grow(given_rules, board, until)
            board = with_room(board)
        renew(given_rules, board)
        nucleus = as_plain(board)
        for cell, confidence in zip(
            board.cell[: board.tally[OPEN]], board.confidence, strict=False
        ):
            where = int(cell[ROW]), int(cell[COL])
            alone, doubt, _, _, best = rate_plain(given_rules, nucleus, where)
            assert (bool(cell[BUDDIES]), confidence) == (not alone, -doubt)
            assert doubt == np.inf or (cell[BEST], cell[TURNS]) == best


def test_best_buddies_are_each_others_single_best():
    compatibility = told(9, False, True, 36, True, np.random.default_rng(2))
    best = compatibility.dense.argmax(axis=1)
    mutual = best[best] == np.arange(36)
    assert mutual.any()
    np.testing.assert_array_equal(best_buddies(compatibility.tables), np.where(mutual, best, -1))


@pytest.mark.parametrize(("other", "buddies"), [(0.7, True), (0.9, False)])
def test_edges_with_two_equally_good_partners_have_no_best_buddy(other, buddies):
    partner = np.full((12, 2), -1, np.int32)
    score = np.zeros((12, 2), np.float32)
    partner[0], score[0] = (6, 10), (0.9, other)
    partner[6, 0], score[6, 0] = 0, 0.9
    partner[10, 0], score[10, 0] = 0, other
    found = best_buddies(from_lists(3, True, True, partner, score).tables)
    assert found[0] == (6 if buddies else -1)
    assert found[6] == (0 if buddies else -1)


def test_edges_that_list_nobody_have_no_best_buddy():
    nobody = np.full((8, 1), -1, np.int32)
    tables = from_lists(2, True, True, nobody, np.zeros((8, 1), np.float32)).tables
    assert (best_buddies(tables) == -1).all()


def test_starts_where_the_most_best_buddies_meet():
    buddy = np.full(20, -1, np.int32)
    for e, f in [(0, 6), (1, 11), (2, 12), (3, 17), (8, 14)]:
        buddy[e], buddy[f] = f, e
    partner = np.where(buddy >= 0, buddy, -1)[:, None].astype(np.int32)
    tables = from_lists(5, False, True, partner, np.full((20, 1), 0.5, np.float32)).tables
    rank = np.array([4, 0, 1, 2, 3], np.int32)
    assert first_piece(tables, buddy, rank) == 0


@pytest.mark.parametrize("rank", [[0, 1], [1, 0]])
def test_rank_decides_between_equal_first_pieces(rank):
    tables = from_lists(
        2, True, True, np.full((8, 1), -1, np.int32), np.zeros((8, 1), np.float32)
    ).tables
    none = np.full(8, -1, np.int32)
    assert first_piece(tables, none, np.array(rank, np.int32)) == rank.index(0)


def test_a_kernel_that_outgrows_its_board_is_given_room():
    count = 60
    partner = np.full((4 * count, 1), -1, np.int32)
    for i in range(count - 1):
        partner[4 * i, 0], partner[4 * i + 6, 0] = 4 * i + 6, 4 * i
    score = np.full((4 * count, 1), 1, np.float32)
    given_rules = rules(from_lists(count, True, True, partner, score))
    assert empty_board(count).piece.shape[1] < count
    board = grown(given_rules)
    row = board.piece[board.piece.max(axis=1).argmax()]
    np.testing.assert_array_equal(row[row >= 0], np.arange(count))


def test_nothing_is_placed_beyond_what_is_asked_for():
    given_rules = rules(told(12, True, True, 4, True, np.random.default_rng(0)), (3, 4))
    board = empty_board(12)
    grow(given_rules, board, 0)
    assert board.tally[PLACED] == 0
    grow(given_rules, board, 5)
    assert board.tally[PLACED] == board.placed.sum() == (board.piece >= 0).sum() == 5


def test_a_full_box_has_no_open_cell_left():
    given_rules = rules(told(12, False, True, 4, True, np.random.default_rng(0)), (3, 4))
    board = grown(given_rules)
    extent = [
        board.tally[SOUTH] - board.tally[NORTH] + 1,
        board.tally[EAST] - board.tally[WEST] + 1,
    ]
    assert sorted(extent) == [3, 4]
    assert board.tally[OPEN] == 0
