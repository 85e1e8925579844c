from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage.color import rgb2lab

from tessella.imaging.color import lab

channel = st.integers(0, 255)


def test_agrees_with_scikit_image_over_the_whole_cube():
    levels = np.array([0, 1, 5, 10, 11, 40, 90, 127, 128, 200, 254, 255], np.uint8)
    cube = np.stack(np.meshgrid(levels, levels, levels), axis=-1)
    np.testing.assert_allclose(lab(cube), rgb2lab(cube), atol=0.02)


@given(channel)
@settings(max_examples=25, deadline=None)
def test_a_grey_has_no_colour(level):
    grey = lab(np.full(3, level, np.uint8))
    np.testing.assert_allclose(grey[1:], 0, atol=1e-12)


def test_black_and_white_are_the_ends_of_lightness():
    ends = lab(np.array([[0, 0, 0], [255, 255, 255]], np.uint8))
    np.testing.assert_allclose(ends, [[0, 0, 0], [100, 0, 0]], atol=1e-12)


def test_lightness_rises_with_every_grey_level():
    greys = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
    assert (np.diff(lab(greys)[:, 0]) > 0).all()


@pytest.mark.parametrize("shape", [(3,), (0, 3), (4, 3), (2, 5, 4, 3)])
def test_any_number_of_leading_axes_is_kept(shape):
    pixels = np.zeros(shape, np.uint8)
    assert lab(pixels).shape == shape
