from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from tessella.kernels.assignment import apart, assign, polish
from tessella.kernels.breeding import unfold
from tessella.kernels.crossover import express

KINDS = [(True, True), (True, False), (False, True), (False, False)]


@settings(max_examples=25, deadline=None)
@given(
    n=st.integers(1, 30),
    room=st.integers(0, 2),
    levels=st.sampled_from([2, 5, 10**6]),
    seed=st.integers(0, 10**6),
)
def test_an_assignment_costs_as_little_as_scipys(n, room, levels, seed):
    cost = np.random.default_rng(seed).integers(-levels, levels, (n + room, n + room)) / levels
    row_of = np.empty(n + room, np.int64)
    total = assign(cost, n, row_of)
    rows, columns = linear_sum_assignment(cost[:n, :n])
    assert sorted(row_of[:n].tolist()) == list(range(n))
    assert total == pytest.approx(cost[rows, columns].sum())
    assert total == pytest.approx(cost[row_of[:n], np.arange(n)].sum())


def test_large_assignments_cost_as_little_as_scipys():
    rng = np.random.default_rng(0)
    for levels in [5, 10**6] * 30:
        cost = rng.integers(-levels, levels, (24, 24)) / levels
        total = assign(cost, 24, np.empty(24, np.int64))
        assert total == pytest.approx(cost[linear_sum_assignment(cost)].sum())


def test_no_row_and_no_column_cost_nothing():
    assert assign(np.empty((2, 2)), 0, np.empty(2, np.int64)) == 0


def chromosome(case, kernel):
    pieces = case.told.pieces
    neighbor, score = np.empty(4 * pieces, np.int32), np.empty(pieces, np.float32)
    fitness, _ = express(case.told.tables, kernel, neighbor, score)
    return neighbor, score, fitness


def scattered(case, seed=0):
    """Return a random full kernel with its scores and fitness."""
    kernel = case.kernel()
    unfold(case.population(seed).neighbor[0], kernel)
    return kernel, *chromosome(case, kernel)[1:]


def polished(case, kernel, score, *, doubtful=2.0, cells=6, coverage=3.0, seed=0):
    state = np.array([seed], np.uint64)
    turns = case.quarter_turns
    return polish(case.told.tables, kernel, score, doubtful, cells, coverage, turns, state)


@settings(max_examples=25, deadline=None)
@given(
    shape=st.sampled_from([(1, 1), (1, 2), (1, 7), (4, 4), (3, 6)]),
    known=st.booleans(),
    spare=st.integers(0, 2),
    kind=st.sampled_from(KINDS),
    dense=st.booleans(),
    cells=st.integers(2, 20),
    doubtful=st.sampled_from([0.0, 0.3, 2.0]),
    seed=st.integers(0, 10**6),
)
def test_polishing_keeps_the_cells_and_gains_what_it_says(
    case, laid, check_valid, shape, known, spare, kind, dense, cells, doubtful, seed
):
    pieces = max(1, shape[0] * shape[1] - spare)
    more = {"known": known, "dense": dense, "pieces": pieces, "seed": seed}
    told = case(shape, upright=kind[0], square=kind[1], **more)
    kernel, score, before = scattered(told)
    cells_before = set(kernel.where[:, 0].tolist())
    gained = polished(told, kernel, score, doubtful=doubtful, cells=cells, seed=seed)
    _, fresh, after = chromosome(told, kernel)
    assert set(kernel.where[:, 0].tolist()) == cells_before
    assert gained >= 0
    assert after == pytest.approx(before + gained, abs=1e-4)
    np.testing.assert_allclose(score, fresh, atol=1e-5)
    np.testing.assert_array_equal(kernel.grid[kernel.where[:, 0]], np.arange(pieces) + 1)
    check_valid(told, laid(kernel))


def test_polishing_really_gains(case):
    for kind in KINDS:
        told = case((5, 6), upright=kind[0], square=kind[1], dense=True)
        kernel, score, before = scattered(told)
        assert polished(told, kernel, score, cells=16) > 0.2 * before


def test_pieces_that_are_not_doubtful_mostly_stay(case):
    told = case((6, 6), dense=True)
    kernel, score, _ = scattered(told)
    before = kernel.where[:, 0].copy()
    polished(told, kernel, score, doubtful=-1.0, cells=36)
    assert (kernel.where[:, 0] == before).sum() >= 30


def every_way(kernel, chosen, quarter_turns):
    """Yield every way to deal the chosen pieces out over their own cells, turned as allowed."""
    cells = kernel.where[chosen, 0].copy()
    for order in itertools.permutations(range(len(chosen))):
        for turns in itertools.product(range(0, 4, 4 // quarter_turns), repeat=len(chosen)):
            yield cells[list(order)], turns


@pytest.mark.parametrize(("upright", "square"), KINDS)
def test_one_step_on_cells_that_do_not_touch_is_the_best_of_all_ways(case, upright, square):
    """In a 1 x 5 puzzle, of all sets of cells that can be chosen at once, none can do better."""
    told = case((1, 5), upright=upright, square=square, dense=True, seed=4)
    kernel, score, before = scattered(told)
    best = {}
    for size in (1, 2, 3):
        for chosen in itertools.combinations(range(5), size):
            columns = sorted(kernel.where[list(chosen), 0] % kernel.step[4])
            if size == 1 or np.diff(columns).min() > 1:
                best[frozenset(chosen)] = best_way(told, kernel, list(chosen))
    gained = polished(told, kernel, score, cells=5, coverage=0.9)
    after = chromosome(told, kernel)[2]
    assert after == pytest.approx(before + gained, abs=1e-4)
    maximal = [b for s, b in best.items() if not any(s < other for other in best)]
    assert any(after == pytest.approx(max(b, before), abs=1e-4) for b in maximal)


def best_way(case, kernel, chosen):
    where, grid = kernel.where.copy(), kernel.grid.copy()
    found = []
    for cells, turns in every_way(kernel, chosen, case.quarter_turns):
        kernel.where[chosen, 0], kernel.where[chosen, 1] = cells, turns
        kernel.grid[cells] = np.array(chosen) + 1
        found.append(chromosome(case, kernel)[2])
    kernel.where[:], kernel.grid[:] = where, grid
    return max(found)


@settings(max_examples=25, deadline=None)
@given(
    shape=st.sampled_from([(1, 1), (1, 6), (4, 5)]),
    room=st.integers(1, 20),
    seed=st.integers(0, 10**6),
)
def test_pieces_dealt_out_together_are_never_neighbours(case, shape, room, seed):
    told = case(shape, known=False)
    kernel, _, _ = scattered(told, seed)
    pieces = told.told.pieces
    weak = np.arange(pieces)
    chosen = np.zeros(len(kernel.grid), np.uint8)
    cells, taken = np.empty(room, np.int64), np.empty(room, np.int64)
    state = np.array([seed], np.uint64)
    n = apart(weak, pieces, kernel.where, kernel.step, chosen, cells, taken, state)
    assert 1 <= n <= room
    assert sorted(weak.tolist()) == list(range(pieces))
    assert not chosen.any()
    np.testing.assert_array_equal(kernel.where[taken[:n], 0], cells[:n])
    rows, cols = np.divmod(cells[:n], kernel.step[4])
    apart_by = np.abs(rows[:, None] - rows) + np.abs(cols[:, None] - cols)
    assert (apart_by[np.triu_indices(n, 1)] > 1).all()
