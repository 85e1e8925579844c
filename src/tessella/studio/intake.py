"""Intake: from what was given (pictures, a folder, a zip, scans, a PDF) to a new project.

It runs in a process of its own with limits on memory and time (`run`), so that a picture made to
harm ends that process and not the studio. ``python -m tessella.studio.intake ORDER.json`` is that
process; it tells how far it is in lines of JSON.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tessella.errors import InputError, TessellaError, shown
from tessella.files import read_json, write_json
from tessella.imaging import manifest
from tessella.imaging.read import SUFFIXES
from tessella.placement import printable
from tessella.puzzle import Puzzle
from tessella.studio import atlas, pieces, unpack
from tessella.studio.facts import Facts
from tessella.studio.project import Project

MEMORY = 8 * 2**30
SECONDS = 900
PIECES_MAX = 200_000
COPY_MAX = 500 * 2**20
"""A larger folder of the person's own is referred to and not copied."""

TRIAL_DPI, TRIAL_STRIPS = 150, 34
"""A document that is shredded for trying is drawn so fine, and cut into so many strips a page."""

KINDS = ("pieces", "tiles", "strips", "document")


@dataclass(frozen=True)
class Order:
    """What to make a project of.

    Attributes
    ----------
    source : a folder, a picture, a zip or a PDF
    folder : of the project to make
    name : of the project
    kind : "pieces" (a folder of them, or one scrambled picture), "tiles" or "strips" (scans or
        photographs to collect them from) or "document" (a PDF to shred for trying)
    upright : whether no piece was turned; None believes what the source says
    rows, cols : of the answer, None when unknown or when the source says so
    panels : how many panels or pages; None when unknown
    missing : whether pieces may be missing
    foreign : whether the source came from outside, and is always copied
    memory : bytes that making it may take
    """

    source: str
    folder: str
    name: str
    kind: str = "pieces"
    upright: bool | None = None
    rows: int | None = None
    cols: int | None = None
    panels: int | None = 1
    missing: bool = False
    foreign: bool = False
    memory: int = MEMORY

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"A project is made of {', '.join(KINDS)}; got {shown(self.kind)}.")
        if (self.rows is None) != (self.cols is None):
            raise InputError("Give both rows and columns, or neither.")


class _Teller:
    """A watcher that prints lines of JSON, not too many."""

    def __init__(self) -> None:
        self.name, self.total, self.done = "", 0, 0

    def stage(self, name: str, total: int) -> None:
        """Print that a stage begins."""
        self.name, self.total, self.done = name, total, 0
        self._tell()

    def advance(self, steps: int = 1) -> None:
        """Print how far the stage is, a hundred times at most."""
        self.done += steps
        if self.done % max(1, self.total // 100) == 0:
            self._tell()

    def generation(self, generation: Any) -> None:
        """Nothing here has generations."""

    def _tell(self) -> None:
        _say({"stage": self.name, "total": self.total, "done": self.done})


def _say(value: dict[str, Any]) -> None:
    print(json.dumps(value), flush=True)


def run(order: Order, tell: Callable[[dict[str, Any]], None] | None = None) -> Path:
    """Make a project in a process of its own, and return its folder."""
    with tempfile.TemporaryDirectory(prefix="tessella-") as place:
        path = Path(place) / "order.json"
        write_json(path, asdict(order))
        command = [sys.executable, "-m", "tessella.studio.intake", str(path)]
        with (
            (Path(place) / "said").open("w+b") as said,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said) as process,
        ):
            assert process.stdout is not None
            error = "The pieces could not be read within the limits of memory and time."
            try:
                for line in process.stdout:
                    told = json.loads(line)
                    error = told.get("error", error)
                    if tell is not None:
                        tell(told)
            finally:
                process.kill()
    if process.returncode != 0 or not Path(order.folder).is_dir():
        raise InputError(error)
    return Path(order.folder)


