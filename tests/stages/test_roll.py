"""A picture that lies across its own frame."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Arrangement, Sheet
from tessella.evidence import Evidence
from tessella.kernels.crossover import Parent
from tessella.solving import Job
from tessella.stages.merge import Merged
from tessella.stages.roll import Roll
from tessella.stages.stage import Answer

ROWS, COLS = 9, 12


@pytest.fixture
def compatibility(told_of, grid):
    """Lists on which strangers do not fit at all, as they hardly do in a large puzzle."""
    return told_of(ROWS * COLS, grid(ROWS, COLS, value=1.0))


def _rolled(piece, compatibility):
    """Return what is told after rolling `piece`, of which no join is firm."""
    nobody = np.full(4 * piece.size, -1, np.int32)
    parent = Parent(nobody, np.zeros(piece.size, np.float32), 0.0)
    merged = Merged(np.empty(0, np.int64), np.empty((0, 3), np.int64), parent, nobody)
    arrangement = Arrangement((Sheet(piece.astype(np.int32), np.zeros(piece.shape, np.int8)),))
    history = (compatibility.fitness(arrangement),)
    before = Answer(compatibility, merged, arrangement, history)
    return before, Roll()(before, Job(Evidence(compatibility), piece.shape))


@pytest.mark.parametrize(("axis", "by"), [(0, 2), (1, 5), (0, 7)])
def test_a_picture_across_its_frame_is_rolled_back(compatibility, axis, by):
    true = np.arange(ROWS * COLS).reshape(ROWS, COLS)
    before, after = _rolled(np.roll(true, by, axis), compatibility)
    assert np.array_equal(after.arrangement.sheets[0].piece, true)
    assert after.history[-1] == pytest.approx(compatibility.fitness(after.arrangement))
    assert after.history[-1] > before.history[-1]


def test_a_whole_picture_is_not_rolled(compatibility):
    before, after = _rolled(np.arange(ROWS * COLS).reshape(ROWS, COLS), compatibility)
    assert after is before
