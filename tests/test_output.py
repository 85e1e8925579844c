"""A folder is filled whole or left as it was, and what is not ours stays."""

import json
from pathlib import Path

import numpy as np
import pytest

import tessella
from tessella import layout
from tessella.errors import OutputError
from tessella.imaging.read import read_image
from tessella.output import SOLVED, checkpoint_of, claimed, forget, staged, write_result


@pytest.fixture(scope="module")
def puzzle(picture):
    return tessella.cut(picture, 56)[0]


@pytest.fixture(scope="module")
def result(puzzle):
    return tessella.solve(puzzle, solver="paikin_tal")


def tree(folder: Path) -> dict[str, bytes | None]:
    return {
        str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None
        for p in sorted(folder.rglob("*"))
    }


def fill(folder: Path, force: bool = False, content: str = "new") -> None:
    with claimed(folder, SOLVED, force=force), staged(folder, SOLVED) as stage:
        (stage / "placement.csv").touch()
        (stage / "run.json").write_text(content)


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
    assert record["fitness"] == result.fitness


def test_further_sheets_are_numbered(tmp_path, puzzle, result):
    sheets = tuple(tessella.Sheet([[k]], [[0]]) for k in range(3))
    several = tessella.Result(tessella.Arrangement(sheets), 0.0, result.compatibility, (), (0.0,))
    write_result(tmp_path, puzzle, several)
    names = {p.name for p in tmp_path.glob("*.png")}
    assert names == {"assembled.png", "assembled-002.png", "assembled-003.png"}


def test_a_sprawling_answer_is_drawn_smaller_and_not_lost(tmp_path, puzzle, result, monkeypatch):
    monkeypatch.setattr(layout, "PIXELS_MAX", puzzle.pieces[..., 0].size // 4)
    write_result(tmp_path, puzzle, result)
    rows, cols = puzzle.shape
    assert read_image(tmp_path / "assembled.png").shape == (rows * 28, cols * 28, 3)


def test_a_new_folder_is_made_with_its_parents(tmp_path):
    fill(tmp_path / "a" / "b")
    assert sorted(tree(tmp_path)) == ["a", "a/b", "a/b/placement.csv", "a/b/run.json"]


def test_an_earlier_run_is_refused_and_left_as_it_was(tmp_path):
    fill(tmp_path, content="old")
    before = tree(tmp_path)
    with pytest.raises(OutputError, match="--force"):
        fill(tmp_path)
    assert tree(tmp_path) == before


def test_force_replaces_an_earlier_run_and_keeps_what_is_not_ours(tmp_path):
    fill(tmp_path, content="old")
    (tmp_path / "assembled-002.png").touch()
    (tmp_path / "notes.txt").write_text("mine")
    fill(tmp_path, force=True)
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {
        "placement.csv": "",
        "run.json": "new",
        "notes.txt": "mine",
    }


@pytest.mark.parametrize("force", [True, False])
def test_a_folder_with_other_things_is_refused_even_with_force(tmp_path, force):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"notes\.txt"):
        fill(tmp_path, force=force)
    assert sorted(tree(tmp_path)) == ["notes.txt"]


@pytest.mark.parametrize("earlier", [True, False])
def test_a_failure_leaves_everything_as_it_was(tmp_path, earlier):
    folder = tmp_path / "a" / "out"
    if earlier:
        fill(folder, content="old")
    before = tree(tmp_path)
    with pytest.raises(TypeError):
        fill(folder, force=True, content=None)
    assert tree(tmp_path) == before


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(OutputError, match="is a file"):
        fill(tmp_path / "out")


def test_what_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("mine")
    before = tree(tmp_path)
    with pytest.raises(OutputError, match="Cannot write"):
        fill(tmp_path / "file" / "out")
    assert tree(tmp_path) == before


def test_what_a_killed_process_left_is_cleared_away(tmp_path):
    (tmp_path / ".new").mkdir()
    (tmp_path / ".new" / "half").touch()
    fill(tmp_path)
    assert sorted(tree(tmp_path)) == ["placement.csv", "run.json"]


def unfinished(folder: Path) -> Path:
    checkpoint_of(folder).mkdir(parents=True)
    (checkpoint_of(folder) / "run-000.npz").write_text("state")
    return folder


def test_unfinished_work_is_refused_without_resume(tmp_path):
    with (
        pytest.raises(OutputError, match="--resume"),
        claimed(unfinished(tmp_path), SOLVED),
    ):
        pass
    assert (checkpoint_of(tmp_path) / "run-000.npz").exists()


def test_unfinished_work_survives_a_failure(tmp_path):
    folder = unfinished(tmp_path / "out")
    with pytest.raises(ZeroDivisionError), claimed(folder, SOLVED, resume=True):
        raise ZeroDivisionError
    assert (checkpoint_of(folder) / "run-000.npz").exists()
    forget(folder)
    assert tree(folder) == {}


def test_an_empty_checkpoint_is_no_unfinished_work(tmp_path):
    with claimed(tmp_path / "out", SOLVED):
        checkpoint_of(tmp_path / "out").mkdir()
    assert not (tmp_path / "out").exists()


def test_resume_refuses_a_finished_run_but_takes_a_new_folder(tmp_path):
    with claimed(tmp_path / "new", SOLVED, resume=True):
        pass
    fill(tmp_path / "old")
    with (
        pytest.raises(OutputError, match="nothing to resume"),
        claimed(tmp_path / "old", SOLVED, resume=True),
    ):
        pass
