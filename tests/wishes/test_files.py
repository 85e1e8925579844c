"""Wishes on disk: JSON and CSV, what they say and what they may not."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.errors import FormatError, InputError
from tessella.files import write_json
from tessella.puzzle import Puzzle
from tessella.wishes import Barred, Code, Fixed, Wishes
from tessella.wishes.files import read_wishes, wishes_from_json, wishes_to_json
from tessella.wishes.names import Names
from tessella.wishes.spreadsheet import COLUMNS, wishes_from_csv

NAMES = tuple(f"tile {i}.png" for i in range(9))
HEAD = "file,panel,row,col,turns,locked,note\n"


def puzzle(upright=False):
    return Puzzle(np.zeros((9, 8, 8, 3), np.uint8), upright=upright, names=NAMES)


def from_csv(text, upright=False):
    return wishes_from_csv(text, Names(NAMES, "w.csv"), upright=upright)


def to_csv(wishes: Wishes) -> str:
    """Return what a spreadsheet can hold of `wishes`: fixed pieces, codes and turns."""
    rows = []
    panels = {code.piece: code.panel for code in wishes.codes if code.panel}
    for fixed in wishes.fixed:
        panel = panels.get(fixed.piece, str(fixed.sheet + 1))
        rows.append((fixed.piece, panel, fixed.row + 1, fixed.col + 1, fixed.turns, "yes", ""))
    for code in wishes.codes:
        where = ("" if n is None else n + 1 for n in (code.row, code.col))
        rows.append((code.piece, code.panel or "", *where, "", "", ""))
    rows += [(piece, "", "", "", turns, "", "") for piece, turns in wishes.upright]
    lines = [",".join(COLUMNS)]
    lines += [",".join(map(str, (NAMES[piece], *cells))) for piece, *cells in rows]
    return "\n".join(lines) + "\n"


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**31 - 1), named=st.booleans())
def test_json_holds_all_wishes(draw, seed, named):
    rng = np.random.default_rng(seed)
    wishes = draw.met_by(draw.laid(9, (3, 4), False, True, rng), rng, 5)
    value = json.loads(json.dumps(wishes_to_json(wishes, NAMES if named else ())))
    assert wishes_from_json(value, Names(NAMES)) == wishes


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**31 - 1))
def test_csv_holds_fixed_pieces_codes_and_turns(draw, seed):
    rng = np.random.default_rng(seed)
    every = draw.met_by(draw.laid(9, (3, 4), False, True, rng), rng, 5)
    marked = {code.piece for code in every.codes}
    wishes = Wishes(
        fixed=tuple(w for w in every.fixed if w.piece not in marked),
        upright=every.upright,
        codes=every.codes,
    )
    assert from_csv(to_csv(wishes)) == wishes


def test_json_calls_pieces_by_names_or_numbers_and_sides_by_words():
    value = {
        "version": 1,
        "joined": [[["tile 0.png", "right"], ["tile 1", "left"]], [3, 9]],
        "forbidden": [[[4, "top"], [5, 3]]],
        "fixed": [{"piece": "tile 2.png", "sheet": 0, "row": 1, "col": 2, "turns": 3}],
        "barred": [{"piece": 3, "sheet": 0, "row": 0, "col": 0}],
        "codes": [{"piece": 8, "panel": "North"}],
    }
    assert wishes_from_json(value, Names(NAMES)) == Wishes(
        joined=((0, 6), (3, 9)),
        forbidden=((17, 23),),
        fixed=(Fixed(2, 0, 1, 2, 3),),
        barred=(Barred(3, 0, 0, 0),),
        codes=(Code(8, panel="North"),),
    )


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "tile 3.png,,2,3,1,yes,\n",
        "\ufefffile;panel;row;col;turns;locked;note\r\ntile 3.png;;2;3;1;YES;seen, by me\r\n",
        "File\tRow\tCol\tTurns\tLocked\nTILE 3.PNG\t2\t3\t1\tx\n",
        "col,row,file,turns,locked,,\n3.0,2,tile 3,1,1,,\n,,,,,,\n",
        "file,sheet,row,col,turns,locked\ntile 3.png,1,2,3,1,yes\ntile 4.png,1,2,4,1,\n",
    ],
    ids=["commas", "semicolons and a mark", "tabs", "any order", "placement list"],
)
def test_spreadsheets_are_read_as_programs_write_them(text):
    assert from_csv(text) == Wishes(fixed=(Fixed(3, 0, 1, 2, 1),))


def test_what_is_not_locked_is_a_code_and_no_is_no_wish():
    text = HEAD + "tile 0.png,A,2,,,,\ntile 1.png,,,,3,,\ntile 2.png,A,1,1,0,no,\n"
    assert from_csv(text) == Wishes(codes=(Code(0, 1, None, "A"),), upright=((1, 3),))


def test_a_locked_tile_without_turns_may_be_turned_unless_all_are_upright():
    text = HEAD + "tile 0.png,,2,1,,yes,\n"
    assert from_csv(text) == Wishes(codes=(Code(0, 1, 0),))
    assert from_csv(text, upright=True) == Wishes(fixed=(Fixed(0, 0, 1, 0),))


def test_named_panels_of_locked_tiles_are_sheets():
    text = HEAD + "tile 0.png,North,1,1,0,yes,\ntile 1.png,South,1,1,0,yes,\n"
    assert from_csv(text) == Wishes(
        fixed=(Fixed(0, 0, 0, 0), Fixed(1, 1, 0, 0)),
        codes=(Code(0, panel="North"), Code(1, panel="South")),
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("name,row\nx,1\n", "must name columns"),
        ("file,trun\nx,1\n", "must name columns"),
        ("file,row,row\nx,1,1\n", "must name columns"),
        ("file,sheet,panel\nx,1,1\n", "keep one"),
        (HEAD + "tile 99.png,,1,1,0,yes,\n", "Line 2 of w.csv .* no piece of the puzzle"),
        (HEAD + "tile 0.png,,0,1,0,yes,\n", "whole number from 1 under row"),
        (HEAD + "tile 0.png,,1,one,0,yes,\n", "whole number from 1 under col"),
        (HEAD + "tile 0.png,,1,1,4,yes,\n", "whole number from 0 under turns"),
        (HEAD + "tile 0.png,,1,1,0,perhaps,\n", "yes, no or nothing under locked"),
        (HEAD + "tile 0.png,,1,,0,yes,\n", "needs a row and a col"),
    ],
)
def test_what_a_spreadsheet_may_not_say_is_told_with_its_line(text, why):
    with pytest.raises(FormatError, match=why):
        from_csv(text)


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"version": 2},
        {"version": 1, "fix": []},
        {"version": 1, "fixed": {}},
        {"version": 1, "fixed": [{"piece": 0}]},
        {"version": 1, "fixed": [{"piece": 0, "sheet": 0, "row": -1, "col": 0}]},
        {"version": 1, "joined": [[0, 1]]},
        {"version": 1, "joined": [[["tile 0.png", "north"], 6]]},
        {"version": 1, "joined": [[["who.png", "top"], 6]]},
        {"version": 1, "upright": [{"piece": 99, "turns": 0}]},
        {"version": 1, "together": [[0]]},
        {"version": 1, "codes": [{"piece": 0}]},
        {"version": 1, "codes": [{"piece": None, "row": 1}]},
    ],
)
def test_json_that_cannot_be_read_is_told(value):
    with pytest.raises(FormatError):
        wishes_from_json(value, Names(NAMES, "w.json"))


def test_what_a_file_is_shows_in_its_name(tmp_path):
    wishes = Wishes(fixed=(Fixed(3, 0, 1, 2, 1),))
    write_json(tmp_path / "w.json", wishes_to_json(wishes))
    (tmp_path / "w.CSV").write_bytes((HEAD + "tile 3.png,é,2,3,1,no,\n").encode("cp1252"))
    assert read_wishes(tmp_path / "w.json", puzzle()) == wishes
    assert not read_wishes(tmp_path / "w.CSV", puzzle())
    with pytest.raises(InputError, match=r"a \.json or a \.csv file"):
        read_wishes(tmp_path / "w.txt", puzzle())
    with pytest.raises(FormatError, match="Cannot read"):
        read_wishes(tmp_path / "none.csv", puzzle())
