"""``tessella score`` prints one JSON object and nothing else."""

import json

import pytest

from tessella.imaging.read import write_image
from tessella.pictures import demo_picture


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


@pytest.fixture
def mixed(call, cut_folder, tmp_path):
    """Two pictures in one folder with holes, and two strangers."""
    write_image(tmp_path / "b.png", demo_picture()[280:560, :336])
    write_image(tmp_path / "c.png", demo_picture()[560:, :336])
    given = ["--piece", 56, "--missing", 0.1, "--foreign", 2, "--foreign-from", tmp_path / "c.png"]
    files = [cut_folder / "picture.png", tmp_path / "b.png"]
    assert call("cut", *files, tmp_path / "mixed", *given).code == 0
    return tmp_path / "mixed"


def test_several_sheets_are_judged_by_what_lies_on_them(call, mixed):
    found = json.loads(call("score", mixed / "truth.json", mixed / "truth.json").out)
    assert (found["neighbor"], found["purity"], found["sheets"]) == (1.0, 1.0, 2)
    assert (found["left_over"], found["foreign"], found["foreign_left_over"]) == (2, 2, 2)
    assert (found["false_join_count"], found["false_joins_up_to_identical"]) == (0, 0.0)


def test_the_folder_of_pieces_tells_twins(call, mixed, tmp_path, cut_folder):
    value = json.loads((mixed / "truth.json").read_text())
    del value["edge_class"]
    (tmp_path / "plain.json").write_text(json.dumps(value))
    given = [mixed / "truth.json", tmp_path / "plain.json", "--puzzle"]
    assert json.loads(call("score", *given, mixed / "puzzle").out)["purity"] == 1.0
    told = call("score", *given, cut_folder / "puzzle")
    assert told.code == 2
    assert "other pieces" in told.err
