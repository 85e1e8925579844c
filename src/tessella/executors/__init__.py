"""Executors: who does coarse tasks; one file each, file name = name.

An executor has the shape of `concurrent.futures`: `submit` gives a future. A task is a function at
the top of a module and a few small arguments; what is large lies in files. Every file has a
function ``start(workers, scheduler, threads)``. A worker that is lost costs its task, which is done
again elsewhere.
"""

from __future__ import annotations

import importlib
import pkgutil
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tessella import bounds
from tessella.errors import InputError, NameUnknown, RunError, TessellaError

R = TypeVar("R")

LOCAL = "local"

TRIES = 3
"""A task whose worker is lost so many times is given up: it may be what kills them."""


class Executor(Protocol):
    """Does tasks, several at a time.

    Attributes
    ----------
    workers : how many tasks are done at a time
    threads : how many threads each may use
    """

    @property
    def workers(self) -> int:
        """How many tasks are done at a time."""

    @property
    def threads(self) -> int:
        """How many threads each may use."""

    def submit(self, function: Callable[..., R], /, *args: Any) -> Future[R]:
        """Have ``function(*args)`` done; the future tells what it gave or what went wrong."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let all workers go."""


def names() -> list[str]:
    """Return the names of all executors, sorted."""
    folder = str(Path(__file__).parent)
    return sorted(m.name for m in pkgutil.iter_modules([folder]) if m.name[0] != "_")


def plainly(function: Callable[..., R], *args: Any) -> R:
    """Return ``function(*args)``; for workers, whose exceptions must survive the way back."""
    try:
        return function(*args)
    except InputError as problem:
        raise InputError(str(problem)) from None
    except TessellaError as problem:
        raise RunError(str(problem)) from None
    except Exception as problem:
        traceback.print_exc()
        raise RunError(f"A worker failed with {problem!r}.") from None


def outcome(future: Future[R]) -> R:
    """Return what a finished task gave; what is no error of ours is the loss of its workers.

    Raises
    ------
    CancelledError : whoever hands out tasks is lost
    """
    try:
        return future.result()
    except (TessellaError, CancelledError):
        raise
    except Exception as problem:
        raise RunError(
            "A task was given up after its workers were lost again and again, perhaps for want of "
            f"memory ({type(problem).__name__}); give workers more, or start fewer of them."
        ) from problem


def check(name: str, workers: int | None, scheduler: str | None) -> None:
    """Raise unless there is such an executor, and it can be started so."""
    if name not in names():
        raise NameUnknown("executor", name, names())
    if workers is not None:
        bounds.check_count("worker", workers, bounds.THREADS)
    if scheduler is not None and name == LOCAL:
        raise InputError("--scheduler belongs to --executor dask; name that, or leave it out.")


@contextmanager
def started(
    name: str = LOCAL,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    threads: int | None = None,
) -> Iterator[Executor | None]:
    """Yield the executor `name`; None where this process alone does everything.

    Parameters
    ----------
    workers : how many; None: this process alone, or as many as the executor thinks right
    scheduler : address of one that runs already, for executors that have such a thing
    threads : of all workers on this machine together
    """
    check(name, workers, scheduler)
    if name == LOCAL and (workers or 1) == 1:
        yield None
        return
    start = importlib.import_module(f"{__name__}.{name}").start
    executor: Executor = start(workers, scheduler, threads)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
