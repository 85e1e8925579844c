"""Solve puzzles whose truth is known, and keep what the measure said of them and the answers.

    python scripts/collect_answers.py DATA OUT [--only KIND...] [--limit N] [--jobs 1] [--bench]

Calibrations and confidences are fitted to what lies in OUT (scripts/calibrate.py,
scripts/calibrate_confidence.py), as often as one likes: one file a puzzle, those that are there are
skipped. DATA is the folder of pictures; KINDS says which puzzles are made of them. --bench makes
those of the benchmark sets, which only confirm.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tessella
from tessella import api
from tessella.bench.panels import panels
from tessella.documents.cut import cut_strips
from tessella.documents.folder import paired, read_strips
from tessella.documents.pages import read_pages
from tessella.documents.strips import Strips
from tessella.executors.local import share
from tessella.files import replacing
from tessella.imaging.cut import cut_panels
from tessella.imaging.folder import natural
from tessella.imaging.read import read_image
from tessella.measured import Measured
from tessella.panels import Panels
from tessella.puzzle import Puzzle
from tessella.truth import Truth, edge_classes

sys.path.insert(0, str(Path(__file__).parent.parent / "speed"))
from tiles import WALLS, Photograph

RIM = 8
"""Pixels left out at the pictures' sides, which often have a line there."""

PAGES = 3
"""Pages of a document, from its middle."""


@dataclass(frozen=True)
class Kind:
    """Puzzles that are made, and solved, in one way.

    Attributes
    ----------
    name : begins with the group that it is judged with
    source : folder of DATA
    way : how a picture is cut (`cut_panels`)
    part : rows and columns of the part that is taken of a picture, None for all
    known : whether the shape is
    several : pictures that are mixed
    simulate : whether pictures are made worn panels
    settings : of the measure and the solver
    every : take one picture in so many
    crop : the share that tiles of a photographed panel lose on every side
    """

    name: str
    measure: str
    source: str = "validation/kodak24"
    way: dict[str, Any] = field(default_factory=dict)
    part: tuple[int, int] | None = None
    known: bool = True
    several: int = 1
    simulate: bool = False
    settings: dict[str, str] = field(default_factory=dict)
    every: int = 1
    crop: float = 0.0


QUICK = {"islands": "1"}
"""Answers to fit to are searched once: they have a few more mistakes, which is what is wanted."""

_SMALL = (336, 504)
_AZULEJO = {"model": "azulejo-50"}


def _grids() -> Iterator[Kind]:
    """Yield the ways of pictures of 28 and 64 px, clean and worn, by all measures."""
    clean = {
        "whole": ({}, None, True),
        "turned": ({"turned": True}, None, True),
        "unknown": ({}, _SMALL, False),
        "10": ({"missing": 0.1}, _SMALL, False),
        "30 known": ({"missing": 0.3}, _SMALL, True),
        "30 turned": ({"missing": 0.3, "turned": True}, _SMALL, False),
        "50": ({"missing": 0.5}, _SMALL, False),
    }
    for measure in ("mgc", "dlcm"):
        for name, (way, part, known) in clean.items():
            if measure == "mgc" or name in ("whole", "turned", "30 turned"):
                small = part or (_SMALL if measure == "dlcm" else None)
                how = {"piece": 28, **way}
                yield Kind(f"clean {measure} {name}", measure, way=how, part=small, known=known)
    yield Kind("clean mgc 14", "mgc", way={"piece": 14}, part=(280, 420))
    mixed = {"piece": 28, "missing": 0.1}
    yield Kind("clean mgc mixed", "mgc", way=mixed, part=(280, 420), known=False, several=2)
    worn = {"w1": (28, 1, False), "w1 turned": (28, 1, True), "w2": (28, 2, False)}
    for name, (piece, erode, turned) in worn.items():
        way = {"piece": piece, "erode": erode, "turned": turned}
        yield Kind(f"worn mgc {name}", "mgc", way=way, part=_SMALL)
    for measure in ("mgc", "dlcm", "tiles"):
        for erode, turned in ((2, False), (3, True), (4, False)):
            way = {"piece": 64, "erode": erode, "turned": turned}
            yield Kind(f"worn {measure} 64 w{erode}", measure, way=way)


