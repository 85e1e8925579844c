from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella.compatibility import from_dense, from_lists
from tessella.kernels.forest import fragments, make_forest
from tessella.kernels.kruskal import join_all, listed_joins, surest_first

KINDS = [(True, True), (False, True), (False, False)]


def assembled(pieces, pairs):
    """Return the fragments that joins, taken in order, make."""
    forest = make_forest(pieces)
    join_all(forest, pairs, 0, len(pairs))
    return fragments(forest)


def told(pieces, upright, square, keep, dense, seed):
    """Return random compatibilities."""
    every = np.arange(4 * pieces)
    e = every[:, None]
    f = 4 * np.arange(pieces) + (e + 2) % 4 if upright else every
    allowed = (e // 4 != f // 4) & (upright | square | ((e - f) % 2 == 0))
    noise = np.random.default_rng(seed).uniform(0, 1, allowed.shape)
    table = np.where(allowed, noise, -np.inf).astype(np.float32)
    if dense:
        return from_dense(pieces, upright, square, table, keep)
    best = np.argsort(-table, axis=1)[:, :keep].astype(np.int32)
    kept = np.take_along_axis(table, best, axis=1)
    partner = 4 * best + (e + 2) % 4 if upright else best
    partner = np.where(np.isneginf(kept), -1, partner).astype(np.int32)
    return from_lists(pieces, upright, square, partner, np.maximum(kept, 0))


def plain_joins(known):
    """Return score and margin of every listed join, by its two edges."""
    lists = [
        dict(
            zip(
                known.partner[a:b].tolist(),
                known.score[a:b].astype(float).tolist(),
                strict=True,
            )
        )
        for a, b in zip(known.start[:-1], known.start[1:], strict=True)
    ]

    def besides(e, f):
        return max((score for g, score in lists[e].items() if g != f), default=0.0)

    return {
        (min(e, f), max(e, f)): (score, score - (besides(e, f) + besides(f, e)) / 2)
        for e, listed in enumerate(lists)
        for f, score in listed.items()
    }


@given(
    pieces=st.integers(1, 8),
    kind=st.sampled_from(KINDS),
    keep=st.integers(1, 6),
    dense=st.booleans(),
    seed=st.integers(0, 2**31 - 1),
)
def test_finds_every_listed_join_and_what_could_be_instead(pieces, kind, keep, dense, seed):
    known = told(pieces, *kind, keep, dense, seed)
    pairs, score, instead = listed_joins(known.tables)
    assert len(np.unique(np.sort(pairs), axis=0)) == len(pairs)
    found = {}
    for (e, f), one, other in zip(pairs.tolist(), score, instead, strict=True):
        found[min(e, f), max(e, f)] = pytest.approx((one, one - other), abs=1e-6)
    assert plain_joins(known) == found


@pytest.mark.parametrize("by_margin", [True, False])
def test_the_surest_come_first(by_margin):
    known = told(9, False, True, 5, True, 2)
    sure = {pair: value[by_margin] for pair, value in plain_joins(known).items()}
    pairs = surest_first(known.tables, by_margin=by_margin)
    order = [sure[min(e, f), max(e, f)] for e, f in pairs.tolist()]
    assert order == pytest.approx(sorted(order, reverse=True), abs=1e-6)


def test_joins_no_surer_than_the_least_are_left_out():
    known = told(9, False, True, 5, True, 2)
    sure = [margin for _, margin in plain_joins(known).values()]
    pairs = surest_first(known.tables, least=0.05)
    assert 0 < len(pairs) == sum(margin > 0.05 for margin in sure) < len(sure)


@pytest.mark.parametrize("keep", [1, 3, 40])
def test_equal_scores_are_counted_once(keep):
    every = np.arange(20)
    allowed = every[:, None] // 4 != every // 4
    table = np.where(allowed, 0.5, -np.inf).astype(np.float32)
    known = from_dense(5, False, True, table, keep)
    pairs, _, _ = listed_joins(known.tables)
    assert len(np.unique(np.sort(pairs), axis=0)) == len(pairs) == len(plain_joins(known))


def test_the_seed_decides_only_between_equals():
    known = told(9, True, True, 5, True, 2)
    np.testing.assert_array_equal(
        surest_first(known.tables, seed=1), surest_first(known.tables, seed=2)
    )
    partner = np.full((24, 1), -1, np.int32)
    for p in range(0, 6, 2):
        partner[4 * p, 0], partner[4 * p + 6, 0] = 4 * p + 6, 4 * p
    alike = from_lists(6, True, True, partner, np.ones((24, 1), np.float32)).tables
    orders = {str(surest_first(alike, seed=seed).tolist()) for seed in range(20)}
    assert len(orders) > 1


def test_pieces_that_look_alike_wait_for_those_that_do_not():
    """Edge 0 fits 6 and 10 perfectly; edges 14 and 16 fit each other less, but nobody else."""
    partner = np.full((24, 2), -1, np.int32)
    score = np.zeros((24, 2), np.float32)
    partner[0], score[0] = (6, 10), (1, 1)
    partner[6, 0], partner[10, 0], score[6, 0], score[10, 0] = 0, 0, 1, 1
    partner[16, 0], partner[14, 0], score[16, 0], score[14, 0] = 14, 16, 0.8, 0.8
    known = from_lists(6, True, True, partner, score)
    assert sorted(surest_first(known.tables)[0].tolist()) == [14, 16]
    assert 0 in surest_first(known.tables, by_margin=False)[0]


def test_joins_are_made_in_order_until_they_collide():
    pairs = np.array([[0, 6], [0, 10], [9, 7]], np.int32)
    found = assembled(4, pairs)
    assert found.size.tolist() == [3, 1]
    assert found.row.tolist() == [0, 0, 1, 0]
    assert found.col.tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("upright", [True, False])
def test_enough_joins_make_one_fragment(upright):
    known = told(12, upright, True, 48, True, 0)
    found = assembled(12, surest_first(known.tables))
    assert found.size.tolist() == [12]
    assert len(set(zip(found.row.tolist(), found.col.tolist(), strict=True))) == 12
