from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.arrangement import Arrangement
from tessella.evolution.loop import sheet_of
from tessella.kernels.buddies import best_buddies
from tessella.kernels.chance import below
from tessella.kernels.crossover import PHASES, Parent, Rules, cross, express, make_bags
from tessella.kernels.growth import nobody
from tessella.kernels.specification import cross_plain

ALL = (1 << len(PHASES)) - 1
KINDS = [(True, True), (True, False), (False, True), (False, False)]


def rules_for(case, phases=ALL, skip=(0.1, 0.1, 0.2, 0.2, 0.0), both=False):
    chances = np.array([round(65536 * s) for s in skip], np.int64)
    return Rules(phases, chances, int(both), int(case.told.square))


def crossed(case, better, worse, rules, seed=0, buddy=None):
    nucleus = case.nucleus()
    tables = case.told.tables
    buddy = best_buddies(tables) if buddy is None else buddy
    state = np.array([seed], np.uint64)
    cross(tables, buddy, better, worse, rules, state, nucleus, make_bags(case.told.pieces))
    return nucleus, state


def crossed_plainly(case, better, worse, rules, seed=0, buddy=None):
    tables = case.told.tables
    buddy = best_buddies(tables) if buddy is None else buddy
    state = np.array([seed], np.uint64)
    pieces, shape = case.told.pieces, case.shape
    found = cross_plain(tables, buddy, better, worse, rules, state, pieces, shape, case.either_way)
    return found, state


def agrees(case, laid, better, worse, rules, seed):
    fast, fast_state = crossed(case, better, worse, rules, seed)
    slow, slow_state = crossed_plainly(case, better, worse, rules, seed)
    np.testing.assert_array_equal(fast_state, slow_state)
    assert laid(fast) == laid(slow)
    return laid(fast)


puzzles = st.fixed_dictionaries(
    {
        "shape": st.sampled_from([(1, 1), (1, 2), (3, 1), (1, 8), (4, 4), (3, 5), (5, 3), (2, 9)]),
        "known": st.booleans(),
        "spare": st.integers(0, 4),
        "keep": st.integers(1, 9),
        "dense": st.booleans(),
        "levels": st.sampled_from([3, 10**6]),
        "seed": st.integers(0, 10**6),
    }
)


