"""The workshop: where large work is cut into blocks, who does them, and where they are kept.

A job is a frozen dataclass that knows how many blocks it has and how to do one. A finished block is
a file, written under a temporary name and renamed, that carries the key of what it belongs to; work
that was cut off, even by kill -9, goes on with the blocks that are missing. Which blocks there are
depends on the job alone, so whoever does them, the answer is the same.
"""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import numpy as np
from threadpoolctl import threadpool_limits

from tessella.checkpoint import Checkpoint, State
from tessella.errors import OutputError, RunError
from tessella.executors import Executor, outcome
from tessella.files import replacing
from tessella.stop import Stop, never
from tessella.threads import at_most

_JOB, _ARRAYS = "job.pickle", "job.arrays"

_BEAT = 0.5
"""Seconds after which it is asked again whether to stop."""

_ALIGNED = 64
"""Arrays begin at multiples of so many bytes, as processors like them to."""


class Job(Protocol):
    """Work that is done block by block.

    It must survive pickling: a block may be done by another process. A job that holds more than
    that has a method ``portable``, which returns the job that can travel.
    """

    @property
    def blocks(self) -> int:
        """How many blocks there are."""

    def do(self, number: int, threads: int | None) -> State:
        """Do one block."""


@dataclass(frozen=True)
class Workshop:
    """Does jobs.

    Attributes
    ----------
    folder : keeps finished blocks; None keeps nothing
    key : what must be the same for blocks to be taken up: puzzle, settings, versions
    executor : who does blocks; None: this process, one after the other
    """

    folder: Path | None = None
    key: str = ""
    executor: Executor | None = None

    def within(self, name: str) -> Workshop:
        """Return the workshop of a part of the work, whose jobs may have the same names."""
        return replace(self, folder=self.folder and self.folder / name)

    def done(
        self,
        name: str,
        job: Job,
        threads: int | None = None,
        *,
        together: int = 1,
        stop: Stop = never,
    ) -> Iterator[tuple[int, State]]:
        """Yield the number and the answer of every block, those done before first.

        Parameters
        ----------
        name : of the job, which tells its files from those of others
        threads : for each of the blocks that this process does
        together : how many blocks this process does at a time
        stop : once it says True, no block is begun, and what a block gives is not kept, since the
            job heard it too; blocks may be missing then
        """
        with ExitStack() as stack:
            folder = self.folder and self.folder / name
            if folder is None and self.executor is not None:
                folder = Path(stack.enter_context(TemporaryDirectory(prefix="tessella-")))
            if folder is None:
                every = list(range(job.blocks))
                yield from self._do_here(None, job, every, threads, together, stop)
                return
            _make(folder)
            missing = []
            for number in range(job.blocks):
                held = _block(folder, self.key, number).load()
                if held is None:
                    missing.append(number)
                else:
                    yield number, held
            if self.executor is not None and missing:
                yield from self._have_done(self.executor, folder, job, missing, stop)
            else:
                yield from self._do_here(folder, job, missing, threads, together, stop)

    def _do_here(
        self,
        folder: Path | None,
        job: Job,
        missing: list[int],
        threads: int | None,
        together: int,
        stop: Stop,
    ) -> Iterator[tuple[int, State]]:
        """Do what is missing in this process."""

        def one(number: int) -> tuple[int, State] | None:
            if stop():
                return None
            made = job.do(number, threads)
            if folder is not None and not stop():
                _block(folder, self.key, number).save(made)
            return number, made

        count = min(together, len(missing))
        if count <= 1:
            yield from filter(None, map(one, missing))
            return
        with ThreadPoolExecutor(count) as pool:
            yield from filter(None, pool.map(one, missing))

    def _have_done(
        self, executor: Executor, folder: Path, job: Job, missing: list[int], stop: Stop
    ) -> Iterator[tuple[int, State]]:
        """Let the executor do what is missing; answers come as files."""
        _lay_down(folder, job)
        futures: dict[Future[None], int] = {}
        try:
            for number in missing:
                task = executor.submit(_do, str(folder), self.key, number, executor.threads)
                futures[task] = number
            waiting = set(futures)
            while waiting and not stop():
                done, waiting = wait(waiting, _BEAT, FIRST_COMPLETED)
                for future in done:
                    outcome(future)
                    made = _block(folder, self.key, futures[future]).load()
                    if made is None:
                        raise RunError(
                            f"A worker did a block, but its file is not in {folder}; all workers "
                            "must see that folder under the same name."
                        )
                    yield futures[future], made
        except CancelledError as problem:
            raise RunError(
                "The scheduler was lost; finished blocks are kept, and the same call with --resume "
                "goes on with the others."
            ) from problem
        finally:
            for future in futures:
                future.cancel()
            _take_away(folder)

    def close(self) -> None:
        """Remove all blocks: the work is done."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


ALONE = Workshop()
"""This process does everything and keeps nothing."""


def _block(folder: Path, key: str, number: int) -> Checkpoint:
    return Checkpoint(folder / f"{number:05d}.npz", key)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        reason = problem.strerror or problem
        raise OutputError(f"Cannot make the folder {folder}: {reason}.") from problem


def _lay_down(folder: Path, job: Any) -> None:
    """Write a job for other processes: its arrays in a file that they map into their memory."""
    job = job.portable() if hasattr(job, "portable") else job
    arrays: list[pickle.PickleBuffer] = []
    plain = pickle.dumps(job, protocol=5, buffer_callback=arrays.append)
    places = []
    with replacing(folder / _ARRAYS) as temporary, temporary.open("wb") as file:
        for array in arrays:
            file.write(bytes(-file.tell() % _ALIGNED))
            places.append((file.tell(), file.write(array.raw())))
        file.write(bytes(1))  # Nothing cannot be mapped.
    with replacing(folder / _JOB) as temporary:
        temporary.write_bytes(pickle.dumps((places, plain)))


def _take_away(folder: Path) -> None:
    for left in (folder / _JOB, folder / _ARRAYS, *folder.glob(".*.part")):
        left.unlink(missing_ok=True)


@lru_cache(maxsize=2)
def _take_up(folder: str, key: str) -> Job:
    """Read what `_lay_down` wrote; it is our own caller that did."""
    del key  # Another job in the same place has another.
    places, plain = pickle.loads((Path(folder) / _JOB).read_bytes())
    # Copied when written to, which nobody does: kernels are compiled for arrays that can be.
    held = np.memmap(Path(folder) / _ARRAYS, mode="c").view(np.ndarray)
    job: Job = pickle.loads(plain, buffers=[held[at : at + size] for at, size in places])
    return job


def _do(folder: str, key: str, number: int, threads: int) -> None:
    """Do one block in this process and write it down, unless that was done meanwhile.

    Neither what the job asks for nor the libraries it calls take more than `threads`, since other
    workers have the other processors.
    """
    block = _block(Path(folder), key, number)
    if not block.path.exists():
        with at_most(threads), threadpool_limits(threads):
            block.save(_take_up(folder, key).do(number, threads))
