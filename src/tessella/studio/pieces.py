"""The pieces of a project: kept as files, and once more in a form that opens at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from tessella.files import replacing
from tessella.imaging.folder import read_puzzle
from tessella.puzzle import Puzzle
from tessella.studio.facts import Facts
from tessella.watch import SILENT, Watcher

FOLDER = "pieces"
_QUICK = "pieces.npy"


def read(folder: Path, facts: Facts, watch: Watcher = SILENT) -> Puzzle:
    """Return the puzzle of the project in `folder`."""
    quick = folder / "cache" / _QUICK
    if facts.kind == "grid" and quick.is_file():
        pixels = np.load(quick, mmap_mode="r")
        if pixels.shape == (facts.pieces, facts.height, facts.width, 3):
            return Puzzle(pixels, facts.upright, facts.shape, facts.eroded, facts.names)
    source = folder / FOLDER if facts.refers is None else Path(facts.refers)
    puzzle = read_puzzle(
        source,
        upright=facts.upright,
        shape=facts.shape or "unknown" if facts.kind == "grid" else None,
        strips=facts.kind == "strips",
        pages=facts.panels if facts.kind == "strips" else None,
        watch=watch,
    )
    return replace(puzzle, eroded=facts.eroded, names=facts.names)


def known(puzzle: Puzzle, facts: Facts) -> Puzzle:
    """Return the puzzle with what is known of the whole by now: its shape, or how many pages."""
    return puzzle.sized(facts.shape, facts.panels)


def keep(folder: Path, puzzle: Puzzle) -> None:
    """Write the pixels of a grid in the form that opens at once."""
    if puzzle.kind == "grid":
        with replacing(folder / "cache" / _QUICK) as temporary, temporary.open("wb") as file:
            np.save(file, puzzle.pieces)
