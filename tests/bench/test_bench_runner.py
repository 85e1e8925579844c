"""The runner keeps what is finished, whatever happens to the rest."""

import os
import signal
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from tessella import executors
from tessella.bench.configuration import configure
from tessella.bench.records import NAME, Journal, Means
from tessella.bench.runner import Failures, carry_out, opened
from tessella.bench.suites import pictures
from tessella.bench.tables import Grid
from tessella.bench.tasks import Order
from tessella.claim import Kind
from tessella.errors import InputError, OutputError, RunError

KIND = Kind("table.md", (NAME,), grows=True)


@pytest.fixture
def order(data):
    by = configure("l1", "paikin_tal")
    return Order("tiny", pictures("tiny", data), (by,), (1,), Means(1, 1, "auto"))


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


def written(out):
    """Return a function that writes one table, of how many records there are."""

    def write(journal):
        (out / KIND.marker).write_text(str(len(journal.records)))
        return [Grid("Records", ("how many",), ((str(len(journal.records)),),))]

    return write


def test_tables_are_written_and_printed_in_the_end(order, tmp_path, capsys):
    out = tmp_path / "out"
    with opened(out, KIND, written(out)) as journal:
        carry_out(order.tasks(journal), journal)
    assert (out / "table.md").read_text() == "3"
    told = capsys.readouterr().out
    assert told.startswith("Records\n")
    assert told.endswith(f"Tables: {out / 'table.md'}. Records: {out / NAME}.\n")


@pytest.mark.parametrize("problem", [KeyboardInterrupt, ZeroDivisionError])
def test_a_call_that_ends_early_writes_the_tables_of_what_it_finished(order, tmp_path, problem):
    out = tmp_path / "out"

    def tell(record, done, total):
        if done == 2:
            raise problem

    kept = r"Stopped; .*records\.jsonl keeps what is finished"
    with (
        pytest.raises(RunError, match=kept)
        if problem is KeyboardInterrupt
        else pytest.raises(problem),
        opened(out, KIND, written(out)) as journal,
    ):
        carry_out(order.tasks(journal), journal, tell)
    assert (out / "table.md").read_text() == "2"
    assert len(Journal(out).records) == 2


def test_a_killed_call_leaves_no_table_that_looks_whole(tmp_path):
    (tmp_path / "table.md").write_text("of an earlier call")
    with opened(tmp_path, KIND, written(tmp_path)):
        assert not (tmp_path / "table.md").exists()


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "diary.txt").touch()
    with pytest.raises(OutputError, match="not empty"), opened(tmp_path, KIND, written(tmp_path)):
        pass
    assert [file.name for file in tmp_path.iterdir()] == ["diary.txt"]


def test_cells_that_were_done_before_count(order, tmp_path):
    told = []
    carry_out(
        order.tasks(),
        Journal(tmp_path),
        lambda record, done, total: told.append((done, total)),
        before=4,
    )
    assert told == [(5, 7), (6, 7), (7, 7)]


def test_an_executor_does_every_picture(order, tmp_path):
    told, journal = [], Journal(tmp_path)
    carry_out(order.tasks(), journal, lambda *news: told.append(news[1:]), executor=Here())
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert {record.cell.picture for record in journal.records} == {"1.png", "2.png", "10.png"}


def test_a_lost_scheduler_is_told_and_finished_pictures_are_written_down(order, tmp_path):
    journal = Journal(tmp_path)
    with pytest.raises(RunError, match="scheduler was lost; finished pictures are written down"):
        carry_out(order.tasks(), journal, executor=Here(lost={1, 2}))
    assert len(Journal(tmp_path).records) == 1
    carry_out(order.tasks(journal), journal, executor=Here())
    assert len(journal.records) == 3


def lose_once(marker, function, *args):
    """Kill the worker that does this, unless one was killed before."""
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return function(*args)


class Losing:
    """An executor for tests that loses a worker."""

    def __init__(self, executor, marker):
        self.executor, self.marker = executor, marker

    def submit(self, function, /, *args):
        return self.executor.submit(lose_once, self.marker, function, *args)


@pytest.mark.parametrize("name", executors.names())
def test_a_lost_worker_costs_its_picture_and_no_cell_is_missing_or_told_twice(
    name, order, tmp_path
):
    if name == "dask":
        pytest.importorskip("distributed", reason="dask.distributed is not installed")
    folders = tmp_path / "alone", tmp_path / "shared"
    for folder in folders:
        folder.mkdir()
    alone, shared = map(Journal, folders)
    carry_out(order.tasks(), alone)
    with executors.started(name, workers=2) as executor:
        carry_out(order.tasks(), shared, executor=Losing(executor, str(tmp_path / "lost")))
    assert (tmp_path / "lost").exists()
    told = [
        sorted((each.cell.picture, each.outcome.score.neighbor) for each in journal.records)
        for journal in (alone, shared)
    ]
    assert len(told[0]) == 3
    assert told[0] == told[1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_picture_that_fails_ends_the_call_unless_somebody_hears_of_it(
    order, data, tmp_path, jobs
):
    Path(data / "tiny" / "1.png").write_bytes(b"no picture")
    order = replace(order, means=replace(order.means, jobs=jobs))
    with pytest.raises(InputError, match=r"1\.png"):
        carry_out(order.tasks(), Journal(tmp_path))
    failed = []
    journal = Journal(tmp_path)
    carry_out(order.tasks(journal), journal, fail=failed.append)
    assert len(failed) == 1
    assert failed[0].startswith("tiny/1.png, l1, paikin_tal: ")
    assert {record.cell.picture for record in journal.records} == {"2.png", "10.png"}


def test_failures_are_said_at_once_and_the_first_is_told_in_the_end(capsys):
    failures = Failures()
    failures.check("pictures")
    failures("1.png is broken.")
    failures("2.png is broken.")
    assert "1.png is broken" in capsys.readouterr().err
    with pytest.raises(RunError, match=r"^2 pictures could not be done: 1\.png is broken\.$"):
        failures.check("pictures")
