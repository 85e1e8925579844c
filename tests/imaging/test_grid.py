"""A picture is cut into a grid from its top-left corner."""

import numpy as np
import pytest

from tessella.errors import InputError
from tessella.imaging.grid import tiles

IMAGE = np.random.default_rng(0).integers(0, 256, (11, 13, 3), dtype=np.uint8)


def test_pieces_come_in_reading_order_and_the_remainder_is_dropped():
    pieces, shape = tiles(IMAGE, (5, 4))
    assert shape == (2, 3)
    assert np.array_equal(pieces[1], IMAGE[:5, 4:8])
    assert np.array_equal(pieces[5], IMAGE[5:10, 8:12])


def test_one_piece_may_fill_the_picture():
    pieces, shape = tiles(IMAGE, (11, 13))
    assert shape == (1, 1)
    assert np.array_equal(pieces[0], IMAGE)


@pytest.mark.parametrize("piece", [(12, 4), (4, 14)])
def test_a_picture_smaller_than_a_piece_is_refused(piece):
    with pytest.raises(InputError, match=r"11 x 13 px .* smaller than one piece"):
        tiles(IMAGE, piece)


@pytest.mark.parametrize("piece", [(1, 4), (4, 1), (0, 0), (-3, 4)])
def test_a_piece_under_two_pixels_is_refused(piece):
    with pytest.raises(InputError, match="at least 2 x 2 px"):
        tiles(IMAGE, piece)
