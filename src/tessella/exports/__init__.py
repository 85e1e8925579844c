"""Exports: an arrangement as files for other programs; one file each, file name = name.

An export is one file in this folder with a function ``write(target)`` that writes files into the
folder of a `Target`. ``tessella export --as NAME`` and the studio's buttons find it by its name.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement
from tessella.compatibility import Compatibility
from tessella.errors import InputError, NameUnknown
from tessella.imaging.read import PIXELS_MAX
from tessella.odds import Odds
from tessella.puzzle import Puzzle

BASE_URL = "http://localhost:8000"

Measured = tuple[Compatibility, Odds | None]
"""What is known of the pairs of a puzzle's edges."""


@dataclass(frozen=True, eq=False)
class Target:
    """What to export, and where to.

    Attributes
    ----------
    folder : takes the files; it is there and empty
    puzzle : the pieces
    arrangement : how they lie
    base_url : under which address the files will be found, for exports that say so
    measured : returns what is known of the pairs, for exports that judge joins; None where nobody
        measured them yet
    """

    folder: Path
    puzzle: Puzzle
    arrangement: Arrangement
    base_url: str = BASE_URL
    measured: Callable[[], Measured] | None = None

    def __post_init__(self) -> None:
        self.arrangement.fits(len(self.puzzle))
        if not self.base_url.startswith(("http://", "https://")) or len(self.base_url) > 500:
            raise InputError(f"A base URL begins with http:// or https://; got {self.base_url!r}.")

    def drawn(self) -> Iterator[tuple[int, NDArray[np.uint8]]]:
        """Yield the number, from 1, and the picture of every sheet."""
        self._check_drawable()
        for number, sheet in enumerate(self.arrangement.sheets, 1):
            yield number, self.puzzle.layout.draw(sheet)

    def _check_drawable(self) -> None:
        """Raise where a sheet is too large for one picture: nobody asked for smaller pieces."""
        if self.puzzle.layout.drawable(self.arrangement) is self.puzzle:
            return
        rows, cols = max((sheet.shape for sheet in self.arrangement.sheets), key=math.prod)
        height, width = self.puzzle.piece_size
        raise InputError(
            f"A sheet of {rows * height} x {cols * width} px is too large for one picture, which "
            f"has {PIXELS_MAX // 10**6} million pixels at most; export it as deepzoom, in tiles."
        )

    def named(self, number: int, stem: str, suffix: str) -> Path:
        """Return the file of a sheet; the first has no number in its name."""
        return self.folder / (stem + (f"-{number:03d}" if number > 1 else "") + suffix)


Write = Callable[[Target], None]


def names() -> list[str]:
    """Return the names of all exports, sorted."""
    folder = str(Path(__file__).parent)
    return sorted(m.name for m in pkgutil.iter_modules([folder]) if m.name[0] != "_")


def find(name: str) -> Write:
    """Return the function that writes an export."""
    if name not in names():
        raise NameUnknown("export", name, names())
    write: Write = importlib.import_module(f"{__name__}.{name}").write
    return write


def packed(write: Write, place: Path, target: Target) -> Path:
    """Write an export into a folder within `place`; return its one file, or a zip of several."""
    folder = place / "export"
    folder.mkdir()
    write(replace(target, folder=folder))
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if len(files) == 1:
        return files[0]
    with zipfile.ZipFile(place / "export.zip", "w", zipfile.ZIP_STORED) as packing:
        for path in files:
            packing.write(path, path.relative_to(folder).as_posix())
    return place / "export.zip"
