"""Pictures on shelves keep their order and do not lie over each other."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tessella.imaging.shelf import places, shelved

SIZES = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=12)


@given(sizes=SIZES, gap=st.integers(0, 3))
def test_pictures_lie_apart_in_reading_order_and_fill_the_whole(sizes, gap):
    found, (height, width) = places(sizes, gap)
    taken = np.zeros((height + gap, width + gap), int)
    for (top, left), (high, wide) in zip(found, sizes, strict=True):
        assert top + high <= height
        assert left + wide <= width
        taken[top : top + high + gap, left : left + wide + gap] += 1
    assert taken.max() == 1
    assert found == sorted(found)
    assert taken[height - 1].any()
    assert taken[:, width - 1].any()


def test_pictures_are_drawn_where_they_lie():
    pictures = [np.full((2, 3, 3), 10 * k, np.uint8) for k in (1, 2, 3)]
    whole = shelved(pictures, gap=1, background=(0, 0, 0))
    for (top, left), picture in zip(places([(2, 3)] * 3, 1)[0], pictures, strict=True):
        assert np.array_equal(whole[top : top + 2, left : left + 3], picture)
