"""Work shared among processes gives what one process gives."""

import os

import pytest

from tessella.bench.workers import share
from tessella.errors import InputError, NameUnknown, RunError


def count_up(limit):
    yield from range(limit)


def refuse(_task):
    yield 1
    raise NameUnknown("fruit", "stone", ["apple"])


def die(task):
    yield task
    os._exit(9)


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


def test_a_killed_process_ends_the_run_with_advice():
    with pytest.raises(RunError, match=r"killed.*fewer --jobs"):
        list(share(die, [1, 2], 2))


def test_a_bug_in_a_process_is_a_failed_run():
    with pytest.raises(RunError, match="ZeroDivisionError"):
        list(share(stumble, [1, 2], 2))
