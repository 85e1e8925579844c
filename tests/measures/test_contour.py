from __future__ import annotations

import numpy as np
import pytest

from tessella.documents.strips import strips_of
from tessella.errors import InputError
from tessella.measures.contour import Contour
from tessella.measuring import measure


def shredded(count=6, height=700, seed=0, shift=4, blank=True):
    """Blank strips cut by a trembling blade, each laid down a little higher or lower."""
    rng = np.random.default_rng(seed)
    walks = np.cumsum(rng.normal(0, 0.35, (count + 1, height + 40)), axis=1)
    cuts = np.rint(20 + 30 * np.arange(count + 1)[:, None] + walks - walks.mean(1, keepdims=True))
    images, rims = [], []
    for i in range(count):
        part = slice(20 + (first := int(rng.integers(-shift, shift + 1))), 20 + first + height)
        rim = np.stack([cuts[i, part], cuts[i + 1, part]]).astype(np.int32)
        rim -= rim.min()
        images.append(np.full((height, int(rim.max())), 250, np.uint8))
        rims.append(rim)
    return strips_of(images, rims=rims)


def plain(by, right, left):
    """The best sum of shared ink and correlation over all shifts, for two descriptions."""
    height = len(right) // 2
    most = min(by.shift, height // 20)
    found = []
    for shift in range(-most, most + 1):
        moved = [np.zeros(height), np.zeros(height)]
        for y in range(height):
            if 0 <= y - shift < height:
                for part in range(2):
                    moved[part][y] = left[part * height + y - shift]
        ink = np.minimum(right[:height], moved[0]) - by.penalty * np.abs(right[:height] - moved[0])
        found.append(ink.sum() + by.weight * (right[height:] @ moved[1]))
    return max(found)


def test_it_agrees_with_plain_numpy():
    rng = np.random.default_rng(0)
    by = Contour(shift=3)
    right, left = (rng.uniform(0, 1, (3, 160)).astype(np.float32) for _ in range(2))
    expected = [[plain(by, r, other) for other in left] for r in right]
    np.testing.assert_allclose(by.raw(right, left), expected, rtol=1e-4)


def test_blank_shreds_are_told_by_the_run_of_the_blade():
    puzzle = shredded()
    scores = measure(puzzle, Contour(), dense=True).dense
    for i in range(5):
        assert scores[4 * i].argmax() == i + 1
        assert scores[4 * i + 6].argmax() == i


def test_without_a_shift_search_shifted_shreds_agree_less():
    puzzle = shredded(shift=6)
    free, level = (measure(puzzle, Contour(shift=s), dense=True).dense for s in (15, 0))
    true = np.array([free[4 * i, i + 1] - level[4 * i, i + 1] for i in range(5)])
    assert (true >= 0).all()
    assert true.max() > 10


def test_straight_sides_leave_ink_alone():
    rng = np.random.default_rng(0)
    strips = strips_of(list(rng.integers(0, 256, (3, 200, 40), np.uint8)))
    with_it, without = (
        measure(strips, Contour(weight=w), dense=True).dense[::2] for w in (400.0, 0.0)
    )
    assert np.array_equal(with_it, without)


@pytest.mark.parametrize(
    "setting", [{"penalty": -1}, {"weight": -1}, {"depth": 0}, {"quick": 200}, {"paper": 0}]
)
def test_settings_out_of_range_are_refused(setting):
    with pytest.raises(InputError, match=next(iter(setting))):
        Contour(**setting)
