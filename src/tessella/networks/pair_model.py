"""A trained model that looks at whole pairs: weights by name, and what they were made for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tessella.errors import InputError
from tessella.networks import gan, squeezenet
from tessella.networks.file import opened, write
from tessella.networks.layers import Floats, Layer

VERSION = 1

Kind = Literal["squeezenet", "gan"]


@dataclass(frozen=True, eq=False)
class PairModel:
    """One network that is given both pieces of a pair.

    Attributes
    ----------
    kind : which network; also the measure that uses it
    name : what ``--model`` calls it
    piece : side of the pieces it was trained for, in pixels
    eroded : narrowest and widest worn frame it was trained for
    rows, depth : what it looks at: central rows, and columns of a piece counted from the seam
    hide : pixels at the seam that `gan` in-paints although the pieces are whole
    tiles : whether it is for worn blue-and-white tiles
    by, count : the classical measure that proposes candidates, and how many for every edge where
        the user does not say
    weights : of all layers, by name; float32, stored as float16
    facts : recipe, data, figures: whatever the training left for the model card
    """

    kind: Kind
    name: str
    piece: int
    eroded: tuple[int, int]
    rows: int
    depth: int
    weights: Mapping[str, Floats]
    hide: int = 0
    tiles: bool = False
    by: str = "mgc"
    count: int = 32
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in ("squeezenet", "gan"):
            raise InputError(f"A model of pairs is for squeezenet or gan; got {self.kind!r}.")
        inside = self.piece - 2 * self.eroded[1]
        if not 0 <= self.eroded[0] <= self.eroded[1] or inside < max(self.rows, self.depth):
            raise InputError(
                f"Pieces of {self.piece} px with a frame of {self.eroded[1]} px do not show "
                f"{self.rows} x {self.depth} px."
            )
        if self.kind == "gan":
            self._check_gap()
        elif min(self.rows, self.depth) < 3:
            raise InputError("squeezenet looks at 3 rows and columns of a piece at least.")
        wanted = {k: v for n, layer in self.layers.items() for k, v in layer.shapes(n).items()}
        if {name: array.shape for name, array in self.weights.items()} != wanted:
            raise InputError(f"The weights of {self.name} are not those of a {self.kind}.")

    def _check_gap(self) -> None:
        if self.rows % 8 or self.depth % 4 or self.depth < 2 * gan.BAND:
            raise InputError(
                f"gan needs rows in eights and a depth in fours, {2 * gan.BAND} at least; got "
                f"{self.rows} and {self.depth}."
            )
        gaps = self.gap(self.eroded[0]), self.gap(self.eroded[1])
        if not 1 <= gaps[0] <= gaps[1] <= gan.WIDEST:
            raise InputError(f"gan fills 1 to {gan.WIDEST} px a side; got {gaps[0]} to {gaps[1]}.")

    def gap(self, eroded: int) -> int:
        """Return how many columns of a piece `gan` takes as lost."""
        return max(eroded, self.hide)

    def frame(self, eroded: int) -> int:
        """Return the width of the frame that is cut away before looking; `gan` keeps its place."""
        return eroded if self.kind == "squeezenet" else 0

    @cached_property
    def layers(self) -> dict[str, Layer]:
        """All convolutions by name."""
        if self.kind == "squeezenet":
            return squeezenet.layers()
        return gan.layers(self.rows, self.depth)

    def network(self, eroded: int) -> Callable[[Floats], Floats]:
        """Return what scores pairs ``(B, rows, 2 * depth, 3)`` with a worn frame, ``(B,)``."""
        if self.kind == "squeezenet":
            return squeezenet.Network(self.weights)
        return gan.Network(self.weights, self.rows, self.depth, self.gap(eroded))

    def save(self, path: Path) -> None:
        """Write everything to one ``.npz`` file."""
        about = {
            "version": VERSION,
            "kind": self.kind,
            "name": self.name,
            "piece": self.piece,
            "eroded": list(self.eroded),
            "rows": self.rows,
            "depth": self.depth,
            "hide": self.hide,
            "tiles": self.tiles,
            "by": self.by,
            "count": self.count,
            "facts": dict(self.facts),
        }
        write(path, about, {n: array.astype(np.float16) for n, array in self.weights.items()})

    @classmethod
    def load(cls, path: Path, kind: Kind) -> PairModel:
        """Read what `save` wrote."""
        with opened(path, kind, VERSION) as (about, held):
            return cls._read(kind, about, held)

    @classmethod
    def _read(
        cls, kind: Kind, about: dict[str, Any], held: Mapping[str, NDArray[Any]]
    ) -> PairModel:
        known = {key: value for key, value in about.items() if key not in ("kind", "version")}
        weights = {n: np.asarray(held[n], np.float32) for n in held if n != "about"}
        eroded = about["eroded"][0], about["eroded"][1]
        return cls(**{**known, "kind": kind, "eroded": eroded, "weights": weights})
