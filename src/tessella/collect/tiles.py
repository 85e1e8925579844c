"""Loose tiles on a table, found in a photograph, each made a square."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import scipy
from numpy.typing import NDArray
from PIL import Image

from tessella.collect.bed import Bed
from tessella.collect.homography import UNIT, homography, mapped, warped
from tessella.collect.piece import Piece, Scrap
from tessella.collect.plane import find_plane, off_square, posed, unit_squares
from tessella.collect.quad import corners_of, line_through, side_length
from tessella.collect.sides import Side, View, find_side, find_sides
from tessella.collect.sight import COVER, Candidate, looks, overlooked, smaller
from tessella.collect.source import Source
from tessella.collect.strips import Found
from tessella.collect.table import LIMIT
from tessella.errors import InputError

Floats = NDArray[np.float64]


SQUARE = 0.03
"""How far, in sides, a tile's corners may lie from a square's before it is doubted."""

SUPPORT = 0.3
"""Of a side's places; a side that fewer speak for is doubted."""

SOFT = 0.06
"""Of a side; an edge that rises over more is blurred."""


HELPED = 0.012
"""Of a side: how far a side that touches something may lie from where the others say it is."""

SQUARED = 0.65
"""How much a tile's corners are drawn to those of the square that fits its sides best."""

TRUSTED = 0.04
"""Of a side; a tile that is farther from a square is left as it was measured."""

SEEN = 0.2
"""Of a tile's face; where less of it differs from the table, it is left out."""


def find_tiles(source: Source, bed: Bed | None = None, inset: float = 0.0) -> Found:
    """Find all tiles of a photograph; all are squares of one size on one plane.

    Parameters
    ----------
    bed : the table's colour; None learns its colours at the photograph's border
    inset : part of a tile's side to crop at every side
    """
    small, scale = smaller(source.image)
    seen = max(looks(small, bed, scale), key=lambda look: look.worth, default=None)
    if seen is None:
        raise InputError(
            f"{source.name} shows no tiles that stand out from the table at its border; leave "
            "table around them, choose a table of another colour, or name its colour with --bed."
        )
    candidates, odd, plane, sure = seen.candidates, seen.odd, seen.plane, seen.sure
    candidates = [*candidates, *overlooked(seen, scale)]
    image = _softened(source.image, 0.3 / scale)
    view = View(image, seen.small, seen.table, scale, seen.blur)
    pieces, scraps = _cut(source, view, candidates, plane, inset)
    if not sure:
        told = "no tile lies alone, so that size and perspective are guessed"
        pieces = [piece.doubted(told) for piece in pieces]
    scraps += [Scrap(source.name, _outline(corners, source), why) for corners, why in odd]
    if not pieces:
        raise InputError(
            f"{source.name} shows nothing that has the four sides of a tile; name the table's "
            "colour with --bed, or photograph fewer tiles, apart from each other."
        )
    return Found(
        tuple(pieces), tuple(scraps), "the colours at the border" if bed is None else bed.name
    )


def _softened(image: NDArray[np.uint8], blur: float) -> NDArray[np.float32]:
    """Return the photograph as numbers, its grain a little smoothed."""
    blur = max(0.4, blur)
    out = np.empty(image.shape, np.float32)
    for channel in range(3):
        scipy.ndimage.gaussian_filter(
            image[..., channel].astype(np.float32), blur, output=out[..., channel]
        )
    return out


def _cut(
    source: Source, view: View, candidates: Sequence[Candidate], plane: Floats, inset: float
) -> tuple[list[Piece], list[Scrap]]:
    """Find every candidate's sides, judge it, and cut it out."""
    measured = [find_sides(view, candidate.corners) for candidate in candidates]
    quads = np.array([corners_of([side.line for side in sides]) for sides in measured])
    quads = quads.reshape(-1, 4, 2)
    free = np.array([all(map(_good, sides)) for sides in measured], bool)
    better = find_plane(quads[free] * view.scale) if free.sum() >= 2 else None
    plane = plane if better is None else better
    held = [any(_good(sides[k - 1]) and _good(sides[k]) for k in range(4)) for sides in measured]
    for number, sides in enumerate(measured):
        if sum(map(_good, sides)) >= 2:
            measured[number], quads[number] = _helped(view, sides, quads[number], plane)
    usual = float(np.median([side_length(quad) for quad in quads])) if len(quads) else 0.0
    side = max(16, round(usual * (1 - 2 * inset)))
    pieces, scraps = [], []
    for number, candidate in enumerate(candidates):
        quad, doubts = _judged(candidate, measured[number], quads[number], plane, view)
        if not held[number]:
            doubts.append("touches others at opposite sides; its place is not sure")
        outline = _outline(quad, source)
        image, seen = _square_image(source, view, quad, side, inset)
        if seen < SEEN:
            scraps.append(Scrap(source.name, outline, "hardly differs from the table"))
            continue
        top = quad[1] - quad[0]
        angle = float(np.degrees(np.arctan2(top[1], top[0])))
        zoom = side / max(1.0, side_length(quad)) / (1 - 2 * inset) / source.scale
        pieces.append(Piece(image, source.name, outline, angle, zoom, tuple(doubts)))
    return pieces, scraps


def _good(side: Side) -> bool:
    return side.free and side.support >= SUPPORT


