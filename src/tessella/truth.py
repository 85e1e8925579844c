"""The truth about a puzzle that was cut here. Only metrics, training and benchmarks see it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement
from tessella.errors import FormatError, InputError
from tessella.puzzle import Puzzle


@dataclass(frozen=True, eq=False)
class Truth:
    """The true arrangement, and which edges nobody could tell apart.

    Attributes
    ----------
    arrangement : where every piece lay
    edge_class : int32 ``(4N,)``; equal where two pieces, turned so that the edge faces right, are
        pixel-identical as the solver sees them
    """

    arrangement: Arrangement
    edge_class: NDArray[np.int32]

    def __post_init__(self) -> None:
        classes = np.array(self.edge_class, np.int32)
        if classes.ndim != 1 or len(classes) % 4:
            raise InputError(f"edge_class needs 4 numbers a piece; got shape {classes.shape}.")
        self.arrangement.fits(len(classes) // 4)
        classes.setflags(write=False)
        object.__setattr__(self, "edge_class", classes)

    @property
    def pieces(self) -> int:
        """How many pieces the puzzle has."""
        return len(self.edge_class) // 4

    def partners(self) -> NDArray[np.int32]:
        """Return the true partner of every edge, -1 at the border, ``(4N,)``."""
        partner = np.full(len(self.edge_class), -1, np.int32)
        joins = self.arrangement.joins()
        partner[joins[:, 0]] = joins[:, 1]
        partner[joins[:, 1]] = joins[:, 0]
        return partner

    def to_json(self, names: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return an arrangement's JSON form with `edge_class` added."""
        return self.arrangement.to_json(names) | {"edge_class": self.edge_class.tolist()}

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
        try:
            return cls(arrangement, np.array(classes, np.int64).astype(np.int32))
        except InputError as problem:
            raise FormatError(str(problem)) from problem


def edge_classes(puzzle: Puzzle) -> NDArray[np.int32]:
    """Number the edges of `puzzle` so that indistinguishable ones share a number, ``(4N,)``."""
    seen: dict[tuple[int, bytes], int] = {}
    classes = np.empty((len(puzzle), 4), np.int32)
    for side in range(4):
        turned = np.rot90(puzzle.pieces, -side % 4, axes=(1, 2))
        for i, piece in enumerate(turned):
            # A digest, not the pixels: the keys of a large puzzle would fill the memory.
            key = piece.shape[0], blake2b(piece.tobytes(), digest_size=16).digest()
            classes[i, side] = seen.setdefault(key, len(seen))
    return classes.ravel()