def _panels() -> Iterator[Kind]:
    for measure, given in (("dlcm", _AZULEJO), ("mgc", {}), ("tiles", {})):
        for turned in (False, True):
            way = {"piece": 50, "turned": turned}
            source = "train/drawings" if measure != "tiles" else "validation/kodak24"
            name = f"panels {measure}{' turned' if turned else ''}"
            yield Kind(name, measure, source, way, simulate=True, settings=given, every=4)
    for crop in (0.02, 0.04):
        for turned in (False, True):
            name = f"panels tiles real {100 * crop:g}{' turned' if turned else ''}"
            way = {"piece": 64, "turned": turned}
            yield Kind(name, "tiles", "tiles", way, crop=crop)


STRIPS = (
    Kind("strips ink", "ink", "documents/train_pdf"),
    Kind("strips ink turned", "ink", "documents/train_pdf", {"turned": True}),
    Kind("strips shreds", "shreds", "documents/marques"),
    Kind("strips shreds turned", "shreds", "documents/marques", {"turned": True}),
)

KINDS = (
    tuple(replace(kind, settings={**QUICK, **kind.settings}) for kind in (*_grids(), *_panels()))
    + STRIPS
)
"""What is fitted to."""


def _bench() -> Iterator[Kind]:
    """Yield what confirms: solved as anybody would."""
    for folder in ("mit_432", "mcgill_540"):
        for measure in ("mgc", "dlcm"):
            for turned in (False, True):
                way = {"piece": 28, "turned": turned}
                name = f"clean {measure} {folder}{' turned' if turned else ''}"
                yield Kind(name, measure, f"bench/{folder}", way)
        for missing in (0.1, 0.3):
            way = {"piece": 28, "missing": missing}
            name = f"clean mgc {folder} {missing}"
            yield Kind(name, "mgc", f"bench/{folder}", way, known=False)
        for measure in ("mgc", "dlcm"):
            way = {"piece": 64, "erode": 2}
            yield Kind(f"worn {measure} {folder}", measure, f"bench/{folder}", way)
        yield Kind(f"worn mgc {folder} 28", "mgc", f"bench/{folder}", {"piece": 28, "erode": 1})
    for measure, given in (("dlcm", _AZULEJO), ("mgc", {})):
        for turned in (False, True):
            way = {"piece": 50, "turned": turned}
            name = f"panels {measure} paintings{' turned' if turned else ''}"
            yield Kind(name, measure, "test/paintings", way, simulate=True, settings=given)
    yield Kind("strips ink test", "ink", "documents/test_pdf")
    yield Kind("strips ink test turned", "ink", "documents/test_pdf", {"turned": True})
    yield Kind("strips shreds test", "shreds", "documents/real_shreds")


BENCH = tuple(_bench())


@dataclass(frozen=True)
class Task:
    """One puzzle to make and solve, and the file to write."""

    kind: Kind
    picture: str
    seed: int
    data: Path
    out: Path

    @property
    def file(self) -> Path:
        """Where it goes."""
        name = f"{self.kind.name} {self.picture}".replace(" ", "_").replace("/", "_")
        return self.out / f"{name}.npz"

    def made(self) -> tuple[Puzzle, Truth]:
        """Cut the puzzle."""
        kind, folder = self.kind, self.data / self.kind.source
        if kind.measure == "shreds":
            return shredded(folder / self.picture, **kind.way)
        if kind.source.startswith("documents"):
            name, _, page = self.picture.partition("#")
            grey = read_pages([folder / name], 300)[int(page)].grey
            return cut_strips([grey], 51, seed=self.seed, **kind.way)
        if kind.simulate:
            every = {panel.name: panel for panel in panels(files(folder)[:: kind.every])}
            return cut_panels([every[self.picture].paint()], seed=self.seed, **kind.way)
        if kind.crop:
            photograph = _photographs(folder)[self.picture]
            panel, _ = photograph.panel(kind.crop, kind.way["piece"])
            return cut_panels([panel], seed=self.seed, **kind.way)
        all_ = files(folder)
        first = [file.name for file in all_].index(self.picture)
        chosen = [all_[(first + 7 * k) % len(all_)] for k in range(kind.several)]
        rim = 0 if kind.source.startswith("bench") else RIM
        images = [_part(read_image(file), rim, kind.part) for file in chosen]
        puzzle, truth = cut_panels(images, seed=self.seed, **kind.way)
        return (puzzle if kind.known else replace(puzzle, shape=None)), truth


def _photographs(folder: Path) -> dict[str, Photograph]:
    """Return real panels by wall and name: those of one wall are one picture."""
    every = [Photograph(file) for file in sorted(folder.glob("*_*x*_*.png"))]
    return {f"{WALLS.get(p.name, p.name)}#{p.name}": p for p in every}


