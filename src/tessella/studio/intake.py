"""Intake: from what was given (pictures, a folder, a zip, scans, a PDF) to a new project.

It runs in a process of its own (`run`); ``python -m tessella.studio.intake ORDER.json`` is that
process (`tessella.studio.fence`).
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from tessella.errors import InputError, shown
from tessella.files import read_json
from tessella.imaging import manifest
from tessella.imaging.read import SUFFIXES
from tessella.placement import printable
from tessella.puzzle import Puzzle
from tessella.studio import atlas, faces, fence, outlining, pieces, unpack
from tessella.studio.facts import Facts
from tessella.studio.project import Project
from tessella.threads import spread
from tessella.watch import Watcher

PIECES_MAX = 200_000
COPY_MAX = 500 * 2**20
"""A larger folder of the person's own is referred to and not copied."""

TRIAL_DPI, TRIAL_STRIPS = 150, 34
"""A document that is shredded for trying is drawn so fine, and cut into so many strips a page."""

UNPACKED = "unpacked"
"""The folder in which a zip is unpacked."""

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
    collected : the folder with the pieces that `outlining.find` found in the source already
    outlines : what a person said about them, as `outlining.amended` takes it
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
    collected: str | None = None
    outlines: list[dict[str, Any]] = field(default_factory=list)
    memory: int = fence.MEMORY

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"A project is made of {', '.join(KINDS)}; got {shown(self.kind)}.")
        if (self.rows is None) != (self.cols is None):
            raise InputError("Give both rows and columns, or neither.")


def run(order: Order, tell: Callable[[dict[str, Any]], None] | None = None) -> Path:
    """Make a project in a process of its own, and return its folder."""
    fence.run("tessella.studio.intake", asdict(order), tell)
    return Path(order.folder)


def make(order: Order) -> None:
    """Make a project here and now; whole or not at all."""
    watch = fence.Teller()
    folder = Path(order.folder)
    if folder.exists():
        raise InputError(f"{folder} exists already; open it, or choose another name.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder.parent) as place:
        stage = Path(place) / folder.name
        (stage / "cache").mkdir(parents=True)
        with _given_names(stage):
            _make(order, stage, watch)
        stage.rename(folder)


@contextmanager
def _given_names(stage: Path) -> Iterator[None]:
    """Let sentences name files as they were given, and no folder that is gone by then."""
    try:
        yield
    except InputError as problem:
        told = str(problem)
        for ours in (stage / pieces.FOLDER, stage / UNPACKED):
            told = told.replace(f"{ours}/", "").replace(f"in {ours} ", "")
        raise InputError(told) from problem


def _make(order: Order, stage: Path, watch: Watcher) -> None:
    """Make the project in `stage`."""
    given = _given(order, stage)
    if order.kind == "document":
        order = _shred(order, given, stage / pieces.FOLDER)
    refers = _fetch(order, given, stage, watch)
    puzzle = _read(order, stage / pieces.FOLDER if refers is None else Path(refers), watch)
    if len(puzzle) > PIECES_MAX:
        raise InputError(f"A project has at most {PIECES_MAX} pieces; got {len(puzzle)}.")
    pieces.keep(stage, puzzle)
    watch.stage("drawing thumbnails", len(puzzle))
    atlas.make(stage / "cache", puzzle, watch.advance)
    seen = faces.keep(given, _backs(order, given), puzzle.names, stage)
    made_of = "" if order.foreign else str(Path(order.source).resolve())
    facts = Facts(order.name, 1, ("",), refers=refers, backs=tuple(seen), made_of=made_of)
    shutil.rmtree(stage / UNPACKED, ignore_errors=True)
    Project.create(stage, _facts(order, facts, puzzle))


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


def _read(order: Order, source: Path, watch: Watcher) -> Puzzle:
    from tessella.imaging.folder import is_strips, read_puzzle
    from tessella.imaging.worn import find

    strips = is_strips(source) or order.kind in ("strips", "document")
    grid = order.rows, order.cols
    puzzle = read_puzzle(
        source,
        upright=order.upright,
        shape=None if grid[0] is None or grid[1] is None else (grid[0], grid[1]),
        strips=strips,
        pages=order.panels if strips else None,
        watch=watch,
    )
    if puzzle.kind == "grid" and not puzzle.eroded:
        puzzle = replace(puzzle, eroded=find(puzzle))
    return puzzle


def _given(order: Order, stage: Path) -> Path:
    """Return the picture or the folder that the order is about; a zip is unpacked."""
    source = Path(order.source)
    if not source.exists():
        raise InputError(f"There is nothing at {source}; name a folder, a picture or a zip.")
    if order.collected is not None or (order.kind == "document" and source.is_dir()):
        return source
    if order.foreign or source.suffix.lower() == ".zip":
        return opened(source, stage)
    return source


def _fetch(order: Order, given: Path, stage: Path, watch: Watcher) -> str | None:
    """Bring the pieces into the project; return where they stay if they are too large for that."""
    target = stage / pieces.FOLDER
    if order.kind == "document":
        return None  # shredded already
    if order.kind in ("tiles", "strips"):
        _collect(order, given, target, watch)
    elif given.is_dir():
        backs = _backs(order, given)
        own = not order.foreign and given == Path(order.source)
        if own and not backs and _size(given) > COPY_MAX:
            return str(given.resolve())
        _copy(given, target, backs, watch)
    elif given.suffix.lower() == ".pdf":
        raise InputError(f"{given.name} is a PDF; say that it is to be shredded for trying.")
    else:
        _cut_up(given, target)
    return None


def _backs(order: Order, given: Path) -> dict[str, str]:
    """Return which pictures of a folder of pieces are the backs of which others."""
    if order.kind != "pieces" or not given.is_dir():
        return {}
    return faces.backs(path.name for path in pictures_of(given))


def opened(upload: Path, stage: Path) -> Path:
    """Return the pieces of an upload: its one file, its zip unpacked, or a folder of it."""
    files = sorted(path for path in upload.rglob("*") if path.is_file()) or [upload]
    if len(files) == 1 and files[0].suffix.lower() == ".zip":
        place = stage / UNPACKED
        place.mkdir()
        unpack.unzip(files[0], place)
        return unpack.chosen(place)
    if len(files) == 1:
        return files[0]
    return unpack.chosen(upload)


def pictures_of(given: Path) -> list[Path]:
    """Return all pictures of a folder, or the one that is given."""
    if not given.is_dir():
        return [given]
    found = (path for path in given.iterdir() if path.suffix.lower() in SUFFIXES)
    return sorted(found, key=lambda path: path.name)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file())


