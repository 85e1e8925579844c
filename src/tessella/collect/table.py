"""The table that tiles lie on: its colours, learned at the photograph's border, in any light.

A table may have several colours (wood, speckled stone, a checkered floor), is lit unevenly and lies
in the tiles' shadow. Colours are taken as logarithms, so that light is a sum: one smooth surface
for the whole table, and shadow lowers a colour's lightness and leaves its hue.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from tessella.collect.bed import Bed

Floats = NDArray[np.float32]

LIMIT = 3.0
"""A pixel farther than this from all colours of the table is not table."""

COLOURS = 12
"""How many colours a table is described by."""

GROWING = (1, 2, 2, 3, 4, 6)
"""How many colours there are while the light is looked for: many at once would be the light's own
shades.
"""

SMOOTH = (0.8, 2.6)
"""Pixels by which a photograph is smoothed before its colours are compared: usually, and on a
speckled table.
"""

_DARK = 14.0  # levels that are added before logarithms are taken: noise is of that order
_VIVID = 0.5  # a hue from which on shadow changes it
_RING = 0.022  # of the shorter side
_SEGMENTS = 28  # of the border; a colour of the table is found in many
_PRESENT = 0.25  # of the segments
_FLOOR = np.array([0.05, 0.035, 0.035], np.float32)  # least spread of lightness and hue
_CALM = 0.6  # part of that spread which is left where colours were smoothed much
_SHADOW = 0.36  # of lightness (as a logarithm) that counts as one step
_WEIGHT = np.array([1.0, 2.5, 2.5], np.float32)  # of lightness and hue in finding the colours


@dataclass(frozen=True, eq=False)
class Table:
    """What is known of a table.

    Attributes
    ----------
    colours : lightness and two hues of every colour, ``(k, 3)``
    spread : their usual deviations, ``(k, 3)``
    light : coefficients of the light's surface over the picture
    size : height and width of the picture it was learned from
    """

    colours: Floats
    spread: Floats
    light: Floats
    size: tuple[int, int]

    def distance(self, rgb: NDArray[np.generic], x: Floats, y: Floats) -> Floats:
        """Return how far colours ``(..., 3)`` seen at x, y (pixels) are from the table's."""
        seen = features(np.asarray(rgb, np.float32))
        seen[..., 0] -= self._light(x, y)
        out = np.full(seen.shape[:-1], np.inf, np.float32)
        for colour, spread in zip(self.colours, self.spread, strict=True):
            off = seen - shaded(colour, seen[..., 0])
            dark = np.maximum(0, -off[..., 0])
            lightness = np.maximum(0, off[..., 0]) / spread[0] + np.minimum(
                dark / spread[0], np.maximum(dark / _SHADOW, 0.0)
            )
            hue = np.hypot(off[..., 1] / spread[1], off[..., 2] / spread[2])
            np.minimum(out, np.hypot(lightness, hue), out=out)
        return out

    def _light(self, x: Floats, y: Floats) -> Floats:
        height, width = self.size
        return np.asarray(_surface(_part(x, width), _part(y, height)) @ self.light, np.float32)


def shaded(colour: Floats, lightness: Floats) -> Floats:
    """Return a colour as it looks where shadow brings its lightness down, ``(..., 3)``.

    Hue stays in a shadow, but for what is added to dark colours, which makes vivid ones greyer. A
    dull one stays as it is: followed into the dark it would take dark tiles for its shadow.
    """
    mean, red, blue = (float(part) for part in colour)
    if max(abs(red), abs(blue)) < _VIVID:
        return colour
    green = mean - (red + blue) / 3
    lit = np.maximum(0.0, np.exp(np.array([green + red, green, green + blue])) - _DARK)
    dimmed = features((lit * np.linspace(0.15, 1.0, 18)[:, None]).astype(np.float32))
    out = np.empty((*lightness.shape, 3), np.float32)
    out[..., 0] = mean
    for k in (1, 2):  # Lighter than the colour itself: its own hue.
        out[..., k] = np.interp(lightness, dimmed[:, 0], dimmed[:, k])
    return out


def features(rgb: Floats) -> Floats:
    """Return lightness and two hues of colours ``(..., 3)`` of 0 to 255, all as logarithms."""
    red, green, blue = (np.log(rgb[..., k] + _DARK) for k in range(3))
    return np.stack([(red + green + blue) / 3, red - green, blue - green], axis=-1)


