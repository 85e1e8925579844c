"""Cutting shuffles, turns and wears; the truth undoes it."""

import json
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.errors import InputError
from tessella.imaging.cut import cut, cut_panels
from tessella.imaging.erode import erode
from tessella.imaging.grid import tiles
from tessella.imaging.render import render
from tessella.metrics import score
from tessella.truth import Truth, edge_classes

SIDES = st.integers(2, 9)


def picture(height: int, width: int, seed: int = 0, levels: int = 256) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.integers(0, levels, (height, width, 3), dtype=np.uint8)


@settings(max_examples=25, deadline=None)
@given(
    piece=st.tuples(SIDES, SIDES),
    shape=st.tuples(st.integers(1, 5), st.integers(1, 5)),
    extra=st.tuples(st.integers(0, 1), st.integers(0, 1)),
    turned=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_cut_then_render_the_truth_gives_the_picture_back(piece, shape, extra, turned, seed):
    height, width = (cells * side for cells, side in zip(shape, piece, strict=True))
    image = picture(height + extra[0], width + extra[1], seed)
    puzzle, truth = cut(image, piece, turned=turned, seed=seed)
    (sheet,) = truth.arrangement.sheets
    assert puzzle.shape == sheet.shape == shape
    assert puzzle.upright != turned
    assert np.array_equal(render(puzzle, sheet), image[:height, :width])


@settings(max_examples=25, deadline=None)
@given(
    side=st.integers(6, 9), wear=st.integers(1, 2), turned=st.booleans(), seed=st.integers(0, 99)
)
def test_worn_pieces_give_back_the_insides_and_black_frames(side, wear, turned, seed):
    image = picture(3 * side, 2 * side, seed)
    puzzle, truth = cut(image, side, turned=turned, erode=wear, seed=seed)
    again = render(puzzle, truth.arrangement.sheets[0])
    assert puzzle.eroded == wear
    expected = erode(tiles(image, (side, side))[0], wear)
    assert np.array_equal(tiles(again, (side, side))[0], expected)


def test_a_piece_turned_r_times_has_four_minus_r_true_turns():
    image = picture(40, 40)
    puzzle, truth = cut(image, 8, turned=True, seed=3)
    (sheet,) = truth.arrangement.sheets
    original = tiles(image, (8, 8))[0]
    for cell, (piece, turns) in enumerate(zip(sheet.piece.flat, sheet.turns.flat, strict=True)):
        turned = np.rot90(original[cell], (4 - int(turns)) % 4)
        assert np.array_equal(puzzle.pieces[piece], turned)
    assert set(sheet.turns.flat) == {0, 1, 2, 3}


def test_rectangular_pieces_are_turned_by_halves_only():
    _, truth = cut(picture(60, 80), (6, 8), turned=True)
    assert set(truth.arrangement.sheets[0].turns.flat) == {0, 2}


def test_pieces_are_shuffled_by_the_seed_alone():
    image = picture(60, 60)
    first, again, other = (cut(image, 6, seed=seed)[0].pieces for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert not np.array_equal(first, tiles(image, (6, 6))[0])


def test_the_truth_scores_one():
    puzzle, truth = cut(picture(24, 36), 6, turned=True)
    judged = score(truth.arrangement, truth)
    assert (judged.neighbor, judged.false_joins, judged.direct) == (1.0, 0.0, 1.0)
    assert judged.perfect
    assert truth.pieces == len(puzzle) == 24


def test_edges_of_identical_pieces_share_a_class_and_others_do_not():
    image = np.zeros((8, 12, 3), np.uint8)
    image[:4, :4] = picture(4, 4)
    puzzle, truth = cut(image, 4, turned=True, seed=5)
    special = int(truth.arrangement.sheets[0].piece[0, 0])
    classes = truth.edge_class.reshape(-1, 4)
    assert len(set(classes[special])) == 4
    flat = np.delete(classes, special, axis=0)
    assert len(set(flat.flat)) == 1
    assert int(flat[0, 0]) not in set(classes[special])
    assert np.array_equal(truth.edge_class, edge_classes(puzzle))


def test_classes_are_of_the_pieces_as_given_worn_ones_included():
    image = np.full((12, 24, 3), 200, np.uint8)
    image[0, 0] = 7
    assert len(set(cut(image, 12)[1].edge_class.tolist())) == 5
    assert len(set(cut(image, 12, erode=1)[1].edge_class.tolist())) == 1


def test_sides_of_different_length_never_share_a_class():
    _, truth = cut(np.zeros((8, 12, 3), np.uint8), (4, 6))
    assert truth.edge_class.reshape(-1, 4).tolist() == [[0, 1, 0, 1]] * 4


def test_pieces_of_more_than_255_pixels_have_classes_too():
    _, truth = cut(np.zeros((300, 600, 3), np.uint8), 300)
    assert truth.edge_class.tolist() == [0] * 8


@pytest.mark.parametrize(
    ("piece", "wear", "reason"),
    [
        (41, 0, "smaller than one piece"),
        ((8, 61), 0, "smaller than one piece"),
        (1, 0, "at least 2 x 2"),
        (8, 4, "at least 2 px of picture"),
        (8, -1, "0 or more"),
    ],
)
def test_what_cannot_be_cut_is_refused(piece, wear, reason):
    with pytest.raises(InputError, match=reason):
        cut(picture(40, 60), piece, erode=wear)


@pytest.mark.parametrize("image", [np.zeros((9, 9), np.uint8), np.zeros((9, 9, 3))])
def test_only_8_bit_rgb_is_cut(image):
    with pytest.raises(InputError, match="must be uint8"):
        cut(image, 3)


@pytest.mark.parametrize(
    ("piece", "options", "digest"),
    [
        ((9, 9), {}, "06ccc97d1d5d437c"),
        ((9, 9), {"turned": True, "erode": 1, "seed": 7}, "388262905694cca2"),
        ((9, 12), {"turned": True, "seed": 3}, "eabc2c1938d6e2df"),
    ],
)
def test_one_picture_is_cut_as_it_always_was(piece, options, digest):
    puzzle, truth = cut(picture(60, 90, seed=5), piece, **options)
    written = puzzle.pieces.tobytes() + json.dumps(truth.to_json(puzzle.names)).encode()
    assert sha256(written).hexdigest().startswith(digest)


@settings(max_examples=25, deadline=None)
@given(
    shapes=st.lists(st.tuples(st.integers(2, 5), st.integers(2, 5)), min_size=1, max_size=3),
    missing=st.floats(0, 0.7),
    foreign=st.integers(0, 4),
    turned=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_what_is_left_of_several_pictures_renders_them(shapes, missing, foreign, turned, seed):
    images = [picture(6 * r, 6 * c, seed + k) for k, (r, c) in enumerate(shapes)]
    puzzle, truth = cut_panels(
        images,
        6,
        missing=missing,
        foreign=foreign,
        foreign_from=[picture(60, 60, seed + 9)],
        turned=turned,
        seed=seed,
    )
    left = [r * c - round(missing * r * c) for r, c in shapes]
    assert len(puzzle) == sum(left) + foreign
    assert puzzle.shape == (shapes[0] if len(shapes) == 1 and not foreign else None)
    assert len(truth.foreign()) == foreign
    for sheet, image, count in zip(truth.arrangement.sheets, images, left, strict=True):
        here = (sheet.piece >= 0).repeat(6, axis=0).repeat(6, axis=1)
        assert (sheet.piece >= 0).sum() == count
        assert np.array_equal(render(puzzle, sheet)[here], image[here])


def test_foreign_pieces_were_no_neighbours():
    other = picture(60, 60, seed=2)
    whole = [piece.tobytes() for piece in tiles(other, (6, 6))[0]]
    puzzle, truth = cut_panels([picture(12, 12)], 6, foreign=25, foreign_from=[other], seed=4)
    cells = np.array([divmod(whole.index(puzzle.pieces[i].tobytes()), 10) for i in truth.foreign()])
    apart = np.abs(cells[:, None] - cells[None]).sum(axis=2)
    assert (apart[~np.eye(25, dtype=bool)] > 1).all()


def test_a_picture_gives_itself_no_foreign_pieces():
    with pytest.raises(InputError, match="to itself"):
        cut_panels([picture(12, 12)], 6, foreign=1, foreign_from=[picture(12, 12)])


def test_no_picture_is_refused():
    with pytest.raises(InputError, match="at least one picture"):
        cut_panels([])


def test_foreign_pieces_need_pictures():
    with pytest.raises(InputError, match="need pictures to come from"):
        cut_panels([picture(12, 12)], 6, foreign=1)


def test_the_truth_of_a_lossy_cut_survives_its_file():
    puzzle, truth = cut_panels(
        [picture(36, 36), picture(36, 36, 1)],
        6,
        missing=0.3,
        foreign=2,
        foreign_from=[picture(36, 36, 2)],
        turned=True,
    )
    again = Truth.from_json(json.loads(json.dumps(truth.to_json(puzzle.names))))
    assert again.arrangement.same(truth.arrangement)
    assert again.foreign() == truth.foreign()
