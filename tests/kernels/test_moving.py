"""Segments move where they gain, and what was gained is what the fitness says."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Arrangement
from tessella.compatibility import from_dense, from_lists
from tessella.kernels.annealing import Reach, move_segments
from tessella.kernels.moving import goal, refresh, worth_of_swap

REACH = Reach(depth=3, wait=6, loss=3.0, near=2.0)


def random_compatibility(pieces: int, upright: bool, seed: int):
    """Return compatibilities of all pairs, the same from either edge, at random."""
    chance = np.random.default_rng(seed)
    edges = 4 * pieces
    value = chance.random((edges, edges))
    value = (value + value.T) / 2
    partner = np.full((edges, edges), -1, np.int32)
    score = np.zeros((edges, edges), np.float32)
    for e in range(edges):
        fits = [
            f for f in range(edges) if f // 4 != e // 4 and (not upright or f % 4 == (e + 2) % 4)
        ]
        fits.sort(key=lambda f, e=e: -value[e, f])
        partner[e, : len(fits)] = fits
        score[e, : len(fits)] = value[e, fits]
    return from_lists(pieces, upright, True, partner, score)


def true_neighbours(rows: int, cols: int):
    """Return compatibilities that are 1 between neighbours of a grid and 0.1 otherwise, upright."""
    pieces = rows * cols
    dense = np.full((4 * pieces, pieces), 0.1, np.float32)
    for p in range(pieces):
        dense[4 * p : 4 * p + 4, p] = -np.inf
        row, col = divmod(p, cols)
        for side, (down, across) in enumerate(((0, 1), (-1, 0), (0, -1), (1, 0))):
            r, c = row + down, col + across
            if 0 <= r < rows and 0 <= c < cols:
                dense[4 * p + side, r * cols + c] = 1.0
    return from_dense(pieces, True, True, dense, pieces - 1, 1)


def fitness(compatibility, piece, turns) -> float:
    return compatibility.fitness(Arrangement.single(piece.copy(), turns.astype(np.int8)))


def searched(
    told,
    piece,
    turns,
    upright,
    *,
    behind=0.0,
    still=(),
    tries=40,
    heat=0.3,
    seed=5,
    how=None,
    zero=0.0,
):
    """Return gain, record, and the best arrangement; `piece` and `turns` change."""
    best = piece.copy(), turns.copy()
    search = how or move_segments
    held = np.zeros(told.pieces, np.uint8)
    held[list(still)] = 1
    ways = 1 if upright else 4
    gain, record = search(
        told.tables, zero, piece, turns, *best, behind, held, ways, REACH, heat, tries, seed, 0
    )
    return gain, record, best


@pytest.mark.parametrize("empty", [0, 3])
@pytest.mark.parametrize("upright", [True, False])
def test_the_gain_and_the_record_are_what_the_fitness_gains(laid_out, upright, empty):
    piece, turns = laid_out(4, 5, empty, upright, 1)
    told = random_compatibility(20 - empty, upright, 2)
    before, gaps = fitness(told, piece, turns), piece < 0
    gain, record, best = searched(told, piece, turns, upright)
    assert record >= gain
    assert record > 0.5
    assert fitness(told, piece, turns) - before == pytest.approx(gain, abs=1e-3)
    assert fitness(told, *best) - before == pytest.approx(record, abs=1e-3)
    for found in (piece, best[0]):
        assert sorted(found[found >= 0]) == list(range(20 - empty))
        assert ((found < 0) == gaps).all()


@pytest.mark.parametrize("upright", [True, False])
def test_compiled_and_plain_search_agree(laid_out, upright):
    told = random_compatibility(12, upright, 3)
    one, other = laid_out(3, 4, 0, upright, 4), laid_out(3, 4, 0, upright, 4)
    fast = searched(told, *one, upright, tries=6)
    slow = searched(told, *other, upright, tries=6, how=move_segments.py_func)
    assert fast[:2] == pytest.approx(slow[:2], abs=1e-6)
    assert (one[0] == other[0]).all()
    assert (one[1] == other[1]).all()


def test_two_blocks_in_each_others_place_change_back_in_one_move():
    told = true_neighbours(7, 9)
    piece = np.arange(63, dtype=np.int32).reshape(7, 9)
    right = piece.copy()
    piece[1:3, 1:4], piece[4:6, 5:8] = right[4:6, 5:8], right[1:3, 1:4]
    turns = np.zeros_like(piece)
    searched(told, piece, turns, True, tries=0)
    assert (piece == right).all()


def test_the_best_so_far_stays_unless_a_better_one_is_found(laid_out):
    told = random_compatibility(20, True, 2)
    piece, turns = laid_out(4, 5, 0, True, 1)
    start = piece.copy()
    gain, record, best = searched(told, piece, turns, True, behind=1000.0)
    assert record == 1000.0
    assert gain < 1000
    assert (best[0] == start).all()


@pytest.mark.parametrize("upright", [True, False])
def test_pieces_that_must_stay_do(laid_out, upright):
    told = random_compatibility(20, upright, 2)
    piece, turns = laid_out(4, 5, 0, upright, 1)
    start, lay = piece.copy(), turns.copy()
    searched(told, piece, turns, upright, still=start[:, 3])
    assert (piece[:, 3] == start[:, 3]).all()
    assert (turns[:, 3] == lay[:, 3]).all()
    assert (piece != start).any()


def test_what_is_drawn_depends_on_the_seed_alone(laid_out):
    told = random_compatibility(20, False, 2)
    found = []
    for seed in (1, 1, 2):
        piece, turns = laid_out(4, 5, 0, False, 1)
        searched(told, piece, turns, False, seed=seed)
        found.append((piece, turns))
    assert (found[0][0] == found[1][0]).all()
    assert (found[0][1] == found[1][1]).all()
    assert (found[0][0] != found[2][0]).any()


@pytest.mark.parametrize("remembered", [True, False])
@pytest.mark.parametrize("upright", [True, False])
def test_the_worth_of_a_swap_is_what_the_fitness_gains(laid_out, upright, remembered):
    rows, cols = 3, 4
    piece, turns = laid_out(rows, cols, 1, upright, 1)
    told = random_compatibility(rows * cols - 1, upright, 2)
    wide = cols + 2
    step = np.array([1, -wide, -1, wide])
    laid = np.full((rows + 2, wide), -1, np.int32)
    laid[1:-1, 1:-1] = np.where(piece < 0, -1, 4 * piece + turns)
    laid = laid.ravel()
    tables = (*told.tables[:1], *told.tables[3:6], told.tables.upright)
    full = np.flatnonzero(laid >= 0)
    have = np.full((len(laid), 4), 0 if remembered else 99, np.float32)
    since = np.full(len(laid), 0 if remembered else 7)  # All changed in move 7: `have` is stale.
    if remembered:
        for cell in full:
            refresh(told.tables, 0.0, laid, step, have, cell)
    before = fitness(told, piece, turns)
    for source in full:
        for target in full:
            arrives = int(laid[source])
            gain, leaves = worth_of_swap(
                *tables,
                0.0,
                laid,
                step,
                have,
                since,
                7,
                1 if upright else 4,
                source,
                target,
                arrives,
            )
            after = laid.copy()
            after[source], after[target] = leaves, arrives
            inner = after.reshape(rows + 2, wide)[1:-1, 1:-1]
            now = np.where(inner < 0, -1, inner >> 2).astype(np.int32)
            turned = np.where(inner < 0, 0, inner & 3).astype(np.int32)
            assert fitness(told, now, turned) - before == pytest.approx(gain, abs=1e-4)


def test_a_move_turns_and_shifts_every_cell_alike():
    assert goal(2 * 10 + 3, 10, 0, 1, -2) == (3, 1)
    one, next_to_it = goal(2 * 10 + 3, 10, 1, 5, 5), goal(2 * 10 + 4, 10, 1, 5, 5)
    assert (next_to_it[0] - one[0], next_to_it[1] - one[1]) == (-1, 0)  # Right becomes top.
