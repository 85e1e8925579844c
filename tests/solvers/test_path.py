"""The path solver against exact dynamic programming, and on rows with a known truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.arrangement import Arrangement
from tessella.compatibility import from_dense
from tessella.errors import InputError
from tessella.evidence import Evidence
from tessella.solvers.path import Path, fits
from tessella.solving import Job


def noise(count, upright, seed, most=1.0):
    """C' of strips: only right and left sides join."""
    rng = np.random.default_rng(seed)
    e = np.arange(4 * count)[:, None]
    f = 4 * np.arange(count) + (e + 2) % 4 if upright else np.arange(4 * count)
    allowed = (e // 4 != f // 4) & (e % 2 == 0) & (upright | ((e - f) % 2 == 0))
    return np.where(allowed, rng.uniform(0, most, allowed.shape), -np.inf).astype(np.float32)


def told(table, upright, keep=8):
    return from_dense(len(table) // 4, upright, False, table, keep)


def held_karp(fit, count, upright):
    """The greatest length of a path over all strips, by dynamic programming over subsets.

    M. Held, R. M. Karp, J. SIAM 10, 1962.
    """
    every = range(0, 2 * count, 1 + upright)
    best = {(1 << (v >> 1), v): 0.0 for v in every}
    for _ in range(count - 1):
        longer = {}
        for (seen, v), length in best.items():
            for w in every:
                if not seen >> (w >> 1) & 1:
                    key = seen | 1 << (w >> 1), w
                    longer[key] = max(longer.get(key, -1.0), length + fit[v, w ^ 1])
        best = longer
    return max(best.values())


@given(count=st.integers(1, 8), upright=st.booleans(), seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_small_rows_are_solved_exactly(count, upright, seed):
    known = told(noise(count, upright, seed), upright)
    found = Path().solve(Job(Evidence(known), None, seed=seed))
    np.testing.assert_array_equal(found.arrangement.placed(), np.arange(count))
    assert found.fitness == pytest.approx(held_karp(fits(known), count, upright), abs=1e-4)


@pytest.mark.parametrize("upright", [True, False])
def test_an_oracle_is_followed_exactly(upright):
    rng = np.random.default_rng(5)
    count = 60
    turns = np.zeros((1, count), int) if upright else 2 * rng.integers(0, 2, (1, count))
    truth = Arrangement.single(rng.permutation(count)[None], turns)
    table = noise(count, upright, 5, 0.5)
    for e, f in truth.joins().tolist():
        for a, b in ((e, f), (f, e)):
            table[a, b // 4 if upright else b] = 0.9
    found = Path().solve(Job(Evidence(told(table, upright)), (1, count), seed=0))
    same = found.arrangement.same(truth)
    assert same or found.arrangement.same(Arrangement((truth.sheets[0].turned(2),)))


def test_the_same_seed_gives_the_same_answer_and_kicks_help():
    known = told(noise(80, False, 2), False)
    one, two = (Path().solve(Job(Evidence(known), None, seed=9, threads=t)) for t in (1, 2))
    assert one.arrangement.same(two.arrangement)
    assert one.fitness > Path(kicks=0).solve(Job(Evidence(known), None)).fitness


def test_a_stop_at_once_leaves_no_strip_out():
    known = told(noise(40, True, 2), True)
    found = Path().solve(Job(Evidence(known), None, stop=lambda: True))
    assert found.stopped
    np.testing.assert_array_equal(found.arrangement.placed(), np.arange(40))


def test_spare_cells_stay_empty_at_the_end():
    known = told(noise(4, True, 2), True)
    found = Path().solve(Job(Evidence(known), (1, 6))).arrangement.sheets[0]
    assert found.shape == (1, 6)
    assert found.piece[0, 4:].tolist() == [-1, -1]


def test_grids_are_refused():
    known = told(noise(4, True, 2), True)
    with pytest.raises(InputError, match="2 x 2"):
        Path().solve(Job(Evidence(known), (2, 2)))
    grid = from_dense(4, True, False, np.full((16, 4), 0.5, np.float32), 4)
    with pytest.raises(InputError, match="unknown shape"):
        Path().solve(Job(Evidence(grid), None))


@pytest.mark.parametrize("setting", [{"kicks": -1}, {"near": 0}])
def test_settings_out_of_range_are_refused(setting):
    with pytest.raises(InputError, match=next(iter(setting))):
        Path(**setting)


def test_square_pieces_that_may_lie_sideways_are_refused():
    known = from_dense(4, False, True, np.full((16, 16), 0.5, np.float32), 4)
    with pytest.raises(InputError, match="not by a quarter"):
        Path().solve(Job(Evidence(known), (1, 4)))


def test_whoever_watches_sees_the_row_grow_better():
    class Seen:
        def __init__(self):
            self.steps, self.told = 0, []

        def stage(self, name, total):
            self.total = total

        def advance(self, steps=1):
            self.steps += steps

        def generation(self, generation):
            self.told.append(generation)

    seen, known = Seen(), told(noise(60, True, 3), True)
    found = Path().solve(Job(Evidence(known), None, seed=4, watch=seen))
    assert seen.steps == seen.total == 1800
    assert [each.number for each in seen.told] == list(range(18))
    assert [each.best for each in seen.told] == sorted(each.best for each in seen.told)
    last = [each for each in seen.told if each.snapshot is not None][-1]
    assert last.best == seen.told[-1].best == pytest.approx(found.fitness)
    assert known.fitness(last.snapshot) == pytest.approx(last.best)
    assert len(last.snapshot.placed()) == 60
