"""How large what a recipe asks for may be: beyond, memory runs out before anything is learnt."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tessella import bounds
from tessella.errors import InputError, shown

PIECE = 1024
"""Pixels of a piece's side."""

PICTURES, GRID = 1024, 64
"""Views in a batch, and pieces along a view's side."""

PIXELS = 2**28
"""Pixels of all views in a batch."""

SCALE = 16.0
"""Factors of size lie within this and its inverse."""


def check_scale(scale: tuple[float, float]) -> None:
    """Raise unless pictures are made larger or smaller by factors that leave something of them."""
    if not 1 / SCALE <= scale[0] <= scale[1] <= SCALE:
        raise InputError(
            f"scale needs two ascending factors from 1/{SCALE:g} to {SCALE:g}; "
            f"got {shown(list(scale))}."
        )


def check_panels(panels: int) -> None:
    """Raise unless so many panels can be made before training begins."""
    if not 1 <= panels <= bounds.PANELS:
        raise InputError(f"panels must be 1 to {bounds.PANELS}; got {shown(panels)}.")


def check_piece(piece: int, frame: int, *seen: int) -> None:
    """Raise unless something of a piece is inside a worn `frame`, and no more is `seen`."""
    if not 2 <= piece <= PIECE:
        raise InputError(f"piece must be 2 to {PIECE} px; got {shown(piece)}.")
    if piece - 2 * frame < 2:
        raise InputError(f"A frame of {shown(frame)} px leaves nothing of a piece of {piece} px.")
    if min(seen) < 0 or max(seen) > piece - 2 * frame:
        raise InputError(
            f"rows and depth must be 0 to {piece - 2 * frame} px, which is what is left of a piece "
            f"without its worn frame; got {', '.join(map(shown, seen))}."
        )


def check_batch(pictures: int, grid: int, piece: int) -> None:
    """Raise unless a batch can be held."""
    pixels = pictures * (grid * piece) ** 2
    if pixels > PIXELS:
        raise InputError(
            f"A batch of {pictures} views of {grid} x {grid} pieces of {piece} px has {pixels} "
            f"pixels; at most {PIXELS} can be held."
        )


def check_weights(shapes: Iterable[Iterable[int]]) -> None:
    """Raise unless weights of these shapes can be learnt."""
    bounds.check_weights(sum(math.prod(shape) for shape in shapes))
