from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tessella.adjust.ratio import Ratio
from tessella.errors import InputError
from tessella.measures.ssd import Ssd
from tessella.measuring import measure
from tessella.puzzle import Puzzle


def pieces(count):
    return np.random.default_rng(count).integers(0, 256, (count, 4, 4, 3), np.uint8)


@pytest.mark.parametrize("by", [Ratio(), Ratio(scale=2)])
def test_is_the_mean_of_both_edges_ratios_to_their_second_best(by):
    told = measure(Puzzle(pieces(5)), Ssd())
    found = by.adjust(told).dense
    distance = np.expm1(-told.dense.astype(np.float64))
    second = np.sort(distance, axis=1)[:, 1]
    for e in range(20):
        for j in range(5):
            f = 4 * j + (e + 2) % 4
            if e // 4 == j:
                assert found[e, j] == 0
                continue
            there = np.exp(-distance[e, j] / second[e] / by.scale)
            back = np.exp(-distance[f, e // 4] / second[f] / by.scale)
            np.testing.assert_allclose(found[e, j], (there + back) / 2, rtol=1e-4)


@pytest.mark.parametrize("dense", [True, False])
def test_where_all_distances_are_zero_all_candidates_are_the_best(dense):
    same = np.full((4, 4, 4, 3), 80, np.uint8)
    told = measure(Puzzle(same), Ssd(), dense=dense)
    assert Ratio().adjust(told).score.tolist() == [1] * 4 * 4 * 3


@pytest.mark.parametrize("dense", [True, False])
def test_scores_that_are_no_distances_are_read_as_logarithms_of_odds(dense):
    told = replace(measure(Puzzle(pieces(5)), Ssd(), dense=dense), distance=False)
    found = Ratio(scale=2).adjust(told)
    scores = measure(Puzzle(pieces(5)), Ssd(), dense=True).dense
    second = np.sort(scores, axis=1)[:, -2]
    for e, f in ((0, 6), (5, 11), (18, 0)):
        there = np.exp(-np.exp(second[e] - scores[e, f // 4]) / 2)
        back = np.exp(-np.exp(second[f] - scores[f, e // 4]) / 2)
        value = found.of(np.array([[e, f]], np.int32))
        np.testing.assert_allclose(value, (there + back) / 2, rtol=1e-4)


def test_scores_far_behind_the_best_leave_nothing_and_one_candidate_is_compared_with_even_odds():
    told = replace(measure(Puzzle(pieces(2)), Ssd(), dense=False), distance=False)
    told.score[:] = np.array([[1000, -1000]] * 8)
    told.partner[:, 1] = -1
    told.score[:, 1] = -np.inf
    assert Ratio().adjust(told).score.tolist() == [1] * 8


def test_a_smaller_scale_leaves_less_to_what_is_not_the_best():
    told = measure(Puzzle(pieces(5)), Ssd())
    assert (Ratio(scale=1).adjust(told).score < Ratio(scale=2).adjust(told).score).all()


@pytest.mark.parametrize("scale", [0, -1, float("nan")])
def test_a_scale_that_is_not_above_zero_is_refused(scale):
    with pytest.raises(InputError, match="greater than 0"):
        Ratio(scale=scale)