def make(order: Order) -> None:
    """Make a project here and now; whole or not at all."""
    watch = _Teller()
    folder = Path(order.folder)
    if folder.exists():
        raise InputError(f"{folder} exists already; open it, or choose another name.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder.parent) as place:
        stage = Path(place) / folder.name
        (stage / "cache").mkdir(parents=True)
        refers = _fetch(order, stage, watch)
        facts = Facts(order.name, 1, ("",), refers=refers)
        puzzle = _read(order, stage / pieces.FOLDER if refers is None else Path(refers), watch)
        if len(puzzle) > PIECES_MAX:
            raise InputError(f"A project has at most {PIECES_MAX} pieces; got {len(puzzle)}.")
        pieces.keep(stage, puzzle)
        watch.stage("drawing thumbnails", len(puzzle))
        atlas.make(stage / "cache", puzzle, watch.advance)
        Project.create(stage, _facts(order, facts, puzzle))
        stage.rename(folder)


def _facts(order: Order, facts: Facts, puzzle: Puzzle) -> Facts:
    height, width = puzzle.piece_size
    return replace(
        facts,
        pieces=len(puzzle),
        names=tuple(printable(name) for name in puzzle.names),
        kind=puzzle.kind,
        height=height,
        width=width,
        upright=puzzle.upright,
        square=puzzle.square,
        shape=puzzle.shape,
        panels=order.panels,
        missing=order.missing,
        eroded=puzzle.eroded,
    )


def _read(order: Order, source: Path, watch: _Teller) -> Puzzle:
    from tessella.imaging.folder import is_strips, read_puzzle
    from tessella.imaging.worn import find

    strips = is_strips(source) or order.kind in ("strips", "document")
    told = order.rows, order.cols
    puzzle = read_puzzle(
        source,
        upright=order.upright,
        shape=None if told[0] is None or told[1] is None else (told[0], told[1]),
        strips=strips,
        pages=order.panels if strips else None,
        watch=watch,
    )
    if puzzle.kind == "grid" and not puzzle.eroded:
        puzzle = replace(puzzle, eroded=find(puzzle))
    return puzzle


def _fetch(order: Order, stage: Path, watch: _Teller) -> str | None:
    """Bring the pieces into the project; return where they stay if they are too large for that."""
    source = Path(order.source)
    if not source.exists():
        raise InputError(f"There is nothing at {source}; name a folder, a picture or a zip.")
    given = source
    if source.is_dir() and order.foreign:
        given = _opened(source, stage)
    elif source.suffix.lower() == ".zip":
        given = stage / "unpacked"
        given.mkdir()
        unpack.unzip(source, given)
        given = unpack.chosen(given)
    target = stage / pieces.FOLDER
    try:
        if order.kind == "document":
            _shred(given, target)
        elif order.kind in ("tiles", "strips"):
            _collect(order, given, target, watch)
        elif given.is_dir():
            if not order.foreign and given == source and _size(given) > COPY_MAX:
                return str(given.resolve())
            _copy(given, target)
        else:
            _cut_up(given, target)
    finally:
        shutil.rmtree(stage / "unpacked", ignore_errors=True)
    return None


def _opened(upload: Path, stage: Path) -> Path:
    """Return the pieces of an upload: its one file, its zip unpacked, or a folder of it."""
    files = sorted(path for path in upload.rglob("*") if path.is_file())
    if len(files) == 1 and files[0].suffix.lower() == ".zip":
        place = stage / "unpacked"
        place.mkdir()
        unpack.unzip(files[0], place)
        return unpack.chosen(place)
    if len(files) == 1:
        return files[0]
    return unpack.chosen(upload)


def _pictures(given: Path) -> list[Path]:
    if not given.is_dir():
        return [given]
    return sorted(path for path in given.iterdir() if path.suffix.lower() in SUFFIXES)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file())


def _copy(given: Path, target: Path) -> None:
    """Copy pictures and what is known of them, byte by byte."""
    from tessella.imaging.manifest import Manifest

    target.mkdir()
    names = {path.name for path in _pictures(given)}
    if (given / manifest.NAME).is_file():
        known = Manifest.from_json(read_json(given / manifest.NAME))
        names = {manifest.NAME, *known.pieces, *known.masks}
    for name in sorted(names):
        inside = given / name
        if inside.is_symlink() or not inside.is_file():
            raise InputError(f"{shown(name)} is no file of {given}; put it there.")
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(inside, target / name)


def _cut_up(given: Path, target: Path) -> None:
    """Cut a scrambled picture into its pieces."""
    from tessella.imaging.folder import read_puzzle, write_puzzle

    write_puzzle(target, read_puzzle(given))


def _collect(order: Order, given: Path, target: Path, watch: _Teller) -> None:
    """Find the pieces of scans or photographs."""
    from tessella.collect.collection import collect
    from tessella.collect.settings import Settings
    from tessella.collect.writing import write_collection

    found = collect(_pictures(given), Settings(order.kind), watch)
    made = target.with_name("collected")
    made.mkdir()
    write_collection(made, found)
    (made / "puzzle").rename(target)
    for name in ("contact.png", "collect.json"):
        if (made / name).is_file():
            (made / name).rename(target.parent / name)
    shutil.rmtree(made)


def _shred(given: Path, target: Path) -> None:
    """Shred the pages of a document, for trying."""
    from tessella.documents.cut import cut_strips
    from tessella.documents.pages import read_pages
    from tessella.imaging.folder import write_puzzle

    pages = [page.grey for page in read_pages([given], TRIAL_DPI)]
    strips, _ = cut_strips(pages, TRIAL_STRIPS)
    write_puzzle(target, strips)


def main(path: str) -> int:
    """Do what an order says; tell what went wrong in one sentence."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        order = Order(**read_json(Path(path)))
        resource.setrlimit(resource.RLIMIT_AS, (order.memory, order.memory))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        make(order)
    except MemoryError:
        _say({"error": "The pieces take more memory than the studio allows; make them smaller."})
        return 1
    except (TessellaError, OSError) as problem:
        _say({"error": str(problem)})
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
