"""Blocks change places as trying every exchange says they should."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Arrangement
from tessella.compatibility import from_lists
from tessella.kernels.exchange import (
    best_exchange,
    exchange,
    exchange_blocks,
    exchanged_plain,
    facing,
)

ROWS, COLS = 4, 5


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


def every_exchange(rows: int, cols: int):
    for top in range(rows):
        for bottom in range(top, rows):
            for a in range(cols - 1):
                for b in range(a + 1, cols):
                    for c in range(b + 1, cols + 1):
                        yield top, bottom, a, b, c


def test_two_blocks_that_share_a_side_change_places(laid_out):
    piece, _ = laid_out(ROWS, COLS, 0, True, 1)
    for which in every_exchange(ROWS, COLS):
        moved, down = piece.copy(), piece.T.copy()
        exchange(moved, np.array(which), 0)
        np.testing.assert_array_equal(moved, exchanged_plain(piece, which))
        exchange(down, np.array(which), 1)
        np.testing.assert_array_equal(down.T, moved)


@pytest.mark.parametrize("upright", [True, False])
def test_the_best_exchange_gains_what_the_fitness_gains_and_no_other_gains_more(laid_out, upright):
    piece, turns = laid_out(ROWS, COLS, 0, upright, 1)
    by = random_compatibility(ROWS * COLS, upright, 2)
    before = fitness(by, piece, turns)
    gains = {
        which: fitness(by, exchanged_plain(piece, which), exchanged_plain(turns, which)) - before
        for which in every_exchange(ROWS, COLS)
    }
    right, above, left, below = (facing(piece, turns, direction) for direction in range(4))
    best = np.zeros(5, np.int64)
    gained = best_exchange(by.tables, right, left, below, above, best)
    assert gained == pytest.approx(max(gains.values()), abs=1e-4)
    assert gains[tuple(best.tolist())] == pytest.approx(gained, abs=1e-4)


@pytest.mark.parametrize("upright", [True, False])
def test_exchanging_ends_where_no_exchange_gains_and_keeps_all_pieces(laid_out, upright):
    piece, turns = laid_out(ROWS, COLS, 0, upright, 3)
    by = random_compatibility(ROWS * COLS, upright, 4)
    before = fitness(by, piece, turns)
    gained = exchange_blocks(by.tables, piece, turns, 100)
    assert gained > 0
    assert fitness(by, piece, turns) - before == pytest.approx(gained, abs=1e-3)
    assert sorted(piece.ravel()) == list(range(ROWS * COLS))
    assert exchange_blocks(by.tables, piece, turns, 100) == 0


@pytest.mark.parametrize("down", [False, True])
def test_a_block_that_lies_elsewhere_in_its_band_comes_back(down):
    true = np.arange(30, dtype=np.int32).reshape(5, 6)
    partner = np.full((120, 1), -1, np.int32)
    for (r, c), i in np.ndenumerate(true):
        if c + 1 < 6:
            j = true[r, c + 1]
            partner[4 * i, 0], partner[4 * j + 2, 0] = 4 * j + 2, 4 * i
        if r + 1 < 5:
            j = true[r + 1, c]
            partner[4 * i + 3, 0], partner[4 * j + 1, 0] = 4 * j + 1, 4 * i + 3
    by = from_lists(30, True, True, partner, (partner >= 0).astype(np.float32))
    piece = true.copy()
    if down:
        piece[:, 1:3] = np.roll(piece[:, 1:3], 2, axis=0)
    else:
        piece[:2, 1:] = np.roll(piece[:2, 1:], 1, axis=1)
    assert exchange_blocks(by.tables, piece, np.zeros_like(piece), 1) > 0
    np.testing.assert_array_equal(piece, true)
