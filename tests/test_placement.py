"""The placement list: one line a piece, readable by any spreadsheet."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.errors import InputError, OutputError
from tessella.placement import places, to_csv, write_placement
from tessella.wishes.names import Names
from tessella.wishes.spreadsheet import wishes_from_csv


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_sheets_rows_and_columns_count_from_one():
    second = Sheet(np.array([[EMPTY, 0]]), np.array([[0, 3]]))
    arrangement = Arrangement((Arrangement.single([[2], [1]]).sheets[0], second))
    listed = rows(to_csv(arrangement, ["a", "b", "c"]))
    assert listed == [
        {"file": "c", "sheet": "1", "row": "1", "col": "1", "turns": "0"},
        {"file": "b", "sheet": "1", "row": "2", "col": "1", "turns": "0"},
        {"file": "a", "sheet": "2", "row": "1", "col": "2", "turns": "3"},
    ]


def test_pieces_without_a_place_come_last_and_blank():
    listed = rows(to_csv(Arrangement.single([[1]]), ["left over", "placed"]))
    assert [line["file"] for line in listed] == ["placed", "left over"]
    assert listed[1] == {"file": "left over", "sheet": "", "row": "", "col": "", "turns": ""}


def test_where_it_is_known_how_sure_pieces_lie_that_is_the_last_column():
    text = to_csv(Arrangement.single([[1, 0]]), ["a", "b", "over"], {1: 0.12345})
    assert [line["confidence"] for line in rows(text)] == ["0.123", "", ""]
    wishes = wishes_from_csv(
        text.replace("confidence", "confidence,locked"), Names(("a", "b", "over")), upright=True
    )
    assert not wishes


NAMED = st.characters(exclude_characters="\r\x00", exclude_categories=["Cs"])


@settings(max_examples=25, deadline=None)
@given(names=st.lists(st.text(NAMED), min_size=1, max_size=6))
def test_any_file_name_of_valid_unicode_comes_back(names):
    arrangement = Arrangement.single([list(range(len(names)))])
    assert [line["file"] for line in rows(to_csv(arrangement, names))] == names


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 999), height=st.integers(1, 4), width=st.integers(1, 4))
def test_the_list_tells_the_whole_arrangement(seed, height, width):
    rng = np.random.default_rng(seed)
    piece = rng.permutation(height * width).reshape(height, width)
    turns = rng.integers(4, size=piece.shape)
    again = np.full(piece.shape, EMPTY), np.zeros(piece.shape, int)
    for place in places(Arrangement.single(piece, turns)):
        again[0][place.row, place.col] = place.piece
        again[1][place.row, place.col] = place.turns
    assert np.array_equal(again[0], piece)
    assert np.array_equal(again[1], turns)


def test_the_file_holds_the_list(tmp_path):
    arrangement = Arrangement.single([[0, 1]])
    write_placement(tmp_path / "placement.csv", arrangement, ["ä.png", "b.png"])
    assert (tmp_path / "placement.csv").read_text(encoding="utf-8") == to_csv(
        arrangement, ["ä.png", "b.png"]
    )


def test_a_piece_without_a_name_is_refused_and_nothing_written(tmp_path):
    with pytest.raises(InputError, match="names piece 1, but the puzzle has 1 pieces"):
        write_placement(tmp_path / "placement.csv", Arrangement.single([[1]]), ["a.png"])
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(OutputError, match="Cannot write"):
        write_placement(tmp_path / "nowhere" / "p.csv", Arrangement.single([[0]]), ["a.png"])
