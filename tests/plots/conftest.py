"""A small puzzle with its truth and compatibilities that know the truth."""

import numpy as np
import pytest

from tessella.compatibility import from_lists
from tessella.imaging.cut import cut


@pytest.fixture(scope="session")
def solved():
    """Return puzzle, truth and compatibility of 4 x 5 turned pieces; true joins score 0.9."""
    picture = np.random.default_rng(0).integers(0, 256, (32, 40, 3), dtype=np.uint8)
    puzzle, truth = cut(picture, 8, turned=True, seed=1)
    partner = truth.partners()[:, None].copy()
    score = np.full(partner.shape, 0.9, np.float32)
    return puzzle, truth, from_lists(len(puzzle), False, True, partner, score)
