"""The form of the network that describes sides of strips, so that products of rows compare them.

**Describing.** Of a strip, turned so that a side faces right, the columns next to that side go
through three scales of 3 x 3 convolutions (residual blocks). Of each scale all columns are read
row by row, and their sum becomes a row of features for every two pixels along the side. What
white paper gives is taken off, so that blank paper is described by zeros.

**Comparing.** A side is described twice: as it is, and as its mirror image, top to bottom. As the
left one of a pair it asks by the first and answers by the second, as the right one the other way
round. Two sides at one slip score the sum over rows of the products of what one asks and the
other answers, and of what each says alone: logarithms of odds, 0 for two blank sides. Over a
stretch of `BLOCK` rows the slip stays as it is; from one stretch to the next it may change by one
step.
"""

from __future__ import annotations

from dataclasses import dataclass

from tessella import bounds
from tessella.errors import InputError

STEP = 2
"""Pixels between two rows of features."""

BLOCK = 192
"""Rows of features that share one slip: what the network sees of a strip while it is trained."""


@dataclass(frozen=True)
class Form:
    """How large the network is.

    Attributes
    ----------
    size : columns next to a side that are looked at, a multiple of 8
    channels : of the three scales
    blocks : residual blocks of the three scales
    width : features of a row
    along : residual blocks over rows
    vector : numbers by which a row asks, and by which it answers
    slips : how many rows of features sides may be shifted against each other, up or down
    """

    size: int = 32
    channels: tuple[int, int, int] = (24, 48, 80)
    blocks: tuple[int, int, int] = (1, 1, 1)
    width: int = 96
    along: int = 2
    vector: int = 32
    slips: int = 6

    def __post_init__(self) -> None:
        if self.size % 8 or self.size < 8:
            raise InputError(f"Sides of strips must have a multiple of 8 columns; got {self.size}.")
        if min(*self.channels, self.width, self.vector) < 1:
            raise InputError("Every layer needs a channel at least.")
        if min(*self.blocks, self.along, self.slips) < 0:
            raise InputError("Blocks and slips must be 0 or more.")
        bounds.check_layers(
            max(*self.blocks, self.along, self.slips), *self.channels, self.width, self.vector
        )

    @property
    def reach(self) -> int:
        """How many pixels up and down a row of features may see, in whole steps of all scales."""
        far = STEP * 2 * self.along
        for i, blocks in enumerate(self.blocks):
            far += STEP * 2**i * (1 + 2 * blocks)
        return -(-far // 8) * 8

    def layers(self) -> dict[str, tuple[int, int]]:
        """Return inputs and outputs of all layers with a bias, by name.

        Convolutions have nine inputs a channel or, over rows, three; those of 3 x 3 come in the
        order rows, columns, channels.
        """
        sizes: dict[str, tuple[int, int]] = {}
        given = (4, *self.channels[:2])
        for i, (before, after) in enumerate(zip(given, self.channels, strict=True)):
            sizes[f"scale{i}"] = 9 * before, after
            for k in range(self.blocks[i]):
                sizes |= {f"scale{i}.{k}.{half}": (9 * after, after) for half in range(2)}
            sizes[f"read{i}"] = self.size // 2 ** (i + 1) * after, self.width
        for k in range(self.along):
            sizes |= {f"along.{k}.{half}": (3 * self.width, self.width) for half in range(2)}
        return sizes

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shapes of all weights by name.

        ``asks`` and ``answers`` have one column more than `vector`: what a side says alone.
        ``slips`` holds the logarithms of the chances of every slip, from up to down.
        """
        shapes: dict[str, tuple[int, ...]] = {}
        for name, (given, made) in self.layers().items():
            shapes |= {f"{name}.weight": (given, made), f"{name}.bias": (made,)}
        shapes |= dict.fromkeys(("asks", "answers"), (self.width, self.vector + 1))
        shapes["slips"] = (2 * self.slips + 1,)
        shapes["nobody"] = (1,)
        return shapes
