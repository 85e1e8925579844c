"""How many outer pixels show nothing of the picture is found from all pieces together."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from tessella.imaging.cut import cut
from tessella.imaging.worn import EMPTY, find, profile
from tessella.puzzle import Puzzle


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("width", [0, 1, 2, 4, 6])
def test_the_width_of_a_black_frame_is_found(picture, width, turned):
    puzzle, _ = cut(picture, 56, erode=width, turned=turned)
    assert find(replace(puzzle, eroded=0)) == width


@pytest.mark.parametrize("level", [60, 200])
def test_mortar_that_is_not_quite_even_is_a_frame_too(picture, level):
    puzzle, _ = cut(picture, 56)
    rng = np.random.default_rng(1)
    pieces = puzzle.pieces.copy()
    inside = np.zeros((56, 56), bool)
    inside[3:-3, 3:-3] = True
    mortar = np.clip(level + rng.normal(0, 4, pieces.shape), 0, 255).astype(np.uint8)
    pieces = np.where(inside[None, :, :, None], pieces, mortar)
    assert find(replace(puzzle, pieces=pieces)) == 3


def test_a_line_that_is_half_frame_half_picture_counts_as_frame(picture):
    puzzle, _ = cut(picture, 56, erode=3)
    larger = [np.asarray(Image.fromarray(p).resize((75, 75))) for p in puzzle.pieces]
    assert find(Puzzle(np.stack(larger))) in (4, 5)


def test_plain_pieces_say_nothing():
    assert find(Puzzle(np.full((5, 30, 30, 3), 90, np.uint8))) == 0


def test_oblong_pieces_have_frames_too(picture):
    puzzle, _ = cut(picture, (56, 42), erode=2)
    assert find(replace(puzzle, eroded=0)) == 2


def test_the_outermost_line_of_whole_pieces_has_their_contrast_and_that_of_a_frame_none(picture):
    whole, worn = (cut(picture, 56, erode=width)[0] for width in (0, 2))
    assert profile(whole)[0][0] > EMPTY
    contrast, change = profile(replace(worn, eroded=0))
    assert (contrast[:2] == 0).all()
    assert contrast[2] > EMPTY
    assert change[1] > 1
    assert not len(profile(Puzzle(np.zeros((2, 8, 8, 3), np.uint8)))[0])
