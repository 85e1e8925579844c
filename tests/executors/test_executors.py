"""What every executor must do, and what happens where one cannot be had."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tessella import executors
from tessella.errors import InputError, NameUnknown, RunError


def double(number: int) -> int:
    return 2 * number


def fail(_number: int) -> None:
    raise NameUnknown("thing", "x", ["y"])


def break_down(_number: int) -> None:
    raise ZeroDivisionError


def die_once(marker: str) -> str:
    """Kill the worker that does this, unless one was killed before."""
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def die(_number: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module", params=executors.names())
def executor(request):
    if request.param == "dask":
        pytest.importorskip("distributed", reason="dask.distributed is not installed")
    with executors.started(request.param, workers=2, threads=2) as started:
        yield started


def test_tasks_are_done_and_workers_share_out_the_threads(executor):
    futures = [executor.submit(double, number) for number in range(5)]
    assert [future.result(60) for future in futures] == [0, 2, 4, 6, 8]
    assert (executor.workers, executor.threads) == (2, 1)


def test_what_goes_wrong_in_a_worker_comes_back_as_one_of_our_errors(executor):
    with pytest.raises(InputError, match="no thing called 'x'"):
        executor.submit(fail, 1).result(60)
    with pytest.raises(RunError, match="ZeroDivisionError"):
        executor.submit(break_down, 1).result(60)


def test_a_lost_worker_costs_its_task_not_the_others(executor, tmp_path):
    lost = executor.submit(die_once, str(tmp_path / "died"))
    others = [executor.submit(double, number) for number in range(4)]
    assert lost.result(60) == "done"
    assert [future.result(60) for future in others] == [0, 2, 4, 6]


def test_local_gives_up_a_task_that_kills_its_workers():
    with executors.started("local", workers=2) as pool:
        with pytest.raises(RunError, match="given up after 3"):
            pool.submit(die, 1).result(60)
        assert pool.submit(double, 4).result(60) == 8


LOSING = """
import os, signal, sys
from pathlib import Path
from tessella import executors

def die_once(marker):
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"

if __name__ == "__main__":
    with executors.started("dask", workers=1) as cluster:
        print(cluster.submit(die_once, sys.argv[1]).result(60))
"""


def test_dask_loses_a_worker_without_a_word(tmp_path):
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    call = [sys.executable, "-c", LOSING, str(tmp_path / "died")]
    run = subprocess.run(call, capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("done\n", "")


def test_dask_gives_up_a_task_that_kills_its_workers():
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    with executors.started("dask", workers=1) as cluster:
        lost = cluster.submit(die, 1)
        assert isinstance(lost.exception(60), Exception)
        with pytest.raises(RunError, match=r"given up after its workers were lost .*KilledWorker"):
            executors.outcome(lost)
        with pytest.raises(RunError, match="ZeroDivisionError"):
            executors.outcome(cluster.submit(break_down, 1))
        assert executors.outcome(cluster.submit(double, 4)) == 8


def test_one_local_worker_is_this_process():
    with executors.started() as none:
        assert none is None
    with executors.started("local", workers=1) as none:
        assert none is None


def test_an_unknown_executor_lists_the_known_ones():
    with pytest.raises(NameUnknown, match="dask, local"), executors.started("ray"):
        pass


def test_a_scheduler_is_dasks_alone():
    with pytest.raises(InputError, match="--executor dask"):  # noqa: SIM117
        with executors.started("local", scheduler="tcp://here:8786"):
            pass


def test_no_scheduler_at_an_address_is_told_in_one_sentence(monkeypatch):
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    monkeypatch.setattr("tessella.executors.dask._PATIENCE", "1s")
    began = time.monotonic()
    with pytest.raises(InputError, match="No dask scheduler answers"):  # noqa: SIM117
        with executors.started("dask", scheduler="tcp://127.0.0.1:9"):
            pass
    assert time.monotonic() - began < 30


def test_without_dask_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr("tessella.executors.dask.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"tessella\[dask\]"), executors.started("dask"):
        pass
