"""``tessella score`` prints one JSON object and nothing else."""

import json

import pytest


def test_the_truth_scores_1(call, cut_folder):
    told = call("score", cut_folder / "truth.json", cut_folder / "truth.json")
    assert told.code == 0
    assert json.loads(told.out) == {
        "neighbor": 1.0,
        "false_joins": 0.0,
        "direct": 1.0,
        "perfect": True,
        "neighbor_up_to_identical": 1.0,
    }
    assert told.err == ""


def test_two_swapped_pieces_cost_joins(call, cut_folder, tmp_path):
    value = json.loads((cut_folder / "truth.json").read_text())
    row = value["sheets"][0]["cells"][0]
    row[0], row[1] = row[1], row[0]
    (tmp_path / "swapped.json").write_text(json.dumps(value))
    found = json.loads(call("score", tmp_path / "swapped.json", cut_folder / "truth.json").out)
    assert 0.8 < found["neighbor"] < 1
    assert found["direct"] == pytest.approx(28 / 30)
    assert not found["perfect"]


def test_other_pieces_are_not_compared(call, cut_folder, tmp_path):
    value = json.loads((cut_folder / "truth.json").read_text())
    value["pieces"].reverse()
    (tmp_path / "other.json").write_text(json.dumps(value))
    told = call("score", tmp_path / "other.json", cut_folder / "truth.json")
    assert told.code == 2
    assert "other pieces" in told.err
