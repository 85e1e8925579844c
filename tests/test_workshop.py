"""Blocks of large work: kept, taken up, done by others, never mixed."""

import threading
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
import pytest
from threadpoolctl import threadpool_info

import tessella
from tessella import asking, executors, measuring, registry
from tessella import threads as threads_module
from tessella import workshop as workshop_module
from tessella.errors import FormatError, RunError
from tessella.measuring import measure
from tessella.puzzle import Puzzle
from tessella.workshop import ALONE, Workshop


@dataclass(frozen=True, eq=False)
class Squares:
    """A job for tests: the squares of some numbers, three a block; it writes down what it does."""

    numbers: np.ndarray
    log: list

    @property
    def blocks(self) -> int:
        return -(-len(self.numbers) // 3)

    def do(self, number, threads):
        self.log.append(number)
        return {"square": np.asarray(self.numbers[3 * number : 3 * number + 3]) ** 2}


@dataclass(frozen=True, eq=False)
class Nested:
    """A job for tests whose arrays lie deep; it says whether they are mapped from a file."""

    held: dict[str, tuple[np.ndarray, ...]]

    @property
    def blocks(self) -> int:
        return 1

    def do(self, number, threads):
        several = self.held["several"]
        mapped = [isinstance(_owner(each), np.memmap) for each in several]
        write = [each.flags.writeable for each in several]
        total = sum(each.sum() for each in several)
        return {"mapped": np.array(mapped), "write": np.array(write), "total": np.array(total)}


def _owner(array):
    """Return what lies under views of views of an array."""
    while True:
        under = array.obj if isinstance(array, memoryview) else array.base
        if not isinstance(under, memoryview | np.ndarray):
            return array
        array = under


@dataclass(frozen=True, eq=False)
class Greedy:
    """A job for tests that says how many threads it was left, its own and those of BLAS."""

    numbers: np.ndarray

    @property
    def blocks(self) -> int:
        return len(self.numbers)

    def do(self, number, threads):
        together = threading.Barrier(len(self.numbers))

        def met(_):
            with suppress(threading.BrokenBarrierError):
                together.wait(0.2)
                return True
            return False

        blas = max(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")
        met_all = all(threads_module.spread(met, range(len(self.numbers)), None))
        return {"all": np.array(met_all), "blas": np.array(blas)}


class Here:
    """An executor for tests: does every task at once, in this process, or loses it."""

    workers, threads = 1, 1

    def __init__(self, lost=()):
        self.lost, self.asked = set(lost), 0

    def submit(self, function, /, *args):
        future = Future()
        if self.asked in self.lost:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(function(*args))
        self.asked += 1
        return future

    def shutdown(self, wait=True, *, cancel_futures=False): ...


def gathered(workshop, job):
    found = dict(workshop.done("squares", job))
    return np.concatenate([found[number]["square"] for number in range(job.blocks)]).tolist()


QUICK = {"population": "4", "patience": "2", "islands": "1", "without": "move"}
SQUARES = [number**2 for number in range(8)]


@pytest.fixture
def job():
    return Squares(np.arange(8), [])


def test_alone_everything_is_done_and_nothing_is_kept(job):
    assert gathered(ALONE, job) == SQUARES
    assert job.log == [0, 1, 2]


def test_work_that_was_cut_off_goes_on_with_the_blocks_that_are_missing(job, tmp_path):
    workshop = Workshop(tmp_path / "blocks", "key")
    unfinished = workshop.done("squares", job)
    next(unfinished)
    unfinished.close()
    assert job.log == [0]
    assert gathered(workshop, job) == SQUARES
    assert job.log == [0, 1, 2]


def test_a_half_written_block_is_done_again(job, tmp_path):
    workshop = Workshop(tmp_path / "blocks", "key")
    gathered(workshop, job)
    folder = tmp_path / "blocks" / "squares"
    (folder / "00001.npz").rename(folder / ".00001.npz.123.part")
    assert gathered(workshop, job) == SQUARES
    assert job.log == [0, 1, 2, 1]


def test_blocks_of_another_recipe_are_refused(job, tmp_path):
    gathered(Workshop(tmp_path / "blocks", "key"), job)
    with pytest.raises(FormatError, match="another puzzle, setting or seed"):
        gathered(Workshop(tmp_path / "blocks", "other"), job)


def test_a_closed_workshop_leaves_nothing_behind(job, tmp_path):
    workshop = Workshop(tmp_path / "blocks", "key")
    gathered(workshop, job)
    workshop.close()
    assert not list(tmp_path.iterdir())


def test_a_lost_scheduler_is_told_and_what_is_done_is_kept(job, tmp_path):
    workshop = Workshop(tmp_path, "key", Here(lost={1, 2}))
    with pytest.raises(RunError, match=r"scheduler was lost; finished blocks are kept"):
        gathered(workshop, job)
    assert [path.name for path in sorted(tmp_path.rglob("*.np*"))] == ["00000.npz"]
    assert gathered(replace(workshop, executor=None), job) == SQUARES
    assert job.log == [1, 2]


class Never(Here):
    """An executor for tests whose tasks do not end."""

    def __init__(self):
        super().__init__()
        self.futures = []

    def submit(self, function, /, *args):
        self.futures.append(Future())
        return self.futures[-1]


def test_workers_are_waited_for_no_longer_than_until_the_stop(job, tmp_path):
    never, asked = Never(), iter([False, True])
    workshop = Workshop(tmp_path, "key", never)
    assert not list(workshop.done("squares", job, stop=lambda: next(asked)))
    assert all(future.cancelled() for future in never.futures)
    assert len(never.futures) == 3
    assert not list(tmp_path.rglob("*.*"))


@pytest.mark.parametrize("together", [1, 2])
def test_what_was_stopped_is_told_and_not_kept(together, job, tmp_path):
    stopped = []

    class Stopping(Squares):
        def do(self, number, threads):
            stopped.append(number)
            return super().do(number, threads)

    workshop = Workshop(tmp_path, "key")
    work = Stopping(job.numbers, [])
    found = dict(workshop.done("squares", work, together=together, stop=lambda: 1 in stopped))
    assert 1 in found
    assert together == 2 or 2 not in found
    assert not list(tmp_path.rglob("00001.npz"))


def test_workshops_of_parts_keep_apart_what_has_the_same_name(job, tmp_path):
    workshop = Workshop(tmp_path, "key")
    gathered(workshop, job)
    other = Squares(job.numbers + 1, [])
    assert gathered(workshop.within("again"), other) == [*SQUARES[1:], 64]
    assert Workshop().within("again").folder is None


def test_a_block_that_a_worker_wrote_elsewhere_is_told(job, tmp_path, monkeypatch):
    monkeypatch.setattr(workshop_module, "_do", lambda *_: None)
    with pytest.raises(RunError, match="all workers must see that folder"):
        gathered(Workshop(tmp_path, "key", Here()), job)


def test_a_worker_takes_no_more_threads_than_are_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(threads_module, "available", lambda: 2)
    wanting = Greedy(np.arange(2))
    for _, block in Workshop(tmp_path, "key", Here()).done("greedy", wanting):
        assert not block["all"]
        assert block["blas"] == 1
    with threads_module.at_most(2):
        assert wanting.do(0, None)["all"]


def test_arrays_of_a_job_are_mapped_however_deep_they_lie(tmp_path):
    still = np.arange(3.0)
    still.setflags(write=False)
    job = Nested({"several": (np.arange(1000), still, np.empty(0), np.arange(6).reshape(2, 3).T)})
    ((_, told),) = Workshop(tmp_path, "key", Here()).done("nested", job)
    assert told["mapped"].all()
    assert told["write"].tolist() == [True, False, True, True]
    assert told["total"] == job.do(0, None)["total"]


def test_blocks_of_a_stopped_solve_are_kept_for_the_next(puzzle, tmp_path, small_blocks):
    workshop = Workshop(tmp_path / "blocks")
    how = {"measure": "mgc", "solver": "genetic", "settings": QUICK, "workshop": workshop}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring, "DENSE_BYTES_TURNED", 0)
        assert tessella.solve(puzzle, stop=lambda: True, **how).stopped
        assert list(tmp_path.rglob("*.npz"))
        assert not tessella.solve(puzzle, **how).stopped
    assert not list(tmp_path.rglob("*.npz"))


@pytest.fixture(scope="module")
def puzzle():
    rng = np.random.default_rng(3)
    return Puzzle(rng.integers(0, 255, (90, 14, 14, 3)).astype(np.uint8), upright=False)


def same(one, other):
    names = ("lo", "hi", "partner", "score")
    return all(np.array_equal(getattr(one, n), getattr(other, n)) for n in names)


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(asking, "EDGES", 100)


@pytest.mark.parametrize("name", executors.names())
@pytest.mark.parametrize("upright", [True, False])
def test_every_executor_gives_the_same_lists_bit_for_bit(name, upright, puzzle, tmp_path):
    if name == "dask":
        pytest.importorskip("distributed", reason="dask.distributed is not installed")
    puzzle, by = replace(puzzle, upright=upright), registry.make("measure", "mgc")
    alone = measure(puzzle, by, keep=8, dense=False, threads=1)
    with executors.started(name, workers=2) as executor:
        workshop = Workshop(tmp_path, "key", executor)
        shared = measure(puzzle, by, keep=8, dense=False, workshop=workshop)
    assert same(alone, shared)
    assert {path.suffix for path in tmp_path.rglob("*.*")} == {".npz"}


@pytest.mark.parametrize("upright", [True, False])
def test_workers_score_a_shortlist_as_this_process_does(upright, puzzle, tmp_path):
    puzzle = replace(
        puzzle, names=(), upright=upright, pieces=np.repeat(puzzle.pieces[:20], 2, 1).repeat(2, 2)
    )
    by = registry.make("measure", "dlcm", {"model": "photo-28", "device": "cpu"})
    alone = measure(puzzle, by, keep=4, dense=False, threads=1)
    with executors.started("local", workers=2) as executor:
        workshop = Workshop(tmp_path, "key", executor)
        shared = measure(puzzle, by, keep=4, dense=False, workshop=workshop)
    assert same(alone, shared)
    assert {path.name for path in tmp_path.iterdir()} >= {"judging"}


@pytest.mark.parametrize("measured", ["mgc", "l1", "wmgc"])
@pytest.mark.parametrize("upright", [True, False])
def test_blocks_list_what_the_full_table_lists(measured, upright, puzzle, small_blocks):
    puzzle, by = replace(puzzle, upright=upright), registry.make("measure", measured)
    blocks = measure(puzzle, by, keep=8, dense=False)
    assert same(blocks, measure(puzzle, by, keep=8, dense=True))


def test_measuring_goes_on_after_a_kill_to_the_same_scores(puzzle, tmp_path, small_blocks):
    by = registry.make("measure", "mgc")
    done = []

    class Counting(asking.Asking):
        def do(self, number, threads):
            if len(done) == 2:
                raise KeyboardInterrupt
            done.append(number)
            return super().do(number, threads)

    workshop = Workshop(tmp_path, "key")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring, "Asking", Counting)
        with pytest.raises(KeyboardInterrupt):
            measure(puzzle, by, keep=8, dense=False, workshop=workshop)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npz")}
    assert len(before) == 2
    again = measure(puzzle, by, keep=8, dense=False, workshop=workshop)
    assert same(again, measure(puzzle, by, keep=8, dense=False))
    assert all(path.stat().st_mtime_ns == told for path, told in before.items())
