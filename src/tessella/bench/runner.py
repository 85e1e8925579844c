"""The runner of benchmarks: does tasks, writes every cell down at once, shows what there is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from tessella.bench.records import Journal, Record
from tessella.bench.tables import Grid
from tessella.bench.tasks import Failure, Task, attempt, perform
from tessella.claim import Kind, claimed, unmark
from tessella.console import note
from tessella.errors import RunError
from tessella.executors import Executor, outcome
from tessella.executors.local import share

R = TypeVar("R")

Listener = Callable[[Record, int, int], None]
"""Is told every new record, how many cells are done, and how many were asked for."""


class Failures:
    """Hears what went wrong with tasks while the others go on."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def __call__(self, message: str) -> None:
        """Say so at once, and keep it."""
        note(message)
        self.messages.append(message)

    def check(self, what: str) -> None:
        """Raise if there were any; `what` are they?"""
        if self.messages:
            raise RunError(
                f"{len(self.messages)} {what} could not be done: {self.messages[0].rstrip('.')}."
            )


@contextmanager
def opened(out: Path, kind: Kind, write: Callable[[Journal], Sequence[Grid]]) -> Iterator[Journal]:
    """Yield the journal of `out`; in the end have the tables written, and print them.

    Parameters
    ----------
    kind : of folder; its marker is the file that `write` writes last
    write : writes the tables of everything in the journal, and returns those to print. A call that
        is stopped or fails writes them too, of what it finished, if anything.
    """
    with claimed(out, kind):
        journal = Journal(out)
        unmark(out, kind)
        whole = False
        try:
            yield journal
            whole = True
        except KeyboardInterrupt:
            raise RunError(
                f"Stopped; {journal.path} keeps what is finished, and the same call goes on from "
                "there."
            ) from None
        finally:
            shown = write(journal) if whole or journal.records else ()
    print("\n".join(grid.text() for grid in shown))
    print(f"Tables: {out / kind.marker}. Records: {journal.path}.")


def carry_out(
    tasks: Sequence[Task],
    journal: Journal,
    tell: Listener = lambda *_: None,
    *,
    before: int = 0,
    fail: Callable[[str], None] | None = None,
    executor: Executor | None = None,
) -> None:
    """Do all tasks, as many at a time as their means say, and write down what is finished.

    Parameters
    ----------
    before : how many cells that were asked for are done already
    fail : is told what went wrong with a task, and the others go on; without it the first problem
        ends the call
    executor : who does the tasks; None: processes of this machine, or this one
    """
    if not tasks:
        return
    done, total = before, before + sum(len(task.cells) for task in tasks)
    jobs = tasks[0].means.jobs
    work = perform if fail is None else attempt
    results = share(work, tasks, jobs) if executor is None else _handed_out(executor, work, tasks)
    for result in results:
        if isinstance(result, Failure):
            assert fail is not None
            fail(result.message)
            continue
        journal.append(result)
        done += 1
        tell(result, done, total)


def _handed_out(
    executor: Executor, work: Callable[[Task], Iterable[R]], tasks: Sequence[Task]
) -> Iterator[R]:
    """Yield everything that ``work(task)`` yields, task by task as they get ready."""
    lost: CancelledError | None = None
    for future in as_completed([executor.submit(_whole, work, task) for task in tasks]):
        try:
            records = outcome(future)
        except CancelledError as problem:
            lost = problem  # Others may be finished.
        else:
            yield from records
    if lost is not None:
        raise RunError(
            "The scheduler was lost; finished pictures are written down, and the same call goes on "
            "from there."
        ) from lost


def _whole(work: Callable[[Task], Iterable[R]], task: Task) -> list[R]:
    return list(work(task))
