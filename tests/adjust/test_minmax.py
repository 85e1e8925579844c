from __future__ import annotations

import numpy as np
import pytest

from tessella.adjust.minmax import Minmax
from tessella.measures.ssd import Ssd
from tessella.measuring import measure
from tessella.puzzle import Puzzle


def scores(count, upright=True, size=(4, 4), **how):
    rng = np.random.default_rng(count)
    pieces = rng.integers(0, 256, (count, *size, 3), np.uint8)
    return measure(Puzzle(pieces, upright=upright), Ssd(), **how)


def test_is_the_mean_of_both_edges_min_max():
    told = scores(5)
    found = Minmax().adjust(told).dense
    scaled = (told.dense - told.lo[:, None]) / (told.hi - told.lo)[:, None]
    for e in range(20):
        for j in range(5):
            f = 4 * j + (e + 2) % 4
            expected = 0 if e // 4 == j else (scaled[e, j] + scaled[f, e // 4]) / 2
            np.testing.assert_allclose(found[e, j], expected, rtol=1e-6)


def test_a_best_pair_of_both_edges_gets_one_and_a_worst_of_both_zero():
    told = scores(3)
    found = Minmax().adjust(told).dense
    for e in range(12):
        f = told.partner[e, 0]
        if told.partner[f, 0] == e:
            assert found[e, f // 4] == 1
        f = told.partner[e, 1]
        if told.partner[f, 1] == e:
            assert found[e, f // 4] == 0


def test_short_lists_say_of_their_pairs_what_the_full_table_does():
    short = Minmax().adjust(scores(9, keep=2, dense=False))
    full = Minmax().adjust(scores(9))
    for e in range(36):
        for f, value in zip(
            short.partner[short.start[e] : short.start[e + 1]],
            short.score[short.start[e] : short.start[e + 1]],
            strict=True,
        ):
            assert value == pytest.approx(full.dense[e, f // 4], abs=1e-6)


@pytest.mark.parametrize("dense", [True, False])
def test_where_all_candidates_are_equal_all_are_the_best(dense):
    pieces = np.full((4, 4, 4, 3), 80, np.uint8)
    told = measure(Puzzle(pieces), Ssd(), dense=dense)
    assert Minmax().adjust(told).score.tolist() == [1] * 4 * 4 * 3
