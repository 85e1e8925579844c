"""``tessella bench paper``: the plan, what records answer of it, and the tables."""

from dataclasses import replace

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from tessella.bench import paper, paper_documents
from tessella.bench.command import bench
from tessella.bench.configuration import NONE, Setup, configure
from tessella.bench.paper_answers import Answers, Top, spread
from tessella.bench.paper_plan import ABLATION, TYPE_1, Column, Entry, Method, plan, settled
from tessella.bench.paper_results import Call, _missing, calls, commit, note_call
from tessella.bench.paper_tables import details, grids
from tessella.bench.records import Cell, Journal, Means, Ranks
from tessella.bench.suites import SUITES
from tessella.errors import FormatError, InputError, RunError
from tessella.imaging.read import read_image, write_image

MEANS = Means(1, 1, "auto")
MIT = TYPE_1.columns[0]
GALLAGHER = Method("mgc", "gallagher", "Gallagher").configuration(MIT)
GENETIC = Method("dlcm", "genetic").configuration(MIT)


@pytest.fixture
def home(tmp_path, data):
    """A data folder with nothing but two small pictures in a suite `few`."""
    folder = tmp_path / "home" / "bench" / "few"
    folder.mkdir(parents=True)
    for name in ("1.png", "2.png"):
        write_image(folder / name, read_image(data / "tiny" / name)[:84, :112])
    return tmp_path / "home"


@pytest.fixture
def small(monkeypatch):
    """The plan is three quick methods on the suite `few`."""
    column = Column("few", Setup(), "Few", "bench", "photo-28")
    methods = (Method("l1", "none", "", 0), Method("l1", "paikin_tal"), Method("mgc", "gallagher"))
    entries = tuple(
        Entry("a table", m.label, column, m.configuration(column), m.runs, None) for m in methods
    )
    monkeypatch.setattr(paper, "plan", lambda **_: entries)
    return entries


# The plan.


def test_the_plan_has_every_method_on_every_set_that_it_is_for():
    keys = {(e.table[:1], e.row, e.column.title) for e in plan()}
    assert ("2", "mgc, linear", "Pomeranz 3300") in keys
    assert ("3", "dlcm, genetic", "Pomeranz 3300") in keys
    assert ("5", "dlcm, genetic", "Type-2, unknown shape") in keys
    assert ("2", "prediction, pomeranz", "MIT 432") in keys
    assert not any(key[:2] == ("3", "prediction, pomeranz") for key in keys)
    assert len(keys) == len(plan())


def test_networks_of_others_have_a_model_for_every_size_and_gan_none_for_whole_pieces():
    found = {
        (entry.row, entry.column.setup.piece, dict(entry.configuration.measure.settings)["model"])
        for entry in plan()
        if entry.configuration.measure.name in ("squeezenet", "gan")
    }
    assert found == {
        ("squeezenet", 28, "squeezenet-28"),
        ("squeezenet", 64, "squeezenet-64"),
        ("squeezenet", 50, "squeezenet-50"),
        ("gan", 64, "gan-64"),
        ("gan", 50, "gan-50"),
        ("gan, paikin_tal", 64, "gan-64"),
        ("gan, paikin_tal", 50, "gan-50"),
    }


def test_solvers_that_draw_lots_have_five_runs_and_ranks_have_none():
    runs = {e.row: e.runs for e in plan() if e.table != ABLATION}
    assert runs["mgc, genetic"] == runs["ssd_lab, sholomon"] == 5
    assert runs["mgc, gallagher"] == 1
    assert runs["l1"] == 0


def test_the_quick_plan_is_a_part_of_the_full_one():
    full = {(e.table, e.row, e.column): e for e in plan()}
    for entry in plan(quick=True):
        assert entry.configuration == full[entry.table, entry.row, entry.column].configuration
        assert entry.limit is not None
        assert entry.runs == 1
        assert entry.limit <= 2
        if entry.column.suite in SUITES and SUITES[entry.column.suite].pieces > 805:
            assert entry.limit == 0


