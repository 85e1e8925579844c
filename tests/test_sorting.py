"""Sorting counts sheets, pieces on the right sheet, strangers left over, and false joins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella import api
from tessella.arrangement import Arrangement, Sheet
from tessella.imaging.cut import cut, cut_panels
from tessella.sorting import COUNTED, Sorting, applies, sort
from tessella.truth import Truth


def picture(rows: int, cols: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (6 * rows, 6 * cols, 3), np.uint8)


def arranged(*sheets) -> Arrangement:
    return Arrangement(tuple(Sheet(np.array(s), np.zeros(np.shape(s), int)) for s in sheets))


def own_classes(pieces: int) -> np.ndarray:
    return np.arange(4 * pieces)


# Two panels of 2 x 4 pieces, the second with a hole, and a stranger: piece 15.
TRUE = Truth(
    arranged([[0, 1, 2, 3], [4, 5, 6, 7]], [[8, 9, 10, -1], [11, 12, 13, 14]]), own_classes(16)
)


@settings(max_examples=20, deadline=None)
@given(
    shapes=st.lists(st.tuples(st.integers(2, 5), st.integers(2, 5)), min_size=1, max_size=3),
    missing=st.floats(0, 0.6),
    foreign=st.integers(0, 3),
    turned=st.booleans(),
)
def test_the_truth_is_pure(shapes, missing, foreign, turned):
    images = [picture(*shape, seed) for seed, shape in enumerate(shapes)]
    _, truth = cut_panels(
        images,
        6,
        missing=missing,
        foreign=foreign,
        foreign_from=[picture(9, 9, 9)],
        turned=turned,
    )
    found = sort(truth.arrangement, truth, upright=not turned)
    counted = sum(r * c - round(missing * r * c) >= COUNTED for r, c in shapes)
    assert found == Sorting(0.0, 0, counted, counted, 1.0, foreign, foreign, foreign)
    scored = api.score(truth.arrangement, truth)
    assert (scored.neighbor, scored.perfect) == (1.0, True)


def test_a_whole_picture_on_one_sheet_has_nothing_to_sort():
    _, truth = cut(picture(3, 4), 6)
    assert not applies(truth.arrangement, truth)
    assert api.score(truth.arrangement, truth).sorting is None
    assert "purity" not in api.score(truth.arrangement, truth).to_json()


def test_sheets_are_matched_one_to_one_whatever_their_order():
    answer = arranged([[8, 9, 10, 3], [11, 12, 13, 14]], [[0, 1, 2, -1], [4, 5, 6, 7]])
    found = sort(answer, TRUE)
    # Piece 3 lies on the other sheet; piece 15 is left over and belongs nowhere.
    assert found.purity == 15 / 16
    assert (found.sheets, found.sheets_true) == (1, 1)  # eight pieces count, seven do not
    assert (found.left_over, found.foreign, found.foreign_left_over) == (1, 1, 1)
    assert found.false_join_count == 2  # 10 beside 3, and 3 above 14
    assert found.false_joins_up_to_identical == pytest.approx(2 / 18)


def test_a_fragment_of_a_panel_is_not_pure():
    answer = arranged([[0, 1, 2, 3]], [[4, 5, 6, 7]], [[8, 9, 10, -1], [11, 12, 13, 14]])
    found = sort(answer, TRUE)
    assert found.purity == 12 / 16
    assert found.false_join_count == 0


def test_a_stranger_on_a_sheet_and_a_piece_left_over_are_both_wrong():
    answer = arranged([[0, 1, 2, 3], [4, 5, 6, 7]], [[8, 9, 10, 15], [11, 12, 13, -1]])
    found = sort(answer, TRUE)
    assert found.purity == 14 / 16
    assert (found.left_over, found.foreign_left_over) == (1, 0)
    assert found.false_join_count == 1


def test_identical_pieces_are_interchangeable_between_sheets():
    classes = own_classes(16).reshape(16, 4)
    classes[9] = classes[1]
    twins = Truth(TRUE.arrangement, classes.ravel())
    answer = arranged([[0, 9, 2, 3], [4, 5, 6, 7]], [[8, 1, 10, -1], [11, 12, 13, 14]])
    found = sort(answer, twins)
    assert (found.purity, found.false_join_count) == (1.0, 0)
    assert sort(answer, TRUE).purity == 14 / 16


def test_a_piece_that_looks_like_another_turned_is_its_twin_only_where_pieces_turn():
    classes = own_classes(16).reshape(16, 4)
    classes[9] = np.roll(classes[1], 2)
    twins = Truth(TRUE.arrangement, classes.ravel())
    answer = arranged([[0, 9, 2, 3], [4, 5, 6, 7]], [[8, 1, 10, -1], [11, 12, 13, 14]])
    assert sort(answer, twins, upright=False).purity == 1.0
    assert sort(answer, twins, upright=True).purity == 14 / 16


def test_the_pictures_tell_twins_that_the_truth_does_not_know():
    image = np.concatenate([picture(3, 3), picture(3, 3)], axis=1)
    puzzle, truth = cut_panels([image, picture(3, 3, 2)], 6)
    ignorant = Truth(truth.arrangement, own_classes(truth.pieces))
    one, two = truth.arrangement.sheets
    swapped = Sheet(np.concatenate([one.piece[:, 3:], one.piece[:, :3]], axis=1), one.turns)
    answer = Arrangement((swapped, two))
    assert api.score(answer, ignorant).neighbor_up_to_identical < 1
    told = api.score(answer, ignorant, puzzle=puzzle)
    assert told.neighbor_up_to_identical == 1
    assert told.sorting is not None
    assert told.sorting.false_join_count == 0
