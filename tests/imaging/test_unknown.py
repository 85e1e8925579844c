"""What is broken off pieces is filled for measures, and never shown as if it were there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tessella.arrangement import Arrangement, Sheet
from tessella.beginning import read_beginning
from tessella.documents.strips import strips_of
from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.imaging.folder import read_puzzle, write_puzzle
from tessella.imaging.render import overview, render, scrambled
from tessella.imaging.resize import drawn_at, resized
from tessella.imaging.unknown import at_size, checker, cut_out, drawn, filled, known_of
from tessella.puzzle import Puzzle

SIDE = 8
LOST = np.zeros((SIDE, SIDE), np.bool_)
LOST[:3, 4:] = True
"""The upper right corner."""


def broken(count: int = 6, **known: object) -> Puzzle:
    """Return pieces of noise of which every second has lost its corner."""
    rng = np.random.default_rng(count)
    pieces = rng.integers(0, 200, (count, SIDE, SIDE, 3), dtype=np.uint8)
    there = np.ones((count, SIDE, SIDE), np.bool_)
    there[::2] = ~LOST
    return Puzzle(pieces, known=there, **known)


def nearest(image: np.ndarray, known: np.ndarray) -> list[set[tuple[int, ...]]]:
    """Return, for every pixel, the colours of the nearest known ones, one pixel after another."""
    every = np.argwhere(known)
    colours = []
    for place in np.ndindex(known.shape):
        far = ((every - place) ** 2).sum(axis=1)
        colours.append({tuple(image[tuple(at)]) for at in every[far == far.min()]})
    return colours


@given(seed=st.integers(0, 99), share=st.floats(0.1, 0.9))
def test_every_unknown_pixel_takes_the_colour_of_one_of_the_nearest(seed, share):
    rng = np.random.default_rng(seed)
    image = rng.integers(0, 256, (5, 6, 3), dtype=np.uint8)
    known = rng.random((5, 6)) < share
    known[rng.integers(5), rng.integers(6)] = True
    found = filled(image, known).reshape(-1, 3)
    for colour, allowed in zip(found, nearest(image, known), strict=True):
        assert tuple(colour) in allowed


def test_a_picture_of_which_nothing_or_all_is_known_stays_as_it_is():
    image = broken().pieces[0]
    assert filled(image, None) is image
    assert filled(image, np.zeros((SIDE, SIDE), np.bool_)) is image


@pytest.mark.parametrize(("alpha", "known"), [(128, None), (127, False)])
def test_what_is_half_opaque_is_known(alpha, known):
    found = known_of(np.full((2, 2), alpha, np.uint8))
    assert (found is None) if known is None else not found.any()


def test_a_puzzle_of_which_all_is_known_needs_no_mask():
    given = broken()
    whole = Puzzle(given.pieces, known=np.ones_like(given.known))
    assert whole.known is None
    assert given.known_of(1) is None
    assert np.array_equal(given.known_of(0, 1), np.rot90(~LOST))


@pytest.mark.parametrize(
    "mask", [np.ones((6, SIDE, SIDE), np.uint8), np.ones((6, SIDE, 7), np.bool_)]
)
def test_a_mask_of_another_kind_or_size_is_refused(mask):
    with pytest.raises(InputError, match=r"bool of shape \(6, 8, 8\); got"):
        Puzzle(broken().pieces, known=mask)


def test_strips_have_rims_instead():
    strips = strips_of([np.full((9, 4), 200, np.uint8)] * 2)
    with pytest.raises(InputError, match="told by their rims"):
        type(strips)(strips.pieces, known=np.zeros((2, 9, 4), np.bool_))


def test_masks_go_with_their_pieces_and_leave_with_what_is_unknown():
    given = broken()
    again = given.reordered(np.array([3, 2, 1, 0, 5, 4]))
    assert [again.known_of(k) is None for k in range(6)] == [True, False, True, False, True, False]
    assert given.reordered(np.array([1, 3])).known is None


def test_the_checker_stands_where_a_piece_is_unknown_turned_with_it():
    given = broken()
    image = render(given, Sheet(np.array([[0, 1, -1]]), np.array([[1, 0, 0]])))
    expected = np.rot90(given.pieces[0]).copy()
    expected[np.rot90(LOST)] = checker(SIDE, SIDE)[np.rot90(LOST)]
    assert np.array_equal(image[:, :SIDE], expected)
    assert np.array_equal(image[:, SIDE : 2 * SIDE], given.pieces[1])
    assert np.array_equal(image[:, 2 * SIDE :], checker(SIDE, SIDE))
    assert np.array_equal(drawn(given, 0, 1), expected)


def test_pieces_in_their_given_order_show_what_is_broken_off_too():
    image = scrambled(broken(shape=(2, 3)))
    assert np.array_equal(image[:SIDE, :SIDE][LOST], checker(SIDE, SIDE)[LOST])


def test_a_single_piece_has_alpha_only_where_some_of_it_is_unknown():
    given = broken()
    cut_outs = cut_out(given, 0, 2), cut_out(given, 1)
    assert cut_outs[0].shape == (SIDE, SIDE, 4)
    assert np.array_equal(cut_outs[0][..., 3] == 0, np.rot90(LOST, 2))
    assert np.array_equal(cut_outs[1], given.pieces[1])


def test_a_mask_keeps_its_corner_at_another_size():
    small = at_size(~LOST, (4, 4))
    assert np.array_equal(small[0], [True, True, False, False])
    assert np.array_equal(at_size(~LOST, (16, 8))[::2], ~LOST)


def test_pieces_brought_to_another_size_keep_it_for_drawing_and_not_for_measuring():
    given = broken()
    small = drawn_at(given, np.array([1, 0]), (4, 4), Image.Resampling.BOX)
    assert small.names == ("1", "0")
    assert small.known_of(0) is None
    assert not small.known_of(1)[0, 2:].any()
    assert resized(given, 16).known is None
    assert resized(given, SIDE) is given


def test_sheets_that_are_drawn_smaller_show_what_is_broken_off(monkeypatch):
    given, sheet = broken(), Sheet(np.arange(6).reshape(2, 3), np.zeros((2, 3)))
    smaller = given.layout.drawable(Arrangement((sheet,)), 6 * 16)
    assert smaller.piece_size == (4, 4)
    assert not smaller.known_of(0)[0, 2:].any()
    monkeypatch.setattr("tessella.layout.LARGE", 1)
    corner = overview(given, sheet, 12)[0, 2:4]
    assert np.array_equal(corner, checker(4, 4)[0, 2:])


@pytest.mark.parametrize("grey", [True, False])
def test_a_written_puzzle_is_read_back_with_what_is_unknown_of_it(grey, tmp_path):
    puzzle = broken(upright=False)
    pieces = puzzle.pieces.copy()
    if grey:
        pieces[:] = pieces[..., :1]
    pieces = np.stack([filled(*each) for each in zip(pieces, puzzle.known, strict=True)])
    puzzle = Puzzle(pieces, upright=False, known=puzzle.known)
    names = write_puzzle(tmp_path / "puzzle", puzzle)
    for name, mode in zip(names[:2], ("LA", "L") if grey else ("RGBA", "RGB"), strict=True):
        with Image.open(tmp_path / "puzzle" / name) as held:
            assert held.mode == mode
    again = read_puzzle(tmp_path / "puzzle")
    assert np.array_equal(again.pieces, puzzle.pieces)
    assert np.array_equal(again.known, puzzle.known)


def test_a_piece_of_which_nothing_is_known_is_white_to_measures_and_a_checker_to_people(tmp_path):
    for name, alpha in (("a.png", 0), ("b.png", 255)):
        Image.new("RGBA", (SIDE, SIDE), (9, 9, 9, alpha)).save(tmp_path / name)
    puzzle = read_puzzle(tmp_path)
    assert (puzzle.pieces[0] == 255).all()
    assert np.array_equal(drawn(puzzle, 0), checker(SIDE, SIDE))


def test_resizing_while_reading_keeps_what_is_unknown(tmp_path):
    write_puzzle(tmp_path / "puzzle", broken())
    puzzle = read_puzzle(tmp_path / "puzzle", resize=16)
    assert not puzzle.known_of(0)[:6, 8:].any()
    assert puzzle.known_of(0)[6:].all()


def test_a_scrambled_picture_with_alpha_goes_on_within_each_piece(tmp_path):
    picture = np.full((SIDE, 2 * SIDE, 4), 255, np.uint8)
    picture[:, :SIDE, :3], picture[:, SIDE:, :3] = 10, 200
    picture[:, SIDE - 2 : SIDE + 3, 3] = 0
    Image.fromarray(picture).save(tmp_path / "a.png")
    puzzle = read_puzzle(tmp_path / "a.png", piece=(SIDE, SIDE))
    assert (puzzle.pieces[0] == 10).all()
    assert (puzzle.pieces[1] == 200).all()
    assert (~puzzle.known).sum(axis=(1, 2)).tolist() == [2 * SIDE, 3 * SIDE]


def test_what_is_broken_off_is_not_painted_over_in_the_answer(call, picture, tmp_path):
    puzzle, _ = cut(picture, 56, seed=1)
    known = np.ones(puzzle.pieces.shape[:3], np.bool_)
    known[4, :14, :14] = False
    write_puzzle(tmp_path / "puzzle", Puzzle(puzzle.pieces, shape=puzzle.shape, known=known))
    told = ("solve", tmp_path / "puzzle", tmp_path / "out", "--measure", "mgc", "--runs", "1")
    assert call(*told).code == 0
    image = np.array(Image.open(tmp_path / "out" / "assembled.png"))
    given = read_puzzle(tmp_path / "puzzle")
    laid = read_beginning(tmp_path / "out" / "arrangement.json", given)
    row, col = np.argwhere(laid.sheets[0].piece == 4)[0]
    cell = image[56 * row : 56 * row + 56, 56 * col : 56 * col + 56]
    assert np.array_equal(cell[:14, :14], checker(56, 56)[:14, :14])
    assert np.array_equal(cell[14:], given.pieces[4][14:])
