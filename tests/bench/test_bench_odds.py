"""Puzzles with losses are cut, run, written down once, and shown in one table."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tessella.bench import odds
from tessella.bench.configuration import UPRIGHT, Configuration, Setup
from tessella.bench.losses import WHOLE, Losses, Mixture, mixtures
from tessella.bench.odds import Wish, serve, table
from tessella.bench.records import Journal, Record
from tessella.bench.tables import overview
from tessella.bench.tasks import _cut
from tessella.errors import InputError, RunError
from tessella.solvers.paikin_tal import PaikinTal
from tessella.solving import Covers
from tessella.sorting import Sorting


def wish(data, out, **more):
    given = {"measure": "l1", "solver": "paikin_tal", "runs": 1, "threads": 1} | more
    return Wish(data, out, "tiny", **given)


@pytest.mark.parametrize(
    ("losses", "label"),
    [
        (WHOLE, "whole"),
        (Losses(missing=0.1), "missing 10 %"),
        (Losses(block=(6, 6)), "block 6x6"),
        (Losses(0.1, None, 5, 20), "5 mixed, missing 10 %, 20 foreign"),
    ],
)
def test_losses_are_told_and_survive_their_record(losses, label, configured):
    assert losses.label() == label
    assert Losses.from_json(losses.to_json()) == losses
    by = configured(setup=Setup(True, False, 0, 28, losses, "unknown" if losses.mixed > 1 else ""))
    assert Configuration.from_json(by.to_json()) == by


def test_a_whole_picture_is_written_down_as_it_always_was(configured):
    told = configured().to_json()
    assert "losses" not in told
    assert "panels" not in told


def test_a_line_of_ones_own_takes_the_place_of_all(tmp_path):
    own = wish(tmp_path, tmp_path, missing=0.2, foreign=4)
    assert {by.setup.losses for _, by in own.configurations()} == {Losses(0.2, None, 1, 4)}
    names = [name for name, _ in own.configurations()]
    assert names[0] == "missing 20 %, 4 foreign, upright, shape unknown, paikin_tal"
    assert len(names) == 2
    mixed = wish(tmp_path, tmp_path, mixed=3, simulate="azulejo")
    assert {by.setup.losses for _, by in mixed.configurations()} == {Losses(mixed=3)}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"missing": 1.0}, "--missing must be 0 or more and below 1"),
        ({"missing": float("nan")}, "--missing must be 0 or more and below 1"),
        ({"foreign": -1}, "--foreign must be 0 to"),
        ({"mixed": 0}, "--mixed must be 1 to"),
    ],
)
def test_impossible_lines_are_refused(tmp_path, given, said):
    with pytest.raises(InputError, match=said):
        wish(tmp_path, tmp_path, **given)


def test_groups_take_every_picture_once_and_strangers_from_the_next():
    files = tuple(Path(f"{k}.png") for k in range(5))
    assert mixtures(files, Losses(mixed=2)) == (Mixture(files[:2]), Mixture(files[2:4]))
    assert mixtures(files, Losses(mixed=2))[0].name == "0.png..1.png"
    alone = mixtures(files, Losses(foreign=3))
    assert [(m.name, m.stranger.name) for m in alone][-2:] == [
        ("3.png", "4.png"),
        ("4.png", "0.png"),
    ]
    with pytest.raises(InputError, match="needs 6 pictures; there are 5"):
        mixtures(files, Losses(mixed=5, foreign=1))


def test_other_pieces_are_missing_in_other_pictures(data):
    setup = replace(UPRIGHT, losses=Losses(missing=0.3))
    found = [_cut(Mixture((data / "tiny" / name,)), setup) for name in ("1.png", "2.png")]
    one, two = (truth.arrangement.sheets[0].piece >= 0 for _, truth in found)
    assert one.sum() == two.sum() == 14
    assert (one != two).any()


def test_lines_are_run_once_and_shown_in_a_table(data, tmp_path, capsys):
    out = tmp_path / "out"
    only = ("missing 30 %, upright", "2 mixed, turned")
    serve(wish(data, out, only=only))
    records = Journal(out).records
    assert [r.cell.picture for r in records] == ["1.png"] * 2 + ["2.png"] * 2 + ["10.png"] * 2 + [
        "1.png..2.png"
    ]
    assert {r.pieces for r in records} == {14, 8, 40}
    assert all(r.outcome.score.sorting is not None for r in records)
    assert Record.from_json(records[0].to_json()) == records[0]
    shown = capsys.readouterr().out
    for words in ("missing 30 %", "2 mixed", "turned", "upright", "known", "unknown"):
        assert words in shown
    assert shown.split("\n")[0] == "Missing, mixed and foreign pieces"
    before = (out / "records.jsonl").read_bytes()
    serve(wish(data, out, only=only))
    assert (out / "records.jsonl").read_bytes() == before
    assert overview(records, {}) == []


def test_a_line_of_ones_own_is_run_and_told(data, tmp_path):
    serve(wish(data, tmp_path / "out", missing=0.3, foreign=2, limit=2))
    records = Journal(tmp_path / "out").records
    assert len(records) == 4
    assert {record.outcome.score.sorting.foreign for record in records} == {2}
    assert "missing 30 %, 2 foreign" in (tmp_path / "out" / "odds.md").read_text()


def test_lines_that_cannot_be_done_are_told_and_the_others_done(data, tmp_path):
    with pytest.raises(RunError, match=r"puzzles could not be done.*block of 6 x 6"):
        serve(wish(data, tmp_path / "out", only=("block 6x6, upright", "missing 10 %, upright")))
    assert len(Journal(tmp_path / "out").records) == 6


def test_what_is_not_there_is_refused(data, tmp_path):
    with pytest.raises(InputError, match=r"No line has 'none' in its name; one is called 'whole, "):
        serve(wish(data, tmp_path / "out", only=("none",)))
    with pytest.raises(InputError, match="too few"):
        serve(wish(data, tmp_path / "out", only=("20 mixed",)))
    with pytest.raises(InputError, match="--runs must be at least 1"):
        wish(data, tmp_path / "out", runs=0)


def test_a_solver_that_sorts_panels_is_asked_to_and_no_other(monkeypatch):
    assert odds.asked(Losses(mixed=2), "paikin_tal") == ""
    monkeypatch.setattr(PaikinTal, "covers", Covers(panels=True), raising=False)
    assert odds.asked(Losses(mixed=2), "paikin_tal") == "unknown"
    assert odds.asked(Losses(foreign=2), "paikin_tal") == "unknown"
    assert odds.asked(Losses(missing=0.5), "paikin_tal") == ""


def test_the_table_tells_false_joins_sheets_and_purity(recorded, configured):
    by = configured("paikin_tal", replace(UPRIGHT, losses=Losses(mixed=2), shape_known=False))
    sorting = Sorting(0.04, 12, 3, 2, 0.975, 5, 4, 4)
    plain = recorded("1.png..2.png", by=by)
    score = replace(plain.outcome.score, sorting=sorting)
    record = replace(plain, outcome=replace(plain.outcome, score=score))
    (row,) = table([record]).rows
    assert row[:5] == ("mit_432", "2 mixed", "upright", "unknown", row[4])
    assert row[7:] == ("60.00", "4.00", "12.0", "3.00 / 2.00", "0/1", "97.50", "5.0", "2.00")
    (whole,) = table([recorded()]).rows
    assert whole[7:10] == ("60.00", "50.00", "-")


def test_the_best_run_is_that_of_most_worth_where_it_is_told(recorded, configured):
    by = configured("genetic", replace(UPRIGHT, losses=Losses(missing=0.1), shape_known=False))
    runs = [
        recorded(by=by, seed=1, fitness=90.0, identical=0.7),
        recorded(by=by, seed=2, fitness=80.0, identical=0.8),
    ]
    assert table(runs).rows[0][7] == "70.00"
    told = [
        replace(run, outcome=replace(run.outcome, worth=worth))
        for run, worth in zip(runs, (5.0, 6.0), strict=True)
    ]
    assert table(told).rows[0][7] == "80.00"
    assert [Record.from_json(run.to_json()) for run in told] == told


def test_the_command_runs_lines_of_a_set(data, tmp_path, environment):
    given = ["--data", data, "--out", tmp_path / "out", "--on", "tiny", "--measure", "l1"]
    more = ["--solver", "paikin_tal", "--runs", "1", "--only", "missing 10 %, upright, shape k"]
    told = subprocess.run(
        [sys.executable, "-m", "tessella", "bench", "odds", *map(str, (*given, *more))],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    assert "missing 10 %" in told.stdout
    assert (tmp_path / "out" / "odds.md").exists()
    for wrong, said in (
        (["--turned"], "chooses --turned itself"),
        (["--shape", "known"], "itself"),
    ):
        refused = subprocess.run(
            [sys.executable, "-m", "tessella", "bench", "odds", *map(str, given), *wrong],
            env=environment,
            capture_output=True,
            text=True,
        )
        assert (refused.returncode, said in refused.stderr) == (2, True)
