from __future__ import annotations

import numpy as np
import pytest

from tessella import registry
from tessella.checkpoint import Checkpoint
from tessella.compatibility import from_dense
from tessella.errors import InputError
from tessella.evidence import Evidence
from tessella.kernels.crossover import PHASES
from tessella.solvers.sholomon import Sholomon
from tessella.solving import Job
from tessella.watch import Silent

SHAPE = (4, 5)
QUICK = Sholomon(population=16, patience=5)


def noise(upright=True):
    e, c = np.arange(80)[:, None], np.arange(20 if upright else 80)
    table = np.random.default_rng(0).uniform(0, 1, (80, len(c))).astype(np.float32)
    table[e // 4 == (c if upright else c // 4)] = -np.inf
    return from_dense(20, upright, True, table, 10)


class Counter(Silent):
    """Counts generations and asks for a stop after `last`."""

    def __init__(self, last):
        self.told, self.last = 0, last

    def generation(self, generation):
        self.told += 1

    def stop(self):
        return self.told > self.last


def test_three_phases_of_the_seven_take_part():
    """Agreement, best buddies and the most compatible piece; a random one when none is left."""
    phases = QUICK.rules(noise()).phases
    on = [name for i, name in enumerate(PHASES) if phases >> i & 1]
    assert on == ["2", "3", "4.1", "5"]


def test_mutation_passes_over_the_first_phase_and_strays_in_the_third():
    skips = Sholomon(mutate_shared=0.25, mutate_greedy=0.5).rules(noise()).skip
    assert skips.tolist() == [0, 0, 16384, 0, 32768]


@pytest.mark.parametrize("upright", [True, False], ids=["upright", "turned"])
def test_the_threads_do_not_matter_and_history_never_falls(upright):
    told = noise(upright)
    one, two, three = (
        QUICK.solve(Job(Evidence(told), SHAPE, seed=2, threads=n)) for n in (1, 2, 3)
    )
    assert one.arrangement.same(two.arrangement)
    assert one.arrangement.same(three.arrangement)
    assert one.history == two.history == three.history
    assert list(one.history) == sorted(one.history)
    assert one.fitness == pytest.approx(one.history[-1])


def test_straying_always_is_worse_than_never():
    told = noise()
    found = {
        chance: Sholomon(population=16, patience=5, mutate_greedy=chance).solve(
            Job(Evidence(told), SHAPE)
        )
        for chance in (0.0, 1.0)
    }
    assert found[0.0].fitness > found[1.0].fitness


def test_a_resumed_run_ends_as_the_undisturbed_one(tmp_path):
    told = noise()
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    counter = Counter(2)
    part = QUICK.solve(
        Job(Evidence(told), SHAPE, stop=counter.stop, watch=counter, checkpoint=kept)
    )
    whole = QUICK.solve(Job(Evidence(told), SHAPE))
    found = QUICK.solve(Job(Evidence(told), SHAPE, checkpoint=kept))
    assert part.stopped
    assert found.arrangement.same(whole.arrangement)
    assert found.history == whole.history


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"population": 1}, "at least 2 and 1; got 1"),
        ({"patience": 0}, "at least 2 and 1; got"),
        ({"population": 4, "elitism": 4}, "elitism must be 0 to population - 1; got 4"),
        ({"elitism": -1}, "elitism must be 0 to population - 1; got -1"),
        ({"mutate_shared": 1.5}, r"mutate_shared must lie in \[0, 1\]; got 1.5"),
        ({"mutate_greedy": float("nan")}, r"mutate_greedy must lie in \[0, 1\]; got nan"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong, message):
    with pytest.raises(InputError, match=message):
        Sholomon(**wrong)


def test_settings_are_set_by_name():
    given = {"population": "9", "mutate_greedy": "0"}
    assert registry.make("solver", "sholomon", given) == Sholomon(population=9, mutate_greedy=0)
