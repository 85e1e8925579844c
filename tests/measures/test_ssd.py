from __future__ import annotations

import numpy as np
import pytest

from tessella.measures.ssd import Ssd

RNG = np.random.default_rng(1)
LEFT = RNG.integers(0, 256, (4, 5, 3, 3), np.uint8)
RIGHT = RNG.integers(0, 256, (6, 5, 3, 3), np.uint8)


def by_definition(a, b):
    total = 0
    for row in range(a.shape[0]):
        for c in range(3):
            total += (int(a[row, -1, c]) - int(b[row, 0, c])) ** 2
    return total


def distances(left, right, eroded=0):
    by = Ssd()
    return -by.raw(by.right(left, eroded), by.left(right, eroded))


def test_equals_the_definition_exactly():
    expected = [[by_definition(a, b) for b in RIGHT] for a in LEFT]
    assert distances(LEFT, RIGHT).tolist() == expected


def test_pieces_one_pixel_wide_have_a_border_too():
    expected = [[by_definition(a, b) for b in RIGHT[:, :, :1]] for a in LEFT[:, :, :1]]
    assert distances(LEFT[:, :, :1], RIGHT[:, :, :1]).tolist() == expected


def test_the_worst_possible_border_is_still_exact():
    black = np.zeros((1, 200, 2, 3), np.uint8)
    assert distances(black, 255 - black).item() == 200 * 3 * 255**2


def test_only_the_touching_columns_count():
    other = LEFT.copy()
    other[:, :, :-1] = 0
    assert np.array_equal(distances(LEFT, RIGHT), distances(other, RIGHT))


@pytest.mark.parametrize("eroded", [1, 2])
def test_the_worn_frame_is_passed_over(eroded):
    pieces = RNG.integers(0, 256, (3, 7, 8, 3), np.uint8)
    seen = pieces[:, eroded:-eroded, eroded:-eroded]
    assert np.array_equal(distances(pieces, pieces, eroded), distances(seen, seen))
