"""Sharing work among processes, with every result handed over as soon as it is there."""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from tessella.errors import InputError, RunError, TessellaError

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class _Result(Generic[R]):
    value: R


@dataclass(frozen=True)
class _Done:
    """The task's last result has been sent."""


@dataclass(frozen=True)
class _Failed:
    """What went wrong, as text: not every exception survives the way between processes."""

    message: str
    by_input: bool


def share(work: Callable[[T], Iterable[R]], tasks: Sequence[T], jobs: int) -> Iterator[R]:
    """Yield everything that ``work(task)`` yields, in the order in which it gets ready.

    Parameters
    ----------
    work : a function at the top of a module, so that other processes can find it
    jobs : how many processes work at a time; with 1 it is this one
    """
    if jobs == 1:
        for task in tasks:
            yield from work(task)
        return
    waiting = list(reversed(tasks))
    workers = {}
    try:
        for _ in range(min(jobs, len(tasks))):
            process, pipe = _start(work)
            workers[pipe] = process
            pipe.send(waiting.pop())
        yield from _gather(set(workers), waiting)
    finally:
        for pipe, process in workers.items():
            process.terminate()
            process.join()
            pipe.close()


def _start(work: Callable[[T], Iterable[R]]) -> tuple[BaseProcess, Connection]:
    # Spawned, not forked: a fork of a process that runs threads may hang.
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(work, there), daemon=True)
    process.start()
    there.close()  # Else the end of the process would not end the pipe.
    return process, here


def _gather(busy: set[Connection], waiting: list[T]) -> Iterator[R]:
    """Yield results until no task is left; give a new task to whoever is done."""
    while busy:
        for pipe in wait(list(busy)):
            assert isinstance(pipe, Connection)
            message = _receive(pipe)
            if isinstance(message, _Result):
                yield message.value
            elif isinstance(message, _Failed):
                raise InputError(message.message) if message.by_input else RunError(message.message)
            elif waiting:
                pipe.send(waiting.pop())
            else:
                busy.remove(pipe)


def _receive(pipe: Connection) -> object:
    try:
        return pipe.recv()
    except (EOFError, ConnectionResetError) as problem:
        raise RunError(
            "A process of the benchmark was killed, perhaps for want of memory; repeat the call, "
            "with fewer --jobs, to go on where it stopped."
        ) from problem


def _serve(work: Callable[[T], Iterable[R]], pipe: Connection) -> None:
    """Do what comes through `pipe` until it closes: the life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us.
    try:
        while True:
            _attempt(work, pipe.recv(), pipe)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # The parent is gone.


def _attempt(work: Callable[[T], Iterable[R]], task: T, pipe: Connection) -> None:
    try:
        for value in work(task):
            pipe.send(_Result(value))
    except (BrokenPipeError, ConnectionResetError):
        raise
    except TessellaError as problem:
        pipe.send(_Failed(str(problem), isinstance(problem, InputError)))
    except Exception as problem:
        traceback.print_exc()
        pipe.send(_Failed(f"A benchmark process failed with {problem!r}.", by_input=False))
    else:
        pipe.send(_Done())
