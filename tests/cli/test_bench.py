"""``tessella bench`` from the outside."""

import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from tessella.bench import session
from tessella.bench.records import Journal
from tessella.cli.bench import bench
from tessella.errors import InputError, NameUnknown, OutputError, RunError
from tessella.imaging.read import read_image, write_image
from tessella.provenance import provenance
from tessella.stages.regimes import NAMES

app = typer.Typer()
app.command()(bench)


def call(data, out, *arguments, suite="tiny"):
    """Call the command and return what it printed; what it raises comes through."""
    given = [suite, "--data", str(data), "--out", str(out), "--threads", "1", *arguments]
    result = CliRunner().invoke(app, given, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


QUICK = ("--measure", "l1", "--solver", "paikin_tal", "--runs", "1")


def test_a_call_writes_records_and_tables_and_prints_them(data, out):
    printed = call(data, out, *QUICK, "--per-picture")
    assert len(Journal(out).records) == 3
    told = (out / "table.md").read_text()
    for text in (printed, told):
        assert "tiny, upright (Type-1), pieces of 28 px" in text
        assert "10.png" in text
        assert "3/3" in text
    assert "3/3 tiny/10.png, l1, paikin_tal, seed 1: " in printed
    assert sorted(file.name for file in out.iterdir()) == ["records.jsonl", "table.md"]


def test_pictures_are_printed_one_by_one_only_when_asked(data, out):
    call(data, out, *QUICK)
    printed = call(data, out, *QUICK)
    assert "10.png" not in printed
    assert "10.png" in (out / "table.md").read_text()


def test_limit_takes_the_first_pictures(data, out):
    printed = call(data, out, *QUICK, "--limit", "2")
    assert [record.cell.picture for record in Journal(out).records] == ["1.png", "2.png"]
    assert " 2/3 " in printed


def test_seeds_count_from_the_given_one(data, out):
    call(data, out, *QUICK[:-2], "--runs", "2", "--seed", "7", "--limit", "1")
    assert [record.cell.seed for record in Journal(out).records] == [7, 8]


def test_flags_reach_the_configuration(data, out):
    flags = ("--turned", "--shape", "unknown", "--erode", "1", "--piece", "56", "--set", "scale=2")
    call(data, out, *QUICK, *flags, "--limit", "1")
    (record,) = Journal(out).records
    by = record.cell.configuration
    assert (by.setup.turned, by.setup.shape_known) == (True, False)
    assert (by.setup.erode, by.setup.piece, record.pieces) == (1, 56, 4)
    assert dict(by.adjustment.settings) == {"scale": 2.0}
    assert record.means.threads == 1
    assert record.means.made_with == provenance()


def test_none_ranks_the_measure_alone_and_top_ranks_it_too(data, out):
    assert "Top-20" in call(data, out, "--measure", "l1", "--solver", "none", "--limit", "1")
    assert all(record.outcome is None for record in Journal(out).records)
    call(data, out, *QUICK, "--top", "--limit", "2")
    assert [record.ranks is not None for record in Journal(out).records] == [
        True,
        False,
        True,
        False,
    ]


def test_a_call_that_fails_keeps_what_it_finished(data, out):
    (data / "tiny" / "2.png").write_bytes(b"not a picture")
    with pytest.raises(InputError, match=r"2\.png"):
        call(data, out, *QUICK)
    assert [record.cell.picture for record in Journal(out).records] == ["1.png"]
    assert "1.png" in (out / "table.md").read_text()


def test_ctrl_c_keeps_what_was_finished(data, out, monkeypatch):
    def interrupted(tasks, journal, tell, **more):
        carry_out(tasks, journal, stop_at_second, **more)

    def stop_at_second(record, done, total):
        if done == 2:
            raise KeyboardInterrupt

    carry_out = session.carry_out
    monkeypatch.setattr(session, "carry_out", interrupted)
    wish = session.Wish("tiny", data, out, measure="l1", solver="paikin_tal", runs=1)
    with pytest.raises(RunError, match="goes on from there"):
        session.serve(wish)
    assert len(Journal(out).records) == 2
    assert "2.png" in (out / "table.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--runs", "0"), "--runs must be at least 1; got 0"),
        (("--jobs", "0"), "--jobs must be at least 1"),
        (("--mixed", "2"), "--mixed belongs to bench ablation --ours"),
        (("--missing", "0.1"), "--missing and --foreign belong to bench odds"),
        (("--limit", "0"), "--limit must be at least 1"),
        (("--seed", "-1"), "--seed must be 0 or more"),
        (("--piece", "1" + "0" * 20), "--piece must be at most 20000"),
        (("--jobs", "1" + "0" * 20), "--jobs must be at most 1024"),
        (("--shape", "3x4"), "known or unknown; got '3x4'"),
        (("--on", "tiny"), "--on belongs to bench ablation"),
        (("--set", "scale"), "KEY=VALUE"),
        (("--set", "colour=red"), "colour"),
        (("--device", "abacus"), "auto, cpu or cuda"),
        (("--measure", "guess"), "no measure called 'guess'"),
    ],
)
def test_bad_flags_are_refused_before_anything_is_written(data, out, arguments, message):
    with pytest.raises(InputError, match=message):
        call(data, out, *QUICK, *arguments)
    assert not out.exists()


