"""The rim of tiles: glaze, clay or mortar at their sides, too narrow to be seen as a line.

Where a tile ends is where the table ends. A rim of a pixel or two is blurred into one edge with the
picture, and the steepest place of that edge lies where the rim ends inside. All tiles of a
photograph together tell how wide and how light the rim is; each side then tells where it begins.

An edge is modelled as table, rim and face, each of one lightness, blurred. Colours are left out:
JPEG blurs them more than the lightness.
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

HALF = 0.5
"""How far a rim is believed at most that may be table or shadow: neither costs more than half."""

APART = 0.2
"""Of the difference between face and table, by which a rim must differ from the table."""

LIGHT = 0.4
"""Of the sides; a rim that is lighter than the table at fewer may be a tile's shadow."""

_UNIT = 0.625  # of a pixel of the small copy: what all lengths here are counted in
_PLACES = 40
_FAINT = 12.0  # levels; where face and table differ by less, nothing is told
_AT = np.arange(-5.0, 4.01, 0.25)
_TABLE, _FACE, _EDGE = _AT <= -3, _AT >= 2.25, (_AT >= -3.75) & (_AT <= 2.5)
_WIDTHS = np.arange(0.0, 2.2, 0.3)
_BLURS = (0.6, 0.8, 1.0, 1.25, 1.6)
_STARTS = np.arange(-2.0, 1.01, 0.125)


@dataclass(frozen=True, eq=False)
class Edges:
    """Sums over the places of every side, ``(sides, ...)``; all that fitting needs.

    Attributes
    ----------
    count : places
    rise : lightness above the table's across the edge, ``(sides, x)``
    rise_table, rise_face : that times the table's and the face's lightness, ``(sides, x)``
    table, face : their lightness
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


def rim_shifts(view: View, quads: Floats, sides: Sequence[Sequence[Side]]) -> Floats:
    """Return by how many pixels inward every side ``(n, 4)`` should move; 0 without a rim.

    Sides move by as much of the way as the rim is believed: whether there is one is one decision
    for all tiles of a photograph, and where it is not clear a side between both is off by less.

    Parameters
    ----------
    quads : corners of the tiles as they were found, ``(n, 4, 2)``
    """
    unit = max(0.5, _UNIT / view.scale)
    lines = [(quad[k], quad[(k + 1) % 4]) for quad in quads for k in range(4)]
    free = [side.free for each in sides for side in each]
    edges = _edges(view, lines, free, unit)
    none = np.zeros((len(quads), 4))
    if edges.count.sum() == 0:
        return none
    weight = np.where(edges.count > 0, 1.0, 0.0)
    alone = min((_fitted(edges, blur, 0.0, weight) for blur in _BLURS), key=lambda fit: fit[0])
    weight = weight / (alone[2] / np.maximum(1, edges.count) + 25.0 * _EDGE.sum())
    fits = [_fitted(edges, blur, wide, weight) for blur in _BLURS for wide in _WIDTHS]
    plain = min(fit[0] for fit in fits[:: len(_WIDTHS)])
    cost, start, _, rim = min(fits, key=lambda fit: fit[0])
    gain = 1 - cost / max(1e-9, plain)
    if gain <= 0:
        return none
    belief = min(1.0, gain / GAIN) * (1.0 if _stands_out(edges, rim) else HALF)
    return np.where(edges.count > 0, belief * start * unit, 0.0).reshape(-1, 4)


def _edges(
    view: View, lines: Sequence[tuple[Floats, Floats]], free: Sequence[bool], unit: float
) -> Edges:
    rows = []
    for (one, two), alone in zip(lines, free, strict=True):
        length = float(np.linalg.norm(two - one))
        along = (two - one) / max(1e-9, length)
        inward = np.array([-along[1], along[0]])
        place = one + np.linspace(0.1, 0.9, _PLACES)[:, None, None] * length * along
        seen = sampled(view.image, place + (_AT * unit)[:, None] * inward) @ [0.3, 0.6, 0.1]
        table, face = seen[:, _TABLE].mean(axis=1), seen[:, _FACE].mean(axis=1)
        # Where table and face are not even by themselves, an edge tells little.
        rough = [np.ptp(seen[:, part], axis=1) for part in (_TABLE, _FACE)]
        use = (rough[0] <= np.percentile(rough[0], 80)) & (rough[1] <= np.percentile(rough[1], 70))
        use &= np.abs(face - table) > _FAINT
        use &= alone and use.sum() >= _PLACES // 5
        t, f = table[use], face[use]
        rise = seen[use][:, _EDGE] - t[:, None]
        sums = (t.sum(), f.sum(), t @ t, f @ f, t @ f, (rise**2).sum())
        rows.append([len(t), rise.sum(axis=0), t @ rise, f @ rise, *sums])
    return Edges(*(np.array(column, np.float64) for column in zip(*rows, strict=True)))


def _fitted(
    edges: Edges, blur: float, wide: float, weight: Floats
) -> tuple[float, Floats, Floats, float]:
    """Return cost, where every side starts, the cost of each, and the rim's lightness."""
    x, count = _AT[_EDGE], edges.count
    outer = scipy.special.ndtr((x - _STARTS[:, None]) / blur)  # (starts, x)
    inner = scipy.special.ndtr((x - _STARTS[:, None] - wide) / blur)
    at = np.full(len(count), int(np.abs(_STARTS + wide).argmin()))
    rim, costs = 128.0, np.zeros((len(count), len(_STARTS)))
    for _ in range(6 if wide else 1):
        if wide:
            a, b = outer[at], inner[at]
            share = weight[:, None] * (a - b)
            rest = edges.rise + a * edges.table[:, None] - b * edges.face[:, None]
            rim = float((share * rest).sum() / max(1e-9, (share * (a - b) * count[:, None]).sum()))
            rim = min(255.0, max(0.0, rim))
        up, on = rim * edges.rise - edges.rise_table, edges.rise_face - rim * edges.rise
        up2 = count * rim**2 - 2 * rim * edges.table + edges.table2
        on2 = count * rim**2 - 2 * rim * edges.face + edges.face2
        up_on = rim * (edges.face + edges.table) - count * rim**2 - edges.both
        costs = (
            edges.rise2[:, None]
            - 2 * (up @ outer.T + on @ inner.T)
            + np.outer(up2, (outer**2).sum(axis=1))
            + 2 * np.outer(up_on, (outer * inner).sum(axis=1))
            + np.outer(on2, (inner**2).sum(axis=1))
        )
        at = costs.argmin(axis=1)
    best = costs.min(axis=1)
    return float(weight @ best), _STARTS[at], best, rim


def _stands_out(edges: Edges, rim: float) -> bool:
    """Whether a rim is no part of the table, nor its shadow beside the tile."""
    counted = edges.count > 0
    table, face = (part[counted] / edges.count[counted] for part in (edges.table, edges.face))
    apart = np.abs(rim - table) > APART * np.maximum(_FAINT, np.abs(face - table))
    return bool(apart.mean() > 0.5 and (rim > table).mean() >= LIGHT)
