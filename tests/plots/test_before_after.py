"""Before and after stand side by side."""

import numpy as np

from tessella.arrangement import Arrangement
from tessella.imaging.render import render, scrambled
from tessella.plots.before_after import SIDE, before_after


def test_the_pieces_stand_beside_the_picture_they_make(solved):
    puzzle, truth, _ = solved
    before, after = before_after(puzzle, truth.arrangement).axes
    sheet = truth.arrangement.sheets[0]
    assert np.array_equal(before.images[0].get_array(), scrambled(puzzle))
    assert np.array_equal(after.images[0].get_array(), render(puzzle, sheet))
    assert after.get_title() == "reassembled"


def test_every_sheet_has_its_picture(solved):
    puzzle, truth, _ = solved
    cells = truth.arrangement.sheets[0].piece
    sheets = [Arrangement.single(part).sheets[0] for part in (cells[:2], cells[2:])]
    titles = [axes.get_title() for axes in before_after(puzzle, Arrangement(tuple(sheets))).axes]
    assert titles == ["as they came", "sheet 1", "sheet 2"]


def test_large_pictures_are_scaled_down(solved):
    puzzle, truth, _ = solved
    figure = before_after(puzzle, truth.arrangement)
    assert all(max(axes.images[0].get_array().shape[:2]) <= SIDE for axes in figure.axes)
