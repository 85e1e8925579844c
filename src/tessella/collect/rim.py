"""The rim of tiles: glaze, clay or mortar at their sides, too narrow to be seen as a line.

Where a tile ends is where the table ends. A rim of a pixel or two is blurred into one edge with the
picture, and the steepest place of that edge lies where the rim ends inside. All tiles of a
photograph together tell how wide the rim is and of which colour; each side then tells where it
begins.

An edge is modelled as table, rim and face, each of one colour, blurred. JPEG blurs hues more than
the lightness, so they have a blur of their own: with one for both, the fringe it leaves is a rim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from tessella.collect.sides import Side, View, sampled

Floats = NDArray[np.float64]

GAIN = 0.3
"""Of what one sharp edge leaves unexplained, what a rim must explain to be believed; one that
explains less is believed in proportion (seeds 3, 5 and 21 to 24 of rendered photographs)."""

ALIKE = 0.02
"""Of the same: rims that explain so much less than the best count 1/e of it."""

MOST = 0.7
"""How far a rim is believed at most (docs/experiments/collect.md): it may be the tile's shadow."""

_UNIT = 0.625  # of a pixel of the small copy: what all lengths here are counted in
_PLACES = 40
_FAINT = 12.0  # levels; where face and table differ by less, nothing is told
_COLOURS = np.array([[0.3, 0.6, 0.1], [-0.3, -0.6, 0.9], [0.7, -0.6, -0.1]]).T  # lightness, hues
_AT = np.arange(-5.0, 4.01, 0.25)
_TABLE, _FACE, _EDGE = _AT <= -3, _AT >= 2.25, (_AT >= -3.75) & (_AT <= 2.5)
_WIDTHS = np.arange(0.0, 2.2, 0.3)
_BLURS = (0.6, 0.8, 1.0, 1.25, 1.6)
_HUE_BLURS = (1.0, 1.3, 1.7, 2.2)
_HELD = 0.15, 3.0  # of the mean of all: the least a colour leaves unexplained, the most it counts
_STARTS = np.arange(-2.0, 1.01, 0.125)
_BEGINS = (
    0.5,
    1.0,
)  # of a rim's width that is outside at first: two answers, where edges allow two


@dataclass(frozen=True, eq=False)
class Edges:
    """Sums over the places of every side, ``(sides, ...)``; all that fitting one colour needs.

    Attributes
    ----------
    count : places
    rise : lightness, or hue, above the table's across the edge, ``(sides, x)``
    rise_table, rise_face : that times the table's and the face's
    table, face : theirs
    table2, face2, both, rise2 : sums of squares and products
    """

    count: Floats
    rise: Floats
    rise_table: Floats
    rise_face: Floats
    table: Floats
    face: Floats
    table2: Floats
    face2: Floats
    both: Floats
    rise2: Floats


@dataclass(frozen=True, eq=False)
class Fit:
    """How well a rim of one width and blur explains all sides of a photograph.

    Attributes
    ----------
    cost : what it leaves unexplained
    starts : where every side begins, ``(sides,)``
    costs : what each leaves, ``(sides,)``
    parts : of what it leaves, that of lightness and hues, ``(3,)``
    """

    cost: float
    starts: Floats
    costs: Floats
    parts: Floats


def rim_shifts(view: View, quads: Floats, sides: Sequence[Sequence[Side]]) -> Floats:
    """Return by how many pixels inward every side ``(n, 4)`` should move; 0 without a rim.

    Sides move by as much of the way as the rim is believed: whether there is one is one decision
    for all tiles of a photograph, and where it is not clear a side between both is off by less.
    So it is with rims of several widths that explain the edges equally well.

    Parameters
    ----------
    quads : corners of the tiles as they were found, ``(n, 4, 2)``
    """
    unit = max(0.5, _UNIT / view.scale)
    lines = [(quad[k], quad[(k + 1) % 4]) for quad in quads for k in range(4)]
    free = [side.free for each in sides for side in each]
    return unit * _shifts(_edges(_profiles(view, lines, unit), free)).reshape(-1, 4)


def _shifts(edges: Sequence[Edges]) -> Floats:
    """Return by how much every side should move, ``(sides,)``."""
    counted = edges[0].count > 0
    if not counted.any():
        return np.zeros(len(counted))
    weight, colours = np.where(counted, 1.0, 0.0), np.ones(3)
    for _ in range(2):  # A side, or a colour, that no edge explains well tells little.
        alone = _best(edges, 0.0, weight, colours)
        weight = counted / (alone.costs / np.maximum(1, edges[0].count) + 25.0 * _EDGE.sum())
    least, most = _HELD
    mean = float(alone.parts.mean())
    colours = np.minimum(mean / np.maximum(alone.parts, max(1e-9, least * mean)), most)
    fits = [_best(edges, wide, weight, colours, begin) for begin in _BEGINS for wide in _WIDTHS]
    gains = 1 - np.array([fit.cost for fit in fits]) / max(1e-9, fits[0].cost)
    starts = np.array([fit.starts for fit in fits])  # (widths, sides)
    alike = np.exp((gains - gains.max()) / ALIKE)
    belief = MOST * min(1.0, float(gains.max()) / GAIN)
    return np.asarray(belief * counted * (alike @ starts) / alike.sum())


