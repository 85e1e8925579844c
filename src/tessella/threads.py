"""Running kernels on several threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from threadpoolctl import threadpool_limits

T = TypeVar("T")
R = TypeVar("R")


_MOST: ContextVar[int | None] = ContextVar("most", default=None)


@contextmanager
def at_most(threads: int | None) -> Iterator[None]:
    """Let `spread` use no more than `threads` meanwhile, where it is not told how many.

    Measures describe pieces without being told.
    """
    token = _MOST.set(threads)
    try:
        yield
    finally:
        _MOST.reset(token)


def available() -> int:
    """How many threads this process may run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(function: Callable[[T], R], items: Iterable[T], threads: int | None) -> Iterator[R]:
    """Yield ``function(item)`` for every item, in order, computed on `threads` threads.

    Matrix products inside run on one thread each, so that `threads` is what is really used.
    """
    work = list(items)
    with threadpool_limits(1, user_api="blas"):
        count = min(threads or _MOST.get() or available(), max(len(work), 1))
        if count == 1:
            yield from map(function, work)
            return
        with ThreadPoolExecutor(count) as pool:
            yield from pool.map(function, work)


def chunks(total: int, size: int) -> list[slice]:
    """Cut ``range(total)`` into slices of at most `size`."""
    return [slice(start, min(start + size, total)) for start in range(0, total, size)]
