from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Arrangement, Sheet
from tessella.documents.lie import laid
from tessella.documents.render import render_strips
from tessella.documents.strips import strips_of
from tessella.errors import FormatError, InputError


def page_of_lines(height: int = 400, width: int = 480, far: int = 1) -> np.ndarray:
    """Return ten lines of print, 24 to 36 rows from one to the next, or `far` times as many."""
    rng = np.random.default_rng(0)
    page = np.full((height, width), 255, np.uint8)
    for top in np.cumsum(far * rng.integers(24, 36, 10)):
        letters = rng.random(width // 6) < 0.7
        page[top : top + 12] = np.where(letters.repeat(6)[None], 10, 255)
    return page


def row(count: int) -> Sheet:
    return Sheet(np.arange(count)[None], np.zeros((1, count), np.int8))


def test_strips_that_slipped_are_brought_level():
    page, slips = page_of_lines(), [0, 3, -4, 2, 0, 5, -2, 1, 0, -3, 4, 0]
    cut = [np.roll(page[:, 40 * i : 40 * i + 40], slip, axis=0) for i, slip in enumerate(slips)]
    shift = laid(strips_of(cut), row(12)).shift
    assert shift is not None
    level = shift[0] + np.array(slips)
    assert np.ptp(level) <= 1


@pytest.mark.parametrize("slip", [-30, -19, 19, 24, 30])
def test_a_single_strip_that_slipped_far_is_brought_level(slip):
    page = page_of_lines(height=800, far=2)
    cut = [np.roll(page[:, 40 * i : 40 * i + 40], slip * (i == 5), axis=0) for i in range(12)]
    shift = laid(strips_of(cut), row(12)).shift
    assert shift is not None
    assert np.ptp(shift[0] + slip * (np.arange(12) == 5)) <= 2


def test_a_turned_strip_is_brought_level_as_it_lies():
    page = page_of_lines(width=120)
    cut = [page[:, :40], np.rot90(np.roll(page[:, 40:80], 4, axis=0), 2), page[:, 80:]]
    sheet = Sheet(np.arange(3)[None], np.array([[0, 2, 0]]))
    shift = laid(strips_of(cut, upright=False), sheet).shift
    assert shift is not None
    assert np.diff(shift[0]).tolist() == [-4, 4]


def test_blank_strips_stay_where_they_are():
    shift = laid(strips_of([np.full((200, 30), 255, np.uint8)] * 3), row(3)).shift
    assert shift is not None
    assert not shift.any()


def test_gaps_and_shifts_are_drawn():
    black = strips_of([np.zeros((10, 8), np.uint8)] * 2)
    drawn = render_strips(black, Sheet([[0, 1]], [[0, 0]], gap=[[0, 3]], shift=[[0, 2]]))
    assert drawn.shape == (12, 19)
    assert (drawn[:10, :8] == 0).all()
    assert (drawn[:, 8:11] == 255).all()
    assert (drawn[2:, 11:] == 0).all()
    assert (drawn[:2, 11:] == 255).all()
    over = render_strips(black, Sheet([[0, 1]], [[0, 0]], gap=[[0, -1]]))
    assert over.shape == (10, 15)


def test_gaps_and_shifts_travel_with_the_arrangement():
    sheet = Sheet([[0, -1, 1]], [[0, 0, 2]], gap=[[0, 7, -2]], shift=[[1, 9, -3]])
    value = Arrangement((sheet,)).to_json()
    assert value["sheets"][0]["cells"][0][2] == {"piece": 1, "turns": 2, "gap": -2, "shift": -3}
    again = Arrangement.from_json(value).sheets[0]
    assert again.gap.tolist() == [[0, 0, -2]]
    assert again.shift.tolist() == [[1, 0, -3]]
    plain = Arrangement.single([[0, 1]]).to_json()
    assert plain["sheets"][0]["cells"][0][0] == {"piece": 0, "turns": 0}
    assert Arrangement.from_json(plain).sheets[0].shift is None


@pytest.mark.parametrize("wrong", ["2", 1.5, None, 10**9])
def test_a_shift_that_is_no_whole_number_is_refused(wrong):
    cells = [[{"piece": 0, "turns": 0, "shift": wrong}]]
    value = {"version": 1, "sheets": [{"rows": 1, "cols": 1, "cells": cells}]}
    with pytest.raises(FormatError, match="shift"):
        Arrangement.from_json(value)
    with pytest.raises(InputError, match="gap needs one number"):
        Sheet([[0, 1]], [[0, 0]], gap=[[1]])


def test_strips_that_lost_their_tops_lie_as_low_as_their_lines():
    page, lost = page_of_lines(), 40
    cut = [page[lost * (i in (3, 4, 8)) :, 40 * i : 40 * i + 40] for i in range(12)]
    shift = laid(strips_of(cut), row(12)).shift
    assert shift is not None
    level = shift[0] - lost * np.isin(np.arange(12), (3, 4, 8))
    assert np.ptp(level) <= 2


def test_strips_that_lost_their_lower_ends_stay_level_at_the_top():
    page = page_of_lines()
    cut = [page[: 400 - 40 * (i == 3), 40 * i : 40 * i + 40] for i in range(8)]
    shift = laid(strips_of(cut), row(8)).shift
    assert shift is not None
    assert np.ptp(shift) <= 1
