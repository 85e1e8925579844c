"""Blocks change places as a slow search says they should."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Arrangement
from tessella.compatibility import from_lists
from tessella.kernels.shift import (
    band,
    best_exchange,
    exchange,
    faces,
    gain,
    is_whole,
    running_sums,
    shift_blocks,
)


def random_compatibility(pieces: int, upright: bool, seed: int):
    """Return compatibilities of all pairs, at random."""
    chance = np.random.default_rng(seed)
    partner = np.full((4 * pieces, 4 * pieces), -1, np.int32)
    for e in range(4 * pieces):
        fits = [
            f
            for f in range(4 * pieces)
            if f // 4 != e // 4 and (not upright or f % 4 == (e + 2) % 4)
        ]
        partner[e, : len(fits)] = fits
    score = np.where(partner >= 0, chance.random(partner.shape), 0).astype(np.float32)
    return from_lists(pieces, upright, True, partner, score)


def fitness(compatibility, piece, turns) -> float:
    return compatibility.fitness(Arrangement.single(piece, turns.astype(np.int8)))


@pytest.mark.parametrize("empty", [0, 3])
@pytest.mark.parametrize("upright", [True, False])
def test_the_gain_of_every_exchange_is_what_the_fitness_gains(laid_out, upright, empty):
    rows, cols = 4, 5
    piece, turns = laid_out(rows, cols, empty, upright, 1)
    told = random_compatibility(rows * cols - empty, upright, 2)
    edges = [faces(piece, turns, d) for d in range(4)]
    sums = running_sums(told.tables, edges[0], edges[2], edges[3], edges[1])
    before = fitness(told, piece, turns)
    best = 0.0
    for top in range(rows):
        for bottom in range(top, rows):
            within, across = np.empty((cols, cols)), np.empty((cols + 1, cols + 1))
            band(*sums, top, bottom, within, across)
            for a in range(cols - 1):
                for b in range(a + 1, cols):
                    for c in range(b + 1, cols + 1):
                        which = np.array([top, bottom, a, b, c])
                        moved, turned = piece.copy(), turns.copy()
                        exchange(moved, which)
                        exchange(turned, which)
                        wanted = fitness(told, moved, turned) - before
                        assert gain(within, across, a, b, c) == pytest.approx(wanted, abs=1e-4)
                        best = max(best, wanted)
    found = np.zeros(5, np.int64)
    assert best_exchange(*sums, True, found) == pytest.approx(best, abs=1e-4)
    exchange(piece, found)
    exchange(turns, found)
    assert fitness(told, piece, turns) - before == pytest.approx(best, abs=1e-4)


@pytest.mark.parametrize("upright", [True, False])
def test_shifting_ends_where_no_exchange_gains_and_keeps_all_pieces(laid_out, upright):
    piece, turns = laid_out(4, 5, 2, upright, 3)
    told = random_compatibility(18, upright, 4)
    before = fitness(told, piece, turns)
    gained = shift_blocks(told.tables, piece, turns)
    assert gained > 0
    assert fitness(told, piece, turns) - before == pytest.approx(gained, abs=1e-3)
    assert sorted(piece[piece >= 0]) == list(range(18))
    assert shift_blocks(told.tables, piece, turns) == 0


@pytest.mark.parametrize("down", [False, True])
def test_a_band_that_was_shifted_round_comes_back(down):
    rows, cols = 5, 6
    true = np.arange(30, dtype=np.int32).reshape(rows, cols)
    partner = np.full((120, 1), -1, np.int32)
    for r in range(rows):
        for c in range(cols):
            i = true[r, c]
            if c + 1 < cols:
                partner[4 * i, 0], partner[4 * i + 6, 0] = 4 * i + 6, 4 * i
            if r + 1 < rows:
                j = true[r + 1, c]
                partner[4 * i + 3, 0], partner[4 * j + 1, 0] = 4 * j + 1, 4 * i + 3
    told = from_lists(30, True, True, partner, (partner >= 0).astype(np.float32))
    piece = true.copy()
    if down:
        piece[:, :2] = np.roll(piece[:, :2], 2, axis=0)
    else:
        piece[:2] = np.roll(piece[:2], 2, axis=1)
    turns = np.zeros_like(piece)
    assert shift_blocks(told.tables, piece, turns) > 0
    np.testing.assert_array_equal(piece, true)


def test_an_exchange_that_would_tear_the_arrangement_apart_is_not_made():
    piece = np.array([[0, 1, 2], [3, -1, -1], [4, 5, -1]], np.int32)
    partner = np.full((24, 1), -1, np.int32)
    score = np.zeros((24, 1), np.float32)
    for e, f, fit in ((4 * 2 + 3, 4 * 3 + 1, 1.0), (0, 4 + 2, 0.5), (4, 8 + 2, 0.5)):
        partner[e], partner[f], score[e], score[f] = f, e, fit, fit
    told = from_lists(6, True, True, partner, score)
    start, turns = piece.copy(), np.zeros_like(piece)
    assert is_whole(piece)
    assert shift_blocks(told.tables, piece, turns) == 0  # 3 fits best below 2, far from 4 and 5.
    assert (piece == start).all()
    piece[1] = [-1, -1, 3]
    assert fitness(told, piece, turns) > fitness(told, start, turns)
    assert not is_whole(piece)
