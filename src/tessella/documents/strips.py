"""Strips: pieces much taller than wide, of equal or unequal sizes, that join at their long sides.

A strip's paper may end anywhere: its rims say, row by row, where. Measures never see that: asked
for strips that face right, `Strips.facing` gives pictures whose paper touches the right border in
every row, and white paper where a strip is narrower, or shorter, than the largest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.documents.usual import SHREDS, STRIPS
from tessella.errors import InputError
from tessella.puzzle import Puzzle, Shape
from tessella.usual import Usual

if TYPE_CHECKING:
    from tessella.arrangement import Sheet
    from tessella.documents.layout import PageLayout

PAPER = 255
"""The grey of paper where nothing is known."""

INK = 240
"""Pixels darker than this are ink."""

WIDTH_MIN = 2
"""A strip has at least this many pixels across."""


@dataclass(frozen=True, eq=False)
class Strips(Puzzle):
    """A puzzle of strips, top-aligned; they join left to right only, whole or upside down.

    `shape` is one row of all strips: pages are cut from it afterwards.

    Attributes
    ----------
    sizes : height and width of every strip, int32 ``(N, 2)``; all as large as `pieces` by default
    rims : where the paper begins and ends in every row, int32 ``(N, 2, H)``, columns
        ``rims[i, 0, y]`` up to but without ``rims[i, 1, y]``; None where strips are rectangles
    pages : how many pages the strips come from, or None when unknown
    """

    kind: ClassVar[str] = "strips"

    sizes: NDArray[np.int32] = field(default_factory=lambda: np.empty((0, 2), np.int32))
    rims: NDArray[np.int32] | None = None
    pages: int | None = None

    def __post_init__(self) -> None:
        count = len(self.pieces)
        object.__setattr__(self, "shape", (1, max(count, 1)))
        super().__post_init__()
        sizes = np.array(self.sizes, np.int32)
        if not len(sizes):
            sizes = np.tile(np.array(self.piece_size, np.int32), (count, 1))
        if sizes.shape != (count, 2) or (sizes < 1).any() or (sizes > self.piece_size).any():
            raise InputError(
                f"{count} strips in a frame of {self.piece_size} px need a height and a width "
                "each that fit it."
            )
        if self.eroded:
            raise InputError("Strips have no worn frames; eroded must be 0.")
        if self.known is not None:
            raise InputError("What is known of strips is told by their rims; known must be None.")
        sizes.setflags(write=False)
        object.__setattr__(self, "sizes", sizes)
        self._check_rims()
        if self.pages is not None:
            check_pages(self.pages, count)

    def _check_rims(self) -> None:
        if self.rims is None:
            return
        height = self.piece_size[0]
        if self.rims.shape != (len(self), 2, height):
            raise InputError(
                f"rims must have shape {(len(self), 2, height)}; got {self.rims.shape}."
            )
        first, last = self.rims[:, 0], self.rims[:, 1]
        if (first < 0).any() or (last < first).any() or (last > self.sizes[:, 1:]).any():
            raise InputError("The paper of a strip must begin and end within its width.")
        self.rims.setflags(write=False)

    def described(self) -> str:
        """Return how many strips of which size these are, in words."""
        sides = [f"{low}" if low == high else f"{low} to {high}" for low, high in self._spans()]
        return f"{len(self)} strips of {sides[0]} x {sides[1]} px"

    def _spans(self) -> list[tuple[int, int]]:
        return [(int(side.min()), int(side.max())) for side in self.sizes.T]

    @property
    def square(self) -> bool:
        """Strips are never turned by a quarter, whatever their size."""
        return False

    @property
    def flat(self) -> bool:
        """Strips lie side by side."""
        return True

    @property
    def ragged(self) -> bool:
        """Whether these are shreds, which have rims."""
        return self.rims is not None

    @cached_property
    def worn(self) -> bool:
        """Whether print does not go on where these were cut, as after a shredder."""
        from tessella.documents import wear

        return self.ragged or wear.worn(self)

    @property
    def usual(self) -> Usual:
        """What usually works on strips with clean sides, or on those of a shredder."""
        return SHREDS if self.worn else STRIPS

    @property
    def layout(self) -> PageLayout:
        """Pages."""
        from tessella.documents.layout import PageLayout

        return PageLayout(self)

    def contents(self) -> tuple[NDArray[Any], ...]:
        """Return pixels, how large strips are, and where their paper ends."""
        every = (self.pieces, self.sizes, self.rims)
        return tuple(array for array in every if array is not None)

    @property
    def grey(self) -> NDArray[np.uint8]:
        """The strips' greys, ``(N, H, W)``, paper beyond their own height and width."""
        return self.pieces[..., 0]

    @property
    def rectangles(self) -> bool:
        """Whether all strips are rectangles of one size."""
        return self.rims is None and bool((self.sizes == self.piece_size).all())

    def widths(self) -> NDArray[np.float64]:
        """Return how wide the paper of every strip is on average, ``(N,)``."""
        if self.rims is None:
            return self.sizes[:, 1].astype(np.float64)
        across = (self.rims[:, 1] - self.rims[:, 0]).sum(axis=1)
        return np.asarray(across / np.maximum(1, (self.rims[:, 1] > self.rims[:, 0]).sum(axis=1)))

    def blank(self) -> NDArray[np.bool_]:
        """Say which strips show nothing but paper, ``(N,)``."""
        return np.array([bool((self.one(i) >= INK).all()) for i in range(len(self))])

    def groups(self) -> list[edges.Group]:
        """Return the admissible joins: right and left sides alone."""
        return [group for group in super().groups() if group.right[0] % 2 == 0]

    def reordered(self, order: NDArray[np.int32]) -> Strips:
        """Return the puzzle with piece ``order[k]`` in place k."""
        return replace(
            self,
            pieces=colourless(self.grey[order]),
            names=tuple(self.names[i] for i in order),
            sizes=self.sizes[order],
            rims=None if self.rims is None else self.rims[order],
        )

    def one(self, piece: int, turns: int = 0) -> NDArray[np.uint8]:
        """Return a strip's greys in its own size, paper beyond its rims, ``(h, w)``."""
        height, width = (int(side) for side in self.sizes[piece])
        strip = self.grey[piece, :height, :width]
        if self.rims is not None:
            column = np.arange(width)
            first, last = self.rims[piece, :, :height, None]
            strip = np.where((column >= first) & (column < last), strip, PAPER).astype(np.uint8)
        return np.rot90(strip, turns)

    def rim(self, piece: int, turns: int = 0) -> NDArray[np.int32]:
        """Return where a strip's paper begins and ends in its own rows, ``(2, h)``."""
        if self.rims is None:
            return super().rim(piece, turns)
        height, width = (int(side) for side in self.sizes[piece])
        rim = self.rims[piece, :, :height]
        return rim if turns == 0 else width - rim[::-1, ::-1]

    def places(self, sheet: Sheet) -> list[tuple[int, int, int, int]]:
        """Return piece, turns, top and left of all strips of a page, as `render_strips` draws."""
        from tessella.documents.render import strip_places

        return strip_places(self, sheet)

    def sized(self, shape: Shape | None, pages: int | None) -> Strips:
        """Return the strips with as many pages as are known by now."""
        del shape
        return replace(self, pages=pages)

    def facing(self, which: NDArray[np.int32], direction: int) -> NDArray[np.uint8]:
        """Return the strips of edges `which`, paper flush with `direction`, ``(A, H, W, 3)``."""
        if direction % 2 or (which % 2).any():
            raise InputError("Strips join at their long sides only: right and left.")
        turned = which % 4 != direction
        height, width = self.piece_size
        out = np.full((len(which), height, width), PAPER, np.uint8)
        if self.rectangles:
            out[~turned] = self.grey[which[~turned] // 4]
            out[turned] = self.grey[which[turned] // 4][:, ::-1, ::-1]
            return colourless(out)
        for row, (edge, over) in enumerate(zip(which.tolist(), turned.tolist(), strict=True)):
            self._lay_flush(out[row], edge // 4, 2 * over, direction)
        return colourless(out)

    def _lay_flush(self, into: NDArray[np.uint8], piece: int, turns: int, direction: int) -> None:
        """Draw a strip so that its paper touches the border in every row of `into` ``(H, W)``."""
        strip, (first, last) = self.one(piece, turns), self.rim(piece, turns)
        height, width = strip.shape
        column = np.arange(width)
        if direction == edges.LEFT:
            source = first[:, None] + column  # (h, w)
            paper = source < last[:, None]
            into = into[:height, :width]
        else:
            source = last[:, None] - width + column
            paper = source >= first[:, None]
            into = into[:height, into.shape[1] - width :]
        drawn = np.take_along_axis(strip, np.clip(source, 0, width - 1), axis=1)
        into[paper] = drawn[paper]


def check_pages(pages: int, strips: int) -> None:
    """Raise unless `strips` can make `pages`."""
    if not 1 <= pages <= strips:
        raise InputError(
            f"--pages must be 1 to the number of strips, {strips}, or unknown; got {pages}."
        )


def colourless(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return greys ``(..., H, W)`` as RGB ``(..., H, W, 3)`` that takes no more memory."""
    return np.broadcast_to(grey[..., None], (*grey.shape, 3))


def strips_of(
    images: Sequence[NDArray[np.uint8]],
    *,
    upright: bool = True,
    names: tuple[str, ...] = (),
    rims: Sequence[NDArray[np.int32]] | None = None,
) -> Strips:
    """Make a puzzle of strips from grey pictures ``(h, w)`` of any sizes.

    Parameters
    ----------
    rims : where the paper of each begins and ends, ``(2, h)``; whole pictures are paper when None
    """
    if not images:
        raise InputError("A puzzle needs at least one strip; got none.")
    sizes = np.array([image.shape for image in images], np.int32)
    narrow = int(sizes[:, 1].argmin())
    if sizes.min() < WIDTH_MIN:
        name = names[narrow] if names else f"strip {narrow}"
        raise InputError(
            f"A strip needs at least {WIDTH_MIN} px across; {name} has {sizes[narrow, 1]}."
        )
    height, width = (int(side) for side in sizes.max(axis=0))
    grey = np.full((len(images), height, width), PAPER, np.uint8)
    for room, image in zip(grey, images, strict=True):
        room[: image.shape[0], : image.shape[1]] = image
    edge = None
    if rims is not None:
        edge = np.zeros((len(images), 2, height), np.int32)
        for place, rim in enumerate(rims):
            edge[place, :, : rim.shape[1]] = rim
    return Strips(colourless(grey), upright=upright, names=names, sizes=sizes, rims=edge)
