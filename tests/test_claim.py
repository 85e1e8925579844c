"""A folder is filled whole or left as it was, and what is not ours stays."""

from pathlib import Path

import pytest

from tessella.claim import Kind, checkpoint_of, claimed, forget, staged, unmark
from tessella.errors import OutputError
from tessella.output import SOLVED

GROWING = Kind("table.md", ("records.jsonl",), grows=True)
SHARED = Kind("log.jsonl", ("*.npz",), unfinished="checkpoint.pt", grows=True, shares=True)


def tree(folder: Path) -> dict[str, bytes | None]:
    return {
        str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None
        for p in sorted(folder.rglob("*"))
    }


def fill(folder: Path, force: bool = False, content: str = "new") -> None:
    with claimed(folder, SOLVED, force=force), staged(folder, SOLVED) as stage:
        (stage / "placement.csv").touch()
        (stage / "run.json").write_text(content)


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


def test_a_folder_that_grows_takes_an_earlier_run_but_nothing_of_others(tmp_path):
    (tmp_path / "records.jsonl").write_text("old")
    (tmp_path / "table.md").write_text("old")
    with claimed(tmp_path, GROWING):
        assert tree(tmp_path) == {"records.jsonl": b"old", "table.md": b"old"}
        unmark(tmp_path, GROWING)
    assert sorted(tree(tmp_path)) == ["records.jsonl"]
    (tmp_path / "records.jsonl").rename(tmp_path / "diary.txt")
    with pytest.raises(OutputError, match=r"diary\.txt"), claimed(tmp_path, GROWING):
        pass


def test_a_folder_that_is_shared_takes_what_others_left(tmp_path):
    (tmp_path / "diary.txt").touch()
    (tmp_path / "other.npz").touch()
    with claimed(tmp_path, SHARED):
        pass
    assert sorted(tree(tmp_path)) == ["diary.txt", "other.npz"]


def test_a_kind_may_keep_unfinished_work_under_a_name_of_its_own(tmp_path):
    (tmp_path / "checkpoint.pt").touch()
    with (
        pytest.raises(OutputError, match=r"add --resume to continue it, or name another folder\."),
        claimed(tmp_path, SHARED),
    ):
        pass
    with claimed(tmp_path, SHARED, resume=True):
        pass
    assert sorted(tree(tmp_path)) == ["checkpoint.pt"]
