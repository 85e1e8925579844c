"""Arrangements are drawn cell by cell; what is missing shows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella import layout
from tessella.arrangement import Sheet
from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.imaging.render import render, scrambled, shrunk
from tessella.puzzle import Puzzle


def puzzle_of(count: int, height: int = 8, width: int = 8, **known: object) -> Puzzle:
    rng = np.random.default_rng(count)
    return Puzzle(rng.integers(0, 200, (count, height, width, 3), dtype=np.uint8), **known)


def sheet_of(piece: list[list[int]], turns: list[list[int]] | None = None) -> Sheet:
    return Sheet(np.array(piece), np.zeros_like(piece) if turns is None else np.array(turns))


def test_pieces_lie_in_their_cells_turned_counter_clockwise():
    puzzle = puzzle_of(3)
    image = render(puzzle, sheet_of([[2, 0, 1]], [[1, 0, 3]]))
    assert np.array_equal(image[:, :8], np.rot90(puzzle.pieces[2]))
    assert np.array_equal(image[:, 8:16], puzzle.pieces[0])
    assert np.array_equal(image[:, 16:], np.rot90(puzzle.pieces[1], 3))


@settings(max_examples=20, deadline=None)
@given(times=st.integers(0, 3), seed=st.integers(0, 99))
def test_turning_the_sheet_turns_the_picture(times, seed):
    rng = np.random.default_rng(seed)
    image = rng.integers(0, 256, (24, 32, 3), dtype=np.uint8)
    puzzle, truth = cut(image, 8, turned=True, seed=seed)
    turned = truth.arrangement.sheets[0].turned(times)
    assert np.array_equal(render(puzzle, turned), np.rot90(image, times))


def test_a_missing_piece_shows_as_a_grey_checker():
    puzzle = puzzle_of(1)
    image = render(puzzle, sheet_of([[0, -1]]))
    hole = image[:, 8:]
    assert set(hole[..., 0].flat) == {205, 230}
    assert (hole == hole[..., :1]).all()
    assert np.array_equal(image[:, :8], puzzle.pieces[0])


def test_a_missing_piece_takes_the_colour_asked_for():
    image = render(puzzle_of(1), sheet_of([[0, -1]]), missing=(1, 2, 3))
    assert (image[:, 8:] == (1, 2, 3)).all()


def test_gaps_part_the_pieces_and_frame_nothing():
    puzzle = puzzle_of(4)
    image = render(puzzle, sheet_of([[0, 1], [2, 3]]), gap=3, background=(9, 8, 7))
    assert image.shape == (19, 19, 3)
    assert (image[8:11] == (9, 8, 7)).all()
    assert (image[:, 8:11] == (9, 8, 7)).all()
    assert np.array_equal(image[11:, 11:], puzzle.pieces[3])


def test_rectangular_pieces_take_half_turns_only():
    puzzle = puzzle_of(2, 6, 8)
    image = render(puzzle, sheet_of([[0], [1]], [[2], [0]]))
    assert np.array_equal(image[:6], np.rot90(puzzle.pieces[0], 2))
    with pytest.raises(InputError, match="piece 1 a quarter"):
        render(puzzle, sheet_of([[0], [1]], [[2], [3]]))


def test_what_cannot_be_drawn_is_refused(monkeypatch):
    puzzle = puzzle_of(2)
    with pytest.raises(InputError, match="names piece 2"):
        render(puzzle, sheet_of([[0, 2]]))
    with pytest.raises(InputError, match="gap"):
        render(puzzle, sheet_of([[0, 1]]), gap=-1)
    monkeypatch.setattr(layout, "PIXELS_MAX", 8 * 8 * 4)
    assert render(puzzle, sheet_of([[0, -1], [1, -1]])).shape == (16, 16, 3)
    with pytest.raises(InputError, match="at most 256 are drawn"):
        render(puzzle, sheet_of([[0, -1, -1], [1, -1, -1]]))


def test_scrambled_pieces_fill_a_known_shape_in_their_order():
    puzzle = puzzle_of(6, shape=(2, 3))
    image = scrambled(puzzle)
    assert image.shape == (16, 24, 3)
    assert np.array_equal(image[8:, :8], puzzle.pieces[3])


@pytest.mark.parametrize(
    ("count", "size", "known", "expected"),
    [(7, (8, 8), None, (24, 24)), (6, (8, 8), (3, 3), (24, 16)), (12, (4, 12), None, (24, 24))],
)
def test_scrambled_pieces_of_unknown_shape_lie_nearly_square(count, size, known, expected):
    image = scrambled(puzzle_of(count, *size, shape=known))
    assert image.shape[:2] == expected
    assert (image == 255).all(axis=2).sum() == expected[0] * expected[1] - count * size[0] * size[1]


def test_a_large_picture_is_shrunk_and_a_small_one_left_alone():
    image = np.random.default_rng(0).integers(0, 256, (90, 30, 3), dtype=np.uint8)
    assert shrunk(image, 90) is image
    assert shrunk(image, 89).shape == (89, 30, 3)
    assert shrunk(image, 9).shape == (9, 3, 3)
    assert shrunk(image, 1).shape == (1, 1, 3)
    with pytest.raises(InputError, match="at least 1"):
        shrunk(image, 0)


def test_shrinking_keeps_the_mean_colour():
    image = np.full((64, 64, 3), (200, 100, 50), np.uint8)
    assert (shrunk(image, 10) == (200, 100, 50)).all()
