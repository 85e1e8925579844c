"""What the networks for tiles say of every edge, block by block: in memory, or in files.

The tables of a large puzzle do not fit the memory: an edge has 36 KB with the shipped model. They
lie in files then, which all processes map; who does a block writes its rows, and only then says
that it is done, so that work goes on after a kill.
"""

from __future__ import annotations

import math
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from tessella import edges
from tessella.checkpoint import State
from tessella.errors import OutputError
from tessella.imaging.resize import shown
from tessella.networks.layers import Floats
from tessella.networks.tile_engine import Engine, Light, light_of
from tessella.networks.tile_model import TileModel
from tessella.puzzle import Puzzle
from tessella.threads import chunks
from tessella.watch import Watcher
from tessella.workshop import Workshop

TILES = 256
"""Tiles of a block, some seconds' work."""

JOB = "describing"

Tables = Mapping[str, Floats]
"""Of edges as the first and as the second of a pair: vectors ``(E, D)``, parts ``(E, rows, C)``."""


@dataclass(frozen=True, eq=False)
class Describing:
    """Describes all edges of a puzzle twice, block by block: a `tessella.workshop.Job`.

    Attributes
    ----------
    light : of all tiles
    folder : where the tables' files lie; None: a block's answer is its rows
    """

    model: TileModel
    puzzle: Puzzle
    light: Light
    folder: Path | None = None

    @classmethod
    def of(cls, model: TileModel, puzzle: Puzzle, folder: Path | None = None) -> Describing:
        """Return the job for a puzzle, whose light is found out once."""
        return cls(model, puzzle, light_of(lambda: _portions(puzzle, model.piece)), folder)

    @property
    def blocks(self) -> int:
        """How many blocks of `TILES` tiles there are."""
        return len(chunks(len(self.puzzle), TILES))

    def rows_of(self, number: int) -> slice:
        """Return the rows of a block: an edge's number is its row."""
        part = chunks(len(self.puzzle), TILES)[number]
        return slice(4 * part.start, 4 * part.stop)

    def do(self, number: int, threads: int | None) -> State:
        """Return a block's rows by the tables' names, or write them to the files."""
        described = self._described(number, threads)
        if self.folder is None:
            return described
        for name, rows in described.items():
            with (self.folder / name).open("r+b") as file:
                file.seek(self.rows_of(number).start * rows[0].nbytes)
                file.write(np.ascontiguousarray(rows).data)
                file.flush()
                os.fsync(file.fileno())
        return {}

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shapes of the tables by name."""
        form, count = self.model.form, 4 * len(self.puzzle)
        vectors, parts = (count, form.rows * 2 * form.vector), (count, form.rows, 2 * form.pair)
        both = ("first", "second")
        return {f"{name}-vectors": vectors for name in both} | {f"{n}-parts": parts for n in both}

    def tables(self) -> Tables:
        """Return the tables' files, mapped into the memory."""
        assert self.folder is not None
        return {
            name: np.memmap(self.folder / name, np.float32, "c", shape=shape).view(np.ndarray)
            for name, shape in self.shapes().items()
        }

    def _described(self, number: int, threads: int | None) -> dict[str, Floats]:
        side, engine = self.model.piece, self._engine
        part = chunks(len(self.puzzle), TILES)[number]
        tiles = self.light.normalised(_seen(self.puzzle, part, side))
        turned = np.empty((len(tiles), 4, side, side, 3), np.float32)
        for edge in range(4):
            turned[:, edge] = np.rot90(tiles, edges.turns_to_face(edge, edges.RIGHT), (1, 2))
        flat = turned.reshape(-1, side, side, 3)
        out = {}
        for name, seen in (("first", flat), ("second", flat[:, ::-1])):  # Upside down: mirrored.
            rows = engine.describe(seen, threads)
            out[f"{name}-vectors"] = engine.vectors(rows, second=name == "second")
            out[f"{name}-parts"] = engine.parts(rows)
        return out

    @cached_property
    def _engine(self) -> Engine:
        return Engine(self.model)


def in_memory(model: TileModel, puzzle: Puzzle) -> Tables:
    """Describe the edges of a puzzle of ordinary size."""
    job = Describing.of(model, puzzle)
    tables = {name: np.empty(shape, np.float32) for name, shape in job.shapes().items()}
    for number in range(job.blocks):
        for name, rows in job.do(number, None).items():
            tables[name][job.rows_of(number)] = rows
    return tables


def in_files(
    model: TileModel, puzzle: Puzzle, workshop: Workshop, threads: int | None, watch: Watcher
) -> Describing:
    """Describe the edges of a very large puzzle; what was done before a kill is not done again.

    Returns
    -------
    the finished job. Where the workshop keeps nothing its files go with it
    """
    folder = None if workshop.folder is None else workshop.folder / JOB
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="tessella-"))
        workshop = replace(workshop, folder=folder)
    job = Describing.of(model, puzzle, folder)
    if workshop.folder == folder:
        weakref.finalize(job, shutil.rmtree, folder, ignore_errors=True)
    _make_room(job, folder)
    watch.stage("describing tiles", len(puzzle))
    for number, _ in workshop.done(JOB, replace(job), threads):
        rows = job.rows_of(number)
        watch.advance((rows.stop - rows.start) // 4)
    return job


def _make_room(job: Describing, folder: Path) -> None:
    """Make the tables' files, of zeros that take no room yet; those of an earlier call stay."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, shape in job.shapes().items():
            with (folder / name).open("ab") as file:
                file.truncate(4 * math.prod(shape))
    except OSError as problem:
        reason = problem.strerror or problem
        raise OutputError(f"Cannot make the tables in {folder}: {reason}.") from problem


def _portions(puzzle: Puzzle, side: int) -> Iterator[Floats]:
    for part in chunks(len(puzzle), TILES):
        yield _seen(puzzle, part, side)


def _seen(puzzle: Puzzle, part: slice, side: int) -> Floats:
    """Return what is inside the worn frames of some tiles, at the model's size."""
    return shown(puzzle.pieces[part], puzzle.eroded, side)
