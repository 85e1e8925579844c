from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tessella import registry
from tessella.arrangement import Arrangement
from tessella.checkpoint import Checkpoint
from tessella.compatibility import from_dense, from_lists
from tessella.errors import FormatError, InputError, NameUnknown
from tessella.evidence import Evidence
from tessella.evolution.breeders import distinctive
from tessella.panels import Panels
from tessella.plan import make_plan
from tessella.solvers.genetic import Genetic
from tessella.solvers.rika import Rika
from tessella.solving import Job
from tessella.stages.regimes import NAMES

SHAPE = (4, 6)
SOLVERS = pytest.mark.parametrize("solver", [Rika, Genetic], ids=["rika", "genetic"])
TURNED = pytest.mark.parametrize("upright", [True, False], ids=["upright", "turned"])


class Listener:
    """Keeps every generation; asks for a stop once `last` is told."""

    def __init__(self, last=None):
        self.told, self.last = [], last

    def stage(self, name, total):
        pass

    def advance(self, steps=1):
        pass

    def generation(self, generation):
        self.told.append(generation)

    def stop(self):
        return self.last is not None and len(self.told) > self.last


def noise(upright=True, seed=0, truth=None, most=1.0):
    """Return random compatibilities of 24 pieces up to `most`; the joins of `truth` fit well."""
    rng = np.random.default_rng(seed)
    e, c = np.arange(96)[:, None], np.arange(24 if upright else 96)
    table = rng.uniform(0, most, (96, len(c))).astype(np.float32)
    table[e // 4 == (c if upright else c // 4)] = -np.inf
    for a, b in [] if truth is None else truth.joins().tolist():
        fit = rng.uniform(0.8, 1)
        table[a, b // 4 if upright else b] = table[b, a // 4 if upright else a] = fit
    return from_dense(24, upright, True, table, 12)


def quick(solver, **changed):
    """Return one evolution and nothing else."""
    alone = {"without": "islands,move"} if solver is Genetic else {}
    return solver(**{"population": 12, "patience": 6} | alone | changed)


def solved(settings, told, listener=None, **how):
    listener = listener or Listener()
    how = {"seed": 3, "threads": 1} | how
    return settings.solve(Job(Evidence(told), SHAPE, stop=listener.stop, watch=listener, **how))


def check_complete(told, arrangement):
    (sheet,) = arrangement.sheets
    np.testing.assert_array_equal(arrangement.placed(), np.arange(24))
    assert sheet.shape == SHAPE
    assert not (told.upright and sheet.turns.any())


def same(one, other):
    return (
        one.arrangement.same(other.arrangement)
        and one.fitness == other.fitness
        and one.history == other.history
    )


@SOLVERS
@TURNED
def test_history_and_answer_do_not_depend_on_the_threads(solver, upright):
    told = noise(upright)
    first, *others = (solved(quick(solver), told, threads=n) for n in (1, 1, 2, 3))
    assert all(same(first, other) for other in others)


@SOLVERS
def test_another_seed_gives_another_history(solver):
    told = noise()
    histories = {solved(quick(solver), told, seed=seed).history for seed in range(3)}
    assert len(histories) > 1


@SOLVERS
@TURNED
def test_history_never_falls_and_ends_when_patience_does(solver, upright):
    told = noise(upright)
    found = solved(quick(solver, patience=4), told)
    assert list(found.history) == sorted(found.history)
    assert len(set(found.history[-5:])) == 1
    assert found.history[-6] < found.history[-5]
    assert found.fitness == pytest.approx(found.history[-1])
    assert not found.stopped


@SOLVERS
@TURNED
def test_a_watcher_gets_every_generation_and_valid_snapshots(solver, upright):
    told, listener = noise(upright), Listener()
    found = solved(quick(solver), told, listener)
    assert [g.number for g in listener.told] == list(range(len(found.history)))
    assert [g.best for g in listener.told] == list(found.history)
    assert listener.told[0].snapshot is not None
    for earlier, later in zip(listener.told, listener.told[1:], strict=False):
        improved = later.best > earlier.best
        assert (later.snapshot is not None) == improved
        assert later.stagnant == (0 if improved else earlier.stagnant + 1)
    for generation in listener.told:
        if generation.snapshot is not None:
            check_complete(told, generation.snapshot)
            assert told.fitness(generation.snapshot) == pytest.approx(generation.best)


@SOLVERS
@pytest.mark.parametrize("last", [0, 1, 4])
def test_a_stop_keeps_the_best_of_what_was_done(solver, last):
    told = noise(upright=False)
    whole = solved(quick(solver, patience=20), told)
    found = solved(quick(solver, patience=20), told, Listener(last))
    assert found.stopped
    assert found.history == whole.history[: last + 1]
    assert found.fitness == pytest.approx(found.history[-1])
    check_complete(told, found.arrangement)


@SOLVERS
@pytest.mark.parametrize("threads", [1, 3])
def test_a_stop_at_any_question_leaves_a_complete_arrangement(solver, threads):
    told = noise()
    for most in (0, 1, 2, 5, 9, 14):
        asked = iter([False] * most)
        found = quick(solver).solve(
            Job(Evidence(told), SHAPE, threads=threads, stop=lambda asked=asked: next(asked, True))
        )
        assert found.stopped
        check_complete(told, found.arrangement)
        assert found.fitness == pytest.approx(told.fitness(found.arrangement))


@pytest.mark.parametrize("elitism", [1, 5])
def test_elitism_passes_the_best_on_unchanged(elitism):
    """A mutation that spoils every child leaves the elite as it was."""
    told = noise()
    best = []
    for last in range(8):
        settings = quick(Rika, elitism=elitism, alpha0=1.0, skip2=1.0)
        best.append(solved(settings, told, Listener(last)).fitness)
    assert best == sorted(best)


@SOLVERS
@TURNED
@pytest.mark.parametrize("last", [0, 3])
def test_a_stopped_run_that_is_resumed_ends_as_the_undisturbed_one(tmp_path, solver, upright, last):
    told, settings = noise(upright), quick(solver)
    whole = solved(settings, told)
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    part = solved(settings, told, Listener(last), checkpoint=kept)
    assert part.stopped
    listener = Listener()
    again = Checkpoint(tmp_path / "state.npz", "key", every=0)
    found = solved(quick(solver), told, listener, checkpoint=again, threads=2)
    assert same(found, whole)
    assert listener.told[0].number == last + 1


@SOLVERS
def test_a_finished_state_is_not_gone_on_with(tmp_path, solver):
    told = noise()
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    whole = solved(quick(solver), told, checkpoint=kept)
    listener = Listener()
    assert same(solved(quick(solver), told, listener, checkpoint=kept), whole)
    assert listener.told == []


@SOLVERS
def test_a_state_of_another_seed_is_not_taken_up(tmp_path, solver):
    told = noise()
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    solved(quick(solver), told, Listener(2), checkpoint=kept, seed=8)
    assert same(solved(quick(solver), told, checkpoint=kept), solved(quick(solver), told))


def test_a_state_of_another_puzzle_is_refused(tmp_path):
    told = noise()
    path = tmp_path / "state.npz"
    solved(quick(Rika), told, Listener(2), checkpoint=Checkpoint(path, "one", every=0))
    with pytest.raises(FormatError, match="another puzzle"):
        solved(quick(Rika), told, checkpoint=Checkpoint(path, "two", every=0))


def test_no_state_is_kept_of_a_first_population_cut_short(tmp_path):
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    quick(Rika).solve(Job(Evidence(noise()), SHAPE, stop=lambda: True, checkpoint=kept))
    assert kept.load() is None


@pytest.mark.parametrize("name", ["1.1,1.2", "2", "3"])
def test_a_phase_left_out_changes_the_evolution(name):
    told = noise(truth=Arrangement.single(np.arange(24).reshape(SHAPE)))
    settings = {"mutate": False, "alpha0": 0.3}
    with_it = solved(quick(Rika, **settings), told)
    without = solved(quick(Rika, **settings, without=name), told)
    assert with_it.history != without.history


@SOLVERS
def test_relabelled_pieces_are_relabelled_in_the_answer(solver):
    rng = np.random.default_rng(6)
    truth = Arrangement.single(rng.permutation(24).reshape(SHAPE))
    told = noise(truth=truth, most=0.2)
    order = rng.permutation(24)
    settings = quick(solver, population=40, patience=15)
    before = settings.solve(Job(Evidence(told), SHAPE, seed=1)).arrangement.sheets[0]
    after = settings.solve(Job(Evidence(told.relabelled(order)), SHAPE, seed=1)).arrangement.sheets[
        0
    ]
    np.testing.assert_array_equal(before.piece, truth.sheets[0].piece)
    np.testing.assert_array_equal(after.piece, order[before.piece])


def test_growth_starts_at_the_pieces_with_most_best_buddies():
    buddy = np.full(12, -1, np.int32)
    buddy[[4, 5, 8, 9]] = 0
    assert distinctive(buddy).tolist() == [1, 2]
    assert distinctive(np.full(12, -1, np.int32)).tolist() == [0, 1, 2]


def test_the_best_is_kept_where_no_elite_is():
    told = noise()
    for last in range(8):
        found = solved(quick(Rika, elitism=0), told, Listener(last))
        assert found.fitness == pytest.approx(found.history[-1])


@pytest.mark.parametrize(
    ("solver", "wrong", "message"),
    [
        (Rika, {"without": "1.3"}, "no phase that can be left out called '1.3'; choose one of: 1"),
        (Rika, {"without": "1.1, 5"}, "called '5'"),
        (Rika, {"population": 1}, "population must be at least 2; got 1"),
        (Rika, {"elitism": -1}, "elitism must be 0 to population - 1; got -1"),
        (Rika, {"population": 5, "elitism": 5}, "elitism must be 0 to population - 1; got 5"),
        (Rika, {"skip1": 1.01}, r"skip1 must lie in \[0, 1\]; got 1.01"),
        (Rika, {"skip2": -0.1}, r"skip2 must lie in \[0, 1\]; got -0.1"),
        (Rika, {"alpha0": float("nan")}, r"alpha0 must lie in \[0, 1\]; got nan"),
        (Genetic, {"population": 0}, "population must be at least 2; got 0"),
        (Genetic, {"patience": 1}, "patience must be at least 2; got 1"),
        (Genetic, {"islands": 0}, "islands must be at least 1; got 0"),
        (Genetic, {"without": "evolve"}, "no stage that can be left out called 'evolve'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(solver, wrong, message):
    with pytest.raises(InputError, match=message) as caught:
        solver(**wrong)
    assert "\n" not in str(caught.value)


def test_settings_at_their_limits_are_taken():
    Rika(population=2, elitism=1, skip1=0.0, skip2=1.0, alpha0=1.0, without="1.1,1.2,2,3")
    Genetic(population=2, patience=2, islands=1, without=",".join(NAMES))


def test_settings_are_set_by_name():
    made = registry.make("solver", "rika", {"population": "7", "without": "2", "mutate": "false"})
    assert made == Rika(population=7, without="2", mutate=False)
    with pytest.raises(NameUnknown):
        registry.make("solver", "genetic", {"temperature": "1"})


def test_genetic_has_at_most_ten_settings():
    assert len(registry.settings(Genetic)) <= 10


@pytest.mark.parametrize(("without", "phases"), [("", 0b1111111), ("1.1,3", 0b1110110)])
def test_without_takes_phases_out_of_the_rules(without, phases):
    assert Rika(without=without).rules(noise()).phases == phases


def test_no_mutation_means_no_phase_is_skipped():
    skips = Rika(skip1=0.5, skip2=0.25).rules(noise()).skip
    assert skips[:4].tolist() == [32768, 32768, 16384, 16384]
    assert not Rika(mutate=False).rules(noise()).skip.any()


def test_alpha_can_ask_both_pieces():
    assert Rika(alpha_tests="both").rules(noise()).both == 1
    assert Rika(alpha_tests="added").rules(noise()).both == 0


def test_a_greedy_first_population_is_fitter_than_a_random_one():
    told = noise(truth=Arrangement.single(np.arange(24).reshape(SHAPE)))
    greedy, random = (solved(quick(s), told, Listener(0)).fitness for s in (Genetic, Rika))
    assert greedy > 1.2 * random


@pytest.mark.parametrize(
    ("pieces", "coarse", "names"),
    [
        (24, False, ["evolve", "move", "exchange"]),
        (400, True, ["evolve", "move", "exchange"]),
        (601, False, ["evolve", "move", "exchange"]),
        (401, True, ["soften", "evolve", "move", "move", "exchange"]),
        (4097, False, ["merge", "evolve", "roll", "move", "mend", "believe"]),
        (4097, True, ["soften", "merge", "evolve", "move", "move"]),
    ],
)
def test_the_table_says_which_stages_run(pieces, coarse, names):
    empty = np.full((4 * pieces, 1), -1, np.int32), np.zeros((4 * pieces, 1), np.float32)
    told = from_lists(pieces, True, True, *empty)
    full = Job(Evidence(told, coarse=told if coarse else None), (1, pieces))
    assert [stage.name for stage in Genetic().stages(full)] == names
    few = Genetic(without="move,soften").stages(full)
    plain = Genetic().stages(Job(Evidence(told), (1, pieces)))
    assert [stage.name for stage in few] == [s.name for s in plain if s.name != "move"]
    ends = {None: ["unite", "frame"], (2, pieces): ["unite"]}
    for shape, last in ends.items():
        holes = Genetic().stages(replace(full, shape=shape))
        assert [stage.name for stage in holes] == [*names, *last]
    several = Genetic().stages(replace(full, shape=None, panels=Panels()))
    assert [stage.name for stage in several] == ["unite", "complete", "again", "number"]


def test_islands_are_as_many_as_the_pieces_allow():
    counts = []
    for pieces in (1, 70, 96, 150, 432, 600, 601):
        empty = np.full((4 * pieces, 1), -1, np.int32), np.zeros((4 * pieces, 1), np.float32)
        job = Job(Evidence(from_lists(pieces, True, True, *empty)), (1, pieces))
        (evolve,) = Genetic(without="move,exchange").stages(job)
        counts.append(evolve._most(pieces))
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 20
    assert counts[-1] == 1


def test_an_old_name_asks_for_the_papers_solver():
    plan = make_plan(settings={"strategy": "paper", "population": "7"})
    assert plan.solver == Rika(population=7)
    assert make_plan(settings={"strategy": "guided"}).solver == Genetic()
    with pytest.raises(NameUnknown, match="guided, paper"):
        make_plan(settings={"strategy": "luck"})


def test_the_adjustment_that_is_asked_for_is_recorded_and_used():
    plan = make_plan(settings={"strategy": "paper", "adjust": "posterior"}).to_json()
    assert plan["solver"]["adjust"] == plan["adjustment"]["name"] == "posterior"
