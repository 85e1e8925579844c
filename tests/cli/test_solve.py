"""``tessella solve`` from a folder, a bare folder, a scrambled picture; stopped and resumed."""

import json
import shutil
import signal
import subprocess
import sys
import time
from contextlib import nullcontext

import numpy as np
import pytest

from tessella import checkpoint, watch
from tessella.arrangement import Arrangement
from tessella.imaging.cut import cut
from tessella.imaging.folder import write_puzzle
from tessella.imaging.read import write_image
from tessella.imaging.render import scrambled
from tessella.output import SOLVED

FILES = {"arrangement.json", "assembled.png", "placement.csv", "report.html", "run.json"}


def names(folder):
    return {p.name for p in folder.iterdir()}


def record(folder):
    return json.loads((folder / "run.json").read_text())


def cells(folder):
    return json.loads((folder / "arrangement.json").read_text())["sheets"]


def test_a_puzzle_is_solved_and_the_folder_is_complete(call, cut_folder, tmp_path):
    told = call("solve", cut_folder / "puzzle", tmp_path / "out")
    assert told.code == 0
    assert names(tmp_path / "out") == FILES
    assert str(tmp_path / "out" / "report.html") in told.out
    assert "30 pieces of 56 x 56 px" in told.out
    judged = call("score", tmp_path / "out" / "arrangement.json", cut_folder / "truth.json")
    assert json.loads(judged.out)["perfect"]


def test_quiet_says_nothing(call, cut_folder, tmp_path):
    told = call("solve", cut_folder / "puzzle", tmp_path / "out", "--quiet")
    assert (told.code, told.out, told.err) == (0, "", "")


def test_every_option_is_recorded_as_it_was_resolved(call, cut_folder, tmp_path):
    told = call(
        "solve",
        cut_folder / "puzzle",
        tmp_path / "out",
        *("--measure", "ssd", "--solver", "genetic", "--set", "population=6"),
        *("--set", "adjust=ratio", "--set", "scale=2", "--shortlist", "all", "--runs", 2),
        *("--seed", 7, "--threads", 1, "--shape", "unknown", "--seconds", 60),
    )
    assert told.code == 0
    held = record(tmp_path / "out")
    assert held["settings"]["measure"]["name"] == "ssd"
    assert held["settings"]["solver"]["population"] == 6
    assert held["settings"]["adjustment"] == {"name": "ratio", "scale": 2.0}
    assert (held["settings"]["keep"], held["settings"]["seed"]) == (None, 7)
    assert len(held["runs"]) == len(held["history"]) == 2
    assert held["puzzle"]["shape"] is None
    assert held["command"]["threads"] == 1
    assert {"reading", "measuring", "solving", "total"} <= set(held["seconds"])


def test_the_same_call_gives_the_same_answer(call, cut_folder, tmp_path):
    for name in ("a", "b"):
        call("solve", cut_folder / "puzzle", tmp_path / name, "--seed", 4)
    assert cells(tmp_path / "a") == cells(tmp_path / "b")


def test_a_bare_folder_is_turned_and_of_unknown_shape(call, cut_folder, tmp_path):
    shutil.copytree(cut_folder / "puzzle", tmp_path / "tiles")
    (tmp_path / "tiles" / "puzzle.json").unlink()
    assert call("solve", tmp_path / "tiles", tmp_path / "out").code == 0
    held = record(tmp_path / "out")["puzzle"]
    assert (held["upright"], held["shape"]) == (False, None)


def test_options_overrule_the_puzzle(call, cut_folder, tmp_path):
    told = call(
        "solve", cut_folder / "puzzle", tmp_path / "out", "--upright", "--shape", "4x9", "--quiet"
    )
    assert told.code == 0
    sheet = cells(tmp_path / "out")[0]
    assert (sheet["rows"], sheet["cols"]) == (4, 9)
    assert all(cell is None or cell["turns"] == 0 for row in sheet["cells"] for cell in row)


@pytest.mark.parametrize("piece", ["auto", "56", "56x56"])
def test_a_scrambled_picture_is_solved(call, picture, tmp_path, piece):
    puzzle, truth = cut(picture, 56, seed=2)
    write_image(tmp_path / "scrambled.png", scrambled(puzzle))
    told = call("solve", tmp_path / "scrambled.png", tmp_path / "out", "--piece", piece)
    assert told.code == 0
    value = json.loads((tmp_path / "out" / "arrangement.json").read_text())
    assert value["pieces"][1] == "r000c001"
    assert Arrangement.from_json(value).same(truth.arrangement)


def test_rectangular_worn_and_missing_pieces_are_solved(call, picture, tmp_path):
    puzzle, _ = cut(picture, (56, 42), turned=True, erode=1)
    write_puzzle(tmp_path / "tiles", puzzle)
    told = call("solve", tmp_path / "tiles", tmp_path / "out", "--shape", "6x8")
    assert told.code == 0
    sheet = cells(tmp_path / "out")[0]
    assert sum(cell is None for row in sheet["cells"] for cell in row) == 8


