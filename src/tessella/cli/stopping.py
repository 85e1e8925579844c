"""Ctrl-C during a search: the first stops it and keeps the best so far."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tessella.console import note
from tessella.stop import Stop, on_interrupt


@contextmanager
def stopping() -> Iterator[Stop]:
    """Yield a stop that answers to Ctrl-C and says so; a second Ctrl-C interrupts as usual."""
    with on_interrupt() as asked:
        announced = False

        def stop() -> bool:
            nonlocal announced
            if asked() and not announced:
                announced = True
                note("Stopping; the best answer so far is kept. Ctrl-C again gives up.")
            return asked()

        yield stop
