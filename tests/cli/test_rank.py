"""``tessella rank`` prints one JSON object: Top-i before and after post-processing."""

import json
import shutil

import pytest

from tessella import registry
from tessella.adjust.minmax import Minmax
from tessella.imaging.folder import read_puzzle
from tessella.measuring import measure
from tessella.metrics import top
from tessella.truth import Truth


@pytest.mark.parametrize("options", [[], ["--quiet"]])
def test_the_figures_are_those_of_the_metrics(call, cut_folder, options):
    told = call(
        *("rank", cut_folder / "puzzle", cut_folder / "truth.json", "--measure", "mgc", *options)
    )
    assert told.code == 0
    found = json.loads(told.out)
    truth = Truth.from_json(json.loads((cut_folder / "truth.json").read_text()))
    scores = measure(read_puzzle(cut_folder / "puzzle"), registry.make("measure", "mgc"))
    for key, said in (("before", scores), ("after", Minmax().adjust(scores))):
        expected = top(said, truth, 20)
        assert found[key] == {f"top{i}": pytest.approx(expected[i - 1]) for i in (1, 5, 10, 20)}
    assert found["measure"] == "mgc"


def test_fewer_candidates_when_told_that_pieces_are_upright(call, cut_folder, tmp_path):
    call("cut", cut_folder / "picture.png", tmp_path / "cut")
    asked = ("rank", tmp_path / "cut" / "puzzle", tmp_path / "cut" / "truth.json")
    upright, turned = (
        json.loads(call(*asked, "--measure", "ssd", flag).out) for flag in ("--upright", "--turned")
    )
    assert upright["before"]["top1"] > turned["before"]["top1"]


def test_the_truth_must_be_about_the_same_pieces(call, cut_folder, tmp_path):
    call("cut", cut_folder / "picture.png", tmp_path / "cut", "--piece", "28")
    told = call("rank", tmp_path / "cut" / "puzzle", cut_folder / "truth.json", "--measure", "ssd")
    assert told.code == 2
    assert "30 pieces" in told.err
    assert "120" in told.err


def test_another_order_of_the_same_pieces_is_noticed(call, cut_folder, tmp_path):
    shutil.copytree(cut_folder / "puzzle", tmp_path / "puzzle")
    value = json.loads((tmp_path / "puzzle" / "puzzle.json").read_text())
    value["pieces"].reverse()
    (tmp_path / "puzzle" / "puzzle.json").write_text(json.dumps(value))
    told = call("rank", tmp_path / "puzzle", cut_folder / "truth.json", "--measure", "ssd")
    assert told.code == 2
    assert "another order" in told.err


def test_a_setting_reaches_the_measure_and_an_unknown_one_is_refused(call, cut_folder):
    asked = ("rank", cut_folder / "puzzle", cut_folder / "truth.json", "--measure", "ssd")
    told = call(*asked, "--set", "nothing=1")
    assert told.code == 2
    assert "nothing" in told.err


@pytest.mark.usefixtures("shipped")
def test_a_learned_measure_tells_its_model_and_how_often_the_truth_was_scored(call, cut_folder):
    asked = ("rank", cut_folder / "puzzle", cut_folder / "truth.json", "--measure", "dlcm")
    told = call(*asked, "--device", "cpu")
    assert told.code == 0
    value = json.loads(told.out)
    assert (value["model"], value["device"]) == ("tiny-12", "cpu")
    assert 0.5 < value["recall"] <= 1
    assert value["k"] == 5
    assert "measuring with tiny-12, pieces resized from 56 to 12 px" in told.err
    every = json.loads(call(*asked, "--model", "tiny-12", "--shortlist", "all").out)
    assert (every["recall"], every["k"]) == (1, None)
