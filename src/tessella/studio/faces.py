"""Faces: the backs of pieces, where there are pictures of them.

``NAME_back.jpg`` beside ``NAME.jpg`` is the back of that piece; so is ``NAME-verso.png``. A back is
for a person to look at; it is never evidence for the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from tessella.imaging.read import read_image, write_image
from tessella.imaging.render import shrunk

FOLDER = "backs"
SIDE = 1024
"""Pixels along the longer side of a back at most."""

_BACK = re.compile(r"(.+)[ _.-](back|verso|tardoz)", re.IGNORECASE)


def backs(names: Iterable[str]) -> dict[str, str]:
    """Return which pictures are the backs of which others.

    >>> backs(["a.jpg", "a_back.png", "b_back.jpg", "a2.jpg"])
    {'a_back.png': 'a.jpg'}
    """
    fronts = {PurePosixPath(name).stem: name for name in names}
    fronts_of = {}
    for stem, name in fronts.items():
        called = _BACK.fullmatch(stem)
        if called is not None and called[1] in fronts:
            fronts_of[name] = fronts[called[1]]
    return fronts_of


def keep(given: Path, fronts: Mapping[str, str], names: Sequence[str], folder: Path) -> list[int]:
    """Write the backs of the pieces called `names` into a project; return whose there are."""
    number = {name: piece for piece, name in enumerate(names)}
    kept = {number[front]: back for back, front in fronts.items() if front in number}
    for piece, back in sorted(kept.items()):
        (folder / FOLDER).mkdir(exist_ok=True)
        write_image(folder / FOLDER / f"{piece}.png", shrunk(read_image(given / back), SIDE))
    return sorted(kept)