def test_an_earlier_run_is_replaced_only_with_force(call, cut_folder, tmp_path):
    quick = ("solve", cut_folder / "puzzle", tmp_path / "out", "--quiet", "--solver", "paikin_tal")
    assert call(*quick).code == 0
    before = record(tmp_path / "out")
    assert call(*quick, "--seed", 5).code == 2
    assert record(tmp_path / "out") == before
    assert call(*quick, "--seed", 5, "--force").code == 0
    assert record(tmp_path / "out")["settings"]["seed"] == 5


def test_a_time_limit_gives_a_complete_folder(call, cut_folder, tmp_path):
    told = call(
        *("solve", cut_folder / "puzzle", tmp_path / "out"),
        *("--seconds", 0.3, "--set", "patience=1000000"),
    )
    assert told.code == 0
    assert "Stopped early" in told.out
    assert names(tmp_path / "out") >= FILES
    assert record(tmp_path / "out")["stopped"]


def test_stopped_work_can_be_continued_to_its_end(call, cut_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint.Checkpoint, "due", lambda self: True)
    how = ("solve", cut_folder / "puzzle", tmp_path / "out")
    kept = tmp_path / "out" / ".checkpoint" / "run-000-state.npz"
    with monkeypatch.context() as patched:
        patched.setattr("tessella.cli.solve.stopping", lambda: nullcontext(kept.exists))
        assert "--resume" in call(*how).out
    first = record(tmp_path / "out")
    assert call(*how, "--resume").code == 0
    assert names(tmp_path / "out") == FILES
    held = record(tmp_path / "out")
    assert (first["stopped"], held["stopped"]) == (True, False)
    assert held["history"][0][: len(first["history"][0])] == first["history"][0]
    assert len(held["history"][0]) > len(first["history"][0])


@pytest.fixture
def killed(call, cut_folder, tmp_path, monkeypatch):
    """Return a call of solve that was cut off in its second run."""
    monkeypatch.setattr(checkpoint.Checkpoint, "due", lambda self: True)
    how = ("solve", cut_folder / "puzzle", tmp_path / "out", "--runs", 2, "--quiet")

    def die(self, generation):
        if (generation.run, generation.number) == (1, 2):
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(watch.Silent, "generation", die)
        assert call(*how).code == 1
    return how


def test_work_that_was_cut_off_is_continued(call, killed, cut_folder, tmp_path):
    assert names(tmp_path / "out") == {".checkpoint"}
    assert call(*killed, "--resume").code == 0
    assert names(tmp_path / "out") == FILES
    call("solve", cut_folder / "puzzle", tmp_path / "whole", "--runs", 2, "--quiet")
    assert cells(tmp_path / "out") == cells(tmp_path / "whole")
    assert record(tmp_path / "out")["history"] == record(tmp_path / "whole")["history"]


def test_work_that_was_cut_off_is_not_overwritten_by_accident(call, killed, tmp_path):
    told = call(*killed)
    assert told.code == 2
    assert "--resume" in told.err
    other = call(*killed, "--resume", "--seed", 9)
    assert other.code == 2
    assert "another puzzle, setting or seed" in other.err
    assert names(tmp_path / "out") == {".checkpoint"}


def test_force_starts_again(call, killed, tmp_path):
    assert call(*killed, "--force", "--seed", 9).code == 0
    assert names(tmp_path / "out") == FILES


def test_ctrl_c_keeps_the_best_so_far(environment, tmp_path):
    noise = np.random.default_rng(0).integers(0, 256, (300, 12, 12, 3), dtype=np.uint8)
    puzzle, _ = cut(noise.reshape(-1, 12, 3)[:3600].reshape(180, 240, 3), 12)
    write_puzzle(tmp_path / "puzzle", puzzle)
    arguments = ["solve", tmp_path / "puzzle", tmp_path / "out", "--measure", "mgc"]
    arguments += ["--set", "patience=1000000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tessella", *arguments],
        env=environment,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        while "solving" not in process.stderr.readline():
            assert process.poll() is None
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0
    assert "Stopped early" in out
    assert "Traceback" not in err
    assert names(tmp_path / "out") - {".checkpoint"} == FILES
    assert (tmp_path / "out" / SOLVED.marker).exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--shape", "3x4", "--shape", "2x3"], "several shapes need --panels"),
        (["--panels", "31"], "at least as many pieces; there are 30"),
        (["--panels", "2", "--solver", "loops"], "The solver loops lays all pieces on one sheet"),
    ],
)
def test_panels_that_cannot_be_sorted_are_refused(call, cut_folder, tmp_path, options, said):
    told = call("solve", cut_folder / "puzzle", tmp_path / "out", "--measure", "ssd", *options)
    assert told.code == 2
    assert said in told.err
    assert not (tmp_path / "out").exists()
