"""The plane that all tiles of a photograph lie on, found from tiles that lie alone.

All tiles are squares of one size, so one homography makes all of them unit squares. Tiles that it
does not make square are of another shape, broken, or no tiles.
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from tessella.collect.homography import UNIT, homography, mapped
from tessella.collect.quad import side_length

Floats = NDArray[np.float64]

FIT = 0.06
"""How far, in sides, corners of a tile may lie from those of a unit square."""


NARROWING = (0.04, 0.02, 0.01, 0.006, 0.006, 0.005, 0.005)
"""Sides: how far points may lie from a square that is laid through them, step by step."""

MILD = 2.5
"""How many times as near as another a tile of the same photograph may be."""


def find_plane(quads: Floats) -> Floats | None:
    """Return the homography ``(3, 3)`` that makes most quads of a picture unit squares.

    None where there is no quad, or none that a camera could see so.

    Parameters
    ----------
    quads : corners of tiles, ``(n, 4, 2)``
    """
    if not len(quads):
        return None
    sizes = areas(quads)
    best, chosen = -1.0, None
    good = np.zeros(len(quads), np.bool_)
    for quad in quads[np.argsort(-sizes)][:60]:
        matrix = homography(quad, UNIT)
        if not _mild(matrix, quads):
            continue
        fits = off_square(mapped(matrix, quads)) < 2 * FIT
        if float(sizes[fits].sum()) > best:
            best, chosen, good = float(sizes[fits].sum()), matrix, fits
    if chosen is None or good.sum() < 2:
        return chosen
    for limit in (2 * FIT, FIT):
        chosen = _polished(chosen, quads[good])
        again = off_square(mapped(chosen, quads)) < limit
        good = again if again.sum() >= 2 else good
    return chosen


def areas(quads: Floats) -> Floats:
    """Return the areas of quads ``(n, 4, 2)``."""
    one, two = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray(np.abs(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2)


def _mild(matrix: Floats, quads: Floats) -> bool:
    """Whether a homography shows no part of the picture very much larger than another."""
    depth = quads.reshape(-1, 2) @ matrix[2, :2] + matrix[2, 2]
    return bool(depth.min() > 0 and depth.max() < MILD * depth.min())


def posed(points: Floats, weight: Floats, start: Floats) -> tuple[Floats, Floats, float]:
    """Return the unit square whose sides run through most points of the plane.

    Points may lie anywhere: a chip, a shadow or another tile is no side, and what lies far from
    the square that the others tell counts nothing.

    Parameters
    ----------
    points : where each side's edge was seen, ``(4, n, 2)``
    weight : of each, ``(4, n)``; 0 where nothing was seen
    start : a square near it, ``(4, 2)``

    Returns
    -------
    the square's corners ``(4, 2)``, how far inside its side each point lies ``(4, n)``, and how
    unsure a corner is, all in sides
    """
    top = start[1] - start[0]
    pose = np.array([*start.mean(axis=0), np.arctan2(top[1], top[0])])
    away, sure = _inside(pose, points)[0], np.eye(3)
    for scale in NARROWING:
        away, slope = _inside(pose, points)  # (4, n), (4, n, 3)
        use = weight * np.maximum(0, 1 - (away / (3 * scale)) ** 2) ** 2
        sure = np.einsum("kn,knp,knq->pq", use, slope, slope) + np.diag([1e-3, 1e-3, 1e-3])
        pose = pose - np.linalg.solve(sure, np.einsum("kn,knp,kn->p", use, slope, away))
    near = weight * (np.abs(away) < 3 * NARROWING[-1])
    spread = np.sqrt((near * away**2).sum() / max(1e-9, near.sum()) + 1e-8)
    # Places side by side see the same grain: a few of them count as one.
    unsure = float(spread * np.sqrt(4 * np.trace(np.linalg.inv(sure) * [1, 1, 0.5])))
    return _square(pose), _inside(pose, points)[0], unsure


def _inside(pose: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Return how far points lie inside the sides of a unit square, and how its pose changes it."""
    turn = pose[2] + np.pi / 2 * np.arange(4)
    inward = np.stack([-np.sin(turn), np.cos(turn)], axis=1)
    along = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    there = points - pose[:2]
    away = np.einsum("knc,kc->kn", there, inward) + 0.5
    turned = -np.einsum("knc,kc->kn", there, along)
    slope = np.broadcast_to(-inward[:, None], points.shape)
    return away, np.concatenate([slope, turned[..., None]], axis=2)


def _square(pose: Floats) -> Floats:
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    return np.asarray((UNIT - 0.5) @ np.array([[cos, sin], [-sin, cos]]) + pose[:2])


def off_square(quads: Floats) -> Floats:
    """Return how far the corners of quads ``(n, 4, 2)`` are at most from a unit square's, (n,)."""
    return np.asarray(np.linalg.norm(quads - unit_squares(quads), axis=2).max(axis=1))


def unit_squares(quads: Floats) -> Floats:
    """Return the unit square that lies best on each quad, ``(n, 4, 2)``."""
    centre = quads.mean(axis=1, keepdims=True)
    away = (quads - centre)[..., 0] + 1j * (quads - centre)[..., 1]
    square = (UNIT - 0.5)[:, 0] + 1j * (UNIT - 0.5)[:, 1]
    turn = (away * square.conj()).sum(axis=1)
    turn = turn / np.maximum(1e-12, np.abs(turn))
    best = turn[:, None] * square
    return np.asarray(np.stack([best.real, best.imag], axis=-1) + centre)


def times_as_long(plane: Floats, quads: Floats, others: Floats) -> float:
    """Return how many times as long as the sides of `others` those of `quads` are.

    Both are squares on one plane, each kind of one size; both tell the plane.

    Parameters
    ----------
    plane : makes `quads` ``(n, 4, 2)`` unit squares, nearly; `others` ``(m, 4, 2)`` are smaller
    """
    scale = float(np.abs(quads).max())
    unit = np.diag([scale, scale, 1.0])  # all numbers of one size
    start = plane @ unit
    start = start / start[2, 2]
    first = 1 / float(np.median([side_length(quad) for quad in mapped(plane, others)]))

    def off(nine: Floats) -> Floats:
        there = np.append(nine[:8], 1.0).reshape(3, 3)
        seen = np.concatenate(
            [mapped(there, quads / scale), nine[8] * mapped(there, others / scale)]
        )
        return np.asarray((seen - unit_squares(seen)).ravel())

    fit = scipy.optimize.least_squares(
        off, np.append(start.ravel()[:8], first), loss="soft_l1", f_scale=0.01
    )
    return float(fit.x[8])


def _polished(matrix: Floats, quads: Floats) -> Floats:
    """Return the homography near `matrix` that makes the quads as square as can be."""
    scale = float(np.abs(quads).max())
    unit = np.diag([scale, scale, 1.0])  # all numbers of one size
    start = matrix @ unit
    start = start / start[2, 2]

    def off(eight: Floats) -> Floats:
        seen = mapped(np.append(eight, 1.0).reshape(3, 3), quads / scale)
        return np.asarray((seen - unit_squares(seen)).ravel())

    fit = scipy.optimize.least_squares(off, start.ravel()[:8], loss="soft_l1", f_scale=0.01)
    return np.asarray(np.append(fit.x, 1.0).reshape(3, 3) @ np.linalg.inv(unit))
