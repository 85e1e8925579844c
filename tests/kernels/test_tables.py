from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella import edges
from tessella.kernels.specification import candidates, compatibility
from tessella.kernels.tables import (
    look_up,
    one_way,
    rank_rows,
    symmetrise,
    union_counts,
    union_merge,
)

KINDS = [(True, True), (True, False), (False, True), (False, False)]
many = st.fixed_dictionaries(
    {
        "shape": st.sampled_from([(1, 1), (1, 2), (2, 3)]),
        "upright": st.booleans(),
        "square": st.booleans(),
        "keep": st.integers(0, 6),
        "dense": st.booleans(),
        "levels": st.sampled_from([2, 10**6]),
        "seed": st.integers(0, 10**6),
    }
)


def admissible(told):
    every = range(4 * told.pieces)
    how = {"upright": told.upright, "square": told.square}
    return [(e, f) for e in every for f in every if edges.admissible(e, f, **how)]


@settings(max_examples=25, deadline=None)
@given(puzzle=many)
def test_looking_up_is_symmetric_and_finds_what_is_listed(case, puzzle):
    told = case(**puzzle).told
    for e, f in admissible(told):
        found = look_up(told.tables, e, f)
        assert found == compatibility(told.tables, e, f) == look_up(told.tables, f, e)


@settings(max_examples=25, deadline=None)
@given(puzzle=many)
def test_candidates_are_admissible_and_come_best_first(case, puzzle):
    told = case(**puzzle).told
    allowed = set(admissible(told))
    for e in range(4 * told.pieces):
        listed = candidates(told.tables, e)
        assert len(set(listed)) == len(listed)
        assert {(e, f) for f in listed} <= allowed
        ranked = [float(look_up(told.tables, e, f)) for f in listed]
        assert ranked == sorted(ranked, reverse=True)


@pytest.mark.parametrize("kind", KINDS)
def test_full_lists_hold_what_the_dense_table_holds(case, kind):
    dense, lists = (
        case((2, 3), upright=kind[0], square=kind[1], keep=24, dense=dense).told
        for dense in (True, False)
    )
    for e, f in admissible(dense):
        assert look_up(lists.tables, e, f) == pytest.approx(look_up(dense.tables, e, f), abs=1e-7)


def test_a_pair_that_is_not_listed_has_compatibility_zero(case):
    told = case((2, 3), keep=1, seed=1).told
    unlisted = [(e, f) for e, f in admissible(told) if f not in candidates(told.tables, e)]
    assert unlisted
    assert all(look_up(told.tables, e, f) == 0 for e, f in unlisted)


def test_the_first_and_the_last_candidate_of_an_edge_are_found(case):
    told = case((3, 3), keep=4).told
    starts, known = told.tables.start, told.tables.known
    for e in range(36):
        for place in (starts[e], starts[e + 1] - 1):
            assert look_up(told.tables, e, int(known[place])) == told.tables.value[place]


def test_a_union_counts_a_pair_at_both_edges():
    counts = np.zeros(4, np.int64)
    union_counts(np.array([[1, 2], [0, -1], [-1, -1], [-1, -1]], np.int32), counts)
    assert counts.tolist() == [3, 2, 1, 0]


def test_merging_adds_up_what_two_lists_say_of_a_pair():
    start = np.array([0, 3, 4])
    known = np.array([5, 4, 5, 9], np.int32)
    value = np.array([0.25, 0.5, 0.25, 0.125], np.float32)
    counts = np.zeros(2, np.int64)
    union_merge(start, known, value, counts)
    assert counts.tolist() == [2, 1]
    assert known[[0, 1, 3]].tolist() == [4, 5, 9]
    assert value[[0, 1, 3]].tolist() == [0.5, 0.5, 0.125]


def test_pairs_that_one_edge_alone_lists_are_told():
    partner = np.array([[1, 2], [0, -1], [3, -1], [2, 1]], np.int32)
    out = np.empty(partner.shape, np.bool_)
    one_way(partner, out)
    assert out.tolist() == [[False, True], [False, False], [False, False], [False, True]]


def test_equal_candidates_are_ranked_by_their_edge():
    start = np.array([0, 4])
    known = np.array([2, 3, 6, 7], np.int32)
    value = np.array([0.5, 0.75, 0.5, 0.75], np.float32)
    partner, score = np.empty_like(known), np.empty_like(value)
    rank_rows(start, known, value, partner, score)
    assert partner.tolist() == [3, 7, 2, 6]
    assert score.tolist() == [0.75, 0.75, 0.5, 0.5]


@pytest.mark.parametrize("upright", [True, False])
def test_symmetrising_takes_the_mean_of_both_entries(upright):
    table = np.random.default_rng(0).random((12, 3 if upright else 12)).astype(np.float32)
    before = table.copy()
    symmetrise(table, int(upright), 0, 12)
    for e in range(12):
        for c in range(table.shape[1]):
            f, own = (4 * c + (e + 2) % 4, e // 4) if upright else (c, e)
            assert table[e, c] == pytest.approx((before[e, c] + before[f, own]) / 2)
            assert table[e, c] == table[f, own]