def _helped(
    view: View, sides: Sequence[Side], quad: Floats, plane: Floats
) -> tuple[list[Side], Floats]:
    """Return sides and corners of a tile with the help of what all tiles are: unit squares.

    A side that touches something lies where the others say it must. Corners lie between those of
    the four sides and those of the square that fits them best.
    """
    lines, weight = np.empty((4, 2, 2)), np.zeros(4)
    for k, side in enumerate(sides):
        one, two = quad[k], quad[(k + 1) % 4]
        points = np.array([one + 0.1 * (two - one), one + 0.9 * (two - one)])
        lines[k] = mapped(plane, points * view.scale)
        weight[k] = side.support if _good(side) else 0.0
    start = unit_squares(mapped(plane, quad * view.scale)[None])[0]
    back = np.asarray(np.linalg.inv(plane), np.float64)
    there = mapped(back, posed(lines, weight, start)) / view.scale
    out = []
    for k, side in enumerate(sides):
        one, two = there[k], there[(k + 1) % 4]
        out.append(side if weight[k] else _between(view, one, two))
    measured = corners_of([side.line for side in out])
    if np.abs(measured - there).max() > TRUSTED * side_length(there):
        return out, measured  # of another shape; it will be doubted
    return out, SQUARED * there + (1 - SQUARED) * measured


def _between(view: View, one: Floats, two: Floats) -> Side:
    """Return a side that touches something, near where it must be; there, if it is not seen."""
    again = find_side(view, one, two, HELPED)
    near = max(abs(again.line[:2] @ point - again.line[2]) for point in (one, two))
    sure = again.support > 0.5 and near < HELPED * float(np.linalg.norm(two - one))
    told = line_through(np.array([one, (one + two) / 2, two]))
    return replace(again, line=again.line if sure else told, support=1.0)


def _judged(
    candidate: Candidate, sides: Sequence[Side], quad: Floats, plane: Floats, view: View
) -> tuple[Floats, list[str]]:
    """Return the tile's corners and what is doubtful about them."""
    doubts = []
    weak = [k for k in range(4) if sides[k].support < SUPPORT]
    length = side_length(candidate.corners)
    moved = np.abs(quad - candidate.corners).max() > 0.2 * length
    if moved:
        quad = candidate.corners
        doubts.append("its sides were not found")
    elif weak:
        doubts.append(
            "not clear at a side" if len(weak) == 1 else f"not clear at {len(weak)} sides"
        )
    off = float(off_square(mapped(plane, quad * view.scale)[None])[0])
    if off > SQUARE:
        doubts.append(f"not square as the others are: a corner is off by {100 * off:.0f} %")
    if candidate.short:
        doubts.append("lies in a heap of which not all was made out")
    if candidate.cover < COVER:
        doubts.append("hard to tell from the table")
    soft = float(np.median([side.soft for side in sides]))
    if soft > max(6.0, SOFT * length):
        doubts.append(f"blurred: its edges rise over {soft:.0f} px")
    height, width = view.image.shape[:2]
    if (quad < 1).any() or (quad > np.array([width, height]) - 1).any():
        doubts.append("reaches over the picture's border")
    return quad, doubts


def _outline(quad: Floats, source: Source) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in quad / source.scale)


def _square_image(
    source: Source, view: View, quad: Floats, side: int, inset: float
) -> tuple[NDArray[np.uint8], float]:
    """Return a tile as a square with alpha, and how much of it differs from the table."""
    inner = _inner(quad, inset) if inset else quad
    image = warped(source.image, inner, (side, side))
    y, x = np.mgrid[0:side, 0:side].astype(np.float64) + 0.5
    where = _bilinear(inner, x / side, y / side) * view.scale
    away = view.table.distance(
        scipy.ndimage.gaussian_filter(image.astype(np.float32), (view.blur, view.blur, 0)),
        where[..., 0].astype(np.float32),
        where[..., 1].astype(np.float32),
    )
    seen = away > LIMIT
    alpha = np.where(_lost(seen), 0, 255).astype(np.uint8)
    return np.dstack([image, alpha]), float(seen.mean())


def _bilinear(quad: Floats, u: Floats, v: Floats) -> Floats:
    """Return points between four corners, near enough for the light of the table."""
    u, v = u[..., None], v[..., None]
    top = quad[0] * (1 - u) + quad[1] * u
    bottom = quad[3] * (1 - u) + quad[2] * u
    return np.asarray(top * (1 - v) + bottom * v)


def _inner(quad: Floats, inset: float) -> Floats:
    """Return the corners of a quadrilateral's inner part, cropped by `inset` of every side."""
    return mapped(homography(UNIT, quad), UNIT * (1 - 2 * inset) + inset)


def _lost(seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say what is broken off a tile: table that is seen at its border, where that is little.

    Where much of a face looks like the table, colour cannot tell, and all of it is kept.
    """
    lost = scipy.ndimage.binary_opening(~seen, np.ones((3, 3)))
    if lost.mean() > 0.12:
        return np.zeros_like(seen)
    parts, _ = scipy.ndimage.label(lost)
    rim = np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]])
    return np.asarray(np.isin(parts, np.unique(rim[rim > 0])) & lost)


def sized(pieces: Sequence[Piece], side: int | None) -> tuple[Piece, ...]:
    """Return tiles all of one size: `side` pixels, or the usual one."""
    if side is None:
        side = int(np.median([len(piece.image) for piece in pieces]))
    out = []
    for piece in pieces:
        if len(piece.image) != side:
            picture = Image.fromarray(piece.image)
            image = np.dstack(
                [
                    np.array(picture.convert("RGB").resize((side, side), Image.Resampling.LANCZOS)),
                    np.array(
                        picture.getchannel("A").resize((side, side), Image.Resampling.NEAREST)
                    ),
                ]
            )
            piece = replace(piece, image=image, scale=piece.scale * side / len(piece.image))
        out.append(piece)
    return tuple(out)
