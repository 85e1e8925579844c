from __future__ import annotations

import numpy as np
import pytest

from tessella import registry
from tessella.arrangement import Arrangement
from tessella.checkpoint import Checkpoint
from tessella.compatibility import from_dense
from tessella.errors import FormatError, InputError, NameUnknown
from tessella.solvers._breeders import distinctive
from tessella.solvers.genetic import Genetic

SHAPE = (4, 6)
STRATEGIES = pytest.mark.parametrize("strategy", ["paper", "guided"])
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


def quick(strategy, **changed):
    usual = {"population": 12, "patience": 6, "islands": 1, "moves": False}
    return Genetic(strategy=strategy, **usual | changed)


def solved(settings, told, listener=None, **how):
    listener = listener or Listener()
    how = {"seed": 3, "threads": 1} | how
    return settings.solve(told, SHAPE, stop=listener.stop, watch=listener, **how)


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


@STRATEGIES
@TURNED
def test_history_and_answer_do_not_depend_on_the_threads(strategy, upright):
    told = noise(upright)
    first, *others = (solved(quick(strategy), told, threads=n) for n in (1, 1, 2, 3))
    assert all(same(first, other) for other in others)


@STRATEGIES
def test_random_first_populations_do_not_depend_on_the_threads(strategy):
    """Stopped after the first population, so that nothing bred later hides a difference."""
    told, settings = noise(), quick(strategy, seeding="random")
    listeners = [Listener(0) for _ in range(3)]
    found = [solved(settings, told, n, threads=1 + i) for i, n in enumerate(listeners)]
    assert same(found[0], found[1])
    assert same(found[0], found[2])
    assert len({listener.told[0].mean for listener in listeners}) == 1


@STRATEGIES
def test_another_seed_gives_another_history(strategy):
    told = noise()
    histories = {solved(quick(strategy), told, seed=seed).history for seed in range(3)}
    assert len(histories) > 1


@STRATEGIES
@TURNED
def test_history_never_falls_and_ends_when_patience_does(strategy, upright):
    told = noise(upright)
    found = solved(quick(strategy, patience=4), told)
    assert list(found.history) == sorted(found.history)
    assert len(set(found.history[-5:])) == 1
    assert found.history[-6] < found.history[-5]
    assert found.fitness == pytest.approx(found.history[-1])
    assert not found.stopped


@STRATEGIES
@TURNED
def test_a_watcher_gets_every_generation_and_valid_snapshots(strategy, upright):
    told, listener = noise(upright), Listener()
    found = solved(quick(strategy), told, listener)
    assert [g.number for g in listener.told] == list(range(len(found.history)))
    assert [g.best for g in listener.told] == list(found.history)
    assert all(0 <= g.mean <= g.best + 1e-9 for g in listener.told)
    assert listener.told[0].snapshot is not None
    for earlier, later in zip(listener.told, listener.told[1:], strict=False):
        improved = later.best > earlier.best
        assert (later.snapshot is not None) == improved
        assert later.stagnant == (0 if improved else earlier.stagnant + 1)
    for generation in listener.told:
        if generation.snapshot is not None:
            check_complete(told, generation.snapshot)
            assert told.fitness(generation.snapshot) == pytest.approx(generation.best)


@STRATEGIES
@pytest.mark.parametrize("last", [0, 1, 4])
def test_a_stop_keeps_the_best_of_what_was_done(strategy, last):
    told = noise(upright=False)
    whole = solved(quick(strategy, patience=20), told)
    found = solved(quick(strategy, patience=20), told, Listener(last))
    assert found.stopped
    assert found.history == whole.history[: last + 1]
    assert found.fitness == pytest.approx(found.history[-1])
    check_complete(told, found.arrangement)


@STRATEGIES
@pytest.mark.parametrize("threads", [1, 3])
def test_a_stop_at_any_question_leaves_a_complete_arrangement(strategy, threads):
    told = noise()
    for most in (0, 1, 2, 5, 9, 14):
        asked = iter([False] * most)
        found = quick(strategy).solve(
            told, SHAPE, threads=threads, stop=lambda asked=asked: next(asked, True)
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
        settings = quick("paper", elitism=elitism, alpha0=1.0, skip2=1.0)
        best.append(solved(settings, told, Listener(last)).fitness)
    assert best == sorted(best)


@STRATEGIES
def test_the_best_is_kept_where_no_elite_is(strategy):
    told = noise()
    for last in range(8):
        found = solved(quick(strategy, elitism=0, polish=0), told, Listener(last))
        assert found.fitness == pytest.approx(found.history[-1])


@STRATEGIES
@TURNED
@pytest.mark.parametrize("last", [0, 3])
def test_a_stopped_run_that_is_resumed_ends_as_the_undisturbed_one(
    tmp_path, strategy, upright, last
):
    told, settings = noise(upright), quick(strategy)
    whole = solved(settings, told)
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    part = solved(settings, told, Listener(last), checkpoint=kept)
    assert part.stopped
    listener = Listener()
    again = Checkpoint(tmp_path / "state.npz", "key", every=0)
    found = solved(quick(strategy), told, listener, checkpoint=again, threads=2)
    assert same(found, whole)
    assert listener.told[0].number == last + 1


@STRATEGIES
def test_a_finished_state_is_not_gone_on_with(tmp_path, strategy):
    told = noise()
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    whole = solved(quick(strategy), told, checkpoint=kept)
    listener = Listener()
    assert same(solved(quick(strategy), told, listener, checkpoint=kept), whole)
    assert listener.told == []


@STRATEGIES
def test_a_state_of_another_seed_is_not_taken_up(tmp_path, strategy):
    told = noise()
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    solved(quick(strategy), told, Listener(2), checkpoint=kept, seed=8)
    assert same(solved(quick(strategy), told, checkpoint=kept), solved(quick(strategy), told))


def test_a_state_of_another_puzzle_is_refused(tmp_path):
    told = noise()
    path = tmp_path / "state.npz"
    solved(quick("paper"), told, Listener(2), checkpoint=Checkpoint(path, "one", every=0))
    with pytest.raises(FormatError, match="another puzzle"):
        solved(quick("paper"), told, checkpoint=Checkpoint(path, "two", every=0))


def test_no_state_is_kept_of_a_first_population_cut_short(tmp_path):
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    quick("paper").solve(noise(), SHAPE, stop=lambda: True, checkpoint=kept)
    assert kept.load() is None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"without": "1.3"}, "no phase that can be left out called '1.3'; choose one of: 1.1, 1.2"),
        ({"without": "1.1, 5"}, "called '5'"),
        ({"population": 1}, "population must be at least 2; got 1"),
        ({"population": 0}, "population must be at least 2; got 0"),
        ({"elitism": -1}, "elitism must be 0 to population - 1; got -1"),
        ({"population": 5, "elitism": 5}, "elitism must be 0 to population - 1; got 5"),
        ({"skip1": 1.01}, r"skip1 must lie in \[0, 1\]; got 1.01"),
        ({"mix": -0.1}, r"mix must lie in \[0, 1\]; got -0.1"),
        ({"skip2": -0.1}, r"skip2 must lie in \[0, 1\]; got -0.1"),
        ({"alpha0": float("nan")}, r"alpha0 must lie in \[0, 1\]; got nan"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong, message):
    with pytest.raises(InputError, match=message) as caught:
        Genetic(**wrong)
    assert "\n" not in str(caught.value)


