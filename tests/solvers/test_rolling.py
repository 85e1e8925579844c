"""A picture that lies across its own frame."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Arrangement, Sheet
from tessella.solvers._rolling import rolled
from tessella.solving import Solution

ROWS, COLS = 9, 12


@pytest.fixture
def compatibility(told_of, grid):
    """Lists on which strangers do not fit at all, as they hardly do in a large puzzle."""
    return told_of(ROWS * COLS, grid(ROWS, COLS, value=1.0))


def _solution(piece, compatibility):
    arrangement = Arrangement((Sheet(piece.astype(np.int32), np.zeros(piece.shape, np.int8)),))
    fitness = compatibility.fitness(arrangement)
    return Solution(arrangement, fitness, (fitness,), False)


@pytest.mark.parametrize(("axis", "by"), [(0, 2), (1, 5), (0, 7)])
def test_a_picture_across_its_frame_is_rolled_back(compatibility, axis, by):
    true = np.arange(ROWS * COLS).reshape(ROWS, COLS)
    after = rolled(_solution(np.roll(true, by, axis), compatibility), compatibility)
    assert np.array_equal(after.arrangement.sheets[0].piece, true)
    assert after.fitness == pytest.approx(_solution(true, compatibility).fitness)


def test_a_whole_picture_is_not_rolled(compatibility):
    right = _solution(np.arange(ROWS * COLS).reshape(ROWS, COLS), compatibility)
    assert rolled(right, compatibility) is right
