from __future__ import annotations

import numpy as np
import pytest

from tessella import registry, shortlist
from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.measures.dlcm import Dlcm
from tessella.measures.l1 import L1
from tessella.measures.wmgc import Wmgc
from tessella.measuring import measure
from tessella.pictures import demo_picture
from tessella.puzzle import Puzzle
from tessella.scores import Scores, column

pytestmark = pytest.mark.usefixtures("shipped")


@pytest.fixture(scope="module", params=[True, False], ids=["upright", "turned"])
def puzzle(request) -> Puzzle:
    return cut(demo_picture()[100:160, 200:284], 12, turned=not request.param)[0]  # 5 x 7


def test_a_pair_that_either_edge_lists_is_asked_both_ways():
    partner = np.array([[2, 3], [-1, -1], [-1, -1], [0, -1]], np.int32)
    assert shortlist.both_ways(partner).tolist() == [[0, 2], [0, 3], [2, 0], [3, 0]]


def test_lists_are_best_first_with_the_range_of_all_that_was_scored():
    puzzle = Puzzle(np.zeros((3, 2, 2, 3), np.uint8))
    pairs = np.array([[0, 6], [0, 10], [1, 7], [2, 4], [2, 8]], np.int32)
    values = np.array([1, 1, 3, -2, 5], np.float32)
    told = shortlist.listed(puzzle, pairs, values, 1)
    assert told.partner[:3].tolist() == [[6], [7], [8]]  # A tie goes to the lower edge.
    assert told.lo[:3].tolist() == [1, 3, -2]
    assert told.hi[:3].tolist() == [1, 3, 5]
    assert told.partner[3:].max() == -1
    assert np.isposinf(told.lo[3:]).all()
    assert np.isneginf(told.hi[3:]).all()


def test_looking_up_gives_what_the_measure_says_of_all_pairs(puzzle):
    every = measure(puzzle, L1(), dense=True).dense
    partner = measure(puzzle, L1(), keep=3, dense=False).partner
    pairs = shortlist.both_ways(partner)
    found = shortlist.look_up(puzzle, L1(), pairs, 1)
    expected = every[pairs[:, 0], column(pairs[:, 1], puzzle.upright)]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_selective_measure_cannot_be_looked_up(puzzle):
    with pytest.raises(InputError, match="selective"):
        shortlist.look_up(puzzle, Wmgc(), np.array([[0, 6]], np.int32), 1)


def test_listed_candidates_have_the_scores_that_all_pairs_give_them(puzzle):
    by = Dlcm("tiny-12")
    every = measure(puzzle, by, keep=None, dense=True)
    short = measure(puzzle, by, dense=False)
    assert short.dense is None
    proposed = measure(puzzle, registry.make("measure", "mgc"), keep=5, dense=False).partner
    asked = {tuple(pair) for pair in shortlist.both_ways(proposed).tolist()}
    for e in range(4 * len(puzzle)):
        row = short.partner[e][short.partner[e] >= 0]
        assert {(e, f) for f in row.tolist()} == {pair for pair in asked if pair[0] == e}
        expected = every.dense[e, column(row, puzzle.upright)]
        np.testing.assert_allclose(short.score[e, : len(row)], expected, rtol=1e-5)
        assert (np.diff(short.score[e, : len(row)]) <= 0).all()
        assert short.lo[e] == short.score[e, len(row) - 1]
        assert short.hi[e] == short.score[e, 0]


def test_who_was_not_asked_about_stands_below_in_the_proposers_order(puzzle):
    by = Dlcm("tiny-12")
    short = measure(puzzle, by, dense=True)
    lists = measure(puzzle, by, dense=False)
    proposed = measure(puzzle, registry.make("measure", "mgc"), dense=True).dense
    for e in range(4 * len(puzzle)):
        row = column(lists.partner[e][lists.partner[e] >= 0], puzzle.upright)
        np.testing.assert_array_equal(short.dense[e, row], lists.score[e, : len(row)])
        others = np.setdiff1d(np.flatnonzero(np.isfinite(proposed[e])), row)
        told = short.dense[e, others[np.argsort(-proposed[e, others])]]
        assert (np.diff(told) <= 0).all()
        assert len(told) > 0
        assert told[0] <= lists.lo[e]
        assert short.lo[e] == told[-1]
    assert (short.hi == lists.hi).all()
    assert np.isneginf(short.dense).sum() == np.isneginf(proposed).sum()


@pytest.mark.parametrize("adjust", ["minmax", "ratio"])
def test_a_shortlist_of_all_is_the_table(puzzle, adjust):
    by = registry.make("adjustment", adjust)
    lists, dense = (
        by.adjust(measure(puzzle, Dlcm("tiny-12"), keep=keep, dense=dense))
        for keep, dense in ((10**6, False), (None, True))
    )
    e = np.repeat(np.arange(4 * len(puzzle)), np.diff(lists.start))
    np.testing.assert_allclose(
        dense.of(np.stack([e, lists.partner], 1).astype(np.int32)), lists.score
    )


@pytest.mark.parametrize("adjust", ["minmax", "ratio"])
def test_shortlists_can_be_adjusted(puzzle, adjust):
    told = registry.make("adjustment", adjust).adjust(measure(puzzle, Dlcm("tiny-12")))
    assert 0 <= told.score.min() <= told.score.max() <= 1
    assert told.score.max() > 0.3


def test_one_piece_has_nothing_to_be_scored():
    alone = measure(Puzzle(np.zeros((1, 12, 12, 3), np.uint8)), Dlcm("tiny-12"))
    assert (alone.partner == -1).all()


def test_what_occurs_is_listed_once_with_its_place():
    values = np.array([7, 2, 7, 0, 2], np.int32)
    found, place = shortlist.present(values, 9)
    assert found.tolist() == [0, 2, 7]
    assert place.tolist() == [2, 1, 2, 0, 1]


def test_only_candidates_near_the_best_are_asked_about_but_a_few_always():
    count = shortlist.LEAST + 3
    partner = np.arange(4, 4 + 2 * count, dtype=np.int32).reshape(2, count)
    score = np.repeat(np.linspace(0, -10, count, dtype=np.float32)[None], 2, 0)
    score[1, -1] = -100
    known = Scores(
        pieces=1,
        upright=True,
        square=True,
        distance=False,
        lo=np.zeros(4, np.float32),
        hi=np.zeros(4, np.float32),
        partner=np.concatenate([partner, np.full((2, count), -1, np.int32)]),
        score=np.concatenate([score, np.full((2, count), -np.inf, np.float32)]),
    )
    assert (
        (shortlist.near_best(known, 0.0) >= 0).sum(axis=1)
        == [shortlist.LEAST, shortlist.LEAST, 0, 0]
    ).all()
    assert ((shortlist.near_best(known, 10.0) >= 0).sum(axis=1) == [count, count - 1, 0, 0]).all()
    np.testing.assert_array_equal(shortlist.near_best(known, np.inf), known.partner)
