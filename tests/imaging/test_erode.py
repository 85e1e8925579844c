"""Wear takes the outer pixels of pieces and nothing else."""

import numpy as np
import pytest

from tessella.errors import InputError
from tessella.imaging.erode import erode

PIECES = np.random.default_rng(0).integers(1, 256, (3, 8, 12, 3), dtype=np.uint8)


def test_the_frame_is_black_and_the_inside_untouched():
    worn = erode(PIECES, 2)
    assert np.array_equal(worn[:, 2:-2, 2:-2], PIECES[:, 2:-2, 2:-2])
    frame = np.ones((8, 12), bool)
    frame[2:-2, 2:-2] = False
    assert not worn[:, frame].any()


def test_no_wear_gives_an_equal_copy():
    worn = erode(PIECES, 0)
    assert np.array_equal(worn, PIECES)
    assert not np.shares_memory(worn, PIECES)


def test_two_pixels_of_picture_must_remain():
    assert erode(PIECES, 3)[:, 3:5, 3:9].all()
    with pytest.raises(InputError, match="8 x 12 px cannot lose 4 px"):
        erode(PIECES, 4)
    with pytest.raises(InputError, match="0 or more"):
        erode(PIECES, -1)
