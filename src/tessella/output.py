"""The folder that a command fills: claimed early, written at the end, whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from tessella import confidence
from tessella.errors import OutputError
from tessella.files import write_json
from tessella.imaging.read import write_image
from tessella.placement import write_placement
from tessella.puzzle import Puzzle
from tessella.report import write_report
from tessella.result import Result
from tessella.versions import versions

TITLE = "Reassembled by tessella"
_STAGE = ".new"
_CHECKPOINT = ".checkpoint"


@dataclass(frozen=True)
class Kind:
    """What a command leaves in its folder.

    Attributes
    ----------
    marker : the file that is written last: a folder that has it is complete
    others : patterns of the names of everything else
    """

    marker: str
    others: tuple[str, ...]

    def owns(self, name: str) -> bool:
        """Whether the command may have written `name`."""
        return name == self.marker or any(fnmatch(name, pattern) for pattern in self.others)


CUT = Kind("truth.json", ("puzzle",))
_DRAWN = ("assembled.png", "assembled-[0-9][0-9][0-9].png")
_LISTS = ("arrangement.json", "placement.csv", "report.html")
SOLVED = Kind("run.json", (*_LISTS, *_DRAWN, "pages.pdf"))
DEMO = Kind("run.json", (*SOLVED.others, "puzzle", "truth.json", "score.json"))


def checkpoint_of(folder: Path) -> Path:
    """Return where unfinished work on `folder` is kept."""
    return folder / _CHECKPOINT


@contextmanager
def claimed(
    folder: Path, kind: Kind, *, force: bool = False, resume: bool = False
) -> Iterator[None]:
    """Make sure that `folder` can be filled; leave nothing behind if the block does not fill it.

    An earlier run is accepted with `force`, unfinished work with `resume` or `force`; neither is
    touched yet (see `staged`). What is not ours is never touched.
    """
    with _explaining(folder):
        _check(folder, kind, force, resume)
        made = _make(folder)
    try:
        yield
    finally:
        for each in (checkpoint_of(folder), *made):
            if each.is_dir() and not any(each.iterdir()):
                each.rmdir()


@contextmanager
def staged(folder: Path, kind: Kind) -> Iterator[Path]:
    """Yield an empty folder; when the block ends well, its content replaces that of `folder`."""
    stage = folder / _STAGE
    try:
        with _explaining(folder):
            shutil.rmtree(stage, ignore_errors=True)
            stage.mkdir()
        yield stage
        with _explaining(folder):
            _replace(folder, stage, kind)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def forget(folder: Path) -> None:
    """Remove unfinished work on `folder`."""
    shutil.rmtree(checkpoint_of(folder), ignore_errors=True)


def write_result(
    folder: Path | str, puzzle: Puzzle, result: Result, *, title: str = TITLE, force: bool = False
) -> None:
    """Write `result` as the command ``tessella solve`` does: pictures, lists, report."""
    folder = Path(folder)
    with claimed(folder, SOLVED, force=force), staged(folder, SOLVED) as stage:
        write_files(stage, puzzle, result, title=title)


def write_files(
    folder: Path,
    puzzle: Puzzle,
    result: Result,
    *,
    title: str = TITLE,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write all files of a result into `folder`, ``run.json`` last.

    Parameters
    ----------
    facts : what ``run.json`` tells besides
    """
    arrangement = result.arrangement
    judged = confidence.to_json(result.joins, arrangement)
    value = arrangement.to_json(puzzle.names) | {"confidence": judged}
    write_json(folder / "arrangement.json", value)
    write_placement(folder / "placement.csv", arrangement, puzzle.names)
    drawn = puzzle.layout.drawable(arrangement)
    for number, sheet in enumerate(arrangement.sheets, 1):
        name = "assembled.png" if number == 1 else f"assembled-{number:03d}.png"
        write_image(folder / name, drawn.layout.draw(sheet))
    drawn.layout.write_besides(folder, arrangement)
    write_report(folder / "report.html", drawn, result, title=title)
    write_json(folder / SOLVED.marker, _record(puzzle, result, facts or {}))


def _record(puzzle: Puzzle, result: Result, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ``run.json`` holds."""
    known = {
        **puzzle.layout.facts(result.arrangement),
        "pieces": len(puzzle),
        "piece_height": puzzle.piece_size[0],
        "piece_width": puzzle.piece_size[1],
        "upright": puzzle.upright,
        "shape": puzzle.shape,
        "eroded": puzzle.eroded,
    }
    return {"version": 1, "puzzle": known, **result.to_json(), "versions": versions(), **facts}


def _check(folder: Path, kind: Kind, force: bool, resume: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder} is a file; name a folder to write to.")
    held = sorted(p.name for p in folder.iterdir()) if folder.exists() else []
    seen = [name for name in held if name[0] != "."]
    ours = [name for name in seen if kind.owns(name)]
    unfinished = _CHECKPOINT in held
    if seen and not ours:
        raise OutputError(
            f"{folder} is not empty and holds no earlier run of this command ({seen[0]}, ...); "
            "name a new or empty folder."
        )
    if force or (resume and unfinished):
        return
    if unfinished:
        raise OutputError(
            f"{folder} holds unfinished work; add --resume to continue it, --force to start "
            "again, or name another folder."
        )
    if ours:
        why = "a finished run, so there is nothing to resume" if resume else "another run"
        raise OutputError(
            f"{folder} holds {why}; add --force to replace it, or name another folder."
        )


def _make(folder: Path) -> list[Path]:
    """Make the folder, see that it can be written, and return what was made, innermost first."""
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".probe-", dir=folder):
            pass
    except OSError:
        for each in made:
            if each.is_dir():
                each.rmdir()
        raise
    return made


def _replace(folder: Path, stage: Path, kind: Kind) -> None:
    """Move everything from `stage` to `folder`; the old marker goes first, the new comes last."""
    (folder / kind.marker).unlink(missing_ok=True)
    for old in folder.iterdir():
        if kind.owns(old.name):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for new in sorted(stage.iterdir(), key=lambda path: path.name == kind.marker):
        new.rename(folder / new.name)


@contextmanager
def _explaining(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        reason = problem.strerror or problem
        raise OutputError(
            f"Cannot write to {folder}: {reason}; choose another folder."
        ) from problem
