"""Frames: which rectangles pieces make, and that pictures of unknown shape lie in theirs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from skimage import data

import tessella
from tessella.arrangement import Sheet
from tessella.imaging.cut import cut_panels
from tessella.panels import Panels
from tessella.stages.frame import exact_frames, fragments, frames_along, frames_like, largest

SHAPE = (14, 16)


@pytest.fixture(scope="module")
def rocket():
    """A picture of 14 x 16 pieces of 20 px, most of them sky."""
    return data.rocket()[: SHAPE[0] * 20, 200 : 200 + SHAPE[1] * 20]


def solved(puzzle, panels=None, without=""):
    settings = {"without": without}
    puzzle = replace(puzzle, shape=None)
    return tessella.solve(puzzle, panels=panels, settings=settings, seed=1, threads=1)


@pytest.mark.parametrize("turned", [False, True])
def test_a_whole_picture_of_unknown_shape_lies_in_its_rectangle(rocket, turned):
    puzzle, _ = tessella.cut(rocket, 20, turned=turned, seed=3)
    sheet = solved(puzzle).arrangement.sheets[0]
    assert (sheet.piece >= 0).all()
    assert sheet.shape in {SHAPE, SHAPE[::-1] if turned else SHAPE}


def test_without_frames_its_sky_frays(rocket):
    puzzle, truth = tessella.cut(rocket, 20, seed=3)
    with_it, left_out = (solved(puzzle, without=name) for name in ("", "frame"))
    assert (left_out.arrangement.sheets[0].piece < 0).any()
    found = [tessella.score(each, truth).neighbor for each in (with_it, left_out)]
    assert found[0] > found[1]


def test_every_one_of_several_pictures_lies_in_its_rectangle(rocket):
    coffee = data.coffee()[: 10 * 20, : 12 * 20]
    puzzle, _ = cut_panels([rocket, coffee], 20, seed=5)
    sheets = solved(puzzle, Panels()).arrangement.sheets
    assert sorted(sheet.shape for sheet in sheets) == [(10, 12), SHAPE]


def test_every_one_of_several_pictures_has_the_shape_that_is_told():
    images = [data.rocket()[:80, 200:640], data.coffee()[:200, :240]]  # a strip of sky is one
    puzzle, truth = cut_panels(images, 20, seed=5)
    panels = Panels(2), Panels(2, ((4, 22), (10, 12)))
    open_, told = (solved(puzzle, known) for known in panels)
    assert sorted(sheet.shape for sheet in told.arrangement.sheets) == [(4, 22), (10, 12)]
    assert tessella.score(told, truth).neighbor > tessella.score(open_, truth).neighbor


@pytest.mark.parametrize("missing", [0.1, 0.3])
def test_where_pieces_are_missing_holes_stay_open(rocket, missing):
    puzzle, _ = cut_panels([rocket], 20, missing=missing, seed=2)
    one, two = (solved(puzzle, without=name) for name in ("", "frame"))
    assert {tuple(sorted(pair)) for pair in one.arrangement.joins().tolist()} == {
        tuple(sorted(pair)) for pair in two.arrangement.joins().tolist()
    }


@given(pieces=some.integers(1, 400), rows=some.integers(1, 20), cols=some.integers(1, 20))
def test_frames_have_a_cell_for_every_piece_and_room_for_what_is_sure(pieces, rows, cols):
    for upright in (True, False):
        found = exact_frames(pieces, (rows, cols), upright)
        assert all(r * c == pieces for r, c in found)
        fits = {(r, c) for r, c in found if r >= rows and c >= cols}
        assert fits == set(found) or not upright
        assert len({tuple(sorted(shape)) for shape in found}) == len(found) or upright
    assert (rows, cols) in exact_frames(rows * cols, (rows, cols), True)


def test_the_least_oblong_frame_comes_first():
    assert exact_frames(24, (2, 3), True) == [(4, 6), (6, 4), (3, 8), (8, 3), (2, 12)]
    assert exact_frames(24, (3, 2), True) == [(6, 4), (4, 6), (8, 3), (3, 8), (12, 2)]
    assert exact_frames(24, (2, 3), False) == [(4, 6), (3, 8), (2, 12)]
    assert exact_frames(23, (2, 3), True) == []


def test_frames_along_a_fragment_have_one_of_its_sides_and_hardly_an_empty_cell():
    assert frames_along((68, 43), 3395, 0.01) == [(68, 50), (79, 43)]
    assert frames_along((60, 50), 3395, 0.01) == [(60, 57), (68, 50)]
    assert frames_along((68, 51), 3395, 0.01) == []  # 67 x 51 would cut the fragment off
    assert frames_along((41, 27), 1095, 0.01) == []  # one in a hundred may be empty, not twelve


def test_frames_like_an_answer_have_hardly_an_empty_cell():
    assert frames_like((40, 27), 1102, 0.01) == [(41, 27)]
    assert frames_like((41, 27), 1107, 0.01) == [(41, 27)]
    assert frames_like((41, 27), 1096, 0.01) == []  # one in a hundred may be empty, not eleven
    assert frames_like((41, 27), 1108, 0.01) == []


def test_fragments_are_what_hangs_together():
    piece = np.array([[0, 1, -1, 2], [-1, -1, -1, 3], [4, -1, 5, 6]], np.int32)
    parts = fragments(Sheet(piece, np.zeros((3, 4), np.int8)))
    assert [part.piece.tolist() for part in parts] == [[[0, 1]], [[-1, 2], [-1, 3], [5, 6]], [[4]]]
    assert largest(parts) is parts[1]
