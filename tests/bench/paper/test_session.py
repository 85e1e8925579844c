"""One call of ``tessella bench paper``."""

import pytest

from tessella.bench.configuration import Setup
from tessella.bench.paper import session
from tessella.bench.paper.answers import Answers
from tessella.bench.paper.plan import ABLATION, TYPE_1, Column, Entry, Method
from tessella.bench.paper.results import calls
from tessella.bench.records import Cell, Journal, Means
from tessella.errors import InputError, RunError

MEANS = Means(1, 1, "auto")
GALLAGHER = Method("mgc", "gallagher", "Gallagher").configuration(TYPE_1.columns[0])


def test_cells_that_share_a_measuring_are_one_task_and_networks_come_last(home):
    column = Column("few", Setup(), "Few", "bench", "photo-28")
    methods = (Method("dlcm", "genetic", runs=2), Method("l1", "none"), Method("l1", "paikin_tal"))
    entries = [Entry("t", m.label, column, m.configuration(column), m.runs, 1) for m in methods]
    made = session.tasks(entries, Answers(), session.Pictures(home), MEANS)
    assert [len(task.cells) for task in made] == [2, 2]
    assert made[0].cells[0].configuration.measure.name == "l1"
    assert {cell.seed for cell in made[0].cells} == {None, 1}
    assert {cell.seed for cell in made[1].cells} == {1, 2}


def test_a_suite_that_is_not_there_is_told_and_costs_nothing_else(home):
    found = session.Pictures(home)
    column = Column("mit_432", Setup(), "MIT", "bench", "photo-28")
    assert session.tasks([Entry("t", "r", column, GALLAGHER, 1)], Answers(), found, MEANS) == ()
    assert "must hold a folder mit_432" in found.problems["mit_432"]
    assert found.totals() == {}


def test_a_part_of_the_tables_can_be_asked_for_by_name(home):
    part = session.Paper(home, home / "out", only=("loops", "6. "))
    assert {(e.table[:1], e.row) for e in part.entries()} >= {
        ("2", "mgc, loops"),
        ("3", "mgc, loops"),
    }
    assert {e.table for e in part.entries() if "loops" not in e.row} == {ABLATION}
    assert not part.documents
    assert session.Paper(home, home / "out", only=("Shredded",)).documents
    with pytest.raises(InputError, match="No table or row of the paper has 'nobody'"):
        session.Paper(home, home / "out", only=("nobody",)).entries()


def test_answered_cells_are_not_done_again(home, small, recorded):
    column, by = small[1].column, small[1].configuration
    known = Answers([recorded("1.png", by=by, suite=column.suite)])
    left = [
        cell
        for task in session.tasks(small, known, session.Pictures(home), MEANS)
        for cell in task.cells
    ]
    assert len(left) == 5
    assert Cell("few", "1.png", by, 1) not in left
    assert Cell("few", "2.png", by, 1) in left


def _serve(home, out, **more):
    session.serve(session.Paper(home, out, threads=1, **more))


def test_a_second_call_does_nothing_and_a_cut_line_is_done_again(
    home, tmp_path, small, monkeypatch
):
    out = tmp_path / "out"
    _serve(home, out)
    first = Journal(out).records
    assert len(first) == 6
    text = (out / "results.md").read_text()
    assert "**6 of the 6 cells of a full run are done.**" in text
    assert "6 cells by tessella" in text
    assert "few: " not in text
    assert "Shredded documents: " in text
    path = out / "records.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    done = []
    monkeypatch.setattr(session.session, "note", done.append)
    _serve(home, out)
    assert [line.partition(" ")[0] for line in done] == ["1/1"]
    assert {record.cell for record in Journal(out).records} == {record.cell for record in first}
    _serve(home, out)
    assert len(done) == 1
    assert [call.cells for call in calls(out)] == [6, 1]


def test_records_of_other_calls_are_taken(home, tmp_path, small):
    _serve(home, tmp_path / "one")
    out = tmp_path / "two"
    out.mkdir()
    (out / "records.jsonl").write_bytes((tmp_path / "one" / "records.jsonl").read_bytes())
    _serve(home, out)
    assert calls(out) == []
    assert "6 cells by calls that were killed or made elsewhere" in (out / "results.md").read_text()


def test_a_picture_that_fails_does_not_stop_the_others(home, tmp_path, small):
    (home / "bench" / "few" / "1.png").write_bytes(b"no picture")
    out = tmp_path / "out"
    with pytest.raises(RunError, match=r"2 pictures could not be done: few/1\.png"):
        _serve(home, out)
    assert {record.cell.picture for record in Journal(out).records} == {"2.png"}
    text = (out / "results.md").read_text()
    assert "few/1.png" in text
    assert str(home) not in text


def test_ctrl_c_leaves_tables_of_what_is_finished(home, tmp_path, small, monkeypatch):
    def stop(line):
        if line.startswith("2/"):
            raise KeyboardInterrupt

    monkeypatch.setattr(session.session, "note", stop)
    out = tmp_path / "out"
    with pytest.raises(RunError, match="goes on from there"):
        _serve(home, out)
    assert len(Journal(out).records) == 2
    assert "2 cells by tessella" in (out / "results.md").read_text()


def test_a_data_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="is no folder"):
        session.Paper(tmp_path / "none", tmp_path)
