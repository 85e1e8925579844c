"""What every solver owes: these tests run over all that the registry finds.

Solvers for strips in one row, which cover no grids, have tests of their own.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella import registry
from tessella.arrangement import EMPTY, Arrangement
from tessella.compatibility import Compatibility, from_dense, from_lists
from tessella.errors import InputError
from tessella.evidence import Evidence
from tessella.metrics import score
from tessella.solving import Job, Solution, covered
from tessella.truth import Truth

SOLVERS = [
    name for name in registry.names("solver") if covered(registry.find("solver", name)).grids
]
KINDS = [(True, True), (True, False), (False, True), (False, False)]
kinds = pytest.mark.parametrize(
    ("upright", "square"),
    KINDS,
    ids=["upright-square", "upright-oblong", "turned-square", "turned-oblong"],
)


@pytest.fixture(scope="module", params=SOLVERS)
def solver(request):
    return registry.make("solver", request.param)


def need(solver, upright=True, known=True):
    """Skip what the solver does not cover; that it says so is tested below."""
    if not covered(solver).includes(upright=upright, shape_known=known):
        pytest.skip("not covered by this solver")


def variants(solver):
    """Return the kinds of puzzles that the solver covers, each with whether the shape is known."""
    every = [(kind, known) for kind in KINDS for known in (True, False)]
    limits = covered(solver)
    return [v for v in every if limits.includes(upright=v[0][0], shape_known=v[1])]


def table_of_noise(pieces, upright, square, rng, most):
    """Return C' of every pair up to `most`, -inf where edges may not join."""
    e = np.arange(4 * pieces)[:, None]
    f = 4 * np.arange(pieces) + (e + 2) % 4 if upright else np.arange(4 * pieces)
    allowed = (e // 4 != f // 4) & (upright | square | ((e - f) % 2 == 0))
    noise = rng.uniform(0, most, allowed.shape)
    return np.where(allowed, noise, -np.inf).astype(np.float32)


def scatter(shape, upright, square, rng):
    """Return a true arrangement of shuffled pieces, turned as the kind of puzzle allows."""
    count = shape[0] * shape[1]
    step = 4 if upright else 1 if square else 2
    turns = rng.choice(np.arange(0, 4, step), shape)
    return Arrangement.single(rng.permutation(count).reshape(shape), turns)


def oracle(truth, pieces, upright, square, rng, dense=True):
    """Return compatibilities that name every true join, and only noise besides."""
    table = table_of_noise(pieces, upright, square, rng, 0.2)
    for pair in truth.joins().tolist():
        fit = rng.uniform(0.8, 1)
        for e, f in (pair, pair[::-1]):
            table[e, f // 4 if upright else f] = fit
    if dense:
        return from_dense(pieces, upright, square, table, 8)
    best = np.argsort(-table, axis=1)[:, :8]
    kept = np.take_along_axis(table, best, axis=1)
    partner = 4 * best + (np.arange(4 * pieces)[:, None] + 2) % 4 if upright else best
    return from_lists(
        pieces, upright, square, np.where(kept > 0, partner, -1).astype(np.int32), kept
    )


def puzzle(shape, upright=True, square=True, seed=0, dense=True):
    """Return an oracle's compatibilities and the truth it knows."""
    rng = np.random.default_rng(seed)
    truth = scatter(shape, upright, square, rng)
    pieces = shape[0] * shape[1]
    known = oracle(truth, pieces, upright, square, rng, dense)
    return known, Truth(truth, np.arange(4 * pieces))


def check_complete(solution: Solution, told: Compatibility, shape=None):
    """Every piece lies in one cell of one sheet, turned as allowed, in a sheet that fits."""
    (sheet,) = solution.arrangement.sheets
    np.testing.assert_array_equal(solution.arrangement.placed(), np.arange(told.pieces))
    if told.upright:
        assert not sheet.turns.any()
    elif not told.square:
        assert not (sheet.turns % 2).any()
    if shape is not None:
        allowed = [shape] if told.upright else [shape, shape[::-1]]
        assert any(sheet.shape[0] <= r and sheet.shape[1] <= c for r, c in allowed)
    assert solution.fitness == pytest.approx(told.fitness(solution.arrangement))


def joins(arrangement):
    return {frozenset(pair) for pair in arrangement.joins().tolist()}


def test_wants_an_adjustment_that_exists(solver):
    assert solver.adjust in registry.names("adjustment")


@pytest.mark.parametrize("upright", [True, False], ids=["upright", "turned"])
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_refuses_in_one_sentence_just_what_it_does_not_cover(solver, upright, known):
    told, _ = puzzle((2, 2), upright)
    shape = (2, 2) if known else None
    if covered(solver).includes(upright=upright, shape_known=known):
        check_complete(solver.solve(Job(Evidence(told), shape)), told, shape)
    else:
        with pytest.raises(InputError, match=r"^The solver \w+ needs [^.]*\.$"):
            solver.solve(Job(Evidence(told), shape))


@kinds
@pytest.mark.parametrize("shape", [(4, 4), (3, 5)], ids=["4x4", "3x5"])
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("dense", [True, False], ids=["dense", "lists"])
def test_an_oracle_is_followed_exactly(solver, upright, square, shape, known, dense):
    need(solver, upright, known)
    told, truth = puzzle(shape, upright, square, seed=1, dense=dense)
    found = solver.solve(Job(Evidence(told), shape if known else None, seed=0))
    check_complete(found, told, shape)
    assert score(found.arrangement, truth).perfect


@settings(max_examples=12, deadline=None)
@given(
    pieces=st.integers(1, 9),
    data=st.data(),
    spare=st.integers(0, 3),
    keep=st.integers(0, 4),
    dense=st.booleans(),
    seed=st.integers(0, 2**31 - 1),
)
@pytest.mark.parametrize("name", SOLVERS)
def test_noise_is_arranged_completely(name, pieces, data, spare, keep, dense, seed):
    solver = registry.make("solver", name)
    kind, known = data.draw(st.sampled_from(variants(solver)))
    rng = np.random.default_rng(seed)
    table = table_of_noise(pieces, *kind, rng, 1)
    if dense:
        told = from_dense(pieces, *kind, table, keep)
    else:
        partner = np.full((4 * pieces, 1), -1, np.int32)
        told = from_lists(pieces, *kind, partner, np.zeros((4 * pieces, 1), np.float32))
    rows = int(rng.integers(1, pieces + 1))
    shape = (rows, -(-pieces // rows) + spare) if known else None
    check_complete(solver.solve(Job(Evidence(told), shape, seed=seed)), told, shape)


@pytest.mark.parametrize("upright", [True, False], ids=["upright", "turned"])
def test_a_shape_with_spare_cells_leaves_them_empty(solver, upright):
    need(solver, upright)
    told, _ = puzzle((3, 4), upright)
    found = solver.solve(Job(Evidence(told), (4, 4), seed=0))
    check_complete(found, told, (4, 4))
    (sheet,) = found.arrangement.sheets
    assert (sheet.piece == EMPTY).sum() == sheet.piece.size - 12


def test_an_upright_shape_is_never_laid_sideways(solver):
    told, truth = puzzle((2, 5))
    found = solver.solve(Job(Evidence(told), (5, 2), seed=0))
    assert found.arrangement.sheets[0].shape == (5, 2)
    assert not score(found.arrangement, truth).perfect


def test_a_turned_shape_may_be_laid_either_way_round(solver):
    need(solver, upright=False)
    told, truth = puzzle((2, 5), upright=False)
    for shape in ((2, 5), (5, 2)):
        found = solver.solve(Job(Evidence(told), shape, seed=0))
        assert found.arrangement.sheets[0].shape in ((2, 5), (5, 2))
        assert score(found.arrangement, truth).perfect


@pytest.mark.parametrize("upright", [True, False], ids=["upright", "turned"])
def test_the_same_seed_gives_the_same_answer_on_any_number_of_threads(solver, upright):
    need(solver, upright)
    rng = np.random.default_rng(3)
    told = from_dense(12, upright, True, table_of_noise(12, upright, True, rng, 1), 6)
    answers = [
        solver.solve(Job(Evidence(told), (3, 4), seed=5, threads=threads)).arrangement
        for threads in (1, 1, 2)
    ]
    assert answers[0].same(answers[1])
    assert answers[0].same(answers[2])


@kinds
def test_other_numbers_and_turns_of_the_pieces_change_the_answer_likewise(solver, upright, square):
    need(solver, upright)
    rng = np.random.default_rng(4)
    shape = (3, 4)
    truth = scatter(shape, upright, square, rng)
    told = oracle(truth, 12, upright, square, np.random.default_rng(5))
    name = rng.permutation(12)
    step = 4 if upright else 1 if square else 2
    turn = rng.choice(np.arange(0, 4, step), 12)
    every = np.arange(48)
    edge = 4 * name[every // 4] + (every + turn[every // 4]) % 4
    table = np.empty_like(told.dense)
    table[np.ix_(edge, name if upright else edge)] = told.dense
    again = from_dense(12, upright, square, table, 8)

    before = solver.solve(Job(Evidence(told), shape, seed=0)).arrangement
    after = solver.solve(Job(Evidence(again), shape, seed=0)).arrangement
    assert joins(after) == {frozenset(edge[list(pair)].tolist()) for pair in joins(before)}


@kinds
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_a_single_piece_lies_alone(solver, upright, square, known):
    need(solver, upright, known)
    told, _ = puzzle((1, 1), upright, square)
    found = solver.solve(Job(Evidence(told), (1, 1) if known else None, seed=0))
    assert found.arrangement.sheets[0].shape == (1, 1)
    assert found.fitness == 0


@kinds
@pytest.mark.parametrize("shape", [(1, 2), (2, 1), (1, 7), (7, 1)])
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_rows_and_columns_are_puzzles_too(solver, upright, square, shape, known):
    need(solver, upright, known)
    told, truth = puzzle(shape, upright, square)
    found = solver.solve(Job(Evidence(told), shape if known else None, seed=0))
    check_complete(found, told, shape)
    assert score(found.arrangement, truth).perfect


@kinds
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_a_stop_at_once_still_leaves_no_piece_out(solver, upright, square, known):
    need(solver, upright, known)
    told, _ = puzzle((20, 18), upright, square)
    shape = (20, 18) if known else None
    found = solver.solve(Job(Evidence(told), shape, seed=0, stop=lambda: True))
    check_complete(found, told, shape)
    assert found.stopped
