"""Who is told when a kernel must be compiled: a first run should not be silent.

Needs no numba, so that whoever wants to be told does not load it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Say = Callable[[str], None]

_listening: list[Say] = []


@contextmanager
def announced_to(say: Say) -> Iterator[None]:
    """Have `say` called with the name of every kernel whose compilation begins meanwhile."""
    _listening.append(say)
    try:
        yield
    finally:
        _listening.remove(say)


def begins(kernel: str) -> None:
    """Tell whoever listens that `kernel` is being compiled."""
    for say in tuple(_listening):
        say(kernel)
