"""Runs are independent, the best by fitness wins, and finished ones are never done again."""

import signal
import threading
import time
from dataclasses import dataclass, field
from threading import Barrier, BrokenBarrierError

import numpy as np
import pytest

from tessella.adjust.minmax import Minmax
from tessella.arrangement import Arrangement
from tessella.errors import FormatError, OutputError
from tessella.evidence import Evidence
from tessella.measures.ssd import Ssd
from tessella.measuring import measure
from tessella.puzzle import Puzzle
from tessella.runs import Ledger, best, perform
from tessella.solving import Job, Solution
from tessella.watch import Generation


@dataclass(frozen=True)
class Pretender:
    """A solver whose fitness is told beforehand, seed by seed."""

    fitness: tuple[float, ...]
    seeds: list[int] = field(default_factory=list)
    threads: dict[int, int] = field(default_factory=dict)
    fails_at: int = -1
    adjust: str = "minmax"

    def solve(self, job):
        seed, checkpoint = job.seed, job.checkpoint
        self.seeds.append(seed)
        self.threads[seed] = job.threads
        order = np.random.default_rng(seed).permutation(job.compatibility.pieces)
        arrangement = Arrangement.single(order[None])
        job.watch.generation(Generation(0, 0, 1.0, 0, arrangement))
        if checkpoint:
            held = checkpoint.load()
            checkpoint.save({"calls": np.array(1 + (held["calls"] if held else 0))})
        if seed == self.fails_at:
            raise KeyboardInterrupt
        return Solution(arrangement, self.fitness[seed], (0.5, self.fitness[seed]), job.stop())


@pytest.fixture(scope="module")
def evidence():
    pieces = np.random.default_rng(0).integers(0, 256, (4, 8, 8, 3), dtype=np.uint8)
    return Evidence(Minmax().adjust(measure(Puzzle(pieces), Ssd())))


def test_the_seeds_count_up_and_the_best_fitness_wins(evidence):
    solver = Pretender((0, 0, 3, 7, 5))
    done = perform(solver, Job(evidence, seed=2), runs=3)
    assert sorted(solver.seeds) == [2, 3, 4]
    assert [run.solution.fitness for run in done] == [3, 7, 5]
    assert best(done) is done[1]


def test_the_earliest_of_equals_wins(evidence):
    done = perform(Pretender((1, 1)), Job(evidence), runs=2)
    assert best(done) is done[0]


def test_the_run_of_most_worth_wins_where_worth_is_told(evidence):
    done = perform(Pretender((3, 7, 5)), Job(evidence), runs=3)
    assert best(done, (1.0, 0.5, 1.0)) is done[0]


@dataclass(frozen=True)
class Companion(Pretender):
    """A solver that waits until another run has begun; `together` breaks if none does."""

    together: Barrier = field(default_factory=lambda: Barrier(2, timeout=20))

    def solve(self, job):
        self.together.wait()
        return super().solve(job)


def test_runs_go_on_side_by_side_and_stay_in_order(evidence):
    done = perform(Companion((1, 3, 2, 4)), Job(evidence, threads=2), runs=4)
    assert [run.solution.fitness for run in done] == [1, 3, 2, 4]


def test_one_thread_makes_one_run_at_a_time(evidence):
    with pytest.raises(BrokenBarrierError):
        perform(Companion((1, 2), together=Barrier(2, timeout=0.05)), Job(evidence, threads=1),
                runs=2)  # fmt: skip


@pytest.mark.parametrize(
    ("threads", "runs", "expected"),
    [(2, 5, [1, 1, 1, 1, 2]), (4, 2, [2, 2]), (4, 6, [1, 1, 1, 1, 2, 2]), (1, 2, [1, 1])],
)
def test_runs_share_the_threads(evidence, threads, runs, expected):
    solver = Pretender((1,) * runs)
    perform(solver, Job(evidence, threads=threads), runs=runs)
    assert [solver.threads[seed] for seed in range(runs)] == expected


