"""The truth about a puzzle that was cut here. Only metrics, training and benchmarks see it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, unplaced
from tessella.errors import FormatError, InputError
from tessella.puzzle import Puzzle


@dataclass(frozen=True, eq=False)
class Truth:
    """The true arrangement, and which edges nobody could tell apart.

    Attributes
    ----------
    arrangement : where every piece lay; a foreign piece lies nowhere
    edge_class : int32 ``(4N,)``; equal where two pieces, turned so that the edge faces right, are
        pixel-identical as the solver sees them
    blank : strips without any ink, bool ``(N,)``; None where the puzzle has no strips
    """

    arrangement: Arrangement
    edge_class: NDArray[np.int32]
    blank: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        classes = np.array(self.edge_class, np.int32)
        if classes.ndim != 1 or len(classes) % 4:
            raise InputError(f"edge_class needs 4 numbers a piece; got shape {classes.shape}.")
        self.arrangement.fits(len(classes) // 4)
        classes.setflags(write=False)
        object.__setattr__(self, "edge_class", classes)
        if self.blank is not None and self.blank.shape != (self.pieces,):
            raise InputError(f"blank needs one value for each of the {self.pieces} strips.")

    @property
    def pieces(self) -> int:
        """How many pieces the puzzle has."""
        return len(self.edge_class) // 4

    def foreign(self) -> tuple[int, ...]:
        """Return the pieces that belong to no sheet."""
        return tuple(unplaced(self.arrangement, self.pieces))

    def partners(self) -> NDArray[np.int32]:
        """Return the true partner of every edge, -1 at the border, ``(4N,)``."""
        partner = np.full(len(self.edge_class), -1, np.int32)
        joins = self.arrangement.joins()
        partner[joins[:, 0]] = joins[:, 1]
        partner[joins[:, 1]] = joins[:, 0]
        return partner

    def to_json(self, names: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return an arrangement's JSON form with `edge_class`, foreign pieces and blank strips."""
        value = self.arrangement.to_json(names) | {"edge_class": self.edge_class.tolist()}
        if self.foreign():
            value["foreign"] = list(self.foreign())
        if self.blank is not None:
            value["blank"] = np.flatnonzero(self.blank).tolist()
        return value

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Truth:
        """Read a truth file; without `edge_class` every edge is a class of its own."""
        arrangement = Arrangement.from_json(value)
        names = value.get("pieces")
        count = len(names) if isinstance(names, list) else int(arrangement.placed()[-1]) + 1
        classes = value.get("edge_class", list(range(4 * count)))
        whole = isinstance(classes, list) and all(type(c) is int for c in classes)
        if not whole or not all(0 <= c < 2**31 for c in classes):
            raise FormatError(
                "edge_class in a truth file must be a list of whole numbers of 0 or more."
            )
        blank = _blank(value.get("blank"), len(classes) // 4)
        try:
            return cls(arrangement, np.array(classes, np.int64).astype(np.int32), blank)
        except InputError as problem:
            raise FormatError(str(problem)) from problem


def _blank(value: Any, pieces: int) -> NDArray[np.bool_] | None:
    """Read the list of blank strips, if there is one."""
    if value is None:
        return None
    if not isinstance(value, list) or not all(type(i) is int and 0 <= i < pieces for i in value):
        raise FormatError(f"blank in a truth file must list strips, 0 to {pieces - 1}.")
    blank = np.zeros(pieces, np.bool_)
    blank[value] = True
    return blank


def edge_classes(puzzle: Puzzle) -> NDArray[np.int32]:
    """Number the edges of `puzzle` so that indistinguishable ones share a number, ``(4N,)``."""
    seen: dict[tuple[int, bytes], int] = {}
    classes = np.empty((len(puzzle), 4), np.int32)
    for side in range(4):
        for i in range(len(puzzle)):
            piece = puzzle.one(i, -side % 4)
            # A digest, not the pixels: the keys of a large puzzle would fill the memory.
            key = piece.shape[0], blake2b(piece.tobytes(), digest_size=16).digest()
            classes[i, side] = seen.setdefault(key, len(seen))
    return classes.ravel()
