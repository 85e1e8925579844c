"""The pieces of a project: kept as files, and once more in a form that opens at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tessella.files import replacing
from tessella.imaging.folder import read_puzzle
from tessella.puzzle import Puzzle
from tessella.studio.facts import Facts
from tessella.watch import SILENT, Watcher

FOLDER = "pieces"
_QUICK = "pieces.npy"
_KNOWN = "known.npy"
"""What of every piece is picture, eight pixels to a byte; only where some is unknown."""


def read(folder: Path, facts: Facts, watch: Watcher = SILENT) -> Puzzle:
    """Return the puzzle of the project in `folder`."""
    quick = folder / "cache" / _QUICK
    if facts.kind == "grid" and quick.is_file():
        pixels = np.load(quick, mmap_mode="r")
        if pixels.shape == (facts.pieces, facts.height, facts.width, 3):
            known = _known(quick.with_name(_KNOWN), facts)
            return Puzzle(
                pixels, facts.upright, facts.shape, facts.eroded, facts.names, known=known
            )
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


def _known(file: Path, facts: Facts) -> NDArray[np.bool_] | None:
    """Return what of every piece is picture, ``(N, H, W)``; None where all of it is."""
    if not file.is_file():
        return None
    return np.unpackbits(np.load(file), axis=2, count=facts.width).view(np.bool_)


def keep(folder: Path, puzzle: Puzzle) -> None:
    """Write the pixels of a grid in the form that opens at once, and what of them is known."""
    if puzzle.kind == "grid":
        if puzzle.known is not None:  # first: whoever finds the pixels takes the rest for whole
            file_of_known = folder / "cache" / _KNOWN
            with replacing(file_of_known) as temporary, temporary.open("wb") as file:
                np.save(file, np.packbits(puzzle.known, axis=2))
        with replacing(folder / "cache" / _QUICK) as temporary, temporary.open("wb") as file:
            np.save(file, puzzle.pieces)
