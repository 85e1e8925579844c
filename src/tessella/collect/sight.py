"""What a photograph of tiles shows at first sight: where tiles may lie, and on which plane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray
from PIL import Image

from tessella.collect.bed import Bed
from tessella.collect.homography import mapped
from tessella.collect.plane import find_plane, off_square
from tessella.collect.quad import agreement, quad_of, side_length
from tessella.collect.ruler import Ruler
from tessella.collect.squares import SIDE, squares_on
from tessella.collect.table import LIMIT, SMOOTH, Table, learn_table
from tessella.errors import InputError

Floats = NDArray[np.float64]
Distances = NDArray[np.float32]

WORK = 1000
"""Pixels of the longer side of the copy that tiles are first seen in."""

ALONE = 0.9
"""A region that agrees with its quadrilateral this far is one tile that lies alone."""

ASPECT = 0.68
"""Sides of a tile that lies alone differ no more, seen from at most about 40 degrees."""

COVER = 0.8
"""Of a tile's face; one that is less covered by what is not table is doubted."""


TOLD = 0.9
"""Of what is taken for tiles; where so much differs from the table, it is told well enough."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A tile as it was first seen.

    Attributes
    ----------
    corners : in pixels of the photograph, ``(4, 2)``
    cover : part of it that is not table
    alone : whether it touches no other
    short : whether fewer tiles were found where it lies than there is room for
    """

    corners: Floats
    cover: float
    alone: bool
    short: bool = False


