"""``tessella cut`` writes a puzzle and its truth that the other commands understand."""

import json

import numpy as np
import pytest

from tessella.arrangement import Arrangement
from tessella.imaging.folder import read_puzzle
from tessella.imaging.render import render


def cut(call, cut_folder, out, *options):
    return call("cut", cut_folder / "picture.png", out, *options)


@pytest.mark.parametrize("options", [["--piece", "56"], ["--piece", "40x56", "--turned"]])
def test_the_truth_renders_the_picture(call, cut_folder, tmp_path, picture, options):
    told = cut(call, cut_folder, tmp_path / "out", *options)
    assert (told.code, told.err) == (0, "")
    assert "pieces" in told.out
    puzzle = read_puzzle(tmp_path / "out" / "puzzle")
    truth = json.loads((tmp_path / "out" / "truth.json").read_text())
    assert tuple(truth["pieces"]) == puzzle.names
    assert len(truth["edge_class"]) == 4 * len(puzzle)
    assert puzzle.upright == ("--turned" not in options)
    assert np.array_equal(render(puzzle, Arrangement.from_json(truth).sheets[0]), picture)


def test_the_seed_decides_the_order_and_erosion_is_recorded(call, cut_folder, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        cut(call, cut_folder, tmp_path / name, "--erode", 2, "--seed", seed)
    a, b, c = (read_puzzle(tmp_path / name / "puzzle") for name in "abc")
    assert a.eroded == 2
    assert np.array_equal(a.pieces, b.pieces)
    assert not np.array_equal(a.pieces, c.pieces)


def test_an_earlier_cut_is_replaced_only_with_force(call, cut_folder, tmp_path):
    assert cut(call, cut_folder, tmp_path, "--piece", 28).code == 0
    assert cut(call, cut_folder, tmp_path, "--piece", 56).code == 2
    assert len(read_puzzle(tmp_path / "puzzle")) == 120
    assert cut(call, cut_folder, tmp_path, "--piece", 56, "--force").code == 0
    assert len(read_puzzle(tmp_path / "puzzle")) == 30
    assert len(list((tmp_path / "puzzle").iterdir())) == 31


def test_a_folder_that_holds_something_else_called_puzzle_is_left_alone(call, cut_folder, tmp_path):
    (tmp_path / "notes.txt").touch()
    assert cut(call, cut_folder, tmp_path, "--force").code == 2
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


def test_a_simulated_panel_has_whole_tiles_of_fifty_pixels(call, cut_folder, tmp_path, picture):
    told = cut(call, cut_folder, tmp_path, "--simulate", "azulejo", "--turned")
    assert (told.code, told.err) == (0, "")
    puzzle = read_puzzle(tmp_path / "puzzle")
    assert puzzle.piece_size == (50, 50)
    assert len(puzzle) == (picture.shape[0] // 50) * (picture.shape[1] // 50)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--simulate", "mosaic"], "azulejo"),
        (["--simulate", "azulejo", "--piece", "40x50"], "Tiles are square"),
        (["--simulate", "azulejo", "--strips", "5"], "leave --piece, --erode and --simulate out"),
    ],
)
def test_what_cannot_be_simulated_is_refused(call, cut_folder, tmp_path, options, said):
    told = cut(call, cut_folder, tmp_path / "out", *options)
    assert told.code == 2
    assert said in told.err
