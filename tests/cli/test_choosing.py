"""What solve leaves to the pieces: worn frames that nobody told of, and the measure."""

import json

import pytest

from tessella import auto
from tessella.cli import choosing
from tessella.files import write_json
from tessella.imaging.cut import cut
from tessella.imaging.folder import write_puzzle


@pytest.fixture
def framed(tmp_path, picture):
    """Pieces with a black frame of 2 px that their folder does not tell of."""
    puzzle, truth = cut(picture, 56, erode=2, seed=3)
    names = write_puzzle(tmp_path / "puzzle", puzzle)
    write_json(tmp_path / "truth.json", truth.to_json(names))
    about = tmp_path / "puzzle" / "puzzle.json"
    told = json.loads(about.read_text())
    about.write_text(json.dumps({**told, "eroded": 0}))
    return tmp_path


def neighbor(call, folder, out):
    return json.loads(call("score", out / "arrangement.json", folder / "truth.json").out)[
        "neighbor"
    ]


def test_a_frame_that_nobody_told_of_is_found_told_and_left_out(call, framed, tmp_path):
    done = call("solve", framed / "puzzle", tmp_path / "auto", "--measure", "mgc")
    assert "outer 2 px" in done.err
    kept = call("solve", framed / "puzzle", tmp_path / "kept", "--measure", "mgc", "--worn", "0")
    assert "outer" not in kept.err
    assert neighbor(call, framed, tmp_path / "auto") > neighbor(call, framed, tmp_path / "kept")


def test_without_a_measure_the_pieces_decide_and_a_line_says_why(call, cut_folder, tmp_path):
    done = call("solve", cut_folder / "puzzle", tmp_path / "out")
    assert done.code == 0
    assert "Measure mgc:" in done.err
    assert (
        json.loads((tmp_path / "out" / "run.json").read_text())["settings"]["measure"]["name"]
        == "mgc"
    )


def test_a_model_names_its_measure(call, cut_folder, tmp_path, tile_model):
    tile_model().save(tmp_path / "own.npz")
    done = call("solve", cut_folder / "puzzle", tmp_path / "out", "--model", tmp_path / "own.npz")
    assert done.code == 0
    settings = json.loads((tmp_path / "out" / "run.json").read_text())["settings"]
    assert settings["measure"]["name"] == "tiles"


@pytest.mark.parametrize("worn", ["wide", "-1", "2x3"])
def test_a_frame_must_be_a_number_or_auto(call, cut_folder, tmp_path, worn):
    done = call("solve", cut_folder / "puzzle", tmp_path / "out", f"--worn={worn}")
    assert done.code != 0
    assert "--worn must be" in done.err


def test_a_frame_wider_than_the_pieces_is_refused(call, cut_folder, tmp_path):
    done = call("solve", cut_folder / "puzzle", tmp_path / "out", "--worn", "28")
    assert done.code != 0
    assert "worn frame of 28 px" in done.err.replace("\n", " ")


def test_the_choice_knows_how_the_measure_for_tiles_would_be_asked(picture, monkeypatch):
    asked = []

    def choose(puzzle, threads, tiles, keep):
        asked.append((tiles.company, tiles.count, keep))
        return auto.Choice("mgc", "it is asked for")

    monkeypatch.setattr(auto, "choose", choose)
    puzzle, _ = cut(picture, 56)
    for settings, keep in (({}, "usual"), ({"company": "false", "population": "9"}, None)):
        usual = choosing.usual(puzzle, None, 1, settings, keep, quiet=True)
        assert usual.measure == "mgc"
    assert asked == [(True, None, "usual"), (False, None, None)]
