"""What a sub-network is made of, and which of its columns depend on both pieces of a pair.

Rika et al., "A Generic Hybrid Framework for 2D Visual Reconstruction", Section III-B: 3 x 3
convolutions with padding 1 and ReLU, max pooling of 2 x 2 that drops a last odd row or column, and
one linear layer to a number; no bias anywhere. The paper's sub-network is
``("64", "64", "pool", "64", "pool", "64")`` with channel counts of one's choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from tessella import bounds
from tessella.errors import InputError

Layer = int | Literal["pool"]

PLANES = "rgbyw"
"""What a sub-network may look at: red, green, blue, luma, and the width of the worn frame."""


@dataclass(frozen=True)
class Level:
    """A layer's output on a pair: its size, and the columns that both pieces have a part in.

    Columns ``0 .. lo - 1`` depend on the left piece alone, ``hi .. width - 1`` on the right one.
    """

    rows: int
    width: int
    channels: int
    lo: int
    hi: int


@dataclass(frozen=True)
class Architecture:
    """One sub-network, for pairs of `rows` x ``2 * depth`` pixels.

    Attributes
    ----------
    planes : which of `PLANES` it looks at, such as ``"rgb"``
    layers : channels of a convolution, or ``"pool"``, in order; a convolution first
    rows : height of what it sees of a piece
    depth : how many columns of either piece it sees, counted from the seam
    """

    planes: str
    layers: tuple[Layer, ...]
    rows: int
    depth: int

    def __post_init__(self) -> None:
        if not self.planes or any(plane not in PLANES for plane in self.planes):
            raise InputError(f"Planes must be some of {PLANES!r}; got {self.planes!r}.")
        fine = all(
            layer == "pool" or (isinstance(layer, int) and layer > 0) for layer in self.layers
        )
        bounds.check_layers(len(self.layers), *(n for n in self.layers if isinstance(n, int)))
        if not fine or not self.layers or self.layers[0] == "pool" or self.layers[-1] == "pool":
            raise InputError(
                "Layers must be channel counts and 'pool', a count first and last; "
                f"got {list(self.layers)}."
            )
        last = self.levels[-1]
        if any(a == b == "pool" for a, b in pairwise(self.layers)):
            raise InputError(f"Two poolings must have a convolution between; got {self.layers}.")
        if last.rows < 1 or last.lo < 1 or last.hi >= last.width:
            raise InputError(
                f"{self.rows} x {self.depth} px are too few for {len(self.layers)} layers."
            )

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The input and every layer's output, in order."""
        level = Level(self.rows, 2 * self.depth, len(self.planes), self.depth, self.depth)
        levels = [level]
        for layer in self.layers:
            if layer == "pool":
                width = level.width // 2
                hi = min((level.hi + 1) // 2, width)
                level = Level(level.rows // 2, width, level.channels, level.lo // 2, hi)
            else:
                level = Level(level.rows, level.width, layer, level.lo - 1, level.hi + 1)
            levels.append(level)
        return tuple(levels)

    @property
    def kernels(self) -> tuple[tuple[int, int], ...]:
        """Input and output channels of every convolution."""
        counts = [len(self.planes), *(layer for layer in self.layers if layer != "pool")]
        return tuple(pairwise(counts))
