"""Small puzzles get several evolutions; in the end segments of what they found are moved."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tessella.arrangement import Arrangement
from tessella.checkpoint import Checkpoint
from tessella.compatibility import from_dense
from tessella.evidence import Evidence
from tessella.evolution import islands
from tessella.solvers.genetic import Genetic
from tessella.solving import Job
from tessella.stages import move
from tessella.stages.evolve import Evolve
from tessella.stages.move import FAR, Move
from tessella.stages.soften import Soften
from tessella.stages.stage import Answer

SHAPE = (4, 6)
SETTINGS = Genetic(population=6, patience=4, without="move,exchange", islands=6)
ALONE = replace(SETTINGS, patience=2, islands=1)
MOVING = replace(ALONE, without="exchange")


class Listener:
    """Keeps every generation; asks for a stop once `last` are told."""

    def __init__(self, last=None):
        self.told, self.last = [], last

    def stage(self, name, total): ...

    def advance(self, steps=1): ...

    def generation(self, generation):
        self.told.append(generation)

    def stop(self):
        return self.last is not None and len(self.told) >= self.last


def noise(upright=True, seed=0):
    """Return random compatibilities of 24 pieces: a landscape of traps."""
    chance = np.random.default_rng(seed)
    e, c = np.arange(96)[:, None], np.arange(24 if upright else 96)
    table = chance.uniform(0, 1, (96, len(c))).astype(np.float32)
    table[e // 4 == (c if upright else c // 4)] = -np.inf
    return from_dense(24, upright, True, table, 12)


def solved(settings, told, listener=None, **how):
    listener = listener or Listener()
    how = {"seed": 3, "threads": 1} | how
    return settings.solve(Job(Evidence(told), SHAPE, stop=listener.stop, watch=listener, **how))


@pytest.mark.parametrize("upright", [True, False])
def test_islands_are_at_least_as_fit_as_the_first_of_them(upright):
    better = 0
    for seed in range(5):
        told = noise(upright, seed)
        several, alone = solved(SETTINGS, told), solved(ALONE, told)
        assert several.fitness >= alone.fitness
        assert several.fitness == pytest.approx(told.fitness(several.arrangement))
        np.testing.assert_array_equal(several.arrangement.placed(), np.arange(24))
        better += several.fitness > alone.fitness + 1e-3
    assert better >= 3


def test_the_last_evolution_begins_with_what_the_islands_found():
    told = noise()
    listener = Listener()
    several = solved(SETTINGS, told, listener)
    single = [solved(ALONE, told, seed=3 + 1_000_003 * nth) for nth in range(SETTINGS.islands)]
    first_of_last = listener.told[sum(len(s.history) for s in single)]
    assert first_of_last.best == pytest.approx(max(s.fitness for s in single))
    assert several.fitness >= max(s.fitness for s in single)


def test_islands_that_agree_end_it():
    """One row of two pieces: every island finds the same."""
    table = np.full((8, 2), 0.1, np.float32)
    table[np.arange(8), np.arange(8) // 4] = -np.inf
    told = from_dense(2, True, True, table, 1)
    found = Genetic(population=2, patience=4, without="move", islands=9).solve(
        Job(Evidence(told), (1, 2), seed=1)
    )
    alone = Genetic(population=2, patience=2, without="move", islands=1).solve(
        Job(Evidence(told), (1, 2), seed=1)
    )
    assert len(found.history) == islands.AGREE * len(alone.history)


def test_a_watcher_sees_one_evolution():
    listener = Listener()
    found = solved(SETTINGS, noise(), listener)
    numbers = [generation.number for generation in listener.told]
    best = [generation.best for generation in listener.told]
    assert numbers == list(range(len(found.history)))
    assert best == sorted(best)
    assert best == pytest.approx(found.history)
    shown = [generation for generation in listener.told if generation.snapshot is not None]
    assert all(a.best < b.best for a, b in pairwise(shown))
    assert shown[-1].snapshot.same(found.arrangement)


@pytest.mark.parametrize("last", [1, 7, 24])
@pytest.mark.parametrize("upright", [True, False])
def test_a_stopped_run_that_is_resumed_ends_as_the_undisturbed_one(tmp_path, last, upright):
    told = noise(upright)
    whole = solved(SETTINGS, told)
    assert len(whole.history) > 24
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    part = solved(SETTINGS, told, Listener(last), checkpoint=kept)
    assert part.stopped
    np.testing.assert_array_equal(part.arrangement.placed(), np.arange(24))
    found = solved(SETTINGS, told, checkpoint=kept, threads=2)
    assert found.arrangement.same(whole.arrangement)
    assert found.history == whole.history
    assert not found.stopped


def test_islands_of_another_seed_are_not_taken_up(tmp_path):
    told = noise()
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    solved(SETTINGS, told, Listener(24), checkpoint=kept, seed=8)
    found = solved(SETTINGS, told, checkpoint=kept)
    assert found.history == solved(SETTINGS, told).history


def test_what_every_island_found_is_moved_before_it_is_compared():
    told, moved = noise(), []

    def move(answer, job):
        moved.append((job.seed, answer.arrangement))
        return replace(answer, arrangement=alone.arrangement)

    alone = solved(ALONE, told)
    answer = Evolve(population=6, patience=4, islands=9, move=move)(
        Answer(told), Job(Evidence(told), SHAPE, seed=3, threads=1)
    )
    assert len(moved) == len({seed for seed, _ in moved}) == islands.AGREE
    assert not any(found.same(alone.arrangement) for _, found in moved[1:])
    assert answer.arrangement.same(alone.arrangement)


def test_one_evolution_alone_has_all_its_patience_and_no_moves_of_its_own():
    told = noise()
    job = Job(Evidence(told), SHAPE, seed=3, threads=1)
    plain = Evolve(population=6, patience=4)(Answer(told), job)
    assert Evolve(population=6, patience=4, move=FAR)(Answer(told), job).history == plain.history
    assert Evolve(population=6, patience=2)(Answer(told), job).history != plain.history


@pytest.mark.parametrize("last", [3, 12, 25, 40])
def test_a_run_stopped_on_an_island_among_moves_ends_as_the_undisturbed_one(tmp_path, last):
    told = noise(False)
    settings = replace(SETTINGS, without="", islands=None)
    whole = solved(settings, told)
    assert len(whole.history) > 40
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    part = solved(settings, told, Listener(last), checkpoint=kept)
    assert part.stopped
    assert len(part.history) < len(whole.history)
    found = solved(settings, told, checkpoint=kept, threads=2)
    assert found.arrangement.same(whole.arrangement)
    assert found.history == whole.history


def test_moves_are_left_out_of_islands_too():
    stages = [
        Genetic(without=without).stages(Job(Evidence(noise()), SHAPE)) for without in ("", "move")
    ]
    assert [stage.name for stage in stages[0]] == ["evolve", "move", "exchange"]
    assert [stage.name for stage in stages[1]] == ["evolve", "exchange"]
    assert stages[0][0].move is not None
    assert stages[1][0].move is None


@pytest.mark.parametrize("upright", [True, False])
def test_moves_make_it_fitter(upright):
    better = 0
    for seed in range(4):
        told = noise(upright, seed)
        moved, found = solved(MOVING, told), solved(ALONE, told)
        assert moved.fitness >= found.fitness
        assert moved.fitness == pytest.approx(told.fitness(moved.arrangement))
        np.testing.assert_array_equal(moved.arrangement.placed(), np.arange(24))
        better += moved.fitness > found.fitness + 1e-3
    assert better > 2


def test_one_and_two_threads_find_the_same():
    told = noise(False)
    one, two = solved(MOVING, told), solved(MOVING, told, threads=2)
    assert one.arrangement.same(two.arrangement)
    assert one.history == two.history


def test_portions_are_told_as_further_generations():
    listener, before = Listener(), Listener()
    told = noise()
    found = solved(MOVING, told, listener)
    solved(ALONE, told, before)
    assert len(listener.told) > len(before.told)
    assert [g.number for g in listener.told] == list(range(len(listener.told)))
    assert [g.best for g in listener.told] == pytest.approx(found.history)
    assert list(found.history) == sorted(found.history)
    shown = [g.snapshot for g in listener.told if g.snapshot is not None]
    assert shown[-1].same(found.arrangement)


def test_what_is_told_of_an_answer_without_a_history_is_its_fitness():
    """As of a board of fragments, which were united by their worth."""
    told, listener = noise(), Listener()
    job = Job(Evidence(told), SHAPE, seed=3, threads=1, watch=listener)
    settled = replace(Move().moved(scrambled(told), told, job), history=(0.0,))
    fitness = told.fitness(settled.arrangement)
    listener.told.clear()
    again = Move(tries=1).moved(settled, told, job)
    assert listener.told[0].snapshot is None
    assert all(generation.best >= fitness - 1e-6 for generation in listener.told)
    assert again.history[1:] == tuple(generation.best for generation in listener.told)


def test_a_stop_while_segments_move_keeps_the_best_so_far():
    told = noise()
    evolved = solved(ALONE, told)
    found = solved(MOVING, told, Listener(len(evolved.history) + 1))
    assert found.stopped
    assert len(found.history) == len(evolved.history) + 1
    assert found.fitness >= evolved.fitness
    np.testing.assert_array_equal(found.arrangement.placed(), np.arange(24))


def test_a_run_stopped_while_segments_move_ends_as_if_it_had_not_been(tmp_path):
    told = noise()
    whole = solved(MOVING, told)
    checkpoint = Checkpoint(tmp_path / "run.npz", "key", every=0)
    solved(MOVING, told, Listener(len(whole.history) - 2), checkpoint=checkpoint)
    again = solved(MOVING, told, checkpoint=checkpoint)
    assert again.arrangement.same(whole.arrangement)
    assert again.fitness == whole.fitness


def test_without_a_shape_the_outline_stays():
    told = noise()
    moved, found = (
        each.solve(Job(Evidence(told), None, seed=3, threads=1)) for each in (MOVING, ALONE)
    )
    assert moved.fitness > found.fitness
    assert sorted(moved.arrangement.placed()) == list(range(24))
    outline, before = (s.arrangement.sheets[0].piece >= 0 for s in (moved, found))
    np.testing.assert_array_equal(outline, before)


def scrambled(told):
    """Return 24 pieces in the order of their numbers as an answer."""
    arrangement = Arrangement.single(np.arange(24, dtype=np.int32).reshape(SHAPE))
    return Answer(told, arrangement=arrangement, history=(told.fitness(arrangement),))


@pytest.mark.parametrize("upright", [True, False])
def test_halves_of_a_large_puzzle_are_moved_side_by_side(upright):
    told = noise(upright)
    first = scrambled(told)
    both, alone = (
        FAR(first, Job(Evidence(told), SHAPE, seed=3, threads=count)) for count in (2, 1)
    )
    assert both.history[-1] > first.history[0] + 3
    assert both.history[-1] == pytest.approx(told.fitness(both.arrangement))
    np.testing.assert_array_equal(both.arrangement.placed(), np.arange(24))
    pieces = (each.arrangement.sheets[0].piece for each in (both, alone))
    np.testing.assert_array_equal(*pieces)


def test_what_lies_on_the_line_between_the_halves_stays():
    told = noise()
    plan = Move()._plan(told, Job(Evidence(told), SHAPE, seed=3), 0.0)
    halves = move._Halves(scrambled(told).arrangement.sheets[0], plan)
    with ThreadPoolExecutor(2) as pool:
        for portion in range(2):
            first, second = halves._sides(portion)
            line = ~(first | second)
            before = halves.now.piece.copy()
            halves.go_on(portion, pool)
            assert line.any()
            assert (halves.now.piece != before).any()
            np.testing.assert_array_equal(halves.now.piece[line], before[line])
            for side in (first, second):
                assert set(halves.now.piece[side]) == set(before[side])


def test_moves_come_in_portions_by_the_number_of_pieces():
    job = Job(Evidence(noise()), SHAPE, seed=3)
    usual, longer, fixed = (
        stage._plan(noise(), job, 0.0).heats
        for stage in (Move(), Move(times=4), Move(heat=0.3, portions=16))
    )
    assert len(longer) - move._LOOK == 4 * (len(usual) - move._LOOK)
    assert max(longer) == max(usual)
    assert len(fixed) == move._LOOK + 16
    assert max(fixed) == 0.3


@pytest.fixture
def rough():
    """Return evidence with coarse compatibilities, which say something else."""
    return Evidence(noise(seed=1), coarse=noise(seed=2))


def searched(rough, *stages, listener=None):
    """Return what stages make of `rough`, in the order in which the table has them."""
    listener = listener or Listener()
    job = Job(rough, SHAPE, seed=3, threads=1, stop=listener.stop, watch=listener)
    answer = Answer(rough.compatibility)
    for stage in stages:
        answer = stage(answer, job)
    return answer.solution(job)


SEARCH = Evolve(population=6, patience=2)


def test_a_coarse_search_comes_first(rough):
    found = searched(rough, Soften(), SEARCH)
    coarsely = searched(Evidence(rough.coarse), SEARCH)
    assert found.arrangement.same(coarsely.arrangement)
    assert found.fitness == pytest.approx(rough.compatibility.fitness(found.arrangement))


def test_what_is_told_is_always_counted_by_the_jobs_own_compatibilities(rough):
    """While another scale is searched by, the best may become less fit by the job's own."""
    listener = Listener()
    found = searched(rough, Soften(), SEARCH, Move(), Move(counts="own"), listener=listener)
    assert [g.best for g in listener.told] == list(found.history)
    assert found.history[-1] == pytest.approx(found.fitness)
    for generation in listener.told:
        if generation.snapshot is not None:
            fitness = rough.compatibility.fitness(generation.snapshot)
            assert generation.best == pytest.approx(fitness)


def test_after_the_coarse_search_moves_count_what_is_asked_for(rough):
    first = searched(rough, Soften(), SEARCH)
    found = searched(rough, Soften(), SEARCH, Move(), Move(counts="own"))
    assert found.fitness > first.fitness + 3
    np.testing.assert_array_equal(found.arrangement.placed(), np.arange(24))


def test_small_puzzles_are_not_searched_coarsely(rough):
    found = MOVING.solve(Job(rough, SHAPE, seed=3, threads=1))
    assert found.arrangement.same(solved(MOVING, rough.compatibility).arrangement)


def test_a_coarse_search_that_was_stopped_is_whole(rough):
    stages = (Soften(), SEARCH, Move(), Move(counts="own"))
    found = searched(rough, *stages, listener=Listener(2))
    assert found.stopped
    np.testing.assert_array_equal(found.arrangement.placed(), np.arange(24))


@pytest.mark.parametrize(("most", "portions", "tries"), [(None, 16, 25), (16, 16, 25), (4, 4, 100)])
def test_fewer_portions_are_longer_ones(most, portions, tries):
    plan = Move(portions=16, most=most)._plan(noise(), Job(Evidence(noise())), 0.0)
    assert len(plan.heats) == portions + 2
    assert plan.tries == tries
