from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.kernels import breeding
from tessella.kernels.breeding import make_population, parent, parents, spin, unfold
from tessella.kernels.buddies import best_buddies
from tessella.kernels.crossover import PHASES, Rules, express, make_bags
from tessella.kernels.growth import make_ratings, nobody

KINDS = [(True, True), (True, False), (False, True), (False, False)]


def rules_for(case):
    skip = np.array([6554, 6554, 13107, 13107, 0], np.int64)
    return Rules((1 << len(PHASES)) - 1, skip, 0, int(case.told.square))


class Nursery:
    """A random population of a puzzle, and the three ways to make chromosomes."""

    def __init__(self, case, seed=3):
        self.case, self.seed = case, seed
        self.tables = case.told.tables
        self.pieces = case.told.pieces
        self.population = make_population(6, self.pieces)
        breeding.scatter(
            self.tables, case.nucleus(), self.population, case.quarter_turns, seed, 0, 6
        )
        self.wheel = np.cumsum(np.maximum(self.population.fitness, 1e-9))

    def scatter(self, into, first, last):
        turns = self.case.quarter_turns
        breeding.scatter(self.tables, self.case.nucleus(), into, turns, self.seed, first, last)

    def cross(self, into, first, last, mix=1.0):
        breeding.breed(
            self.tables, best_buddies(self.tables), self.population, self.wheel,
            rules_for(self.case), 0.5, self.case.nucleus(), make_bags(self.pieces),
            into, self.seed, 1, first, last, mix,
        )  # fmt: skip

    def guide(self, into, first, last, mix=0.0):
        breeding.breed_guided(
            self.tables, self.population, self.wheel, self.case.guide(),
            self.case.nucleus(), make_ratings(self.pieces), into, self.seed, 1, first, last, mix,
        )  # fmt: skip

    def sow(self, into, first, last):
        for place in range(first, last):
            breeding.sow(
                self.tables, np.arange(self.pieces, dtype=np.int32), nobody(self.pieces),
                self.case.guide(), self.case.nucleus(), make_ratings(self.pieces),
                into, self.seed, place,
            )  # fmt: skip

    def filled(self, way, *portions):
        into = make_population(6, self.pieces)
        for first, last in portions:
            getattr(self, way)(into, first, last)
        return into


WAYS = pytest.mark.parametrize("way", ["scatter", "cross", "guide", "sow"])


@WAYS
@pytest.mark.parametrize("upright", [True, False])
def test_any_split_into_portions_gives_the_same_chromosomes(case, way, upright):
    nursery = Nursery(case((4, 5), upright=upright))
    whole = nursery.filled(way, (0, 6))
    split = nursery.filled(way, (4, 6), (1, 4), (0, 1))
    for one, other in zip(whole, split, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("mix", [0.0, 0.4, 0.67, 1.0])
def test_both_crossovers_share_the_places_out_and_every_child_is_made_by_one_of_them(case, mix):
    nursery = Nursery(case((4, 5)))
    mixed = make_population(6, nursery.pieces)
    mixed.fitness[:] = -1
    nursery.cross(mixed, 0, 6, mix)
    crossed = mixed.fitness >= 0
    assert crossed.sum() == sum(int(k * mix) != int((k - 1) * mix) for k in range(6))
    nursery.guide(mixed, 0, 6, mix)
    assert (mixed.fitness >= 0).all()
    for way, which in (("cross", crossed), ("guide", ~crossed)):
        alone = nursery.filled(way, (0, 6))
        np.testing.assert_array_equal(mixed.neighbor[which], alone.neighbor[which])


@WAYS
def test_chromosomes_of_a_portion_differ(case, way):
    made = Nursery(case((4, 5))).filled(way, (0, 6))
    assert len({row.tobytes() for row in made.neighbor}) > 1


@settings(max_examples=20, deadline=None)
@given(
    shape=st.sampled_from([(1, 1), (1, 3), (4, 1), (3, 4), (5, 2)]),
    kind=st.sampled_from(KINDS),
    known=st.booleans(),
    spare=st.integers(0, 3),
    way=st.sampled_from(["scatter", "cross", "guide", "sow"]),
    seed=st.integers(0, 2**31 - 1),
)
def test_every_chromosome_is_valid_and_says_its_fitness(
    case, laid, check_valid, shape, kind, known, spare, way, seed
):
    pieces = max(1, shape[0] * shape[1] - spare)
    told = case(shape, upright=kind[0], square=kind[1], known=known, pieces=pieces)
    made = Nursery(told, seed).filled(way, (0, 6))
    nucleus = told.nucleus()
    for place in range(6):
        unfold(made.neighbor[place], nucleus)
        check_valid(told, laid(nucleus))
        neighbor, score = np.empty(4 * pieces, np.int32), np.empty(pieces, np.float32)
        fitness, joins = express(told.told.tables, nucleus, neighbor, score)
        np.testing.assert_array_equal(neighbor, made.neighbor[place])
        np.testing.assert_allclose(score, made.score[place], atol=1e-6)
        assert made.fitness[place] == pytest.approx(fitness)
        assert made.mean[place] == pytest.approx(fitness / max(joins, 1))


def test_the_wheel_draws_places_in_proportion_to_their_weight():
    wheel = np.cumsum([1.0, 0.0, 3.0])
    state = np.array([1], np.uint64)
    counts = np.bincount([spin(wheel, state) for _ in range(4000)], minlength=3)
    assert counts[1] == 0
    assert abs(counts[2] - 3000) < 150


def test_a_wheel_of_one_place_draws_it():
    assert spin(np.array([2.0]), np.array([1], np.uint64)) == 0


def test_the_fitter_parent_comes_first_and_twins_are_rare(case):
    nursery = Nursery(case((3, 3)))
    fitness = nursery.population.fitness
    state = np.array([9], np.uint64)
    pairs = [parents(nursery.population, nursery.wheel, state) for _ in range(300)]
    assert all(fitness[a] >= fitness[b] for a, b in pairs)
    assert sum(a == b for a, b in pairs) < 3
    assert {place for pair in pairs for place in pair} == set(range(6))


def test_a_lone_chromosome_is_its_own_mate(case):
    nursery = Nursery(case((3, 3)))
    alone = np.array([0.0, 0.0, 1.0, 1.0, 1.0, 1.0])
    assert parents(nursery.population, alone, np.array([9], np.uint64)) == (2, 2)


def test_alpha_is_the_greater_of_its_least_and_the_mean(case):
    population = Nursery(case((3, 3))).population
    mean = float(population.mean[1])
    assert 0 < mean < 1
    assert parent(population, 1, 0.0).alpha == mean
    assert parent(population, 1, 1.0).alpha == 1.0