def _part(image: NDArray[np.uint8], rim: int, part: tuple[int, int] | None) -> NDArray[np.uint8]:
    inner = image[rim:-rim, rim:-rim] if rim else image
    return inner if part is None else inner[: part[0], : part[1]]


def shredded(folder: Path, turned: bool = False) -> tuple[Strips, Truth]:
    """Read strips whose files lie in true order; whoever measures them shuffles them."""
    names = sorted((f.name for f in folder.iterdir() if f.is_file()), key=natural)
    found = read_strips(folder, paired(names), upright=not turned, bed=True)
    row = tessella.Arrangement.single(np.arange(len(found), dtype=np.int32)[None])
    return found, Truth(row, edge_classes(found), found.blank())


def files(folder: Path) -> list[Path]:
    """Return the pictures of a folder in natural order."""
    return sorted((f for f in folder.iterdir() if f.is_file()), key=lambda f: natural(f.name))


def pictures(kind: Kind, data: Path) -> list[str]:
    """Name what a kind has to solve."""
    folder = data / kind.source
    if kind.measure == "shreds":
        return sorted(each.name for each in folder.iterdir() if each.is_dir())
    if kind.source.startswith("documents"):
        found = []
        for file in files(folder):
            total = len(read_pages([file], 20))
            first = max(0, total // 2 - PAGES // 2)
            found += [f"{file.name}#{k}" for k in range(first, min(total, first + PAGES))]
        return found
    if kind.crop:
        return list(_photographs(folder))
    if kind.simulate:
        every = panels(files(folder)[:: kind.every])
        return [panel.name for panel in sorted(every, key=lambda panel: panel.tiles)]
    return [file.name for file in files(folder)[:: kind.every]]


def perform(task: Task) -> Iterator[str]:
    """Make, solve, keep; yield a line to print."""
    began = time.process_time()
    kind = task.kind
    puzzle, truth = task.made()
    plan = tessella.make_plan(kind.measure, None, kind.settings, puzzle=puzzle)
    measured = api.measure(puzzle, plan.measure, seed=1, threads=1)
    panels_ = Panels() if kind.several > 1 else None
    result = api.search(api.adjust(measured, plan, threads=1), panels=panels_, threads=1)
    result = puzzle.layout.paged(result)
    spent = time.process_time() - began
    keep(task, result.arrangement, measured, truth, spent)
    share_ = tessella.score(result, truth).neighbor_up_to_identical
    yield f"{task.file.stem}: {len(puzzle)} pieces, {share_:.4f}, {spent:.1f} s"


def keep(
    task: Task,
    arrangement: tessella.Arrangement,
    measured: Measured,
    truth: Truth,
    spent: float,
) -> None:
    """Write what fitting needs, scores in the order in which pieces were measured."""
    scores, model = measured.scores, getattr(measured.measure, "model", None)
    sheets = {f"piece{k}": sheet.piece for k, sheet in enumerate(arrangement.sheets)}
    sheets |= {f"turns{k}": sheet.turns for k, sheet in enumerate(arrangement.sheets)}
    facts = [scores.pieces, scores.upright, scores.square, scores.distance]
    with replacing(task.file) as temporary, temporary.open("wb") as file:
        np.savez_compressed(
            file,
            kind=task.kind.name,
            picture=task.picture.partition("#")[0],
            measure=task.kind.measure,
            model=model or "",
            facts=np.array([*facts, len(arrangement.sheets)], np.int64),
            spent=spent,
            order=measured.order,
            lo=scores.lo,
            hi=scores.hi,
            partner=scores.partner,
            score=scores.score,
            true=truth.arrangement.joins(),
            edge_class=truth.edge_class,
            **sheets,
        )


def main() -> None:
    """Do what is missing."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="*", default=[""], help="beginnings of kinds' names")
    parser.add_argument("--limit", type=int, help="puzzles of a kind")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--bench", action="store_true")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    tasks = []
    for kind in BENCH if given.bench else KINDS:
        if any(kind.name.startswith(text) for text in given.only):
            names = pictures(kind, given.data)[: given.limit]
            tasks += [Task(kind, name, k, given.data, given.out) for k, name in enumerate(names)]
    tasks = [task for task in tasks if not task.file.exists()]
    tasks.sort(key=lambda task: task.seed)  # Whoever stops early has some of every kind.
    print(f"{len(tasks)} puzzles to solve", flush=True)
    for line in share(perform, tasks, given.jobs):
        print(line, flush=True)


if __name__ == "__main__":
    main()
