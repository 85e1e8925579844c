"""What tests of solvers share: compatibilities that say exactly what a test is about."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.compatibility import from_lists


@pytest.fixture(scope="session")
def told_of():
    """Return a maker of compatibilities from {(e, f): compatibility}; all others are 0."""

    def make(pieces, pairs, upright=True):
        width = max(sum(e in pair for pair in pairs) for e in range(4 * pieces))
        partner = np.full((4 * pieces, width), -1, np.int32)
        fit = np.zeros((4 * pieces, width), np.float32)
        for (e, f), value in sorted(pairs.items(), key=lambda item: -item[1]):
            for mine, other in ((e, f), (f, e)):
                place = int((partner[mine] >= 0).sum())
                partner[mine, place], fit[mine, place] = other, value
        return from_lists(pieces, upright, True, partner, fit)

    return make


@pytest.fixture(scope="session")
def grid():
    """Return a maker of the true pairs of pieces in reading order, all equally compatible."""

    def make(rows, cols, value=0.9):
        across = {(4 * i, 4 * i + 6): value for i in range(rows * cols) if i % cols < cols - 1}
        down = {(4 * i + 3, 4 * (i + cols) + 1): value for i in range((rows - 1) * cols)}
        return across | down

    return make


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