def made(case, shape, kind, spare, **more):
    pieces = max(1, shape[0] * shape[1] - spare)
    return case(shape, upright=kind[0], square=kind[1], pieces=pieces, **more)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(
    puzzle=puzzles,
    places=st.tuples(st.integers(0, 3), st.integers(0, 3)),
    alpha0=st.sampled_from([0.0, 0.5, 0.8]),
    both=st.booleans(),
    without=st.sampled_from([(), *((name,) for name in PHASES), PHASES[:4], PHASES[:2]]),
    skip=st.sampled_from([(0.1, 0.1, 0.2, 0.2, 0.0), (0.0,) * 5, (0.5, 0.5, 0.5, 0.5, 0.3)]),
)
def test_a_child_is_valid_and_the_plain_twins(
    case, laid, check_valid, kind, puzzle, places, alpha0, both, without, skip
):
    told = made(case, kind=kind, **puzzle)
    better, worse = (told.parent(p, alpha0, puzzle["seed"]) for p in places)
    phases = sum(1 << i for i, name in enumerate(PHASES) if name not in without)
    rules = rules_for(told, phases, skip, both)
    check_valid(told, agrees(told, laid, better, worse, rules, puzzle["seed"]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PHASES)
def test_the_twins_agree_without_any_one_phase(case, laid, name, kind):
    told = case((6, 7), upright=kind[0], square=kind[1], keep=6)
    better, worse = told.parent(2, 0.5), told.parent(0, 0.2)
    rules = rules_for(told, ALL & ~(1 << PHASES.index(name)))
    for seed in range(3):
        agrees(told, laid, better, worse, rules, seed)


def test_memory_of_an_earlier_crossover_leaves_no_trace(case, laid):
    told = case((4, 5))
    better, worse, rules = told.parent(2), told.parent(0), rules_for(told)
    nucleus, bags, buddy = told.nucleus(), make_bags(20), best_buddies(told.told.tables)
    for seed in (1, 2, 3):
        state = np.array([seed], np.uint64)
        cross(told.told.tables, buddy, better, worse, rules, state, nucleus, bags)
        assert laid(nucleus) == laid(crossed(told, better, worse, rules, seed)[0])


def joins(case, nucleus):
    neighbor, _, _, _ = expressed(case, nucleus)
    return {frozenset((e, int(f))) for e, f in enumerate(neighbor) if f >= 0}


def expressed(case, nucleus):
    neighbor = np.empty(4 * case.told.pieces, np.int32)
    score = np.empty(case.told.pieces, np.float32)
    return neighbor, score, *express(case.told.tables, nucleus, neighbor, score)


@pytest.mark.parametrize("phase", ["1.1", "1.2", "2"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_phase_alone_and_never_skipped_copies_the_parent_it_reads(case, kind, phase):
    told = case((5, 6), upright=kind[0], square=kind[1])
    copied = told.parent(0)._replace(alpha=-1.0)
    other = copied if phase == "2" else nobody(30)
    better, worse = (other, copied) if phase == "1.2" else (copied, other)
    rules = rules_for(told, 1 << PHASES.index(phase), (0.0,) * 5)
    nucleus, _ = crossed(told, better, worse, rules)
    child, _, _, _ = expressed(told, nucleus)
    np.testing.assert_array_equal(child, copied.neighbor)


def test_phase_3_takes_best_buddies_of_either_parent_alone(case):
    told = case((4, 5))
    parent = told.parent(0)
    rules = rules_for(told, 1 << PHASES.index("3"), (0.0,) * 5)
    for pair in [(parent, nobody(20)), (nobody(20), parent)]:
        nucleus, _ = crossed(told, *pair, rules, buddy=parent.neighbor)
        np.testing.assert_array_equal(expressed(told, nucleus)[0], parent.neighbor)
    strangers = np.full(80, -1, np.int32)
    nucleus, _ = crossed(told, parent, parent, rules, buddy=strangers)
    assert (expressed(told, nucleus)[0] != parent.neighbor).any()


@pytest.mark.parametrize("phase", PHASES[:4])
def test_a_phase_that_is_always_skipped_is_a_phase_that_is_off(case, laid, phase):
    told = case((5, 5))
    better, worse = told.parent(2, 0.5), told.parent(3, 0.5)
    number = PHASES.index(phase)
    skip = [0.0] * 5
    skip[number] = 1.0
    skipped, _ = crossed(told, better, worse, rules_for(told, ALL, skip), 5)
    off, _ = crossed(told, better, worse, rules_for(told, ALL & ~(1 << number), [0.0] * 5), 5)
    assert laid(skipped) == laid(off)


def test_phase_4_joins_the_most_compatible_piece_or_the_second(case):
    """Of three pieces in a row, the nucleus's first step is decided by its candidates alone."""
    told = case((1, 3), keep=3, dense=True, seed=3)
    for rank, phase in enumerate(["4.1", "4.2"]):
        rules = rules_for(told, 1 << PHASES.index(phase), (0.0,) * 5)
        possible = {frozenset((e, told.told.partner[told.told.start[e] + rank])) for e in range(12)}
        for seed in range(20):
            nucleus, _ = crossed(told, nobody(3), nobody(3), rules, seed)
            assert joins(told, nucleus) & possible


def test_phase_4_falls_back_on_the_dense_table_when_a_list_ends(case):
    """With one candidate an edge, phase 5 would soon be needed; the table knows them all."""
    told = case((4, 4), keep=1, dense=True)
    lone = case((4, 4), keep=1, dense=False)
    rules = rules_for(told, 1 << PHASES.index("4.1"), (0.0,) * 5)
    means = []
    for puzzle in (told, lone):
        grown = [crossed(puzzle, nobody(16), nobody(16), rules, seed)[0] for seed in range(10)]
        means.append(np.mean([expressed(told, nucleus)[2] for nucleus in grown]))
    assert means[0] > means[1] + 1


def test_a_stray_phase_4_places_a_random_piece(case, laid):
    told = case((4, 4))
    stray = rules_for(told, skip=(0.0, 0.0, 0.0, 0.0, 1.0))
    only_5 = rules_for(told, 1 << PHASES.index("5"), (0.0, 0.0, 0.0, 0.0, 1.0))
    strays = [laid(crossed(told, nobody(16), nobody(16), rules, 2)[0]) for rules in (stray, only_5)]
    greedy = laid(crossed(told, nobody(16), nobody(16), rules_for(told), 2)[0])
    assert strays[0] == strays[1] != greedy


@pytest.mark.parametrize(("both", "taken"), [(False, True), (True, False)])
def test_alpha_asks_the_added_piece_or_both(case, both, taken):
    """Two pieces: one scores above alpha, the other below."""
    told = case((1, 2), dense=True)
    neighbor = np.full(8, -1, np.int32)
    neighbor[0], neighbor[6] = 6, 0
    rules = rules_for(told, 1, (0.0,) * 5, both)
    better = Parent(neighbor, np.array([0.4, 0.9], np.float32), 0.5)
    inherited = set()
    for seed in range(40):
        nucleus, _ = crossed(told, better, nobody(2), rules, seed)
        if below(np.array([seed], np.uint64), 2) == 0:  # the nucleus starts with piece 0
            inherited.add(frozenset((0, 6)) in joins(told, nucleus))
    assert inherited == ({True} if taken else {True, False})


def test_a_piece_whose_score_equals_alpha_is_not_taken(case):
    told = case((1, 2), known=False, dense=True, seed=1)
    neighbor = np.full(8, -1, np.int32)
    neighbor[0], neighbor[6] = 6, 0
    score = np.full(2, 0.5, np.float32)
    rules = rules_for(told, 1, (0.0,) * 5)
    for alpha, always in ((0.5, False), (0.49, True)):
        better = Parent(neighbor, score, alpha)
        found = [crossed(told, better, nobody(2), rules, seed)[0] for seed in range(30)]
        assert all(frozenset((0, 6)) in joins(told, nucleus) for nucleus in found) == always


@settings(max_examples=15, deadline=None)
@given(kind=st.sampled_from(KINDS), puzzle=puzzles, place=st.integers(0, 3))
def test_a_chromosome_tells_what_the_arrangement_tells(case, kind, puzzle, place):
    told = made(case, kind=kind, **puzzle)
    parent = told.parent(place)
    rules = rules_for(told, 1, (0.0,) * 5)
    nucleus, _ = crossed(told, parent._replace(alpha=-1.0), nobody(told.told.pieces), rules)
    neighbor, score, fitness, joined = expressed(told, nucleus)
    arrangement = Arrangement((sheet_of(nucleus, told.shape),))
    pairs = arrangement.joins()
    assert joined == len(pairs)
    np.testing.assert_array_equal(neighbor[pairs[:, 0]], pairs[:, 1])
    np.testing.assert_array_equal(neighbor[pairs[:, 1]], pairs[:, 0])
    assert (neighbor >= 0).sum() == 2 * len(pairs)
    assert fitness == pytest.approx(told.told.fitness(arrangement))
    fits = told.told.of(pairs)
    for piece in range(told.told.pieces):
        own = fits[(pairs // 4 == piece).any(axis=1)]
        assert score[piece] == pytest.approx(own.mean() if len(own) else 0, abs=1e-6)
