"""A project is what comes of its events, whatever was done, undone, killed or done by two."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.errors import InputError
from tessella.studio import acts, project, snapshots
from tessella.studio.errors import Conflict, Refused, Unreadable
from tessella.studio.facts import Facts
from tessella.studio.log import Event, Log
from tessella.studio.project import Project
from tessella.studio.state import TRAY, Spot, State

PIECES = 6
KILLS = int(os.environ.get("TESSELLA_KILLS", "24"))
FACTS = Facts("six", PIECES, tuple("abcdef"), height=8, width=8)


@pytest.fixture
def folder(tmp_path):
    Project.create(tmp_path / "six.tessella", FACTS)
    return tmp_path / "six.tessella"


small = st.integers(-1, PIECES)
pieces = st.lists(st.integers(0, PIECES - 1), min_size=1, max_size=3, unique=True)
edges = st.integers(0, 4 * PIECES - 1)
ACTS = {
    "place": st.fixed_dictionaries(
        {
            "pieces": pieces,
            "sheet": st.integers(0, 2),
            "rows": st.lists(small, min_size=3, max_size=3),
            "cols": st.lists(small, min_size=3, max_size=3),
        }
    ).map(lambda a: a | {k: a[k][: len(a["pieces"])] for k in ("rows", "cols")}),
    "turn": st.fixed_dictionaries(
        {"pieces": pieces, "times": st.integers(0, 5), "together": st.booleans()}
    ),
    "swap": st.fixed_dictionaries({"first": small, "second": small}),
    "tray": st.fixed_dictionaries({"pieces": pieces}),
    "lock": st.tuples(
        pieces, st.none() | st.lists(st.tuples(small, small, small, st.integers(0, 3)), min_size=3)
    ).map(lambda told: {"pieces": told[0], "spots": told[1] and told[1][: len(told[0])]}),
    "unlock": st.fixed_dictionaries({"pieces": pieces}),
    "join": st.fixed_dictionaries({"first": edges, "second": edges}),
    "forbid": st.fixed_dictionaries({"first": edges, "second": edges}),
    "release": st.fixed_dictionaries({"first": edges, "second": edges}),
    "reply": st.fixed_dictionaries(
        {
            "first": edges,
            "second": edges,
            "said": st.sampled_from(["yes", "no", "unsure", "?"]),
            "instead": st.none() | edges,
        }
    ),
    "bar": st.fixed_dictionaries(
        {
            "piece": small,
            "sheet": st.integers(0, 1),
            "row": small,
            "col": small,
            "barred": st.booleans(),
        }
    ),
    "new_sheet": st.fixed_dictionaries({"name": st.text(max_size=5)}),
    "name_sheet": st.fixed_dictionaries({"sheet": st.integers(0, 2), "name": st.text(max_size=5)}),
    "merge_sheets": st.fixed_dictionaries({"sheet": st.integers(0, 2), "into": st.integers(0, 2)}),
    "split_sheet": st.fixed_dictionaries({"sheet": st.integers(-1, 2), "pieces": pieces}),
    "crop": st.fixed_dictionaries(
        {"sheet": st.just(0), "top": small, "left": small, "bottom": small, "right": small}
    ),
    "note": st.fixed_dictionaries(
        {
            "about": st.sampled_from(
                ["piece:1", "piece:99", "join:1-9", "join:9-1", "sheet:0", "sheet:1", "x"]
            ),
            "text": st.text(max_size=9),
        }
    ),
    "code": st.fixed_dictionaries({"piece": small, "row": st.none() | small}),
    "know": st.fixed_dictionaries({"rows": st.none() | small, "cols": st.none() | small}),
    "wish": st.fixed_dictionaries(
        {
            "fixed": st.lists(
                st.tuples(small, st.integers(0, 2), small, small, st.just(0)), max_size=2
            ),
            "joined": st.lists(st.tuples(edges, edges), max_size=2),
            "coded": st.just([[1, 2, -1]]),
            "panels": st.just(["A"]),
        }
    ),
    "answer": st.permutations(range(PIECES)).map(
        lambda order: {"pieces": [list(order)], "turns": [[0] * PIECES], "cols": [3]}
    ),
}
deeds = st.sampled_from(sorted(ACTS)).flatmap(lambda n: st.tuples(st.just(n), ACTS[n]))
alone = st.tuples(st.just("retract"), st.fixed_dictionaries({"version": st.integers(1, 12)}))
steps = st.lists(deeds | alone | st.just(("undo", {})) | st.just(("redo", {})), max_size=25)


def perform(made: Project, step) -> Event | None:
    """Do one step; None where it is refused."""
    name, args = step
    try:
        if name in ("undo", "redo", "retract"):
            return getattr(made, name)(**args)
        return made.act(name, args)
    except InputError:
        return None


def check_cells(state: State) -> None:
    """The cells are those that the table of places says, and hold one piece each."""
    lying = {p: state.spot(p) for p in range(state.pieces) if state.spot(p).sheet != TRAY}
    assert {(s.sheet, s.row, s.col): p for p, s in lying.items()} == state.cells
    assert len(lying) == len(state.cells)
    assert state.used() <= {*state.sheets()}
    for key in state.tables["bar"]:
        piece, *cell = map(int, key.split(":"))
        assert state.cells.get(tuple(cell)) != piece
    assert all(state.spot(int(key)).sheet != TRAY for key in state.tables["lock"])
    joined = [key.split("-") for key, word in state.tables["join"].items() if word == "joined"]
    assert len({edge for pair in joined for edge in pair}) == 2 * len(joined)


def test_every_act_is_tried():
    assert set(ACTS) == set(acts.names())


@settings(max_examples=25)
@given(steps)
def test_replaying_the_events_gives_the_state(tmp_path_factory, done):
    made = Project.create(tmp_path_factory.mktemp("p") / "p.tessella", FACTS)
    for step in done:
        before = json.dumps(made.state.to_json(), sort_keys=True)
        if perform(made, step) is None:
            assert json.dumps(made.state.to_json(), sort_keys=True) == before
        check_cells(made.state)
    again = Project(made.folder)
    assert again.state.same(made.state)
    assert (again.version, again.done, again.undone) == (made.version, made.done, made.undone)


@settings(max_examples=25)
@given(steps)
def test_undoing_everything_gives_the_beginning_and_redoing_it_the_end(tmp_path_factory, done):
    made = Project.create(tmp_path_factory.mktemp("p") / "p.tessella", FACTS)
    for step in done:
        perform(made, step)
    end, count = json.dumps(made.state.to_json(), sort_keys=True), len(made.done)
    made.snapshot()
    made = Project(made.folder)  # undo goes back beyond what was opened
    for _ in range(count):
        made.undo()
    assert made.state.same(State(PIECES))
    with pytest.raises(Refused, match="nothing to undo"):
        made.undo()
    for _ in range(count):
        made.redo()
    assert json.dumps(made.state.to_json(), sort_keys=True) == end


def test_a_snapshot_opens_to_the_same_state(folder):
    made = Project(folder)
    for row in range(5):
        made.act("place", {"pieces": [row], "sheet": 0, "rows": [row], "cols": [0]})
    made.snapshot()
    made.act("lock", {"pieces": [1]})
    again = Project(folder)
    assert again.state.same(made.state)
    assert again.done == made.done


@pytest.mark.parametrize("content", ["", "{}", '{"version": 3, "offset": 99999, "pieces": 6}'])
def test_a_damaged_snapshot_is_left_alone(folder, content):
    made = Project(folder)
    made.act("new_sheet", {})
    (folder / "snapshots" / "000000009.json").write_text(content)
    assert Project(folder).state.same(made.state)


def test_snapshots_come_by_themselves_and_old_ones_go(folder, monkeypatch):
    monkeypatch.setattr(project, "EVERY", 2)
    made = Project(folder)
    for _ in range(9):
        made.act("new_sheet", {})
    names = [path.name for path in snapshots._every(folder)]
    assert names == ["000000008.json", "000000006.json"]
    assert Project(folder).version == 9


def test_a_half_written_last_line_is_dropped_with_a_note(folder):
    made = Project(folder)
    made.act("new_sheet", {"name": "kept"})
    with (folder / "events.jsonl").open("ab") as file:
        file.write(b'{"v":2,"act":"new_sh')
    again = Project(folder)
    assert again.state.same(made.state)
    assert "dropped" in again.notes[0]
    again.act("new_sheet", {})
    assert Project(folder).notes == []


def test_a_garbled_last_line_is_dropped_but_one_in_the_middle_is_told(folder):
    made = Project(folder)
    made.act("new_sheet", {})
    path = folder / "events.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0\0\0\n")
    assert Project(folder).version == 1
    path.write_bytes(b"\0\0\0\n" + whole)
    with pytest.raises(Unreadable, match="byte 0"):
        Project(folder)


def test_what_is_no_project_is_told(tmp_path, folder):
    with pytest.raises(Unreadable, match="no project"):
        Project(tmp_path)
    (folder / "events.jsonl").unlink()
    with pytest.raises(Unreadable, match=r"events\.jsonl"):
        Project(folder)
    with pytest.raises(Refused, match="project already"):
        Project.create(folder, FACTS)


def test_two_processes_see_each_other_and_never_overwrite(folder):
    one, other = Project(folder), Project(folder)
    event = one.act("place", {"pieces": [0], "sheet": 0, "rows": [0], "cols": [0]}, base=0)
    other.act("place", {"pieces": [1], "sheet": 0, "rows": [0], "cols": [1]}, base=0)
    with pytest.raises(Conflict, match="somebody else"):  # the cell was empty when it was seen
        other.act("place", {"pieces": [2], "sheet": 0, "rows": [0], "cols": [0]}, base=0)
    assert [each.version for each in one.refresh()] == [2]
    assert one.state.same(other.state)
    other.act(
        "place", {"pieces": [2], "sheet": 0, "rows": [0], "cols": [0]}, base=event.version + 1
    )
    assert Project(folder).state.same(other.state)


def test_history_begins_near_what_is_asked_for_and_waits_for_nobody(folder, monkeypatch):
    made = Project(folder)
    for number in range(5):
        made.act("new_sheet", {"name": str(number)})
    made.undo()
    held = []
    monkeypatch.setattr(Log, "between", lambda self, begin, end: held.append((begin, end)) or [])
    made.events(4)
    assert held == [(made.done[3][1], made._log.offset)]
    monkeypatch.undo()
    with made._log.held():  # another process acts: what is read already needs no lock
        assert [each.version for each in made._log.between(0, made._log.offset)] == [*range(1, 7)]
    assert [each.version for each in made.events(2)] == [3, 4, 5, 6]
    assert [each.version for each in made.events(0, 2)] == [1, 2]
    assert made.events(6) == []


def test_acts_refuse_what_cannot_be(folder):
    made = Project(folder)
    made.act("place", {"pieces": [0, 1], "sheet": 0, "rows": [0, 0], "cols": [0, 1]})
    made.act("lock", {"pieces": [0]})
    refused = [
        ("tray", {"pieces": [0]}, "locked"),
        ("place", {"pieces": [2], "sheet": 0, "rows": [0], "cols": [0]}, "locked"),
        ("place", {"pieces": [2, 3], "sheet": 0, "rows": [5, 5], "cols": [5, 5]}, "one cell"),
        ("place", {"pieces": [2], "sheet": 7, "rows": [0], "cols": [0]}, "no sheet 8"),
        ("place", {"pieces": [2], "sheet": 0, "rows": [10**7], "cols": [0]}, "within"),
        ("place", {"pieces": [2], "sheet": 0, "rows": [], "cols": [0]}, "one row"),
        ("lock", {"pieces": [5]}, "tray"),
        ("swap", {"first": 0, "second": 1}, "locked"),
        ("join", {"first": 0, "second": 3}, "never"),
        ("note", {"about": "x", "text": "y"}, "note is about"),
        ("note", {"about": "piece:1", "text": "y" * 5000}, "4000"),
        ("crop", {"sheet": 0, "top": 1, "left": 0, "bottom": 0, "right": 0}, "row and a column"),
    ]
    for name, args, words in refused:
        with pytest.raises(Refused, match=words):
            made.act(name, args)
    made.act("join", {"first": 4, "second": 8})
    with pytest.raises(Refused, match="joined to piece 2 already"):
        made.act("join", {"first": 4, "second": 12})


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("fly", {}, "no act"),
        ("lock", {}, "needs pieces"),
        ("lock", {"pieces": 3}, "must be a list"),
        ("lock", {"pieces": [True]}, "type int"),
        ("lock", {"pieces": ["1"]}, "type int"),
        ("lock", {"pieces": [10**30]}, "within"),
        ("lock", {"pieces": [1], "x": 1}, "argument of lock"),
        ("note", {"about": None, "text": "a"}, "type str"),
    ],
)
def test_what_is_no_act_is_told(folder, name, args, words):
    with pytest.raises(InputError, match=words):
        Project(folder).act(name, args)


def test_what_was_said_of_a_merged_sheet_goes_with_it_and_no_later_sheet_has_it(folder):
    made = Project(folder)
    made.act("place", {"pieces": [0], "sheet": 0, "rows": [0], "cols": [0]})
    made.act("new_sheet", {})
    made.act("place", {"pieces": [1], "sheet": 1, "rows": [5], "cols": [5]})
    made.act("bar", {"piece": 2, "sheet": 1, "row": 5, "col": 6})
    made.act("bar", {"piece": 0, "sheet": 1, "row": 5, "col": 4})  # where it lies on the other
    for sheet, text in ((0, "the wall"), (1, "the frieze")):
        made.act("note", {"about": f"sheet:{sheet}", "text": text})
    before = State(PIECES, made.state.tables)
    made.act("merge_sheets", {"sheet": 1, "into": 0})
    assert made.state.tables["bar"] == {"2:0:0:2": True}
    assert made.state.tables["note"] == {"sheet:0": "the wall\nthe frieze"}
    made.act("new_sheet", {})
    made.act("place", {"pieces": [2], "sheet": 1, "rows": [5], "cols": [6]})
    for _ in range(3):
        made.undo()
    assert made.state.same(before)
    made.act("merge_sheets", {"sheet": 0, "into": 1})  # the first sheet stays, and is empty
    assert made.state.tables["note"] == {"sheet:1": "the frieze\nthe wall"}
    made.act("bar", {"piece": 3, "sheet": 0, "row": 1, "col": 1})
    made.act("merge_sheets", {"sheet": 0, "into": 1})
    assert "3" not in {key[0] for key in made.state.tables["bar"]}  # of no cell beside any piece


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("bar", {"piece": 2, "sheet": 1, "row": 5, "col": 6}),
        ("note", {"about": "sheet:1", "text": "the frieze"}),
    ],
)
def test_a_sheet_of_which_something_was_said_is_not_taken_back_alone(folder, name, args):
    made = Project(folder)
    sheet = made.act("new_sheet", {}).version
    said = made.act(name, args).version
    with pytest.raises(Refused, match="changed since"):
        made.retract(sheet)
    made.retract(said)
    made.retract(sheet)
    assert made.state.to_json() == {}
    list_of_wishes = made.act("wish", {"barred": [[2, 3, 0, 0]]}).version
    made.act("place", {"pieces": [4], "sheet": 0, "rows": [0], "cols": [0]})
    made.retract(list_of_wishes)
    assert list(made.state.to_json()) == ["place"]


def test_a_note_has_one_subject_however_it_is_written(folder):
    made = Project(folder)
    made.act("note", {"about": "join:9-1", "text": "one crack"})
    made.act("note", {"about": "piece:03", "text": "chipped"})
    made.act("note", {"about": "join:1-9", "text": "two cracks"})
    assert made.state.tables["note"] == {"join:1-9": "two cracks", "piece:3": "chipped"}
    for about in ("join:1-99", "join:99-1", "join:1", "sheet:4"):
        with pytest.raises(Refused):
            made.act("note", {"about": about, "text": "x"})


def test_an_act_that_changes_nothing_is_no_event_and_leaves_what_can_be_redone(folder):
    made = Project(folder)
    place = {"pieces": [0], "sheet": 0, "rows": [0], "cols": [0]}
    made.act("place", place)
    made.act("lock", {"pieces": [0]})
    made.undo()
    for name, args in (
        ("place", place),
        ("tray", {"pieces": [5]}),
        ("unlock", {"pieces": [0]}),
        ("wish", {"forbidden": []}),
        ("turn", {"pieces": [0], "times": 4}),
    ):
        told = made.act(name, args)
        assert (told.written, told.version, told.changes) == (False, 3, ())
    assert Project(folder).version == 3
    made.redo()
    assert made.state.locked(0)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("reply", {"first": 0, "second": 6, "said": "unsure"}),
        ("note", {"about": "piece:1", "text": "a crack"}),
    ],
)
def test_what_is_said_again_is_an_event_again(folder, name, args):
    made = Project(folder)
    first, second = made.act(name, args), made.act(name, args)
    assert (second.version, second.written, second.changes) == (first.version + 1, True, ())
    made.retract(second.version)
    assert made.state.to_json() != {}


def test_a_block_turns_as_one(folder):
    made = Project(folder)
    made.act("place", {"pieces": [0, 1, 2], "sheet": 0, "rows": [0, 0, 0], "cols": [4, 5, 6]})
    made.act("turn", {"pieces": [0, 1, 2], "together": True})
    assert [made.state.spot(p) for p in range(3)] == [
        Spot(0, 2, 4, 1), Spot(0, 1, 4, 1), Spot(0, 0, 4, 1)
    ]  # fmt: skip


def test_an_answer_is_laid_around_what_is_locked(folder):
    made = Project(folder)
    made.act("place", {"pieces": [2], "sheet": 0, "rows": [7], "cols": [9]})
    made.act("lock", {"pieces": [2]})
    answer = {"pieces": [[0, 1, 2, 3, 4, 5]], "turns": [[0] * 6], "cols": [3]}
    made.act("answer", answer, by="solver")
    assert made.state.spot(2) == Spot(0, 7, 9, 0)
    assert made.state.spot(3) == Spot(0, 8, 7, 0)
    made.act("lock", {"pieces": [5]})
    turned = {"pieces": [[2, 5, 1, 4, 0, 3]], "turns": [[1] * 6], "cols": [2]}
    before = made.state.to_json()["place"]
    made.act("answer", turned, by="solver")  # the same, lying on its side
    assert made.state.to_json()["place"] == before
    # What was locked after the search began stays too; who would lie there takes its place.
    made.act("unlock", {"pieces": [2, 5]})
    made.act("lock", {"pieces": [0, 1]})
    made.act("answer", answer | {"pieces": [[0, 5, 2, 3, 4, 1]]}, by="solver")
    assert [made.state.spot(p) for p in (0, 1, 5)] == [
        Spot(0, 7, 7, 0), Spot(0, 7, 8, 0), Spot(0, 8, 9, 0)
    ]  # fmt: skip


def test_an_answer_lays_nothing_as_a_person_said_that_it_cannot_lie(folder):
    made = Project(folder)
    made.act("forbid", {"first": 0, "second": 6})  # piece 0's right side and piece 1's left
    made.act("bar", {"piece": 5, "sheet": 0, "row": 1, "col": 2})
    made.act("place", {"pieces": [0, 4, 3], "sheet": 0, "rows": [0, 1, 4], "cols": [0, 1, 4]})
    answer = {"pieces": [[0, 1, 2, 3, 4, 5]], "turns": [[0] * 6], "cols": [3], "kept": [3]}
    made.act("answer", answer, by="solver")
    assert {p for p in range(PIECES) if made.state.spot(p).sheet == TRAY} == {1, 5}
    assert made.state.spot(3) == Spot(0, 4, 4, 0)
    assert made.events(0)[-1].args["kept"] == [3]


def test_an_answer_of_several_sheets_makes_them_and_leaves_the_rest_in_the_tray(folder):
    made = Project(folder)
    made.act(
        "answer", {"pieces": [[0, 1], [2, 3, 4]], "turns": [[0, 0], [0, 0, 0]], "cols": [2, 1]}
    )
    assert made.state.sheets() == [0, 1]
    assert made.state.spot(4) == Spot(1, 2, 0, 0)
    assert made.state.spot(5).sheet == TRAY


def test_a_lock_rests_on_where_the_piece_was_seen(folder):
    made = Project(folder)
    made.act("place", {"pieces": [0, 1], "sheet": 0, "rows": [0, 0], "cols": [0, 1]})
    made.act("lock", {"pieces": [0], "spots": [[0, 0, 1, 2]]})  # where 1 lies by now
    assert (made.state.spot(0), made.state.spot(1)) == (Spot(0, 0, 1, 2), Spot(0, 0, 0, 0))
    assert made.state.locked(0)
    made.act("lock", {"pieces": [2], "spots": [[3, 5, 5, 0]]})  # on a sheet that is only proposed
    assert made.state.sheets() == [0, 3]
    for spots in ([[0, 0, 1, 0]], [[TRAY, 0, 0, 0]], [[0, 0]], [], [[-2, 0, 0, 0]]):
        with pytest.raises(Refused):
            made.act("lock", {"pieces": [4], "spots": spots})
    made.undo()
    made.undo()
    assert made.state.spot(0) == Spot(0, 0, 0, 0)
    assert not made.state.locked(0)


def test_a_lock_that_crosses_an_answer_holds_what_was_seen(folder):
    made = Project(folder)
    made.act("place", {"pieces": [0, 1], "sheet": 0, "rows": [0, 0], "cols": [0, 1]})
    seen = made.version
    made.act("answer", {"pieces": [[1, 0]], "turns": [[0, 0]], "cols": [2]}, by="solver")
    made.act("lock", {"pieces": [0], "spots": [[0, 0, 0, 0]]}, base=seen)
    assert (made.state.spot(0), made.state.spot(1)) == (Spot(0, 0, 0, 0), Spot(0, 0, 1, 0))
    with pytest.raises(Conflict):
        made.act("place", {"pieces": [1], "sheet": 0, "rows": [5], "cols": [5]}, base=seen)


def test_one_act_is_taken_back_alone(folder):
    made = Project(folder)
    lock = made.act("place", {"pieces": [0], "sheet": 0, "rows": [0], "cols": [0]}).version + 1
    made.act("lock", {"pieces": [0]})
    reply = made.act("reply", {"first": 0, "second": 10, "said": "no", "neither": [6]}).version
    made.act("place", {"pieces": [1], "sheet": 0, "rows": [0], "cols": [1]})
    made.retract(reply)
    assert made.state.tables["join"] == made.state.tables["asked"] == {}
    assert made.state.spot(1) == Spot(0, 0, 1, 0)
    made.retract(lock)
    assert not made.state.locked(0)
    made.undo()  # what was taken back can be done again
    assert made.state.locked(0)
    assert Project(folder).state.same(made.state)


def test_what_others_rest_on_is_not_taken_back_alone(folder):
    made = Project(folder)
    first = made.act("place", {"pieces": [0], "sheet": 0, "rows": [0], "cols": [0]}).version
    second = made.act("place", {"pieces": [0], "sheet": 0, "rows": [5], "cols": [5]}).version
    with pytest.raises(Refused, match="changed since"):
        made.retract(first)
    made.act("place", {"pieces": [1], "sheet": 0, "rows": [0], "cols": [0]})
    with pytest.raises(Refused, match="Piece 1 lies there"):
        made.retract(second)
    sheet = made.act("new_sheet", {}).version
    made.act("place", {"pieces": [2], "sheet": 1, "rows": [0], "cols": [0]})
    with pytest.raises(Refused, match="changed since"):
        made.retract(sheet)
    made.undo()
    for gone in (made.version, 99):
        with pytest.raises(Refused, match="never done"):
            made.retract(gone)


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (
            [
                ("place", {"pieces": [0], "sheet": 0, "rows": [0], "cols": [0]}),
                ("tray", {"pieces": [0]}),
                ("bar", {"piece": 0, "sheet": 0, "row": 0, "col": 0}),
            ],
            "Piece 0 is barred",
        ),
        (
            [
                ("join", {"first": 0, "second": 6}),
                ("release", {"first": 0, "second": 6}),
                ("join", {"first": 0, "second": 10}),
            ],
            "joined to piece 2 already",
        ),
        (
            [
                ("lock", {"pieces": [0], "spots": [[0, 0, 0, 0]]}),
                ("unlock", {"pieces": [0]}),
                ("tray", {"pieces": [0]}),
            ],
            "Piece 0 lies in the tray",
        ),
    ],
)
def test_what_contradicts_what_was_said_since_is_not_taken_back_alone(folder, acts, words):
    made = Project(folder)
    versions = [made.act(name, args).version for name, args in acts]
    with pytest.raises(Refused, match=words):
        made.retract(versions[1])
    made.retract(versions[2])
    made.retract(versions[1])
    check_cells(made.state)


def test_strips_keep_their_gaps_and_shifts_where_they_stay_neighbours(folder):
    from tessella.arrangement import Arrangement, Sheet
    from tessella.studio.adopting import plain
    from tessella.studio.laying import laid

    made = Project(folder)
    page = Sheet(
        np.arange(6)[None], np.zeros((1, 6)), np.arange(0, 60, 10)[None], np.arange(6)[None] - 2
    )
    made.act("answer", plain(Arrangement((page,))), by="solver")
    (sheet,) = laid(made.state).arrangement.sheets
    assert sheet.gap.tolist() == page.gap.tolist()
    assert sheet.shift.tolist() == page.shift.tolist()
    made.act("swap", {"first": 0, "second": 1})
    (sheet,) = laid(Project(folder).state).arrangement.sheets
    assert sheet.gap.tolist() == [[0, 0, 0, 30, 40, 50]]
    assert sheet.shift.tolist() == [[-1, -2, 0, 1, 2, 3]]
    made.act("answer", plain(Arrangement((Sheet(page.piece, page.turns),))), by="solver")
    assert laid(made.state).arrangement.sheets[0].gap is None


WRITER = """
import sys
from pathlib import Path
from tessella.errors import InputError
from tessella.studio.project import Project
import random
made, chance = Project(Path(sys.argv[1])), random.Random(int(sys.argv[2]))
print("open", flush=True)
while True:
    if made.done and chance.random() < 0.3:
        event = made.undo()
    else:
        piece = chance.randrange(6)
        event = made.act("place", {"pieces": [piece], "sheet": 0,
            "rows": [chance.randrange(4)], "cols": [chance.randrange(4)]})
    print(event.version, flush=True)
"""


def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(folder, environment):
    """Two writers at a time; both are killed, and everything that either was told is there."""
    chance = random.Random(0)
    for kill in range(KILLS):
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(folder), str(2 * kill + k)],
                stdout=subprocess.PIPE,
                env=environment,
                text=True,
            )
            for k in range(2)
        ]
        assert [writer.stdout.readline() for writer in writers] == ["open\n"] * 2
        time.sleep(chance.random() * 0.05)
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
        told = [int(line) for w in writers for line in w.communicate()[0].split()]
        made = Project(folder)
        versions = [event.version for event in made.events(0)]
        assert versions == list(range(1, made.version + 1))
        assert set(told) <= set(versions)
        check_cells(made.state)
    assert made.version > 0