def test_cells_that_share_a_measuring_are_one_task_and_networks_come_last(home):
    column = Column("few", Setup(), "Few", "bench", "photo-28")
    methods = (Method("dlcm", "genetic", runs=2), Method("l1", "none"), Method("l1", "paikin_tal"))
    entries = [Entry("t", m.label, column, m.configuration(column), m.runs, 1) for m in methods]
    made = paper.tasks(entries, Answers(), paper.Found(home), MEANS)
    assert [len(task.cells) for task in made] == [2, 2]
    assert made[0].cells[0].configuration.measure.name == "l1"
    assert {cell.seed for cell in made[0].cells} == {None, 1}
    assert {cell.seed for cell in made[1].cells} == {1, 2}


def test_a_suite_that_is_not_there_is_told_and_costs_nothing_else(home):
    found = paper.Found(home)
    column = Column("mit_432", Setup(), "MIT", "bench", "photo-28")
    assert paper.tasks([Entry("t", "r", column, GALLAGHER, 1)], Answers(), found, MEANS) == ()
    assert "must hold a folder mit_432" in found.problems["mit_432"]
    assert found.totals() == {}


def test_a_part_of_the_tables_can_be_asked_for_by_name(home):
    part = paper.Paper(home, home / "out", only=("loops", "6. "))
    assert {(e.table[:1], e.row) for e in part.entries()} >= {
        ("2", "mgc, loops"),
        ("3", "mgc, loops"),
    }
    assert {e.table for e in part.entries() if "loops" not in e.row} == {ABLATION}
    assert not part.documents
    assert paper.Paper(home, home / "out", only=("Shredded",)).documents
    with pytest.raises(InputError, match="No table or row of the paper has 'nobody'"):
        paper.Paper(home, home / "out", only=("nobody",)).entries()


# What records answer.


def test_a_model_that_was_chosen_answers_for_the_model_that_is_named(recorded):
    chosen = configure("dlcm", "genetic")
    record = replace(recorded(by=chosen), model="photo-28")
    answers = Answers([record])
    assert Cell("mit_432", "1.png", GENETIC, 1) in answers
    assert Cell("mit_432", "1.png", chosen, 1) in answers
    assert Cell("mit_432", "1.png", GENETIC, 2) not in answers
    assert Cell("mit_432", "1.png", GALLAGHER, 1) not in answers
    assert len(answers.records) == 1
    other = Answers([replace(record, model="eroded-64")])
    assert Cell("mit_432", "1.png", GENETIC, 1) not in other


def test_where_a_network_ran_does_not_count_but_settings_do():
    on_cpu = configure("dlcm", "genetic", {"model": "photo-28"}, device="cpu")
    assert on_cpu != GENETIC
    assert settled(on_cpu, None) == settled(GENETIC, None)
    changed = configure("dlcm", "genetic", {"model": "photo-28", "count": "9"})
    assert settled(changed, None) != settled(GENETIC, None)


def test_answered_cells_are_not_done_again(home, small, recorded):
    column, by = small[1].column, small[1].configuration
    known = Answers([recorded("1.png", by=by, suite=column.suite)])
    left = [
        cell for task in paper.tasks(small, known, paper.Found(home), MEANS) for cell in task.cells
    ]
    assert len(left) == 5
    assert Cell("few", "1.png", by, 1) not in left
    assert Cell("few", "2.png", by, 1) in left


def test_the_spread_is_that_of_the_runs_means(recorded):
    values = {("1.png", 1): 0.5, ("2.png", 1): 0.7, ("1.png", 2): 0.9, ("2.png", 2): 0.7}
    made = [recorded(p, s, neighbor=v, by=GENETIC) for (p, s), v in values.items()]
    row = Answers(made).row("mit_432", GENETIC)
    assert spread(row) == pytest.approx(np.std([0.6, 0.8], ddof=1))
    single = Answers(made[:2]).row("mit_432", GENETIC)
    assert spread(single) is None


