"""Loose tiles on a table, found in a photograph, each made a square."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray

from tessella.collect.bed import Bed
from tessella.collect.homography import UNIT, homography, mapped, warped
from tessella.collect.markers import find_markers
from tessella.collect.piece import Piece, Scrap
from tessella.collect.plane import find_plane, off_square, posed, unit_squares
from tessella.collect.quad import corners_of, line_through, overlap, side_length
from tessella.collect.rim import rim_shifts
from tessella.collect.ruler import Ruler
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


WIDE = 0.2
"""Of a side: how far beyond an edge is looked to see whether it is sharp."""

HELD = 0.45
"""Of a side's places; two sides that meet and that so many speak for hold a tile."""

NEAR = 0.012
"""Of a side: edges this near to a square's side speak for it."""

TOUCHED = 0.1
"""What an edge counts where another tile lies beyond it, against one towards the table."""

UNSURE = 0.003
"""Of a side; a tile whose corners may be off by more is doubted (docs/experiments/collect.md)."""

SPREAD = 1.5
"""How far a corner may be off for what whole sides usually are: a square laid through four of them
hides a part of it (docs/experiments/collect.md)."""

UNEQUAL = 0.005
"""Of a side; a tile that is so much longer or shorter between two sides towards the table than the
others are is doubted, for one of the two is no side of it (docs/experiments/collect.md)."""

FEW = 5
"""A side of which no more places are seen on the square says nothing about how sides lie."""

AGAIN = (0.025, 0.0)
"""Of a side: how far from its square a tile's edges are looked for again."""

SQUARED = 0.8
"""How much a tile's corners are drawn to those of the square that fits its sides best."""

TRUSTED = 0.04
"""Of a side; a tile that is farther from a square is left as it was measured."""

OVER = 0.03
"""Of a side: tiles are solid, so where two found lie deeper in each other one of them is wrong;
two whose corners are good to within 1 % do so by 0.02 at most."""

LOST, ODD = 0.2, 0.1
"""Of a side; a square farther from the tile's outline is not believed, or doubted."""

TELLING = 3
"""Tiles; fewer do not tell that one of them is none, where other things stand out as well."""

SEEN = 0.2
"""Of a tile's face; where less of it differs from the table, it is left out."""


@dataclass(frozen=True, eq=False)
class Square:
    """A tile as a square of the plane.

    Attributes
    ----------
    corners : in pixels of the photograph, ``(4, 2)``
    support : part of every side's places whose edge lies on it, ``(4,)``
    unsure : how far its corners may be off, in sides
    aside : how far inside the square each side as a whole lies, in sides, ``(4,)``; NaN where no
        table lies beyond, or too little was seen
    loose : whether no table lies beyond two sides that face each other: nothing tells the tile's
        place between them but edges that may be its neighbours'
    """

    corners: Floats
    support: Floats
    unsure: float
    aside: Floats
    loose: bool = False

    @property
    def unequal(self) -> float:
        """How much longer or shorter than the others it is, in sides, as table tells."""
        off = np.abs(self.aside[:2] + self.aside[2:])
        return float(np.nanmax(off, initial=0.0))


