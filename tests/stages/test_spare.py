"""Spare pieces go where edges of their colour are free, and fill the blank holes of pictures."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Sheet
from tessella.stages.kinship import Kin, Knot
from tessella.stages.spare import adopted, filled, hole_colours

WHITE, BLACK = 0xFFFFFF, 0


def anything(shape: tuple[int, int]) -> bool:
    return bool(shape)


def sheet(*rows: list[int]) -> Sheet:
    piece = np.array(rows, np.int32)
    return Sheet(piece, np.zeros(piece.shape, np.int8))


def colours(pieces: int, **blank: list[int]) -> np.ndarray:
    """Return the colours of edges; those of the pieces named by colour are blank all around."""
    found = np.full((pieces, 4), -1, np.int32)
    found[blank.get("white", [])] = WHITE
    found[blank.get("black", [])] = BLACK
    return found.ravel()


def kin_of(*knots: list[int], spare: list[int]) -> Kin:
    made = [Knot(np.array(pieces), (pieces[0],)) for pieces in knots]
    return Kin(made, np.array(spare, np.intp))


def test_a_spare_piece_goes_with_the_knot_of_which_most_lies_on_its_sheet():
    akin = kin_of([0, 1], [2, 3, 4], spare=[5])
    found = adopted(akin, (sheet([0, 2, 3, 5]),), colours(6, white=[5]))
    assert {seed: pieces.tolist() for seed, pieces in found.items()} == {2: [5]}


def test_spare_pieces_on_no_sheet_are_shared_out_by_free_edges_of_their_colour():
    blank = colours(12, white=[4, 5, 6, 7, 8], black=[9])
    blank[[4 * 0, 4 * 0 + 1, 4 * 0 + 2, 4 * 1, 4 * 2]] = WHITE, WHITE, WHITE, WHITE, WHITE
    blank[4 * 2 + 1] = BLACK
    akin = kin_of([0, 1], [2, 3], spare=[4, 5, 6, 7, 8, 9])
    found = adopted(akin, (sheet([10, 11]),), blank)
    assert sorted(found[0].tolist() + found[2].tolist()) == [4, 5, 6, 7, 8, 9]
    assert len(found[0]) == 4
    assert 9 in found[2].tolist()


def test_what_nobody_has_an_edge_for_is_not_adopted():
    assert not adopted(kin_of([0, 1], spare=[2]), (sheet([0, 1]),), colours(3, white=[2]))


@pytest.mark.parametrize(("colour", "expected"), [(WHITE, WHITE), (BLACK, BLACK)])
def test_a_hole_has_the_colour_that_most_of_its_neighbours_turn_to_it(colour, expected):
    blank = colours(8)
    around = sheet([0, 1, 2], [3, -1, 4], [5, 6, 7])
    blank[[4 * 1 + 3, 4 * 3, 4 * 4 + 2]] = colour
    holes = hole_colours(around, blank)
    assert holes[1, 1] == expected
    assert (holes >= 0).sum() == 1
    blank[4 * 3] = blank[4 * 4 + 2] = -1
    assert hole_colours(around, blank)[1, 1] == -1


def test_holes_are_filled_by_what_has_no_place_elsewhere_and_nothing_lies_twice():
    blank = colours(8, white=[6, 7])
    blank[[4 * 0, 4 * 1 + 1]] = WHITE
    full, holed = sheet([3, 4], [5, -1]), sheet([0, -1], [2, 1])
    pictures = [
        (Knot(np.array([3, 4, 5, 6, 7]), (3,)), full),
        (Knot(np.array([0, 1, 2]), (0,)), holed),
    ]
    (one, whole), (two, mended) = filled(pictures, np.array([6, 7]), blank, anything)
    assert mended.piece.tolist() == [[0, 6], [2, 1]]
    assert whole.piece.tolist() == full.piece.tolist()
    assert one.pieces.tolist() == [3, 4, 5, 7]
    assert two.pieces.tolist() == [0, 1, 2, 6]


@pytest.mark.parametrize(("spare", "rows"), [(2, [2, 1]), (4, [2, 2]), (7, [3, 2]), (1, [1, 1])])
def test_what_is_left_makes_rows_along_blank_sides_of_one_picture_after_the_other(spare, rows):
    blank = colours(4 + spare, white=list(range(4, 4 + spare)))
    blank[[1, 5, 9, 13]] = WHITE  # the upper edges of all four
    pictures = [(Knot.on(each), each) for each in (sheet([0, 1]), sheet([2, 3]))]
    found = filled(pictures, np.arange(4, 4 + spare), blank, anything)
    assert [len(whole.piece) for _, whole in found] == rows
    assert [whole.piece[-1].tolist() for _, whole in found] == [[0, 1], [2, 3]]
    held = np.concatenate([whole.piece.ravel() for _, whole in found])
    assert len(np.unique(held)) == len(held)


def test_no_row_is_added_to_a_picture_that_may_not_be_higher():
    blank = colours(4, white=[2, 3])
    blank[[1, 5]] = WHITE
    low = sheet([0, 1])
    ((_, whole),) = filled([(Knot.on(low), low)], np.array([2, 3]), blank, lambda s: s[0] < 2)
    assert whole.piece.tolist() == low.piece.tolist()


def test_rows_are_added_on_any_side_but_only_where_all_of_it_is_blank():
    blank = colours(6, white=[4, 5])
    blank[[4 * 1, 4 * 3]] = WHITE  # to the right of both rows
    square = sheet([0, 1], [2, 3])
    ((_, whole),) = filled([(Knot.on(square), square)], np.array([4, 5]), blank, anything)
    assert whole.piece[:, :2].tolist() == square.piece.tolist()
    assert sorted(whole.piece[:, 2].tolist()) == [4, 5]
    blank[4 * 3] = BLACK
    ((_, whole),) = filled([(Knot.on(square), square)], np.array([4, 5]), blank, anything)
    assert whole.piece.tolist() == square.piece.tolist()


def test_fragments_that_make_no_rectangle_keep_what_they_adopted():
    pictures = [
        (Knot(np.array([0, 6]), (0,)), None),
        (Knot(np.array([1, 2]), (1,)), sheet([1, -1])),
    ]
    blank = colours(7, white=[6, 1])
    (one, _), (_, whole) = filled(pictures, np.array([6]), blank, anything)
    assert one.pieces.tolist() == [0, 6]
    assert whole.piece.tolist() == [[1, -1]]