def test_settings_at_their_limits_are_taken():
    Genetic(population=2, elitism=1, skip1=0.0, skip2=1.0, alpha0=1.0, without="1.1,1.2,2,3")


def test_settings_are_set_by_name():
    given = {"strategy": "paper", "population": "7", "without": "2, 3", "mutate": "false"}
    made = registry.make("solver", "genetic", given)
    assert made == Genetic(strategy="paper", population=7, without="2, 3", mutate=False)
    with pytest.raises(InputError):
        registry.make("solver", "genetic", {"strategy": "luck"})
    with pytest.raises(NameUnknown):
        registry.make("solver", "genetic", {"temperature": "1"})


@pytest.mark.parametrize(("without", "phases"), [("", 0b1111111), ("1.1,3", 0b1110110)])
def test_without_takes_phases_out_of_the_rules(without, phases):
    assert Genetic(strategy="paper", without=without).rules(noise()).phases == phases


@pytest.mark.parametrize("name", ["1.1,1.2", "2", "3"])
def test_a_phase_left_out_changes_the_evolution(name):
    told = noise(truth=Arrangement.single(np.arange(24).reshape(SHAPE)))
    settings = {"mutate": False, "alpha0": 0.3}
    with_it = solved(quick("paper", **settings), told)
    without = solved(quick("paper", **settings, without=name), told)
    assert with_it.history != without.history


def test_no_mutation_means_no_phase_is_skipped():
    skips = Genetic(strategy="paper", skip1=0.5, skip2=0.25).rules(noise()).skip
    assert skips[:4].tolist() == [32768, 32768, 16384, 16384]
    assert not Genetic(strategy="paper", mutate=False).rules(noise()).skip.any()


def test_alpha_can_ask_both_pieces():
    assert Genetic(alpha_tests="both").rules(noise()).both == 1
    assert Genetic(alpha_tests="added").rules(noise()).both == 0


@STRATEGIES
def test_relabelled_pieces_are_relabelled_in_the_answer(strategy):
    rng = np.random.default_rng(6)
    truth = Arrangement.single(rng.permutation(24).reshape(SHAPE))
    told = noise(truth=truth, most=0.2)
    order = rng.permutation(24)
    settings = quick(strategy, population=40, patience=15)
    before = settings.solve(told, SHAPE, seed=1).arrangement.sheets[0]
    after = settings.solve(told.relabelled(order), SHAPE, seed=1).arrangement.sheets[0]
    np.testing.assert_array_equal(before.piece, truth.sheets[0].piece)
    np.testing.assert_array_equal(after.piece, order[before.piece])


def test_greedy_seeding_starts_better_than_random():
    told = noise(truth=Arrangement.single(np.arange(24).reshape(SHAPE)))
    firsts = {}
    for seeding in ("greedy", "random"):
        settings = quick("guided", seeding=seeding, polish=0)
        firsts[seeding] = solved(settings, told, Listener(0)).fitness
    assert firsts["greedy"] > 1.2 * firsts["random"]


def test_polishing_makes_the_first_generation_fitter():
    told = noise()
    best = {n: solved(quick("guided", polish=n), told, Listener(0)).fitness for n in (0, 11)}
    assert best[11] > best[0]


def test_mix_decides_which_crossover_makes_the_children():
    means = {}
    for mix in (0.0, 0.5, 1.0):
        listener = Listener(1)
        solved(quick("guided", mix=mix, polish=0), noise(), listener)
        means[mix] = [generation.mean for generation in listener.told]
    assert means[0.0][0] == means[0.5][0] == means[1.0][0]  # the first population is the same
    assert len({mean[1] for mean in means.values()}) == 3


def test_growth_starts_at_the_pieces_with_most_best_buddies():
    buddy = np.full(12, -1, np.int32)
    buddy[[4, 5, 8, 9]] = 0
    assert distinctive(buddy).tolist() == [1, 2]
    assert distinctive(np.full(12, -1, np.int32)).tolist() == [0, 1, 2]