def find_tiles(
    source: Source, bed: Bed | None = None, inset: float = 0.0, tile: float | None = None
) -> Found:
    """Find all tiles of a photograph; all are squares of one size on one plane.

    Parameters
    ----------
    bed : the table's colour; None learns its colours at the photograph's border
    inset : part of a tile's side to crop at every side
    tile : its side in sides of a marker, where that is known
    """
    small, scale = smaller(source.image)
    ruler = Ruler(find_markers(source.image), tile)
    seen = max(looks(small, bed, scale, ruler), key=lambda look: look.worth, default=None)
    if seen is None:
        raise InputError(
            f"{source.name} shows no tiles that stand out from the table at its border; leave "
            "table around them, choose a table of another colour, or name its colour with --bed."
        )
    candidates, odd, plane, sure = seen.candidates, seen.odd, seen.plane, seen.sure
    candidates = [*candidates, *overlooked(seen, scale)]
    image = _softened(source.image, 0.3 / scale)
    view = View(image, seen.look.small, seen.look.table, scale, seen.look.blur)
    pieces, scraps = _cut(source, view, candidates, plane, inset)
    if not sure:
        doubt = "no tile lies alone, so that size and perspective are guessed"
        pieces = [piece.doubted(doubt) for piece in pieces]
    if seen.trouble > seen.sound:  # The table is not known, and may pass for tiles itself.
        doubt = "most of what stands out from the table is no tile"
        pieces = [piece.doubted(doubt) for piece in pieces]
    elif odd and len(pieces) < TELLING:  # One tile by itself on a table needs no other.
        doubt = "few tiles are shown, and something that is none"
        pieces = [piece.doubted(doubt) for piece in pieces]
    scraps += [Scrap(source.name, _outline(corners, source), why) for corners, why in odd]
    if not pieces:
        raise InputError(
            f"{source.name} shows nothing that has the four sides of a tile; name the table's "
            "colour with --bed, or photograph fewer tiles, apart from each other."
        )
    good = [piece for piece in pieces if not piece.doubts] or pieces
    return Found(
        tuple(pieces),
        tuple(scraps),
        "the colours at the border" if bed is None else bed.name,
        markers=tuple((m.number, _outline(m.corners, source)) for m in ruler.markers),
        tile=ruler.sides([np.array(piece.outline) * source.scale for piece in good]),
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
    _check_sharp(source.name, view, candidates)
    measured = [find_sides(view, candidate.corners) for candidate in candidates]
    quads = np.array([corners_of([side.line for side in sides]) for sides in measured])
    quads = quads.reshape(-1, 4, 2)
    whole = np.array([all(map(_good, sides)) for sides in measured], bool)
    squares: list[Square] = []
    for reach in AGAIN:
        trusted = quads[whole] if whole.sum() >= 2 else quads
        better = find_plane(trusted * view.scale) if len(trusted) >= 2 else None
        plane = plane if better is None else better
        squares = [
            _squared(view, sides, candidate.corners, plane)
            for sides, candidate in zip(measured, candidates, strict=True)
        ]
        held = [int((square.support >= HELD).sum()) for square in squares]
        if not held or np.median(held) < 3:  # the plane of a few wrong quads
            squares = [
                Square(quad, np.array([side.support for side in sides]), 0.0, np.full(4, np.nan))
                for quad, sides in zip(quads, measured, strict=True)
            ]
            break
        quads = np.array([square.corners for square in squares]).reshape(-1, 4, 2)
        if reach:
            measured = [
                [find_side(view, quad[k], quad[(k + 1) % 4], reach) for k in range(4)]
                for quad in quads
            ]
            lines = np.array([corners_of([side.line for side in sides]) for sides in measured])
            shifts = rim_shifts(view, lines, measured)
            if shifts.any():
                measured = [
                    [_moved(side, float(by)) for side, by in zip(sides, own, strict=True)]
                    for sides, own in zip(measured, shifts, strict=True)
                ]
                quads = np.array([corners_of([side.line for side in sides]) for sides in measured])
                whole = np.array([all(map(_good, sides)) for sides in measured], bool)
    usual = float(np.median([side_length(quad) for quad in quads])) if len(quads) else 0.0
    side = max(16, round(usual * (1 - 2 * inset)))
    pieces, scraps = [], []
    judged = [
        _judged(candidate, square, plane, view)
        for candidate, square in zip(candidates, _compared(squares), strict=True)
    ]
    for number, (quad, doubts) in enumerate(judged):
        others = (other for k, (other, _) in enumerate(judged) if k != number)
        if any(overlap(quad, other) > OVER * usual for other in others):
            doubts = [*doubts, "lies over another"]
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


def _moved(side: Side, shift: float) -> Side:
    """Return a side `shift` pixels farther in; its tile lies to the right of the way along it."""
    along = side.points[-1] - side.points[0]
    inward = np.array([-along[1], along[0]]) / max(1e-9, float(np.linalg.norm(along)))
    normal = side.line[:2]
    line = np.array([*normal, side.line[2] + shift * float(normal @ inward)])
    return replace(side, line=line, points=side.points + shift * inward)


def _check_sharp(name: str, view: View, candidates: Sequence[Candidate]) -> None:
    """Raise where the edges of tiles rise slowly."""
    some = [candidate.corners for candidate in candidates[:8]]
    rise = [find_side(view, c[k], c[(k + 1) % 4], WIDE).soft for c in some for k in range(4)]
    soft = float(np.median(rise or [0.0]))
    usual = float(np.median([side_length(corners) for corners in some] or [0.0]))
    if soft > max(6.0, SOFT * usual):
        raise InputError(
            f"{name} is blurred: edges rise over {soft:.0f} px; photograph the tiles again."
        )


def _good(side: Side) -> bool:
    return side.free and side.support >= SUPPORT


def _squared(view: View, sides: Sequence[Side], quad: Floats, plane: Floats) -> Square:
    """Return a tile with the help of what all tiles are: unit squares of the plane."""
    points = mapped(plane, np.array([side.points for side in sides]) * view.scale)
    weight = np.array([(1.0 if side.free else TOUCHED) * side.seen for side in sides])
    start = unit_squares(mapped(plane, quad * view.scale)[None])[0]
    square, away, unsure = posed(points, weight, start)
    back = np.asarray(np.linalg.inv(plane), np.float64)
    there = mapped(back, square) / view.scale
    near = (np.abs(away) < NEAR) & (weight > 0)
    support = near.mean(axis=1)
    lines = []
    for k, side in enumerate(sides):
        ends = np.array([there[k], there[(k + 1) % 4]])
        own = side.points[near[k]] if support[k] >= SUPPORT else np.linspace(ends[0], ends[1], 5)
        lines.append(line_through(own))
    measured = corners_of(lines)
    if np.abs(measured - there).max() < TRUSTED * side_length(there):
        there = SQUARED * there + (1 - SQUARED) * measured
    aside = [
        float(np.median(away[k][near[k]])) if side.free and near[k].sum() > FEW else np.nan
        for k, side in enumerate(sides)
    ]
    free = np.array([side.free for side in sides])
    loose = not (free[:2] | free[2:]).all()
    return Square(there, support, unsure, np.array(aside), loose)


def _compared(squares: Sequence[Square]) -> list[Square]:
    """Return the squares of a photograph, each as unsure as all sides of it together say.

    Edges of one side err together: a rim or a shadow that was misread moves all of them, and by
    their own scatter they seem sure. Where it does so, whole sides do not lie on squares of one
    size; a tile with fewer sides towards the table is the worse for it.
    """
    sides = np.array([square.aside for square in squares]).reshape(-1, 4)
    known = np.isfinite(sides)
    if not known.any():
        return list(squares)
    usual = 1.4826 * float(np.median(np.abs(sides[known])))  # a standard deviation
    return [
        replace(square, unsure=float(np.hypot(square.unsure, SPREAD * usual * np.sqrt(4 / free))))
        for square, free in zip(squares, np.maximum(1, known.sum(axis=1)), strict=True)
    ]


def _judged(
    candidate: Candidate, square: Square, plane: Floats, view: View
) -> tuple[Floats, list[str]]:
    """Return the tile's corners and what is doubtful about them."""
    quad, doubts = square.corners, []
    weak = np.flatnonzero(square.support < SUPPORT)
    length = side_length(candidate.corners)
    clear = square.support >= HELD
    away = float(np.abs(quad - candidate.corners).max()) / length
    if away > LOST:
        quad = candidate.corners
        doubts.append("its sides were not found")
    elif away > ODD:
        doubts.append("not square: its outline is another")
    elif len(weak):
        doubts.append(
            "not clear at a side" if len(weak) == 1 else f"not clear at {len(weak)} sides"
        )
    elif not any(clear[k - 1] and clear[k] for k in range(4)) or square.unsure > UNSURE:
        doubts.append("its place is not sure")
    elif square.unequal > UNEQUAL:
        doubts.append("longer or shorter than the others")
    elif square.loose:
        doubts.append("touches others at two sides that face each other")
    off = float(off_square(mapped(plane, quad * view.scale)[None])[0])
    if off > SQUARE:
        doubts.append(f"not square as the others are: a corner is off by {100 * off:.0f} %")
    if candidate.short:
        doubts.append("lies in a heap of which not all was made out")
    if candidate.cover < COVER:
        doubts.append("hard to tell from the table")
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