def test_top_1_is_the_mean_over_the_pictures(recorded):
    made = [
        replace(recorded(), outcome=None, ranks=Ranks((before,) * 4, (after,) * 4))
        for before, after in ((0.2, 0.4), (0.4, 0.8))
    ]
    found = Top.of(made)
    assert (found.before, found.after) == (pytest.approx(0.3), pytest.approx(0.6))
    assert found.pictures == 2
    assert Top.of([recorded()]) is None


# Tables.


def _line(made, title, row):
    grid = next(grid for grid in made if grid.title.startswith(title))
    return dict(zip(grid.head, next(line for line in grid.rows if line[0] == row), strict=True))


def test_an_empty_folder_gives_tables_with_the_published_figures_alone():
    made = grids(Answers(), {})
    assert [grid.title.partition(".")[0] for grid in made] == [
        *("1a", "1b", "1c", "1d", "2", "3", "4", "5", "6", "7"),
    ]
    assert _line(made, "2", "Gallagher, published")["MIT 432"] == "95.1"
    assert _line(made, "2", "tessella: mgc, gallagher")["MIT 432"] == "not run"
    assert _line(made, "3", "Rika et al. (proposed), published")["MIT 432"] == "96, 15 perfect"
    assert _line(made, "5", "Gallagher, published")["Type-2, unknown shape"] == "4.5"
    assert (
        _line(made, "4", "Liu et al., published")["Pomeranz 150, 2 px"] == "direct 75.9, 9 perfect"
    )
    assert _line(made, "1d", "Red-Net, published")["paper's Type-1"] == "64.1"
    assert not any(
        "pomeranz" in row[0] for grid in made if grid.title[0] == "3" for row in grid.rows
    )


def test_a_partial_cell_tells_how_many_pictures_and_runs(recorded):
    made = [recorded(by=GALLAGHER, neighbor=0.9, perfect=True)]
    made += [recorded(seed=s, by=GENETIC, fitness=s, neighbor=1 - s / 10) for s in (1, 2)]
    shown = grids(Answers(made), {})
    assert _line(shown, "2", "tessella: mgc, gallagher")["MIT 432"] == "90.00, 1 perfect (1/20)"
    found = _line(shown, "2", "tessella: dlcm, genetic")["MIT 432"]
    assert found == "80.00 (90.00), 0 perfect (1/20), runs: 2"
    told = _line(details(Answers(made), {}), "Details of 2", "dlcm, genetic")
    assert (told["mean %"], told["spread over runs"], told["paper's %"]) == (
        "85.00",
        "7.07",
        "96.1",
    )
    assert told["pictures"] == "1/20"
    assert _line(shown, "7", "Type-1 puzzles, 28 px: MIT 432")["dlcm, genetic"] == "98.000 (1)"


def test_the_ablation_takes_records_whose_model_was_chosen(recorded):
    entry = next(e for e in plan() if e.table == ABLATION)
    setup = entry.column.setup
    by = configure("dlcm", "genetic", {"strategy": "paper"}, setup)
    record = replace(recorded(by=by, suite=entry.column.suite), model="azulejo-50")
    row = _line(grids(Answers([record]), {}), "6", "enhanced GA")
    assert row["Type-1\nmean %"] == "50.00"
    assert row["Type-1\npaper's\nmean %"] == "93.1"


# The whole.


def _serve(home, out, **more):
    paper.serve(paper.Paper(home, out, threads=1, **more))


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
    monkeypatch.setattr(paper, "note", done.append)
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

    monkeypatch.setattr(paper, "note", stop)
    out = tmp_path / "out"
    with pytest.raises(RunError, match="goes on from there"):
        _serve(home, out)
    assert len(Journal(out).records) == 2
    assert "2 cells by tessella" in (out / "results.md").read_text()


def test_a_call_that_did_nothing_is_not_noted(tmp_path):
    note_call(tmp_path, Call.of(MEANS, quick=False, cells=0))
    assert calls(tmp_path) == []
    note_call(tmp_path, Call.of(MEANS, quick=True, cells=3))
    (call,) = calls(tmp_path)
    assert "3 cells" in call.told()
    assert "the quick subset" in call.told()
    assert call.commit == commit()