def _profiles(
    view: View, lines: Sequence[tuple[Floats, Floats]], unit: float
) -> list[NDArray[np.float32]]:
    """Return the colours across every side, ``(places, x, 3)`` each."""
    out = []
    for one, two in lines:
        length = float(np.linalg.norm(two - one))
        along = (two - one) / max(1e-9, length)
        inward = np.array([-along[1], along[0]])
        place = one + np.linspace(0.1, 0.9, _PLACES)[:, None, None] * length * along
        out.append(sampled(view.image, place + (_AT * unit)[:, None] * inward))
    return out


def _edges(profiles: Sequence[NDArray[np.float32]], free: Sequence[bool]) -> list[Edges]:
    """Return the sums for lightness and both hues."""
    rows = []
    for profile, alone in zip(profiles, free, strict=True):
        seen = profile.astype(np.float64) @ _COLOURS
        table, face = seen[:, _TABLE].mean(axis=1), seen[:, _FACE].mean(axis=1)  # (places, 3)
        # Where table and face are not even by themselves, an edge tells little.
        rough = [np.ptp(seen[:, part, 0], axis=1) for part in (_TABLE, _FACE)]
        use = (rough[0] <= np.percentile(rough[0], 80)) & (rough[1] <= np.percentile(rough[1], 70))
        use &= np.linalg.norm(face - table, axis=1) > _FAINT
        use &= alone and use.sum() >= _PLACES // 5
        rows.append([_sums(table[use, k], face[use, k], seen[use][:, _EDGE, k]) for k in range(3)])
    return [
        Edges(*(np.array(column, np.float64) for column in zip(*colour, strict=True)))
        for colour in zip(*rows, strict=True)
    ]


def _sums(table: Floats, face: Floats, seen: Floats) -> tuple[object, ...]:
    rise = seen - table[:, None]
    sums = (table.sum(), face.sum(), table @ table, face @ face, table @ face, (rise**2).sum())
    return (len(table), rise.sum(axis=0), table @ rise, face @ rise, *sums)


def _best(
    edges: Sequence[Edges], wide: float, weight: Floats, colours: Floats, begin: float = 1.0
) -> Fit:
    """Return the blurs' best fit of a rim of one width."""
    pairs = [(blur, hue) for blur in _BLURS for hue in _HUE_BLURS if hue >= blur]
    fits = (_fitted(edges, (blur, hue, hue), wide, weight, colours, begin) for blur, hue in pairs)
    return min(fits, key=lambda fit: fit.cost)


def _fitted(
    edges: Sequence[Edges],
    blurs: Sequence[float],
    wide: float,
    weight: Floats,
    colours: Floats,
    begin: float,
) -> Fit:
    """Fit where every side begins and the rim's colour in turn, the other being given."""
    edge = [_blurred(blur, wide) for blur in blurs]
    sides = np.arange(len(weight))
    at = np.full(len(weight), int(np.abs(_STARTS + begin * wide).argmin()))
    for _ in range(6 if wide else 1):
        parts = [
            _costs(each, *steps, weight, at if wide else None)
            for each, steps in zip(edges, edge, strict=True)
        ]
        before, at = (
            at,
            sum(c * part for c, part in zip(colours, parts, strict=True)).argmin(axis=1),
        )
        if (at == before).all():
            break
    own = np.array([part[sides, at] for part in parts])  # (3, sides)
    costs = colours @ own
    return Fit(float(weight @ costs), _STARTS[at], costs, own @ weight)


def _blurred(blur: float, wide: float) -> tuple[Floats, Floats]:
    """Return how an edge that begins at each of the starts rises, and a rim's inner edge."""
    x = _AT[_EDGE] - _STARTS[:, None]  # (starts, x)
    return scipy.special.ndtr(x / blur), scipy.special.ndtr((x - wide) / blur)


def _costs(
    edges: Edges, outer: Floats, inner: Floats, weight: Floats, at: NDArray[np.int64] | None
) -> Floats:
    """Return what every side leaves unexplained for every start, ``(sides, starts)``.

    The rim's colour is the one that is best where sides begin at `at`; None: there is no rim.
    """
    count, rim = edges.count, 0.0
    if at is not None:
        a, b = outer[at], inner[at]
        share = weight[:, None] * (a - b)
        rest = edges.rise + a * edges.table[:, None] - b * edges.face[:, None]
        rim = float((share * rest).sum() / max(1e-9, (share * (a - b) * count[:, None]).sum()))
        rim = min(255.0, max(-255.0, rim))
    up, on = rim * edges.rise - edges.rise_table, edges.rise_face - rim * edges.rise
    up2 = count * rim**2 - 2 * rim * edges.table + edges.table2
    on2 = count * rim**2 - 2 * rim * edges.face + edges.face2
    up_on = rim * (edges.face + edges.table) - count * rim**2 - edges.both
    return np.asarray(
        edges.rise2[:, None]
        - 2 * (up @ outer.T + on @ inner.T)
        + np.outer(up2, (outer**2).sum(axis=1))
        + 2 * np.outer(up_on, (outer * inner).sum(axis=1))
        + np.outer(on2, (inner**2).sum(axis=1))
    )
