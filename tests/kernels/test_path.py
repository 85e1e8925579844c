from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.kernels import machine, path
from tessella.kernels.arguments import described
from tessella.solvers.path import nearest


def table(count, seed, levels=10**6):
    """A symmetric table of ends, 0 with a stop."""
    rng = np.random.default_rng(seed)
    fit = np.zeros((2 * count + 2, 2 * count + 2))
    values = rng.integers(0, levels, (2 * count, 2 * count)) / levels
    fit[:-2, :-2] = np.maximum(values, values.T)
    return fit


def nodes(count, seed, turned):
    rng = np.random.default_rng(seed)
    return 2 * rng.permutation(count) + (rng.integers(0, 2, count) if turned else 0)


def check(trail, count):
    """The path holds every strip once, between two stops, and knows where each lies."""
    inner = trail.node[1:-1]
    assert sorted((inner >> 1).tolist()) == list(range(count))
    assert trail.node[0] == trail.node[-1] == 2 * count
    assert (trail.place[inner >> 1] == np.arange(1, count + 1)).all()


def swapped(order, lo, mid, hi, first, second):
    """The plain twin of `relay`."""
    one, two = list(order[lo:mid]), list(order[mid:hi])
    one = [v ^ 1 for v in one[::-1]] if first else one
    two = [v ^ 1 for v in two[::-1]] if second else two
    return [*order[:lo], *two, *one, *order[hi:]]


def plain_length(fit, order):
    return sum(fit[v, w ^ 1] for v, w in itertools.pairwise(order))


@given(
    count=st.integers(1, 9),
    cuts=st.tuples(*[st.integers(0, 9)] * 3),
    over=st.tuples(st.booleans(), st.booleans()),
    seed=st.integers(0, 99),
)
@settings(max_examples=40)
def test_two_stretches_change_places_as_in_plain_python(count, cuts, over, seed):
    order = nodes(count, seed, True)
    lo, mid, hi = (1 + min(c, count) for c in sorted(cuts))
    trail = path.make_trail(order, True)
    expected = swapped(trail.node.tolist(), lo, mid, hi, *over)
    if lo < hi:
        path.relay(trail, lo, mid, hi, *over)
        assert trail.node.tolist() == expected
        check(trail, count)


@pytest.mark.parametrize("count", [1, 2, 5, 6])
def test_a_mirrored_path_has_the_same_length(count):
    fit, order = table(count, 1), nodes(count, 2, True)
    trail = path.make_trail(order, True)
    before = path.length(fit, trail.node)
    assert before == pytest.approx(plain_length(fit, trail.node.tolist()))
    path.mirror(trail)
    check(trail, count)
    assert trail.node[1:-1].tolist() == [v ^ 1 for v in order[::-1]]
    assert path.length(fit, trail.node) == pytest.approx(before)


@given(
    count=st.integers(2, 12),
    seed=st.integers(0, 10**6),
    turned=st.booleans(),
    levels=st.sampled_from([2, 5, 10**6]),
)
@settings(max_examples=60)
def test_every_move_gains_what_it_says(count, seed, turned, levels):
    fit = table(count, seed, levels)
    near = nearest(fit, 5, not turned)
    trail = path.make_trail(nodes(count, seed, turned), turned)
    for p in [*range(1, count + 1)] * 3:
        before = path.length(fit, trail.node)
        gain = path.improve(fit, near, trail, p)
        check(trail, count)
        assert path.length(fit, trail.node) - before == pytest.approx(gain, abs=1e-9)
        assert turned or (trail.node % 2 == 0).all()


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_no_swap_of_two_stretches_is_left_that_would_gain(turned, seed):
    count = 9
    fit = table(count, seed)
    trail = path.make_trail(nodes(count, seed, turned), turned)
    path.descend(fit, nearest(fit, 2 * count, not turned), trail)
    check(trail, count)
    order = trail.node.tolist()
    best = plain_length(fit, order)
    for lo, mid, hi in itertools.combinations(range(1, count + 2), 3):
        assert plain_length(fit, swapped(order, lo, mid, hi, False, False)) <= best + 1e-6
    if turned:
        for lo, hi in itertools.combinations(range(1, count + 2), 2):
            assert plain_length(fit, swapped(order, lo, hi, hi, True, False)) <= best + 1e-6


def test_the_surest_joins_come_first():
    # Strips 0-1-2 in a row; end 2i is the right side of strip i.
    first, second = np.array([0, 4, 2]), np.array([3, 1, 5])
    assert path.greedy(first[:1], second[:1], 3).tolist() == [0, 2, 4]
    assert path.greedy(first, second, 3).tolist() in ([4, 0, 2], [0, 2, 4])


def test_greedy_joins_follow_turned_strips():
    # The right side of 0 meets the right side of 1: strip 1 lies upside down, or strip 0.
    found = path.greedy(np.array([0]), np.array([2]), 2).tolist()
    assert found in ([0, 3], [2, 1])


@pytest.mark.parametrize("turned", [False, True])
def test_wandering_never_loses(turned):
    count = 30
    fit = table(count, 4)
    near = nearest(fit, 8, not turned)
    trail = path.make_trail(nodes(count, 4, turned), turned)
    path.descend(fit, near, trail)
    before = path.length(fit, trail.node)
    found = path.wander(fit, near, trail, 200, np.array([7], np.uint64))
    check(trail, count)
    assert found == pytest.approx(path.length(fit, trail.node))
    assert found > before


def test_what_wanders_is_kept_as_machine_code_and_not_compiled_by_every_run():
    count = 5
    fit = table(count, 1)
    trail = path.make_trail(nodes(count, 1, True), True)
    given = fit, nearest(fit, 3, False), trail, 2, np.array([7], np.uint64)
    path.wander(*given)
    assert machine.path_of(path.wander, described(given)[0]).is_file()
