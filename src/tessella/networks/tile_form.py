"""The form of the networks that look at tiles: one describes an edge, one judges a pair of edges.

**Describing.** A tile, turned so that the edge faces right, goes through three scales of 3 x 3
convolutions (residual blocks). Of each scale the columns next to the edge are read row by row, and
their sum becomes a row of features for every two pixels along the edge: what lies there, seen with
as much of the tile around it as the scales reach.

**Comparing.** Of two edges that meet, the second is described as its mirror image, so that both
face right and the same network does for both. The product of two vectors proposes; a small
network, which runs along the seam over both edges' rows, judges.
"""

from __future__ import annotations

from dataclasses import dataclass

from tessella import bounds
from tessella.errors import InputError


@dataclass(frozen=True)
class Form:
    """How large the networks are.

    Attributes
    ----------
    size : side of a tile in pixels, a multiple of 8
    channels : of the three scales
    blocks : residual blocks of the three scales
    columns : how many columns next to the edge are read of each scale
    width : features of a row
    along : residual blocks over rows
    vector : numbers of a row in the vectors that propose, twice
    pair : channels of the network that judges pairs
    """

    size: int = 64
    channels: tuple[int, int, int] = (48, 96, 128)
    blocks: tuple[int, int, int] = (1, 2, 1)
    columns: tuple[int, int, int] = (8, 6, 8)
    width: int = 96
    along: int = 1
    vector: int = 8
    pair: int = 64

    def __post_init__(self) -> None:
        if self.size % 8 or self.size < 16:
            raise InputError(f"Tiles must have sides of a multiple of 8 px; got {self.size}.")
        widest = [self.size // 2, self.size // 4, self.size // 8]
        if any(not 1 <= c <= most for c, most in zip(self.columns, widest, strict=True)):
            raise InputError(f"Scales have {widest} columns; got {list(self.columns)}.")
        if min(*self.channels, self.width, self.vector, self.pair) < 1:
            raise InputError("Every layer needs a channel at least.")
        if min(*self.blocks, self.along) < 0:
            raise InputError("Blocks must be 0 or more.")
        bounds.check_layers(
            max(*self.blocks, self.along), *self.channels, self.width, self.vector, self.pair
        )

    @property
    def rows(self) -> int:
        """How many rows of features an edge has."""
        return self.size // 2

    def layers(self) -> dict[str, tuple[int, int]]:
        """Return inputs and outputs of all layers by name, a bias for each besides.

        Convolutions have nine inputs a channel or, over rows, three; those of 3 x 3 come in the
        order rows, columns, channels.
        """
        sizes: dict[str, tuple[int, int]] = {}
        given = (12, *self.channels[:2])
        for i, (before, after) in enumerate(zip(given, self.channels, strict=True)):
            sizes[f"scale{i}"] = 9 * before, after
            for k in range(self.blocks[i]):
                sizes |= {f"scale{i}.{k}.{half}": (9 * after, after) for half in range(2)}
            sizes[f"read{i}"] = 3 * self.columns[i] * after, self.width
        for k in range(self.along):
            sizes |= {f"along.{k}.{half}": (3 * self.width, self.width) for half in range(2)}
        sizes |= dict.fromkeys(("asks", "answers"), (self.width, self.vector))
        sizes |= dict.fromkeys(("shared", "matched"), (self.width, self.pair))
        sizes["first"] = 6 * self.pair, self.pair
        sizes |= dict.fromkeys(("second", "third"), (3 * self.pair, self.pair))
        sizes["verdict"] = self.rows // 4 * self.pair, 1
        return sizes

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shapes of all weights and biases by name."""
        shapes: dict[str, tuple[int, ...]] = {}
        for name, (given, made) in self.layers().items():
            shapes |= {f"{name}.weight": (given, made), f"{name}.bias": (made,)}
        return shapes
