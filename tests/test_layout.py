"""Grids are told, recorded and made small enough to draw."""

from __future__ import annotations

import numpy as np
import pytest

from tessella import layout
from tessella.arrangement import Arrangement, Sheet
from tessella.imaging.read import read_image
from tessella.puzzle import Puzzle


def puzzle(count=6, **known):
    rng = np.random.default_rng(count)
    return Puzzle(rng.integers(0, 256, (count, 8, 10, 3), dtype=np.uint8), **known)


def laid(*shapes):
    first = np.cumsum([0, *(rows * cols for rows, cols in shapes)])
    cells = [f + np.arange(r * c).reshape(r, c) for f, (r, c) in zip(first, shapes, strict=False)]
    return Arrangement(tuple(Arrangement.single(each).sheets[0] for each in cells))


@pytest.mark.parametrize(
    ("shapes", "told"),
    [
        ([(2, 3)], "2 rows x 3 columns"),
        ([(1, 2)] * 3, ", ".join(["1 rows x 2 columns"] * 3)),
        ([(1, 1)] * 6, ", ".join(["1 rows x 1 columns"] * 3) + " and 3 more sheets"),
        ([(1, 2)] * 2, "1 rows x 2 columns, 1 rows x 2 columns; 2 pieces left over"),
    ],
)
def test_the_first_sheets_are_told_by_rows_and_columns(shapes, told):
    assert puzzle().layout.described(laid(*shapes)) == told


def test_sheets_of_few_pieces_are_fragments_where_another_has_more():
    told = puzzle(24).layout
    sheets = laid((2, 4), (1, 7), (1, 1), (1, 7))
    assert told.fragments(sheets) == (1, 2, 3)
    assert told.described(sheets) == "2 rows x 4 columns; 3 fragments; 1 piece left over"
    assert told.fragments(laid((1, 7), (1, 7))) == ()


def test_fragments_are_written_as_one_picture(tmp_path):
    told = puzzle(24).layout
    told.write_besides(tmp_path, laid((2, 4), (2, 4)))
    assert list(tmp_path.iterdir()) == []
    told.write_besides(tmp_path, laid((2, 4), (1, 3), (1, 2)))
    assert read_image(tmp_path / "fragments.png").shape == (8 + 2 + 8, 30, 3)


def test_a_grid_stays_as_the_solver_laid_it_and_has_no_facts_of_its_own():
    answer = object()
    assert puzzle().layout.paged(answer) is answer
    assert puzzle().layout.facts(laid((2, 3))) == {}


def test_pieces_are_placed_where_a_sheet_shows_them():
    given = puzzle(5)
    sheet = laid((2, 3)).sheets[0]
    sheet = Sheet(
        np.where(sheet.piece == 5, -1, sheet.piece), 2 * (sheet.piece % 2).astype(np.int8)
    )
    picture = given.layout.draw(sheet)
    assert [piece for piece, *_ in given.places(sheet)] == [0, 1, 2, 3, 4]
    for piece, turns, top, left in given.places(sheet):
        assert np.array_equal(picture[top : top + 8, left : left + 10], given.one(piece, turns))


def test_a_grid_is_of_a_shape_not_of_pages():
    given = puzzle(6).sized((2, 3), 2)
    assert (given.flat, given.shape) == (False, (2, 3))
    assert given.sized(None, 2).shape is None


def test_pieces_become_smaller_only_where_a_sheet_would_be_too_large(monkeypatch):
    given, answer = puzzle(eroded=1), laid((2, 3))
    assert given.layout.drawable(answer) is given
    monkeypatch.setattr(layout, "PIXELS_MAX", 6 * 80)
    assert given.layout.drawable(answer) is given
    monkeypatch.setattr(layout, "PIXELS_MAX", 6 * 80 - 1)
    smaller = given.layout.drawable(answer)
    assert smaller.piece_size == (7, 9)
    assert smaller.eroded == 0
    assert smaller.layout.draw(answer.sheets[0]).shape == (14, 27, 3)


def test_a_grid_says_in_its_manifest_whether_it_is_grey():
    names = tuple("abcdef")
    coloured = puzzle(shape=(2, 3), upright=False).layout.manifest(names)
    assert (coloured.kind, coloured.channels, coloured.piece) == ("grid", 3, (8, 10))
    assert (coloured.shape, coloured.upright, coloured.pieces) == ((2, 3), False, names)
    grey = Puzzle(np.full((6, 8, 10, 3), 7, np.uint8)).layout.manifest(names)
    assert grey.channels == 1


def test_pieces_begin_and_end_with_their_pictures():
    assert puzzle().rim(2).tolist() == [[0] * 8, [10] * 8]
    assert puzzle().rim(2, 1).tolist() == [[0] * 10, [8] * 10]
    assert not puzzle().ragged
