"""When to stop: callables that solvers ask between steps."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

Stop = Callable[[], bool]


def never() -> bool:
    """Do not stop early."""
    return False


def after(seconds: float) -> Stop:
    """Stop once `seconds` have passed from now."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


def either(*stops: Stop) -> Stop:
    """Stop when any of `stops` says so."""
    return lambda: any(stop() for stop in stops)


@contextmanager
def on_interrupt() -> Iterator[Stop]:
    """Turn the first Ctrl-C into a request to stop; a second one interrupts as usual."""
    asked = False

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    previous = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, previous)
