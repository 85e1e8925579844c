"""A panel photographed as a whole: made straight by its corners, and cut into a puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from tessella.collect.homography import UNIT, homography, mapped, warped
from tessella.collect.settings import SIDE, Settings
from tessella.collect.source import Source, read_source
from tessella.errors import InputError
from tessella.files import write_json
from tessella.imaging.cut import cut
from tessella.imaging.folder import write_puzzle
from tessella.imaging.grid import tiles
from tessella.imaging.read import PIXELS_MAX, write_image
from tessella.provenance import provenance
from tessella.puzzle import Shape

Floats = NDArray[np.float64]


def write_panel(folder: Path, pictures: Sequence[Path], settings: Settings, seed: int) -> str:
    """Write puzzle, truth, contact sheet and ``collect.json``; return what to say about it."""
    if len(pictures) != 1:
        raise InputError(f"One panel is cut at a time, from one picture; got {len(pictures)}.")
    source = read_source(pictures[0])
    shape = settings.shape or (1, 1)
    corners = _corners(source, settings)
    side = tile_side(corners * source.scale, shape, settings)
    straight = straightened(source, corners, shape, side)
    inner = cropped(straight, side, settings.inset)
    puzzle, truth = cut(inner, len(inner) // shape[0], seed=seed)
    names = write_puzzle(folder / "puzzle", puzzle)
    write_json(folder / "truth.json", truth.to_json(names))
    write_image(folder / "contact.png", _ruled(straight, side))
    where = truth.arrangement.sheets[0].piece
    listed = []
    for row, col in np.ndindex(*shape):
        listed.append(
            {
                "file": names[int(where[row, col])],
                "source": source.name,
                "outline": cell_outline(corners, shape, row, col),
                "row": row,
                "col": col,
                "doubts": [],
            }
        )
    facts = {
        "version": 1,
        "kind": "panel",
        "recipe": settings.to_json() | {"seed": seed},
        "scale": _scale(side, settings),
        "sources": [{"file": source.name}],
        "pieces": listed,
        "left_out": [],
        "notes": [],
        **provenance().to_json(),
    }
    write_json(folder / "collect.json", facts)
    side = len(inner) // shape[0]
    return f"{len(listed)} tiles of {side} px ({shape[0]} rows x {shape[1]} columns)."


def _scale(side: int, settings: Settings) -> dict[str, Any] | None:
    """Return how large a tile is, where that was said."""
    if settings.tile_mm is None:
        return None
    mm = settings.tile_mm
    return {"px_per_mm": round(side / mm, 5), "tile_mm": mm, "told_by": "--tile-mm"}


def _corners(source: Source, settings: Settings) -> Floats:
    """Return the corners in pixels of the file, if they are those of a panel in it."""
    corners = np.array(settings.corners, np.float64)
    turn = np.roll(corners, -1, axis=0) - corners
    after = np.roll(turn, -1, axis=0)
    bend = turn[:, 0] * after[:, 1] - turn[:, 1] * after[:, 0]
    if not (bend > 0).all():
        raise InputError(
            "--corners must go around the panel: top left, top right, bottom right, bottom left; "
            "these do not."
        )
    height, width = (side / source.scale for side in source.image.shape[:2])
    if (corners < -1).any() or (corners > np.array([width, height]) + 1).any():
        raise InputError(
            f"--corners must lie in the picture, which has {width:.0f} x {height:.0f} px; one "
            "does not."
        )
    return corners


def tile_side(corners: Floats, shape: Shape, settings: Settings) -> int:
    """Return how many pixels a side a tile gets: as many as it has, or as asked for."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    natural = (sides[0] + sides[2]) / 2 / shape[1] / 2 + (sides[1] + sides[3]) / 2 / shape[0] / 2
    if settings.dpi is not None and settings.tile_mm is not None:
        natural = settings.tile_mm / 25.4 * settings.dpi
    side = round(float(natural))
    if not SIDE[0] <= side <= SIDE[1] or side**2 * shape[0] * shape[1] > PIXELS_MAX:
        raise InputError(
            f"Tiles would have {side} px a side; {SIDE[0]} to {SIDE[1]} px can be cut, and all "
            f"together at most {PIXELS_MAX // 10**6} million: check --shape and --corners."
        )
    return side


def straightened(source: Source, corners: Floats, shape: Shape, side: int) -> NDArray[np.uint8]:
    """Return the panel seen from the front, ``(rows * side, cols * side, 3)``."""
    return warped(source.image, corners * source.scale, (shape[0] * side, shape[1] * side))


def cropped(straight: NDArray[np.uint8], side: int, inset: float) -> NDArray[np.uint8]:
    """Return a panel of which every tile lost `inset` of its side at every side."""
    lost = round(inset * side)
    if not lost:
        return straight
    ordered, (rows, cols) = tiles(straight, (side, side))
    inner = ordered[:, lost : side - lost, lost : side - lost]
    left = side - 2 * lost
    grid = inner.reshape(rows, cols, left, left, 3).swapaxes(1, 2)
    return np.ascontiguousarray(grid.reshape(rows * left, cols * left, 3))


def cell_outline(corners: Floats, shape: Shape, row: int, col: int) -> list[list[float]]:
    """Return the corners of one tile in pixels of the file."""
    cell = (UNIT + np.array([col, row])) / np.array([shape[1], shape[0]])
    outline = np.round(mapped(homography(UNIT, corners), cell), 1)
    return [[float(x), float(y)] for x, y in outline]


def _ruled(straight: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """Return the panel with the cuts drawn in black and white, at most 1600 px."""
    picture = Image.fromarray(straight)
    picture.thumbnail((1600, 1600))
    factor = picture.width / straight.shape[1]
    draw = ImageDraw.Draw(picture)
    for axis, length in enumerate(straight.shape[1::-1]):
        for place in np.arange(0, length + 1, side) * factor:
            for shift, colour in ((0, (0, 0, 0)), (1, (255, 255, 255))):
                at = float(place) + shift
                ends = (
                    [(at, 0), (at, picture.height)] if axis == 0 else [(0, at), (picture.width, at)]
                )
                draw.line(ends, colour)
    return np.array(picture)
