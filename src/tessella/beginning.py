"""An answer to begin with: an arrangement on disk, of the puzzle at hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tessella import shuffle
from tessella.arrangement import Arrangement
from tessella.errors import FormatError
from tessella.files import read_json
from tessella.puzzle import Puzzle


def read_beginning(path: Path | str, puzzle: Puzzle) -> Arrangement:
    """Read ``arrangement.json`` of `puzzle`; its pieces count by their names if they have any."""
    path = Path(path)
    value = read_json(path)
    try:
        arrangement = Arrangement.from_json(value)
        names = value.get("pieces")
        if names is None or tuple(names) == puzzle.names:
            arrangement.fits(len(puzzle))
            return arrangement
        if sorted(names) != sorted(puzzle.names) or len(set(names)) < len(names):
            raise FormatError("Its pieces are those of another puzzle.")
    except (FormatError, TypeError) as problem:
        raise FormatError(f"{path} is no answer to begin with: {problem}") from problem
    number = {name: i for i, name in enumerate(puzzle.names)}
    return shuffle.restore(arrangement, np.array([number[name] for name in names], np.int32))