def learn_table(image: NDArray[Any], bed: Bed | None = None, blur: float = SMOOTH[0]) -> Table:
    """Learn the table at the border of a photograph ``(H, W, 3)``, or take the one colour `bed`."""
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    floor = _FLOOR * (1.0 if blur == SMOOTH[0] else _CALM)
    if bed is not None:
        colour = features(np.array([bed.colour], np.float32))
        plain = Table(colour, np.tile(floor * 2, (1, 1)), np.zeros(6, np.float32), (height, width))
        return _relit(plain, image, x, y)
    ring = max(4, round(_RING * min(height, width)))
    edge = np.ones((height, width), np.bool_)
    edge[ring:-ring, ring:-ring] = False
    seen, x_ring, y_ring = features(image[edge].astype(np.float32)), x[edge], y[edge]
    around = np.arctan2(y_ring / height - 0.5, x_ring / width - 0.5)
    segment = ((around / (2 * np.pi) + 0.5) * _SEGMENTS).astype(int) % _SEGMENTS
    light = np.zeros(6, np.float32)
    surface = _surface(x_ring / width - 0.5, y_ring / height - 0.5)
    lit = seen.copy()
    for count in GROWING:  # the light and the colours explain each other
        colours, label = _clusters(lit, count)
        rest = seen[:, 0] - colours[label, 0]
        near = np.abs(rest - surface @ light) < 0.3
        light = _fitted(surface[near], rest[near])
        lit[:, 0] = seen[:, 0] - surface @ light
    colours, label = _clusters(lit, COLOURS)
    keep, spread = [], []
    for k in range(len(colours)):
        own = label == k
        share = np.bincount(segment[own], minlength=_SEGMENTS) / np.maximum(
            1, np.bincount(segment, minlength=_SEGMENTS)
        )
        if (share > 0.006).mean() >= _PRESENT:
            keep.append(k)
            spread.append(np.maximum(floor, np.std(lit[own], axis=0)))
    if not keep:
        keep = [int(np.bincount(label).argmax())]
        spread = [np.maximum(floor, np.std(lit[label == keep[0]], axis=0))]
    table = Table(colours[keep], np.array(spread, np.float32), light, (height, width))
    return _relit(table, image, x, y)


def _relit(table: Table, image: NDArray[Any], x: Floats, y: Floats) -> Table:
    """Return the table with its light fitted to all that looks like it, not the border alone."""
    step = max(1, min(image.shape[:2]) // 200)
    part = (slice(None, None, step), slice(None, None, step))
    rgb, x, y = image[part].astype(np.float32), x[part], y[part]
    for _ in range(2):
        off = features(rgb)
        off[..., 0] -= table._light(x, y)
        gap = ((off[..., None, :] - table.colours) / table.spread) ** 2  # (h, w, k, 3)
        nearest = gap.sum(axis=-1).argmin(axis=-1)
        near = np.sqrt(gap.sum(axis=-1).min(axis=-1)) < LIMIT
        if near.sum() < 200:
            return table
        rest = features(rgb)[..., 0] - table.colours[nearest, 0]
        surface = _surface(_part(x, table.size[1]), _part(y, table.size[0]))
        light = _fitted(surface[near], rest[near])
        table = Table(table.colours, table.spread, light, table.size)
    return table


def _clusters(seen: Floats, count: int) -> tuple[Floats, NDArray[np.int64]]:
    """Return the commonest colours ``(k, 3)`` of pixels ``(n, 3)``, and which each pixel has."""
    scaled = seen * _WEIGHT
    sample = scaled[:: max(1, len(scaled) // 6000)]
    centres = [np.median(sample, axis=0)]
    for _ in range(count - 1):  # each next one where pixels are farthest, but for the outliers
        away = np.min([((sample - c) ** 2).sum(axis=1) for c in centres], axis=0)
        far = np.argsort(away)[int(0.993 * (len(away) - 1))]
        if away[far] < 0.03**2:
            break
        centres.append(sample[far])
    for _ in range(8):
        label = _nearest(sample, np.array(centres))
        centres = [
            sample[label == k].mean(axis=0) if (label == k).any() else c
            for k, c in enumerate(centres)
        ]
    label = _nearest(scaled, np.array(centres))
    return np.array(centres, np.float32) / _WEIGHT, label


def _nearest(pixels: Floats, centres: NDArray[np.floating]) -> NDArray[np.int64]:
    tree = scipy.spatial.cKDTree(centres)
    return np.asarray(tree.query(pixels)[1], np.int64)


def _part(place: Floats, size: int) -> Floats:
    """Return places in pixels as parts of the picture's size, from its middle."""
    return np.asarray(place / size - 0.5, np.float32)


def _surface(u: Floats, v: Floats) -> Floats:
    """Return the terms of a quadratic surface, ``(..., 6)``."""
    return np.stack([np.ones_like(u), u, v, u * u, u * v, v * v], axis=-1)


def _fitted(surface: Floats, value: Floats) -> Floats:
    """Fit the light, a little held back where little is seen of it."""
    square = surface.T @ surface / len(value) + np.diag([0, 1e-4, 1e-4, 1e-3, 1e-3, 1e-3])
    return np.linalg.solve(square, surface.T @ value / len(value)).astype(np.float32)
