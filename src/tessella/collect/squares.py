"""Tiles that touch: unit squares laid one by one onto a mask of the table's plane."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SIDE = 40
"""Pixels of the mask a tile's side has."""

INSIDE = 0.72
"""A square must be covered at least so far; chips and faint parts are missing from it."""

LOOSE = 0.5
"""While not all squares are laid, one may be covered less: its neighbours may lie on it."""

LEFT_OVER = 0.35
"""Of a tile's area; less than this that is left uncovered is no tile."""

_STEP = np.pi / 48
_BAND = 0.45  # what the band's cover counts against the square's
_RING = 0.14  # sides; the band around a square that should be table


@dataclass(frozen=True)
class Square:
    """A square on the mask.

    Attributes
    ----------
    x, y, angle : its centre in pixels of the mask, and its turn
    cover : part of it that the mask covers
    """

    x: float
    y: float
    angle: float
    cover: float

    def corners(self) -> Floats:
        """Return its corners in pixels of the mask, ``(4, 2)``."""
        half = SIDE / 2
        corner = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        turned = corner @ np.array([[cos, sin], [-sin, cos]])
        return np.asarray(turned + np.array([self.x, self.y]))


def squares_on(mask: NDArray[np.bool_]) -> list[Square]:
    """Return the squares that cover a mask ``(h, w)``, those at its ends first.

    Each next one is laid where it is covered best and the band around it least; what it covers is
    then taken away.
    """
    pad = SIDE
    whole = np.pad(mask, pad).astype(np.float32)
    squares: list[Square] = []
    most = int(mask.sum() / (INSIDE * SIDE**2)) + 1
    left = whole
    while len(squares) < most and left.sum() > LEFT_OVER * SIDE**2:
        square = _best(left)
        if square.cover < LOOSE:
            break
        squares.append(square)
        left = _without(whole, squares)
    if len(squares) > 1:
        squares = _settled(whole, _settled(whole, squares))
    squares = [square for square in squares if square.cover >= INSIDE]
    return [Square(each.x - pad, each.y - pad, each.angle, each.cover) for each in squares]


def _settled(whole: NDArray[np.float32], squares: list[Square]) -> list[Square]:
    """Move every square a little, now that it is known where the others lie.

    While they were not known, a square whose corners are chipped was drawn over its neighbours.
    """
    for number in range(len(squares)):
        others = squares[:number] + squares[number + 1 :]
        moved = _polished(_without(whole, others, 1.0), squares[number])
        squares = [*squares[:number], moved, *squares[number + 1 :]]
    return squares


def _without(
    whole: NDArray[np.float32], squares: list[Square], grown: float = 1.04
) -> NDArray[np.float32]:
    """Return what squares leave of a mask; crumbs beside one laid a little askew are no tile."""
    left = whole
    for square in squares:
        left = left * (1 - _shape(left.shape, square, grown))
    return np.asarray(scipy.ndimage.grey_opening(left, (5, 5)), np.float32)


def _best(left: NDArray[np.float32]) -> Square:
    """Return the square that is covered best; places are tried on a copy of half the size."""
    rows, cols = (side // 2 * 2 for side in left.shape)
    half = left[:rows, :cols].reshape(rows // 2, 2, cols // 2, 2).mean(axis=(1, 3))
    frame = [scipy.fft.next_fast_len(side + SIDE, real=True) for side in half.shape]
    seen = scipy.fft.rfft2(half, frame)
    best, chosen = -np.inf, Square(0.0, 0.0, 0.0, 0.0)
    for angle in np.arange(0, np.pi / 2, _STEP):
        kernel = _kernel(angle)
        reach = len(kernel) // 2
        score = scipy.fft.irfft2(seen * scipy.fft.rfft2(kernel, frame), frame)
        score = score[reach : reach + half.shape[0], reach : reach + half.shape[1]]
        y, x = np.unravel_index(int(score.argmax()), score.shape)
        if score[y, x] > best:
            best = float(score[y, x])
            chosen = Square(2 * float(x) + 1, 2 * float(y) + 1, float(angle), 0.0)
    return _polished(left, chosen)


@functools.cache
def _kernel(angle: float) -> NDArray[np.float32]:
    """Return what is summed up around a centre, half the size: cover less the band's."""
    reach = SIDE // 2 - 1
    at = Square(reach + 0.5, reach + 0.5, angle, 1.0)
    frame = (2 * reach + 1, 2 * reach + 1)
    inside = _shape(frame, at, 0.5)
    ring = _shape(frame, at, (1 + 2 * _RING) / 2) - _shape(frame, at, 0.52)
    return np.asarray(inside / inside.sum() - _BAND * ring / ring.sum(), np.float32)


def _shape(frame: tuple[int, ...], square: Square, grown: float) -> NDArray[np.float32]:
    """Return how much of every pixel a square of `grown` sides covers."""
    return np.asarray(np.clip(0.5 + SIDE * grown / 2 - _away(frame, square), 0, 1), np.float32)


def _away(frame: tuple[int, ...], square: Square) -> NDArray[np.float32]:
    """Return how far pixels are from a square's centre along its sides, the larger way."""
    y = np.arange(0.5, frame[0], dtype=np.float32)[:, None] - np.float32(square.y)
    x = np.arange(0.5, frame[1], dtype=np.float32) - np.float32(square.x)
    cos, sin = np.float32(np.cos(square.angle)), np.float32(np.sin(square.angle))
    return np.asarray(np.maximum(np.abs(cos * x + sin * y), np.abs(cos * y - sin * x)))


def _polished(left: NDArray[np.float32], square: Square) -> Square:
    """Return the best square near this one."""
    reach = SIDE + 4
    top, west = max(0, int(square.y) - reach), max(0, int(square.x) - reach)
    part = left[top : int(square.y) + reach, west : int(square.x) + reach]

    def worse(pose: Floats) -> float:
        away = _away(part.shape, Square(pose[0] - west, pose[1] - top, pose[2] / SIDE, 0.0))
        inside = np.clip(0.5 + SIDE / 2 - away, 0, 1)
        ring = np.clip(0.5 + SIDE * (0.5 + _RING) - away, 0, 1) - np.clip(
            0.5 + SIDE * 0.52 - away, 0, 1
        )
        around = np.vdot(part, ring) / ring.sum()
        return float(_BAND * around - np.vdot(part, inside) / inside.sum())

    start = np.array([square.x, square.y, square.angle * SIDE])
    simplex = start + np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    options = {"initial_simplex": simplex, "maxfev": 70, "xatol": 0.05, "fatol": 1e-4}
    pose = scipy.optimize.minimize(worse, start, method="Nelder-Mead", options=options).x
    at = Square(pose[0] - west, pose[1] - top, pose[2] / SIDE, 0.0)
    inside = _shape(part.shape, at, 1.0)
    cover = float((part * inside).sum() / inside.sum())
    return Square(float(pose[0]), float(pose[1]), float(pose[2] / SIDE), cover)
