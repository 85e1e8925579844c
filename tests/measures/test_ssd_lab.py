from __future__ import annotations

import numpy as np

from tessella.imaging.color import lab
from tessella.measures.ssd_lab import SsdLab

RNG = np.random.default_rng(2)
LEFT = RNG.integers(0, 256, (4, 5, 3, 3), np.uint8)
RIGHT = RNG.integers(0, 256, (6, 5, 3, 3), np.uint8)


def by_definition(a, b):
    a, b = lab(a), lab(b)
    return sum((a[row, -1, c] - b[row, 0, c]) ** 2 for row in range(a.shape[0]) for c in range(3))


def test_equals_the_definition():
    by = SsdLab()
    found = -by.raw(by.right(LEFT, 0), by.left(RIGHT, 0))
    expected = [[by_definition(a, b) for b in RIGHT] for a in LEFT]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-4)


def test_equal_borders_are_at_distance_zero():
    by = SsdLab()
    mirrored = LEFT[:, :, ::-1]
    found = by.raw(by.right(LEFT, 0), by.left(mirrored, 0))
    assert np.diag(found).tolist() == [0] * len(LEFT)
