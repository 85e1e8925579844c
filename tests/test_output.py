"""A result is written with all its files."""

import json

import numpy as np
import pytest

import tessella
from tessella import layout, output
from tessella.imaging.read import read_image
from tessella.output import write_result
from tessella.provenance import provenance


@pytest.fixture(scope="module")
def puzzle(picture):
    return tessella.cut(picture, 56)[0]


@pytest.fixture(scope="module")
def result(puzzle):
    return tessella.solve(puzzle, solver="paikin_tal")


def test_a_result_is_written_with_all_its_files(tmp_path, puzzle, result, picture):
    write_result(tmp_path / "out", puzzle, result)
    assert {p.name for p in (tmp_path / "out").iterdir()} == {
        "arrangement.json",
        "assembled.png",
        "placement.csv",
        "report.html",
        "run.json",
    }
    assert np.array_equal(read_image(tmp_path / "out" / "assembled.png"), picture)


def test_the_arrangement_file_names_the_pieces_and_judges_the_joins(tmp_path, puzzle, result):
    write_result(tmp_path, puzzle, result)
    value = json.loads((tmp_path / "arrangement.json").read_text())
    assert tuple(value["pieces"]) == puzzle.names
    rows, cols = puzzle.shape
    right, down = value["confidence"][0]["right"], value["confidence"][0]["down"]
    assert np.shape(right) == (rows, cols - 1)
    assert np.shape(down) == (rows - 1, cols)
    assert tessella.Arrangement.from_json(value).same(result.arrangement)


def test_the_record_tells_settings_times_and_versions(tmp_path, puzzle, result):
    write_result(tmp_path, puzzle, result)
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["settings"]["solver"]["name"] == "paikin_tal"
    assert record["puzzle"]["pieces"] == len(puzzle)
    assert record["versions"]["tessella"] == tessella.__version__
    assert record["commit"] == provenance().commit
    assert record["machine"] == provenance().machine
    assert record["fitness"] == result.fitness


def test_further_sheets_are_numbered(tmp_path, puzzle, result):
    sheets = tuple(tessella.Sheet([[k]], [[0]]) for k in range(3))
    several = tessella.Result(tessella.Arrangement(sheets), 0.0, result.compatibility, (), (0.0,))
    write_result(tmp_path, puzzle, several)
    names = {p.name for p in tmp_path.glob("*.png")}
    assert names == {"assembled.png", "assembled-002.png", "assembled-003.png"}


def test_a_sheet_of_few_pieces_shares_one_picture_and_left_over_pieces_are_listed(
    tmp_path, puzzle, result
):
    sheets = tuple(
        tessella.Sheet(np.arange(first, first + count)[None], np.zeros((1, count)))
        for first, count in ((0, 8), (8, 8), (16, 2), (18, 1))
    )
    several = tessella.Result(tessella.Arrangement(sheets), 0.0, result.compatibility, (), (0.0,))
    write_result(tmp_path, puzzle, several)
    names = {p.name for p in tmp_path.glob("*.png")}
    assert names == {"assembled.png", "assembled-002.png", "fragments.png"}
    told = json.loads((tmp_path / "arrangement.json").read_text())
    assert told["left_over"] == list(range(19, len(puzzle)))
    lines = (tmp_path / "placement.csv").read_text().splitlines()
    assert len(lines) == len(puzzle) + 1
    assert lines[-1] == f"{puzzle.names[-1]},,,,,"
    assert f"{puzzle.names[18]},4,1,1,0," in lines


def test_a_sprawling_answer_is_drawn_smaller_and_not_lost(tmp_path, puzzle, result, monkeypatch):
    monkeypatch.setattr(output, "SPRAWLING", puzzle.pieces[..., 0].size // 4)
    write_result(tmp_path, puzzle, result)
    rows, cols = puzzle.shape
    size = puzzle.piece_size[0] // 2
    assert read_image(tmp_path / "assembled.png").shape == (rows * size, cols * size, 3)


def test_a_very_large_sheet_is_a_pyramid_that_the_report_links_to(
    tmp_path, puzzle, result, monkeypatch
):
    monkeypatch.setattr(layout, "LARGE", 0)
    write_result(tmp_path, puzzle, result)
    assert {"assembled.html", "assembled.dzi", "assembled_files"} <= {
        path.name for path in tmp_path.iterdir()
    }
    assert not (tmp_path / "assembled.png").exists()
    assert "href='assembled.html'" in (tmp_path / "report.html").read_text()
    monkeypatch.undo()
    write_result(tmp_path, puzzle, result, force=True)
    assert not (tmp_path / "assembled_files").exists()
