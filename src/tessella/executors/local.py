"""Processes on this machine; one that is killed costs its task, which another does again."""

from __future__ import annotations

import multiprocessing
import queue
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from tessella.errors import RunError, TessellaError
from tessella.executors import TRIES, plainly
from tessella.threads import available

T = TypeVar("T")
R = TypeVar("R")


def start(workers: int | None, scheduler: str | None, threads: int | None) -> Processes:
    """Return so many processes, which share out the threads."""
    del scheduler
    count = workers or available()
    return Processes(count, max(1, (threads or available()) // count))


@dataclass(frozen=True)
class _Value(Generic[R]):
    """One of several values that a task gives, before it is done."""

    value: R


@dataclass(frozen=True)
class _Worker:
    process: BaseProcess
    pipe: Connection

    @classmethod
    def start(cls) -> _Worker:
        # Spawned, not forked: a fork of a process that runs threads may hang.
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there,), daemon=True)
        process.start()
        there.close()  # Else the end of the process would not end the pipe.
        return cls(process, here)

    def end(self) -> None:
        self.process.terminate()
        self.process.join()
        self.pipe.close()

    def ask(
        self, function: Callable[..., R], args: tuple[Any, ...], hear: Callable[[Any], None] | None
    ) -> R:
        """Return what ``function(*args)`` returns there; where `hear` is given it is a generator.

        Raises
        ------
        EOFError, OSError : the process is lost
        """
        self.pipe.send((function, args, hear is not None))
        message = self.pipe.recv()
        while isinstance(message, _Value):
            assert hear is not None
            hear(message)
            message = self.pipe.recv()
        answer, problem = message
        if isinstance(problem, Exception):
            raise problem
        result: R = answer
        return result


class Processes:
    """Every thread of a pool looks after one process, and starts another where it is lost."""

    def __init__(self, workers: int, threads: int = 1) -> None:
        self.workers, self.threads = workers, threads
        self._idle: queue.SimpleQueue[_Worker | None] = queue.SimpleQueue()
        self._all: list[_Worker] = []
        self._pool = ThreadPoolExecutor(workers)
        self._closed = False
        for _ in range(workers):
            self._idle.put(None)  # Started when there is something to do.

    def submit(self, function: Callable[..., R], /, *args: Any) -> Future[R]:
        """Have ``function(*args)`` done by the next process that is free."""
        return self._pool.submit(self._have_done, function, args)

    def each(self, function: Callable[[T], Iterable[R]], tasks: Sequence[T]) -> Iterator[R]:
        """Yield everything that ``function(task)`` yields, in the order in which it gets ready.

        A task that is done again must yield the same: what was heard of it is not told twice.
        """
        ready: queue.SimpleQueue[_Value[R] | Future[Iterable[R]]] = queue.SimpleQueue()
        for task in tasks:
            future = self._pool.submit(self._have_done, function, (task,), ready.put)
            future.add_done_callback(lambda done: ready.put(done))
        left = len(tasks)
        while left:
            message = ready.get()
            if isinstance(message, _Value):
                yield message.value
            else:
                message.result()
                left -= 1

    def _have_done(
        self,
        function: Callable[..., R],
        args: tuple[Any, ...],
        tell: Callable[[Any], None] | None = None,
    ) -> R:
        worker = self._idle.get()
        heard = 0
        try:
            for _ in range(TRIES):
                if self._closed:
                    break
                worker = worker or self._start()
                news = None if tell is None else _News(tell, heard)
                try:
                    return worker.ask(function, args, news)
                except (EOFError, OSError):
                    heard = heard if news is None else max(heard, news.heard)
                    worker.process.join()
                    worker = None
        finally:
            self._idle.put(worker)
        raise RunError(
            f"A task was given up after {TRIES} of its processes were killed, perhaps for want of "
            "memory; repeat the call with fewer processes (--workers, or --jobs of bench)."
        )

    def _start(self) -> _Worker:
        worker = _Worker.start()
        self._all.append(worker)
        return worker

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes; what they are doing is lost unless it is waited for."""
        if wait:
            self._pool.shutdown(cancel_futures=cancel_futures)
        self._closed = True
        for worker in self._all:
            worker.end()
        self._pool.shutdown(cancel_futures=cancel_futures)


class _News:
    """Passes on what a task tells, the first `known` excepted."""

    def __init__(self, tell: Callable[[Any], None], known: int) -> None:
        self.tell, self.known, self.heard = tell, known, 0

    def __call__(self, message: object) -> None:
        self.heard += 1
        if self.heard > self.known:
            self.tell(message)


def _serve(pipe: Connection) -> None:
    """Do what comes through `pipe` until it closes: the life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us.
    try:
        while True:
            function, args, many = pipe.recv()
            pipe.send(_attempt(partial(_tell, pipe, function) if many else function, args))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # The parent is gone.


def _tell(pipe: Connection, function: Callable[..., Iterable[object]], task: object) -> None:
    """Send what a task yields as soon as it is there."""
    for value in function(task):
        try:
            pipe.send(_Value(value))
        except (BrokenPipeError, ConnectionResetError):
            raise SystemExit from None  # The parent is gone.


def _attempt(function: Callable[..., R], args: tuple[Any, ...]) -> tuple[R | None, object]:
    try:
        return plainly(function, *args), None
    except TessellaError as problem:
        return None, problem


def share(function: Callable[[T], Iterable[R]], tasks: Sequence[T], jobs: int = 1) -> Iterator[R]:
    """Yield everything that ``function(task)`` yields, in the order in which it gets ready.

    Parameters
    ----------
    function : at the top of a module, so that other processes can find it
    jobs : how many processes work at a time; with 1 it is this one
    """
    count = min(jobs, len(tasks))
    if count <= 1:
        for task in tasks:
            yield from function(task)
        return
    processes = start(count, None, None)
    try:
        yield from processes.each(function, tasks)
    finally:
        processes.shutdown(wait=False, cancel_futures=True)
