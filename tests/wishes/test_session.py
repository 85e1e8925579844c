"""Wishes from end to end: the session, and the command line."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest

import tessella
from tessella.adjust.posterior import Posterior
from tessella.beginning import read_beginning
from tessella.cli import main
from tessella.errors import FormatError, InputError
from tessella.evidence import gather
from tessella.files import write_json
from tessella.imaging.cut import cut_panels
from tessella.panels import Panels
from tessella.scores import Scores
from tessella.wishes import Fixed, Wishes
from tessella.wishes.checking import check
from tessella.wishes.contradictions import check_wishes
from tessella.wishes.facts import Facts
from tessella.wishes.guiding import guided


def wished(evidence, wishes, shape=None):
    """Return `evidence` as `wishes` have it."""
    told = evidence.compatibility
    facts = Facts(told.pieces, told.upright, told.square, shape, sheets=None)
    return guided(evidence, check_wishes(wishes, facts))


@pytest.fixture(scope="module")
def puzzle():
    picture = tessella.demo_picture()[:112, :168]
    return tessella.cut(picture, 28, turned=True, seed=1)[0]


@pytest.fixture(scope="module")
def session(puzzle):
    return tessella.Session(puzzle, seed=1)


def test_a_session_solves_as_one_call_does(puzzle, session):
    assert session.solve().arrangement.same(tessella.solve(puzzle, seed=1).arrangement)


def test_a_session_goes_on_from_its_last_answer_with_one_wish_after_the_other(puzzle, session):
    result = session.solve()
    wishes = Wishes()
    rng = np.random.default_rng(0)
    for _ in range(4):
        e, f = result.arrangement.joins()[rng.integers(38)].tolist()
        wishes = wishes.and_also(Wishes(forbidden=((e, f),)))
        result = session.resolve(result, wishes)
        assert check(result.arrangement, wishes, shape=puzzle.shape) == ()
        np.testing.assert_array_equal(result.arrangement.placed(), np.arange(24))
    assert result.settings["wishes"]["forbidden"]


def test_a_session_knows_of_several_panels_and_their_shapes():
    picture = tessella.demo_picture()
    images = [picture[:112, :140], picture[-112:, -112:]]
    puzzle, truth = cut_panels(images, 28, seed=1)
    session = tessella.Session(puzzle, panels=Panels(2, ((4, 5), (4, 4))), seed=1)
    first = session.solve()
    assert sorted(sheet.shape for sheet in first.arrangement.sheets) == [(4, 4), (4, 5)]
    assert tessella.score(first, truth).neighbor > 0.9
    small = first.arrangement.sheets[1]
    corner = Fixed(int(small.piece[0, 0]), 1, 3, 0)
    second = session.resolve(first, Wishes(fixed=(corner,)))
    assert int(second.arrangement.sheets[1].piece[3, 0]) == corner.piece
    with pytest.raises(InputError, match="the shape is 4 x 4 cells"):
        session.resolve(first, Wishes(fixed=(replace(corner, col=4),)))
    with pytest.raises(InputError, match="lays all pieces on one sheet"):
        tessella.Session(puzzle, solver="rika", panels=Panels())


def test_several_answers_mend_what_no_single_move_does():
    """The first column of the answer is the last one of the picture."""
    puzzle, truth = tessella.cut(tessella.demo_picture()[:168, :224], 28, seed=1)
    session = tessella.Session(puzzle, settings={"islands": "1"}, seed=1)
    right = truth.arrangement.sheets[0]
    rolled = tessella.Arrangement.single(np.roll(right.piece, 1, axis=1))
    last = [4 * right.piece[row, -2] for row in range(3)]
    joined = tuple((int(e), int(truth.partners()[e])) for e in last)
    after = session.resolve(rolled, Wishes(joined=joined))
    assert after.arrangement.same(truth.arrangement)


def test_who_is_known_to_lie_elsewhere_leaves_its_share_to_the_others():
    partner = np.full((12, 2), -1, np.int32)
    score = np.full((12, 2), -np.inf, np.float32)
    partner[0], score[0] = (6, 10), (3.0, 0.0)  # the right side of piece 0 would have piece 1
    partner[8], score[8] = (6, -1), (2.0, -np.inf)
    lowest = np.where(partner[:, 0] >= 0, np.float32(-1), np.float32(np.inf))
    lists = Scores(3, True, True, False, lowest, score[:, 0], partner, score)
    plain = gather(lists, Posterior())
    told = wished(plain, Wishes(joined=((8, 6),)))  # but piece 1 lies right of piece 2
    pair = np.array([[0, 10]], np.int32)
    assert told.compatibility.of(pair)[0] > plain.compatibility.of(pair)[0]
    assert told.compatibility.of(np.array([[0, 6]], np.int32))[0] == 0


def test_what_cannot_be_met_names_the_pieces_as_the_puzzle_does(session):
    with pytest.raises(InputError, match=r": 03 is fixed .*, but 07 is fixed"):
        session.solve(Wishes(fixed=(Fixed(3, 0, 1, 1), Fixed(7, 0, 1, 1))))


def test_an_answer_of_another_puzzle_cannot_be_bettered(puzzle, session):
    with pytest.raises(InputError, match="names piece 99"):
        session.resolve(tessella.Arrangement.single([[99, 0]]))
    with pytest.raises(InputError, match="The solver rika cannot better an answer"):
        tessella.solve(puzzle, solver="rika", begin=tessella.Arrangement.single([[0, 1]]))


def test_an_answer_on_disk_counts_by_names(tmp_path, puzzle):
    value = tessella.Arrangement.single([[0, 1]]).to_json(puzzle.names[::-1])
    write_json(tmp_path / "a.json", value)
    found = read_beginning(tmp_path / "a.json", puzzle)
    assert found.sheets[0].piece.tolist() == [[23, 22]]
    write_json(tmp_path / "b.json", {**value, "pieces": ["x"] * 24})
    with pytest.raises(FormatError, match="another puzzle"):
        read_beginning(tmp_path / "b.json", puzzle)


def test_the_command_line_takes_wishes_and_an_answer(tmp_path, puzzle, session):
    names = tessella.write_puzzle(tmp_path / "tiles", puzzle)
    arrangement = session.solve().arrangement
    write_json(tmp_path / "last.json", arrangement.to_json(names))
    known = tmp_path / "known.csv"
    known.write_text(f"file;row;col;turns;locked\n{names[5]};2;3;1;yes\n", encoding="utf-8-sig")
    out = tmp_path / "solved"
    given = ["solve", str(tmp_path / "tiles"), str(out), "--wishes", str(known)]
    assert main([*given, "--from", str(tmp_path / "last.json"), "--quiet"]) == 0
    with (out / "placement.csv").open(encoding="utf-8") as file:
        rows = {row["file"]: row for row in csv.DictReader(file)}
    found = rows[names[5]]
    assert (found["row"], found["col"], found["turns"]) == ("2", "3", "1")


def test_the_command_line_tells_contradictions_and_who_takes_no_wishes(tmp_path, puzzle, capsys):
    names = tessella.write_puzzle(tmp_path / "tiles", puzzle)
    known = tmp_path / "known.csv"
    known.write_text(
        f"file,row,col,turns,locked\n{names[5]},2,3,1,yes\n{names[6]},2,3,1,yes\n", encoding="utf-8"
    )
    given = ["solve", str(tmp_path / "tiles"), str(tmp_path / "out"), "--wishes", str(known)]
    for more, why in (
        ([], "contradict each other"),
        (["--solver", "loops"], "The solver loops cannot hold to wishes"),
    ):
        assert main([*given, *more]) == 2
        assert why in capsys.readouterr().err
