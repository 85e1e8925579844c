"""Processes on this machine; one that is killed costs its task, which another does again."""

from __future__ import annotations

import multiprocessing
import queue
import signal
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from tessella.errors import RunError, TessellaError
from tessella.executors import TRIES, plainly
from tessella.threads import available

R = TypeVar("R")


def start(workers: int | None, scheduler: str | None, threads: int | None) -> Processes:
    """Return so many processes, which share out the threads."""
    del scheduler
    count = workers or available()
    return Processes(count, max(1, (threads or available()) // count))


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

    def _have_done(self, function: Callable[..., R], args: tuple[Any, ...]) -> R:
        worker = self._idle.get()
        try:
            for _ in range(TRIES):
                worker = worker or self._start()
                try:
                    worker.pipe.send((function, args))
                    answer, problem = worker.pipe.recv()
                except (EOFError, OSError):
                    if self._closed:
                        break
                    worker.process.join()
                    worker = None
                    continue
                if isinstance(problem, Exception):
                    raise problem
                result: R = answer
                return result
        finally:
            self._idle.put(worker)
        raise RunError(
            f"A task was given up after {TRIES} of its processes were killed, perhaps for want of "
            "memory; repeat the call with fewer --workers."
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


def _serve(pipe: Connection) -> None:
    """Do what comes through `pipe` until it closes: the life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us.
    try:
        while True:
            function, args = pipe.recv()
            pipe.send(_attempt(function, args))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # The parent is gone.


def _attempt(function: Callable[..., R], args: tuple[Any, ...]) -> tuple[R | None, object]:
    try:
        return plainly(function, *args), None
    except TessellaError as problem:
        return None, problem