# Documents.


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A page that is cut into six strips."""
    monkeypatch.setattr(paper_documents, "STRIPS_A_PAGE", 6)
    rng = np.random.default_rng(3)
    ink = np.kron(rng.integers(0, 2, (12, 18)), np.ones((10, 10))) * 255
    file = tmp_path / "page.png"
    write_image(file, np.repeat(ink.astype(np.uint8)[..., None], 3, axis=2))
    return file


def test_pages_are_shredded_alone_and_together_and_never_twice(page, tmp_path):
    ledger = paper_documents.Ledger(tmp_path)
    told = []
    paper_documents.shred([page], ledger, threads=1, tell=told.append)
    assert [key[2:] for key in ledger.held] == [
        *((1, 1, False), (0, 1, False), (1, 1, True), (0, 1, True)),
    ]
    assert all(answer.strips == 6 and 0 <= answer.content <= 1 for answer in ledger.held.values())
    ledger.path.write_text(ledger.path.read_text()[:-9])
    again = paper_documents.Ledger(tmp_path)
    assert len(again.held) == 3
    paper_documents.shred([page], again, threads=1, tell=told.append)
    assert len(told) == 5
    rows = paper_documents.table(again).rows
    assert [row[2] for row in rows[:2]] == ["99.5", "97.1"]
    assert len([row for row in rows if row[0].startswith("ink, page.png")]) == 4
    paper_documents.shred([page], again, measure="ssd", limit=1, threads=1)
    assert len(again.held) == 8


def test_a_ledger_of_something_else_is_refused(tmp_path):
    (tmp_path / "documents.jsonl").write_text('{"a": 1}\n')
    with pytest.raises(FormatError, match="not of this command"):
        paper_documents.Ledger(tmp_path)
    (tmp_path / "documents.jsonl").unlink()
    assert paper_documents.table(paper_documents.Ledger(tmp_path)).rows[-1][1] == "not run"


# The command.


def _call(*arguments):
    app = typer.Typer()
    app.command()(bench)
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("paper", "--measure", "l1"), "chooses --measure itself"),
        (("paper", "--set", "a=1"), "chooses --set itself"),
        (("paper", "--per-picture"), "chooses --per-picture itself"),
        (("few", "--quick"), "--quick and --only belong to bench paper"),
        (("paper", "--jobs", "0"), "--jobs must be at least 1"),
        (("paper", "--device", "abacus"), "auto, cpu or cuda"),
    ],
)
def test_flags_that_do_not_belong_are_refused(home, tmp_path, flags, message):
    with pytest.raises(InputError, match=message):
        _call(*flags, "--data", str(home), "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_the_command_hands_its_flags_on(home, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(paper, "serve", asked.append)
    flags = ("--quick", "--jobs", "2", "--threads", "3", "--device", "cpu")
    assert _call("paper", "--data", str(home), "--out", str(tmp_path), *flags).exit_code == 0
    assert asked == [paper.Paper(home, tmp_path, True, "cpu", 3, 2)]


def test_a_data_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="is no folder"):
        paper.Paper(tmp_path / "none", tmp_path)


def test_ranks_have_no_solver():
    assert all(e.configuration.solver == NONE for e in plan() if e.table.startswith("1"))


def test_what_was_not_run_is_told_once_for_rows_that_miss_the_same(recorded):
    made = [recorded(by=GALLAGHER), recorded(seed=1, by=GENETIC)]
    lines = _missing(Answers(made), plan(), {})
    found = [line for line in lines if line.startswith("2.")]
    assert any("mgc, linear / mgc, loops / mgc, genetic: MIT 432: 0/20" in line for line in found)
    assert any("mgc, gallagher: MIT 432: 1/20; McGill 540: 0/20" in line for line in found)
    assert any("dlcm, genetic: MIT 432: 1/20 (all 5 runs: 0)" in line for line in found)
