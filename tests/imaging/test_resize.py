from __future__ import annotations

import numpy as np
import pytest

from tessella.imaging.resize import frame_at, resized
from tessella.puzzle import Puzzle


def worn(size, eroded):
    pieces = np.zeros((2, size, size, 3), np.uint8)
    inside = slice(eroded, size - eroded)
    pieces[:, inside, inside] = np.array([[200, 10, 60], [20, 100, 250]])[:, None, None]
    return Puzzle(pieces, eroded=eroded, upright=False)


@pytest.mark.parametrize(
    ("size", "eroded", "wanted", "frame"), [(30, 0, 28, 0), (56, 2, 64, 2), (28, 2, 64, 5)]
)
def test_colours_and_a_sharp_frame_survive(size, eroded, wanted, frame):
    made = resized(worn(size, eroded), wanted)
    assert made.piece_size == (wanted, wanted)
    assert made.eroded == frame
    assert not made.upright
    assert np.array_equal(made.pieces, worn(wanted, frame).pieces)


def test_a_thin_frame_does_not_vanish():
    assert frame_at(worn(64, 1), 28) == 1


def test_pieces_of_the_right_size_are_left_alone():
    given = worn(28, 1)
    assert resized(given, 28) is given
