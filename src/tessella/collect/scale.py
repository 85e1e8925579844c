"""The common scale of tiles: pixels a side, and a millimetre."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from tessella.collect.piece import Piece
from tessella.collect.settings import SIDE, Settings
from tessella.errors import InputError

INCH = 25.4

APART = 0.02
"""Of a tile's side; sizes that differ by more are told."""


@dataclass(frozen=True)
class Scale:
    """How large tiles are, in the world and in the pictures that are written.

    Attributes
    ----------
    side : pixels a side of what was made of a tile
    tile_mm : a whole tile's side in millimetres; None where nothing tells it
    told_by : "--tile-mm", "markers" or None
    px_per_mm : of the pictures that are written; None where nothing tells it
    """

    side: int
    tile_mm: float | None = None
    told_by: str | None = None
    px_per_mm: float | None = None


def scale_of(
    pieces: Sequence[Piece], measured: Sequence[float | None], settings: Settings
) -> Scale:
    """Return the scale of all tiles.

    Parameters
    ----------
    measured : a tile's side in millimetres in every photograph, where markers tell it
    """
    known = [each for each in measured if each is not None]
    tile_mm, told_by = settings.tile_mm, "--tile-mm"
    if tile_mm is None and known:
        tile_mm, told_by = float(np.median(known)), "markers"
    left = 1 - 2 * settings.inset
    if settings.dpi is not None:
        if tile_mm is None:
            raise InputError(
                "--dpi needs to know how large a tile is: give --tile-mm, or photograph a marker "
                "with the tiles and give --marker-mm."
            )
        side = round(tile_mm / INCH * settings.dpi * left)
        if not SIDE[0] <= side <= SIDE[1]:
            raise InputError(
                f"Tiles of {tile_mm:.4g} mm would have {side} px a side at --dpi {settings.dpi}; "
                f"{SIDE[0]} to {SIDE[1]} px can be made."
            )
    else:
        side = int(np.median([len(piece.image) for piece in pieces]))
    if tile_mm is None:
        return Scale(side)
    return Scale(side, tile_mm, told_by, side / (tile_mm * left))


def size_notes(
    names: Sequence[str],
    seen: Sequence[int],
    measured: Sequence[float | None],
    settings: Settings,
    scale: Scale,
) -> list[str]:
    """Return what a person should know about the sizes of tiles, a sentence each.

    Parameters
    ----------
    names, seen : of the photographs, and how many markers each shows
    """
    if settings.marker_mm is None:
        count = sum(seen)
        if not count:
            return []
        them = "1 marker was" if count == 1 else f"{count} markers were"
        return [f"{them} left out; --marker-mm M, the side of its black frame, makes it a scale."]
    said = []
    without = [name for name, mm in zip(names, measured, strict=True) if mm is None]
    if without:
        said.append(f"No marker of DICT_4X4_50 tells the scale of {', '.join(without)}.")
    usual = scale.tile_mm
    for name, mm in zip(names, measured, strict=True):
        if mm is not None and usual is not None and abs(mm / usual - 1) > APART:
            said.append(f"In {name} tiles measure {mm:.4g} mm by the marker, not {usual:.4g} mm.")
    return said


def sized(pieces: Sequence[Piece], side: int) -> tuple[Piece, ...]:
    """Return tiles all of one size."""
    return tuple(piece if len(piece.image) == side else _resized(piece, side) for piece in pieces)


def _resized(piece: Piece, side: int) -> Piece:
    picture = Image.fromarray(piece.image)
    colours = picture.convert("RGB").resize((side, side), Image.Resampling.LANCZOS)
    alpha = picture.getchannel("A").resize((side, side), Image.Resampling.NEAREST)
    image = np.dstack([np.array(colours), np.array(alpha)])
    return replace(piece, image=image, scale=piece.scale * side / len(piece.image))
