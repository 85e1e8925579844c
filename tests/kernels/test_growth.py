from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.compatibility import from_lists
from tessella.kernels.crossover import Parent, express
from tessella.kernels.growth import Guide, good_start, grow, make_ratings, nobody
from tessella.kernels.specification import grow_plain

KINDS = [(True, True), (True, False), (False, True), (False, False)]
SHAPES = [(1, 1), (1, 2), (3, 1), (1, 8), (4, 4), (3, 5), (5, 3), (2, 9)]


def grown(case, better, worse, guide, first=0, seed=0):
    nucleus = case.nucleus()
    state = np.array([seed], np.uint64)
    ratings = make_ratings(case.told.pieces)
    grow(case.told.tables, better, worse, guide, first, state, nucleus, ratings)
    return nucleus, state


def grown_plainly(case, better, worse, guide, first=0, seed=0):
    state = np.array([seed], np.uint64)
    tables, pieces = case.told.tables, case.told.pieces
    found = grow_plain(
        tables, better, worse, guide, first, state, pieces, case.shape, case.either_way
    )
    return found, state


def fitness(case, nucleus):
    pieces = case.told.pieces
    return express(
        case.told.tables, nucleus, np.empty(4 * pieces, np.int32), np.empty(pieces, np.float32)
    )[0]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(
    shape=st.sampled_from(SHAPES),
    known=st.booleans(),
    spare=st.integers(0, 4),
    keep=st.integers(0, 9),
    dense=st.booleans(),
    levels=st.sampled_from([3, 10**6]),
    seed=st.integers(0, 10**6),
    places=st.tuples(st.integers(0, 3), st.integers(0, 3)) | st.none(),
    weights=st.tuples(
        st.sampled_from([0.0, 0.5, 1.0]),
        st.sampled_from([0.0, 0.4]),
        st.sampled_from([1e-3, 0.05, 1.0]),
        st.integers(0, 5),
    ),
)
def test_a_growth_is_valid_and_the_plain_twins(
    case, laid, check_valid, shape, known, spare, kind, keep, dense, levels, seed, places, weights
):
    pieces = max(1, shape[0] * shape[1] - spare)
    more = {"keep": keep, "dense": dense, "levels": levels, "seed": seed, "pieces": pieces}
    told = case(shape, upright=kind[0], square=kind[1], known=known, **more)
    better, worse = (told.parent(p) if places else nobody(pieces) for p in places or (0, 0))
    guide = Guide(*weights, square=int(kind[1]))
    fast, fast_state = grown(told, better, worse, guide, seed % pieces, seed)
    slow, slow_state = grown_plainly(told, better, worse, guide, seed % pieces, seed)
    np.testing.assert_array_equal(fast_state, slow_state)
    assert laid(fast) == laid(slow)
    check_valid(told, laid(fast))


@pytest.mark.parametrize("kind", KINDS)
def test_the_twins_agree_on_a_larger_puzzle(case, laid, kind):
    told = case((7, 8), upright=kind[0], square=kind[1], keep=6)
    better, worse, guide = told.parent(3), told.parent(2), told.guide()
    fast, _ = grown(told, better, worse, guide, 7, 3)
    assert laid(fast) == laid(grown_plainly(told, better, worse, guide, 7, 3)[0])


def test_greedy_growth_beats_random_arrangements(case):
    told = case((6, 6))
    nucleus, _ = grown(told, nobody(36), nobody(36), told.guide())
    assert fitness(told, nucleus) > 1.3 * told.population().fitness[:2].max()


@pytest.mark.parametrize("turned", [False, True])
def test_parents_whose_joins_count_for_much_are_copied(case, turned):
    """Random parents agree with each other only where they are the same chromosome."""
    told = case((5, 6), upright=not turned)
    parent = told.parent(0)._replace(score=np.ones(30, np.float32))
    guide = told.guide(inherit=100.0, noise=0.0)
    nucleus, _ = grown(told, parent, parent, guide, 4)
    neighbor = np.empty(120, np.int32)
    express(told.told.tables, nucleus, neighbor, np.empty(30, np.float32))
    np.testing.assert_array_equal(neighbor, parent.neighbor)


def test_a_join_that_no_parent_s_score_backs_is_worth_nothing_more(case, laid):
    told = case((5, 6))
    unsure = told.parent(0)._replace(score=np.zeros(30, np.float32))
    guide = told.guide(depth=30)
    backed, _ = grown(told, unsure, unsure, guide, 4)
    alone, _ = grown(told, unsure, unsure, guide._replace(inherit=0.0), 4)
    assert laid(backed) == laid(alone)


def three(fits):
    """Return lists that hold the joins (e, f, score) of upright pieces, and no other."""
    partner = np.full((12, 2), -1, np.int32)
    score = np.zeros((12, 2), np.float32)
    for pair in fits:
        for e, f in (pair[:2], pair[1::-1]):
            column = int(partner[e, 0] >= 0)
            partner[e, column], score[e, column] = f, pair[2]
    return from_lists(3, True, True, partner, score)


@pytest.mark.parametrize(("margin", "cell"), [(0.0, (0, 1)), (3.0, (1, 0))])
def test_margin_prefers_a_sure_cell_to_a_good_one(case, laid, margin, cell):
    """Right of piece 0 both others fit well; below it only piece 1 does, less well."""
    told = three([(0, 6, 0.9), (0, 10, 0.8), (3, 5, 0.6)])
    puzzle = case((1, 3), told=told, known=False)
    guide = puzzle.guide(margin=margin, noise=0.0)
    where = laid(grown(puzzle, nobody(3), nobody(3), guide)[0])
    assert (where[1][0] - where[0][0], where[1][1] - where[0][1]) == cell


def test_a_cell_that_nobody_fits_waits_for_all_others(case, laid):
    """Pieces 0, 1, 2 follow each other in a row; nothing is listed for any other edge."""
    told = three([(0, 6, 0.2), (4, 10, 0.2)])
    puzzle = case((1, 3), told=told, known=False)
    for seed in range(10):
        where = laid(grown(puzzle, nobody(3), nobody(3), puzzle.guide(noise=1.0), 0, seed)[0])
        assert where == {0: (0, 0, 0), 1: (0, 1, 0), 2: (0, 2, 0)}


def test_lists_that_are_empty_still_give_an_arrangement(case, laid, check_valid):
    told = case((3, 3), keep=0)
    nucleus, _ = grown(told, nobody(9), nobody(9), told.guide())
    check_valid(told, laid(nucleus))


def test_growth_starts_where_pieces_fit():
    score = np.array([0.9, 0.1, 0.1, 0.9, 0.1], np.float32)
    state = np.array([1], np.uint64)
    starts = [good_start(score, state) for _ in range(200)]
    assert set(starts) == {0, 3}


def test_growth_starts_anywhere_when_all_pieces_fit_alike():
    state = np.array([1], np.uint64)
    assert {good_start(np.zeros(4, np.float32), state) for _ in range(200)} == {0, 1, 2, 3}


def test_nobody_has_no_joins():
    none = nobody(3)
    assert isinstance(none, Parent)
    assert (none.neighbor == -1).all()
