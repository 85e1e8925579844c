"""What tests of solvers share."""

from __future__ import annotations

import pytest


class Listener:
    """A watcher that keeps what it is told."""

    def __init__(self):
        self.stages, self.steps = [], 0

    def stage(self, name, total):
        self.stages.append((name, total))

    def advance(self, steps=1):
        self.steps += steps

    def generation(self, generation):
        raise AssertionError("nothing is bred here")


@pytest.fixture
def listener():
    """Return a watcher that keeps what it is told."""
    return Listener()