def test_an_ablation_needs_a_suite_and_no_solver(data, out):
    with pytest.raises(InputError, match="--on SUITE"):
        call(data, out, suite="ablation")
    with pytest.raises(InputError, match="leave --solver out"):
        call(data, out, "--on", "tiny", "--solver", "genetic", suite="ablation")


def test_an_unknown_suite_is_refused_before_anything_is_written(data, out):
    with pytest.raises(NameUnknown, match="tiny"):
        call(data, out, *QUICK, suite="large")
    assert not out.exists()


def test_a_folder_that_holds_something_else_is_refused(data, tmp_path):
    with pytest.raises(OutputError, match="not empty"):
        call(data, tmp_path, *QUICK)


def test_the_ablation_writes_its_own_table(data, out, tmp_path):
    small = tmp_path / "small"
    write_image_of_few_pieces(data, small)
    small_runs = ("--set", "population=4", "--set", "patience=2", "--set", "elitism=1")
    flags = ("--on", "few", "--runs", "1", *small_runs)
    printed = call(small, out, *flags, suite="ablation")
    told = (out / "ablation.md").read_text()
    assert "w/o phases 1.1 & 1.2" in printed
    assert told.startswith("## Ablation on few, measure mgc")
    assert len(Journal(out).records) == 6
    call(small, out, *flags, "--turned", suite="ablation")
    assert "| - |" not in (out / "ablation.md").read_text()


def test_simulated_panels_are_a_suite_of_their_own(data, out):
    ranking = ("--measure", "l1", "--solver", "none", "--limit", "1")
    call(data, out, *ranking)
    printed = call(data, out, *ranking, "--simulate", "azulejo")
    plain, panel = Journal(out).records
    assert (panel.cell.suite, panel.cell.picture) == ("tiny as azulejo", "1.png#1")
    assert (plain.cell.configuration.setup.piece, panel.cell.configuration.setup.piece) == (28, 50)
    assert plain.pieces == 20
    assert 90 <= panel.pieces <= 460
    assert "tiny as azulejo, upright (Type-1), pieces of 50 px" in printed
    call(data, out, *ranking, "--simulate", "azulejo")
    assert len(Journal(out).records) == 2
    with pytest.raises(NameUnknown, match="azulejo"):
        call(data, out, *ranking, "--simulate", "mosaic")


def test_an_ablation_can_run_on_simulated_panels(data, out, monkeypatch):
    wishes = []
    monkeypatch.setattr(session, "serve", lambda wish, _executor: wishes.append(wish))
    call(data, out, "--on", "tiny", "--simulate", "azulejo", "--piece", "40", suite="ablation")
    assert [(wish.name, wish.suite, wish.piece) for wish in wishes] == [
        ("ablation", "tiny as azulejo", 40)
    ]


def test_an_ablation_of_ours_sorts_mixed_pictures(data, out):
    few = ("--runs", "1", "--measure", "mgc", "--set", "population=4", "--set", "patience=2")
    call(data, out, "--on", "tiny", "--ours", "--mixed", "2", *few, suite="ablation")
    records = Journal(out).records
    assert {record.cell.picture for record in records} == {"1.png..2.png"}
    assert {record.pieces for record in records} == {40}
    setups = {record.cell.configuration.setup for record in records}
    assert {(setup.losses.mixed, setup.panels) for setup in setups} == {(2, "unknown")}
    left_out = [dict(record.cell.configuration.solver.settings)["without"] for record in records]
    assert sorted(left_out) == sorted(["", *NAMES])
    assert (
        "measure mgc, 2 mixed, shape unknown, panels unknown" in (out / "ablation.md").read_text()
    )


def write_image_of_few_pieces(data, into):
    (into / "few").mkdir(parents=True)
    write_image(into / "few" / "1.png", read_image(data / "tiny" / "1.png")[:84, :112])


def test_importing_the_command_imports_nothing_heavy():
    code = "import sys, tessella.cli.bench; print({'numpy', 'numba'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"
