"""Work shared among processes gives what one process gives."""

import os
from pathlib import Path

import pytest

from tessella.errors import InputError, NameUnknown, RunError
from tessella.executors.local import share


def count_up(limit):
    yield from range(limit)


def refuse(_task):
    yield 1
    raise NameUnknown("fruit", "stone", ["apple"])


def die(task):
    yield task
    os._exit(9)


def die_once(marker):
    """Give two values, and lose the process between them the first time."""
    yield "first"
    if not Path(marker).exists():
        Path(marker).touch()
        os._exit(9)
    yield "second"


def stumble(_task):
    yield 1
    raise ZeroDivisionError


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_result_of_every_task_arrives(jobs):
    assert sorted(share(count_up, [3, 0, 2], jobs)) == [0, 0, 1, 1, 2]


def test_no_tasks_need_no_workers():
    assert list(share(count_up, [], 2)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_bad_input_is_reported_in_its_own_words_after_the_results_before_it(jobs):
    results = share(refuse, ["task", "task"], jobs)
    assert next(results) == 1
    with pytest.raises(InputError, match="no fruit called 'stone'; choose one of: apple"):
        list(results)


def test_a_task_that_kills_its_processes_ends_the_run_with_advice():
    with pytest.raises(RunError, match=r"given up after 3 .*--jobs of bench"):
        list(share(die, [1, 2], 2))


def test_a_killed_process_costs_its_task_and_nothing_is_told_twice(tmp_path):
    markers = [str(tmp_path / name) for name in "ab"]
    assert sorted(share(die_once, markers, 2)) == ["first", "first", "second", "second"]


def test_a_bug_in_a_process_is_a_failed_run():
    with pytest.raises(RunError, match="ZeroDivisionError"):
        list(share(stumble, [1, 2], 2))