@dataclass(frozen=True)
class Stubborn(Companion):
    """A solver that goes on until it is told to stop, but for one run, which fails."""

    stops: list[bool] = field(default_factory=list)

    def trouble(self, seed):
        if seed == 1:
            raise KeyboardInterrupt

    def solve(self, job):
        self.together.wait()
        self.trouble(job.seed)
        end = time.monotonic() + 20
        while not job.stop() and time.monotonic() < end:
            time.sleep(0.01)
        self.stops.append(job.stop())
        return Pretender.solve(self, job)


@dataclass(frozen=True)
class Interrupted(Stubborn):
    """A solver during which somebody presses Ctrl-C."""

    def trouble(self, seed):
        if seed == 1:
            time.sleep(0.2)  # until both runs are under way and the main thread waits for them
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


def test_when_a_run_fails_the_others_are_told_to_stop(evidence):
    solver = Stubborn((1, 2))
    with pytest.raises(KeyboardInterrupt):
        perform(solver, Job(evidence, threads=2), runs=2)
    assert solver.stops == [True]


@pytest.fixture
def keyboard():
    """Have Ctrl-C interrupt, also where whoever runs the tests has switched that off."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


@pytest.mark.usefixtures("keyboard")
def test_an_interrupt_ends_all_runs(evidence):
    solver = Interrupted((1, 2))
    with pytest.raises(KeyboardInterrupt):
        perform(solver, Job(evidence, threads=2), runs=2)
    assert solver.stops == [True, True]


def test_every_run_keeps_its_own_evolution(evidence):
    done = perform(Pretender((1, 2)), Job(evidence), runs=2)
    assert [run.evolution[0].run for run in done] == [0, 1]


def test_a_stopped_run_is_the_last_but_there_is_always_one(evidence):
    done = perform(Pretender((1, 2, 3)), Job(evidence, stop=lambda: True), runs=3)
    assert len(done) == 1
    assert done[0].solution.stopped


def test_finished_runs_are_read_back_and_an_unfinished_one_goes_on(evidence, tmp_path):
    ledger = Ledger(tmp_path, "key")
    interrupted = Pretender((1, 5, 3), fails_at=2)
    with pytest.raises(KeyboardInterrupt):
        perform(interrupted, Job(evidence, threads=1), runs=3, ledger=ledger)
    again = Pretender((9, 9, 3))
    done = perform(again, Job(evidence), runs=3, ledger=ledger)
    undisturbed = perform(Pretender((1, 5, 3)), Job(evidence), runs=3)
    assert again.seeds == [2]
    for found, expected in zip(done, undisturbed, strict=True):
        assert found.solution.fitness == expected.solution.fitness
        assert found.solution.history == expected.solution.history
        assert found.solution.arrangement.same(expected.solution.arrangement)
        assert [g.number for g in found.evolution] == [g.number for g in expected.evolution]


def test_the_solver_finds_its_own_state_again(evidence, tmp_path):
    ledger = Ledger(tmp_path, "key")
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            perform(Pretender((1,), fails_at=0), Job(evidence), ledger=ledger)
    assert ledger.state(0).load()["calls"] == 2


def test_a_stopped_run_is_not_taken_for_finished(evidence, tmp_path):
    ledger = Ledger(tmp_path, "key")
    perform(Pretender((1,)), Job(evidence, stop=lambda: True), ledger=ledger)
    assert ledger.finished(0) is None


def test_work_on_another_puzzle_is_refused(evidence, tmp_path):
    perform(Pretender((1,)), Job(evidence), ledger=Ledger(tmp_path, "key"))
    with pytest.raises(FormatError, match="another puzzle"):
        perform(Pretender((1,)), Job(evidence), ledger=Ledger(tmp_path, "other"))


def test_closing_removes_what_was_kept_and_nothing_else(evidence, tmp_path):
    ledger = Ledger(tmp_path / "kept", "key")
    ledger.open()
    perform(Pretender((1, 2)), Job(evidence), runs=2, ledger=ledger)
    (tmp_path / "kept" / "mine.txt").touch()
    ledger.close(2)
    assert [p.name for p in (tmp_path / "kept").iterdir()] == ["mine.txt"]
    (tmp_path / "kept" / "mine.txt").unlink()
    ledger.close(2)
    assert not (tmp_path / "kept").exists()


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="Cannot make"):
        Ledger(tmp_path / "file" / "kept", "key").open()
