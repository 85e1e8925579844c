"""Names of pieces as people write them: file names, with or without what they end in."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath
from typing import Any

from tessella.errors import FormatError, shown
from tessella.placement import printable


class Names:
    """The names of a puzzle's pieces, and the file that speaks of them.

    Parameters
    ----------
    known : the name of every piece
    file : what to call the file in messages
    """

    def __init__(self, known: tuple[str, ...], file: str = "The file") -> None:
        self.known = known
        self.file = file
        self._number = {printable(name): i for i, name in enumerate(known)}
        self._number |= {name: i for i, name in enumerate(known)}
        stems = [_stem(name) for name in known]
        once = Counter(stems)
        self._stem = {stem: i for i, stem in enumerate(stems) if once[stem] == 1}

    def piece(self, called: Any) -> int:
        """Return the number of the piece that a name or a number stands for."""
        if isinstance(called, int) and not isinstance(called, bool):
            if not 0 <= called < len(self.known):
                raise FormatError(
                    f"{self.file} names piece {shown(called)}, but the puzzle has "
                    f"{len(self.known)} pieces (0 to {len(self.known) - 1})."
                )
            return called
        if not isinstance(called, str):
            raise FormatError(
                f"{self.file} must call a piece by its file or number; got {shown(called)}."
            )
        number = self._number.get(called.strip(), self._stem.get(_stem(called)))
        if number is None:
            raise FormatError(
                f"{self.file} names {shown(called)!r}, which is no piece of the puzzle; names are "
                f"those of the files, such as {shown(self.known[0])}."
            )
        return number


def _stem(name: str) -> str:
    """Return a name without folder and ending, in small letters."""
    path = PurePath(name.strip().replace("\\", "/"))
    ends = {".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp"}
    return (path.stem if path.suffix.lower() in ends else path.name).casefold()
