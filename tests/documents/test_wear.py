from __future__ import annotations

import numpy as np
import pytest

from tessella.documents import wear
from tessella.documents.strips import strips_of


@pytest.fixture(scope="module")
def page() -> np.ndarray:
    rng = np.random.default_rng(0)
    made = np.full((600, 480), 255, np.uint8)
    for top in range(20, 560, 30):
        letters = rng.random((6, 110)) < 0.5
        made[top : top + 18, 22:462] = np.where(letters.repeat(3, 0).repeat(4, 1), 0, 255)
    return made


def strips(page: np.ndarray, crop: int, upright: bool = True):
    cut = [page[:, x + crop : x + 40 - crop] for x in range(0, 480, 40)]
    return strips_of(cut, upright=upright)


@pytest.mark.parametrize("upright", [True, False])
def test_a_clean_cut_is_told_from_lost_columns(page, upright):
    clean, lost = (wear.share(strips(page, crop, upright)) for crop in (0, 4))
    assert clean is not None
    assert lost is not None
    assert clean > wear.CLEAN > lost


def test_the_usual_measure_follows(page):
    assert strips(page, 0).usual.measure == "ink"
    assert strips(page, 4).usual.measure == "shreds"


def test_strips_without_ink_are_not_worn():
    blank = strips_of([np.full((200, 30), 255, np.uint8)] * 5)
    assert wear.share(blank) is None
    assert not blank.worn
    assert not strips_of([np.zeros((200, 30), np.uint8)]).worn


def test_ragged_shreds_are_worn_whatever_they_show():
    rim = np.stack([np.zeros(50), np.full(50, 18)]).astype(np.int32)
    assert strips_of([np.full((50, 20), 255, np.uint8)] * 2, rims=[rim, rim]).worn
