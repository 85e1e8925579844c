from __future__ import annotations

import numpy as np

from tessella.imaging.color import lab
from tessella.measures.l1 import L1

RNG = np.random.default_rng(3)
LEFT = RNG.integers(0, 256, (4, 5, 3, 3), np.uint8)
RIGHT = RNG.integers(0, 256, (6, 5, 3, 3), np.uint8)


def by_definition(a, b):
    a, b = lab(a), lab(b)
    total = 0.0
    for row in range(a.shape[0]):
        for c in range(3):
            total += abs((2 * a[row, -1, c] - a[row, -2, c]) - b[row, 0, c])
    return total


def distances(left, right):
    by = L1()
    return -by.raw(by.right(left, 0), by.left(right, 0))


def test_equals_the_definition():
    expected = [[by_definition(a, b) for b in RIGHT] for a in LEFT]
    np.testing.assert_allclose(distances(LEFT, RIGHT), expected, rtol=1e-5)


def test_only_the_piece_that_is_asked_foretells():
    other = RIGHT.copy()
    other[:, :, 1:] = 0
    assert np.array_equal(distances(LEFT, RIGHT), distances(LEFT, other))


def test_asked_the_other_way_round_the_answer_differs():
    half_turned = [np.rot90(pieces, 2, axes=(1, 2)) for pieces in (LEFT, RIGHT)]
    there, back = distances(LEFT, RIGHT), distances(half_turned[1], half_turned[0]).T
    assert not np.isclose(there, back).any()
