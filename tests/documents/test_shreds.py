"""Shreds on a dark bed: found, straightened, levelled."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from tessella.documents.shreds import (
    TRIM,
    WHITE,
    on_dark_bed,
    paper_mask,
    shreds_of,
    straightened,
)
from tessella.errors import InputError


def on_bed(tilt=0.0, height=600, width=40, paper=220):
    """A strip of paper with rules across it, on a black bed."""
    grey = np.zeros((height + 60, width + 60), np.uint8)
    grey[30:-30, 30:-30] = paper
    for y in range(60, height, 50):
        grey[y : y + 4, 30:-30] = 30
    if tilt:
        grey = np.array(Image.fromarray(grey).rotate(tilt, Image.Resampling.BICUBIC))
    return grey


def test_paper_is_found_though_ink_touches_its_rims():
    grey = on_bed()
    expected = np.zeros(grey.shape, bool)
    expected[30:-30, 30:-30] = True
    assert np.array_equal(paper_mask(grey), expected)


def test_the_run_of_the_blade_is_kept():
    grey = on_bed()
    for y in range(100, 500, 20):
        grey[y : y + 10, 30:32] = 0
    first = paper_mask(grey).argmax(axis=1)
    assert first[120:130].tolist() == [32] * 10
    assert first[130:140].tolist() == [30] * 10


@pytest.mark.parametrize("tilt", [-1.5, 1.5])
def test_a_tilted_shred_is_straightened(tilt):
    grey = on_bed(tilt)
    image, rim = straightened(grey, paper_mask(grey))
    assert abs(image.shape[0] - 600) <= 4
    middle = slice(30, -30)
    assert np.ptp(rim[0, middle]) <= 2
    assert np.ptp(rim[1, middle]) <= 2
    assert np.diff(rim, axis=0).mean() == pytest.approx(40 - 2 * TRIM, abs=1.5)


def test_paper_comes_to_an_even_white():
    grey = on_bed(paper=180)
    image, _ = straightened(grey, paper_mask(grey))
    assert np.median(image) == pytest.approx(WHITE, abs=1)


def test_dark_beds_are_told_from_clean_strips():
    assert on_dark_bed([on_bed()] * 3)
    assert not on_dark_bed([np.full((50, 9), 255, np.uint8)] * 3)
    assert not on_dark_bed([on_bed(), *[np.full((50, 9), 255, np.uint8)] * 2])


def test_a_bed_without_paper_is_refused():
    nothing = np.zeros((50, 20), np.uint8)
    with pytest.raises(InputError, match="no paper"):
        paper_mask(nothing)
    with pytest.raises(InputError, match="mask shows none"):
        shreds_of([nothing], [nothing > 0], upright=True)
    thin = np.zeros((50, 20), bool)
    thin[:, 5:8] = True
    with pytest.raises(InputError, match="px across"):
        straightened(nothing, thin)