def _copy(given: Path, target: Path, backs: Mapping[str, str], watch: Watcher) -> None:
    """Copy the pictures of fronts and what is known of them, byte by byte."""
    from tessella.imaging.manifest import Manifest

    target.mkdir()
    names = {path.name for path in pictures_of(given)} - set(backs)
    if (given / manifest.NAME).is_file():
        known = Manifest.from_json(read_json(given / manifest.NAME))
        names = {manifest.NAME, *known.pieces, *known.masks}
    watch.stage("copying", len(names))

    def copy(name: str) -> None:
        inside = given / name
        try:  # a link could lead anywhere
            with open(os.open(inside, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
                content = file.read()
        except OSError as problem:
            raise InputError(f"{shown(name)} is no file of {given}; put it there.") from problem
        if "/" in name:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)

    for _ in spread(copy, sorted(names), None):  # Small files wait for the disk.
        watch.advance()


def _cut_up(given: Path, target: Path) -> None:
    """Cut a scrambled picture into its pieces."""
    from tessella.imaging.folder import read_puzzle, write_puzzle

    write_puzzle(target, read_puzzle(given))


def _collect(order: Order, given: Path, target: Path, watch: Watcher) -> None:
    """Find the pieces of scans or photographs, or take those that were found and looked at."""
    from tessella.collect.collection import collect
    from tessella.collect.settings import Settings
    from tessella.collect.writing import write_collection

    made = target.with_name("collected")
    if order.collected is not None:
        apart = shutil.ignore_patterns(UNPACKED, "shown-*")
        shutil.copytree(order.collected, made, ignore=apart)
        if order.outlines:
            outlining.amended(made, order.outlines)
    else:
        made.mkdir()
        write_collection(made, collect(pictures_of(given), Settings(order.kind), watch))
    (made / "puzzle").rename(target)
    for name in ("contact.png", outlining.LIST):
        if (made / name).is_file():
            (made / name).rename(target.parent / name)
    shutil.rmtree(made)


def _shred(order: Order, given: Path, target: Path) -> Order:
    """Shred the pages of a document, or of all in a folder, for trying.

    Returns the order with how many there are.

    A person who said that nobody knows how many is believed.
    """
    from tessella.documents.cut import cut_strips
    from tessella.documents.pages import read_pages
    from tessella.imaging.folder import write_puzzle

    found = [given]
    if given.is_dir():
        pages_of = (".pdf", *SUFFIXES)
        found = sorted(path for path in given.rglob("*") if path.suffix.lower() in pages_of)
    if not found:
        raise InputError("There is no PDF in what was given; choose one, or say what these are.")
    pages = [page.grey for page in read_pages(found, TRIAL_DPI)]
    strips, _ = cut_strips(pages, TRIAL_STRIPS)
    write_puzzle(target, strips)
    return order if order.panels is None else replace(order, panels=len(pages))


if __name__ == "__main__":
    sys.exit(fence.inside(lambda order: make(Order(**order))))
