from __future__ import annotations

import numpy as np
import pytest

from tessella import edges
from tessella.documents.chunks import chunks_of
from tessella.documents.strips import strips_of
from tessella.errors import InputError


def puzzle(width=12):
    rng = np.random.default_rng(0)
    grey = rng.integers(0, 200, (3, 47, width), np.uint8)
    grey[0, :20] = 255
    grey[1, :10] = 255
    return strips_of(list(grey))


def test_chunks_lie_behind_the_seam_and_the_remainder_is_ignored():
    strips = puzzle()
    which = np.array([0, 4], np.int32)
    right = chunks_of(strips, which, edges.RIGHT, 10)
    assert right.picture.shape == (2, 4, 10, 10)
    assert np.array_equal(right.picture[1, 2], strips.grey[1, 20:30, 2:])
    left = chunks_of(strips, which + 2, edges.LEFT, 10)
    assert np.array_equal(left.picture[1, 2], strips.grey[1, 20:30, :10])
    assert right.blank.tolist() == [[True, True, False, False], [True, False, False, False]]


def test_narrow_strips_are_filled_up_with_paper():
    strips = puzzle(4)
    right = chunks_of(strips, np.array([8], np.int32), edges.RIGHT, 10)
    assert (right.picture[..., :6] == 255).all()
    assert np.array_equal(right.picture[0, 0, :, 6:], strips.grey[2, :10])


def test_strips_lower_than_a_chunk_are_refused():
    with pytest.raises(InputError, match="lower than one chunk"):
        chunks_of(puzzle(), np.array([0], np.int32), edges.RIGHT)