def smaller(image: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """Return a small copy, and its pixels for one of the picture's."""
    longer = max(image.shape[:2])
    if longer <= WORK:
        return image, 1.0
    scale = WORK / longer
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    picture = Image.fromarray(image).resize(size, Image.Resampling.BOX, reducing_gap=2.0)
    return np.array(picture), scale


@dataclass(frozen=True, eq=False)
class Look:
    """A way of looking at a photograph.

    Attributes
    ----------
    small, blur : the small copy, and by how many pixels it was smoothed
    table : as it was learned from the small copy
    hidden : where markers lie in it, which are no tiles
    """

    small: Distances
    blur: float
    table: Table
    hidden: NDArray[np.bool_]

    def away(self) -> Distances:
        """Return how far every pixel of the small copy is from the table's colours."""
        height, width = self.hidden.shape
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        away = self.table.distance(self.small, x, y)
        away[self.hidden] = 0
        return away


@dataclass(frozen=True, eq=False)
class Seen:
    """What a photograph shows at first sight.

    Attributes
    ----------
    candidates, odd : what may be tiles, and what is none with the reason
    plane : makes tiles of the small copy unit squares
    sure : whether tiles that lie alone tell the plane
    look : how it was seen
    distinct : part of what is taken for tiles that clearly differs from the table
    """

    candidates: list[Candidate]
    odd: list[tuple[Floats, str]]
    plane: Floats
    sure: bool
    look: Look
    distinct: float

    @property
    def sound(self) -> int:
        """How many candidates look like tiles."""
        return sum(c.cover >= COVER and not c.short for c in self.candidates)

    @property
    def trouble(self) -> int:
        """How many do not, what is no tile included."""
        return len(self.candidates) - self.sound + len(self.odd)

    @property
    def worth(self) -> float:
        """What this way of looking is worth; of equals, the one that tells tiles best."""
        return self.sound - 0.5 * self.trouble + min(TOLD, self.distinct)

    @property
    def clear(self) -> bool:
        """Whether there is no need to look again."""
        return self.trouble <= 1 + 0.1 * self.sound


def looks(small: NDArray[np.uint8], bed: Bed | None, scale: float, ruler: Ruler) -> Iterator[Seen]:
    """Look for tiles, and again where much looks torn.

    Once with gaps closed, for tiles that have the table's own colours; then the same with the
    photograph smoothed more, for a speckled table. Markers, and the cards they are printed on,
    count as table.
    """
    hidden = ruler.hidden(small, scale)
    height, width = small.shape[:2]
    for blur in SMOOTH:
        smooth = scipy.ndimage.gaussian_filter(small.astype(np.float32), (blur, blur, 0))
        look = Look(smooth, blur, learn_table(smooth, bed, blur), hidden)
        away = look.away()
        first = _first_sight(away, tile_mask(away), scale, look, ruler)
        if first is None:
            continue
        yield first
        if first.clear:
            return
        middle = np.array([[width / 2, height / 2], [width / 2 + 1, height / 2]])
        side = 1 / float(np.linalg.norm(np.diff(mapped(first.plane, middle), axis=0)))
        if 8 < side < width / 2:
            again = _first_sight(away, closed_mask(away, side), scale, look, ruler)
            if again is not None:
                yield again


def overlooked(seen: Seen, scale: float) -> list[Candidate]:
    """Return tiles that show only once gaps are closed; they are doubted."""
    if not seen.odd or not seen.sure:
        return []
    side = float(np.median([side_length(c.corners) for c in seen.candidates] or [0])) * scale
    if not 8 < side < seen.look.hidden.shape[1] / 2:
        return []
    try:
        again, _ = _candidates(closed_mask(seen.look.away(), side), seen.plane, scale)
    except InputError:
        return []
    known = np.array([c.corners.mean(axis=0) for c in seen.candidates])
    return [
        replace(each, cover=min(each.cover, COVER - 0.01))
        for each in again
        if np.linalg.norm(known - each.corners.mean(axis=0), axis=1).min() * scale > 0.75 * side
    ]


def _first_sight(
    away: Distances, mask: NDArray[np.bool_], scale: float, look: Look, ruler: Ruler
) -> Seen | None:
    plane, sure = _plane_of(mask, ruler, scale)
    if plane is None:
        return None
    try:
        candidates, odd = _candidates(mask, plane, scale)
    except InputError:  # the plane of a few wrong regions
        return None
    distinct = float((away[mask] > LIMIT).mean())
    return Seen(candidates, odd, plane, sure, look, distinct)


def tile_mask(away: Distances) -> NDArray[np.bool_]:
    """Say what is not table, by its distance from the table's colours ``(h, w)``.

    Joints of a floor are thin: they go first, lest they enclose what then looks like a tile.
    """
    mask = scipy.ndimage.binary_opening(away > LIMIT, np.ones((4, 4)))
    mask = scipy.ndimage.binary_fill_holes(mask)
    return np.asarray(scipy.ndimage.binary_opening(mask, np.ones((7, 7))), np.bool_)


def closed_mask(away: Distances, side: float) -> NDArray[np.bool_]:
    """Say what is not table where tiles of `side` pixels have colours of the table."""
    near, far = (2 * int(part * side / 2) + 1 for part in (0.1, 0.2))
    mask = np.pad(away > 0.75 * LIMIT, near)
    mask = scipy.ndimage.binary_closing(mask, np.ones((near, near)))[near:-near, near:-near]
    holes, _ = scipy.ndimage.label(~mask)
    sizes = np.bincount(holes.ravel())
    mask = mask | (sizes < 0.3 * side**2)[holes]
    return np.asarray(scipy.ndimage.binary_opening(mask, np.ones((far, far))), np.bool_)


def _plane_of(mask: NDArray[np.bool_], ruler: Ruler, scale: float) -> tuple[Floats | None, bool]:
    """Return the plane of the tiles, and whether it is known.

    Tiles that lie alone tell it, or else markers, if it is known how large tiles are beside them.
    """
    quads = []
    parts, count = scipy.ndimage.label(mask)
    for number, where in enumerate(scipy.ndimage.find_objects(parts), 1):
        own = np.pad(parts[where] == number, 1)
        if min(own.shape) < 14:
            continue
        quad = quad_of(own)
        if quad is None or agreement(own, quad) < ALONE:
            continue
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        across = sorted((sides[0::2].mean(), sides[1::2].mean()))
        if across[0] > ASPECT * across[1]:
            quads.append(quad + np.array([where[1].start - 1, where[0].start - 1]))
    if quads:
        return find_plane(np.array(quads)), True
    depth = scipy.ndimage.distance_transform_edt(mask)
    if not count or depth.max() < 7:
        return None, False
    deepest = [float(each) for each in scipy.ndimage.maximum(depth, parts, range(1, count + 1))]
    side = 2 * float(np.median([each for each in deepest if each >= 7]))
    plane = ruler.plane(scale)
    if plane is None:
        return np.diag([1 / side, 1 / side, 1.0]), False
    if ruler.tile is not None:
        return np.diag([1 / ruler.tile, 1 / ruler.tile, 1.0]) @ plane, True
    row, col = np.unravel_index(int(depth.argmax()), depth.shape)
    there = mapped(plane, np.array([[col, row], [col + 1.0, row]], np.float64))
    size = side * float(np.linalg.norm(there[1] - there[0]))
    return np.diag([1 / size, 1 / size, 1.0]) @ plane, False


def _candidates(
    mask: NDArray[np.bool_], plane: Floats, scale: float
) -> tuple[list[Candidate], list[tuple[Floats, str]]]:
    """Return where tiles lie, in pixels of the photograph, and what is none."""
    flat, back = _flattened(mask, plane)
    candidates, odd = [], []
    parts, _ = scipy.ndimage.label(flat)
    for number, where in enumerate(scipy.ndimage.find_objects(parts), 1):
        own = np.pad(parts[where] == number, 2)
        shift = np.array([where[1].start - 2, where[0].start - 2])
        area = own.sum() / SIDE**2
        if area < 0.04:
            continue
        quads = _tiles_in(own)
        short = len(quads) < int(area + 0.3)
        for quad, cover, alone in quads:
            corners = mapped(back, quad + shift) / scale
            candidates.append(Candidate(corners, cover, alone, short))
        if not quads:
            box = np.array([[0, 0], [own.shape[1], 0], own.shape[::-1], [0, own.shape[0]]]) + shift
            odd.append((mapped(back, box) / scale, "not of a tile's size and shape"))
    return candidates, odd


def _tiles_in(own: NDArray[np.bool_]) -> list[tuple[Floats, float, bool]]:
    """Return corners, cover and loneliness of the tiles of one region of the plane."""
    if own.sum() < 0.35 * SIDE**2:
        return []
    if own.sum() < 1.3 * SIDE**2:
        quad = quad_of(own)
        fits = quad is not None and agreement(own, quad) > ALONE - 0.04
        if quad is not None and fits and off_square(quad[None] / SIDE)[0] < 0.1:
            return [(quad, agreement(own, quad), True)]
    return [(square.corners(), square.cover, False) for square in squares_on(own)]


def _flattened(mask: NDArray[np.bool_], plane: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """Return the mask as seen from above, `SIDE` pixels a tile, and the way back to the mask."""
    rows, cols = np.nonzero(mask)
    step = max(1, len(rows) // 4000)
    seen = mapped(plane, np.stack([cols, rows], axis=1)[::step].astype(np.float64) + 0.5)
    low, high = seen.min(axis=0) - 0.5, seen.max(axis=0) + 0.5
    size = np.ceil((high - low) * SIDE).astype(int)
    if not np.isfinite(size).all() or size.max() > 8000 or size.prod() > 40_000_000:
        raise InputError(
            "The tiles are too many or too small to tell apart in this photograph; take several "
            "photographs with at most 200 tiles each."
        )
    to_flat = np.array([[SIDE, 0, -low[0] * SIDE], [0, SIDE, -low[1] * SIDE], [0, 0, 1]]) @ plane
    back = np.linalg.inv(to_flat)
    back = back / back[2, 2]
    picture = Image.fromarray(mask.astype(np.uint8) * 255)
    data = back.ravel()[:8].tolist()
    flat = picture.transform(
        (int(size[0]), int(size[1])), Image.Transform.PERSPECTIVE, data, Image.Resampling.BILINEAR
    )
    return np.asarray(flat) >= 128, back
