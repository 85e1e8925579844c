"""Azulejo: a picture becomes a worn panel of blue-and-white tiles."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from tessella.errors import InputError
from tessella.puzzle import Shape

Floats = NDArray[np.float32]

TILE = 50
"""Side of a tile in pixels; lengths in `Wear` are those of a tile of this size."""

MOST_TILES = 20_000
"""More tiles than any panel has: what memory should be asked for."""

_INKS = (
    # From the full brush to the bare glaze: a clear cobalt, and an old one that fired greyish.
    ((24, 40, 110), (62, 94, 168), (150, 178, 214), (233, 235, 230)),
    ((44, 54, 92), (92, 112, 152), (166, 182, 202), (222, 220, 208)),
)
_STOPS = (0.0, 0.34, 0.7, 1.0)
_BOUNDS = {"ground": (0.05, 0.95), "fading": (0, 1), "zoom": (0, 0.5), "crack": (0, 1)}
_BISCUIT = np.array((196, 178, 150), np.float32)
_MORTAR = np.array((176, 168, 154), np.float32)
_SOIL = np.array((72, 62, 56), np.float32)


@dataclass(frozen=True)
class Wear:
    """What age does to a panel. The defaults are frozen; docs/azulejo.md says how.

    Lengths are in pixels of a 50 px tile and grow with the tile; colours and their spreads are on
    the scale 0 to 255; a spread is a standard deviation.

    Attributes
    ----------
    ground : tone of the middle grey after painting; towards 1 more white is left bare
    relief : how much the painter sharpens outlines and folds
    hue : spread of the whole panel's colour
    brightness : spread of a tile's gain
    lighting : spread of a tile's gain from its middle to its sides
    tint : spread of a tile's colour
    fading : most that a tile's blue loses towards white, as a fraction
    least_shift, most_shift : pixels that a tile is out of register, whichever way
    tilt : spread of a tile's tilt in degrees
    zoom : most that a tile shows too little at its sides, as a fraction
    border : how deep the border is worn
    sound : how much of the sides is still sound: 0 half of it, 1 about 5 of 6 parts
    sides : how much whole sides differ
    corner : how much further corners are worn
    grout : how far the mortar reaches over a side that lost its glaze
    crack : chance that a tile is cracked
    chip : mean number of chips of a tile
    mottling : spread of the glaze's clouds
    grain : spread of a pixel's brightness
    speckle : spread of a pixel's colour
    blur : spread of the glaze's run in pixels
    unevenness : spread of the damage among panels and among tiles, as an exponent
    """

    ground: float = 0.58
    relief: float = 1.0
    hue: float = 5.0
    brightness: float = 0.04
    lighting: float = 0.02
    tint: float = 1.2
    fading: float = 0.1
    least_shift: float = 1.0
    most_shift: float = 2.0
    tilt: float = 0.4
    zoom: float = 0.01
    border: float = 2.5
    sound: float = 1.4
    sides: float = 0.4
    corner: float = 1.5
    grout: float = 1.5
    crack: float = 0.08
    chip: float = 0.5
    mottling: float = 2.0
    grain: float = 1.0
    speckle: float = 1.0
    blur: float = 0.5
    unevenness: float = 0.3

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value, (low, high) = getattr(self, field.name), _BOUNDS.get(field.name, (0, 1000))
            if not low <= value <= high:  # Refuses what is no number as well.
                raise InputError(f"Wear's {field.name} must be {low} to {high}; got {value}.")
        if self.least_shift > self.most_shift:
            raise InputError(
                f"Wear's least_shift must not exceed most_shift, {self.most_shift}; "
                f"got {self.least_shift}."
            )


AGED = Wear()
"""The frozen wear: classical measures find about as few neighbours as on a museum's panels."""


def shape_for(
    picture: NDArray[np.uint8], tiles: int, least: int = 1, most: int = MOST_TILES
) -> Shape:
    """Return the rows and columns of about `tiles` square tiles that suit the picture's sides.

    Parameters
    ----------
    picture : ``(H, W, 3)``
    least, most : bounds of rows times columns

    Examples
    --------
    >>> shape_for(np.zeros((600, 800, 3), np.uint8), 192)
    (12, 16)
    """
    _check_picture(picture)
    if not 1 <= least <= tiles <= most <= MOST_TILES:
        raise InputError(
            f"A panel of {least} to {most} tiles (of 1 to {MOST_TILES}) cannot have {tiles}."
        )
    rows = np.arange(1, tiles + 1)
    cols = np.rint(tiles / rows).astype(np.int64)
    count = rows * cols
    sides = np.log(cols * picture.shape[0] / (rows * picture.shape[1]))
    unfit = np.abs(sides) + np.abs(np.log(count / tiles))
    unfit[(count < least) | (count > most)] = np.inf  # A single row always stays.
    best = int(unfit.argmin())
    return int(rows[best]), int(cols[best])


def panel(
    picture: NDArray[np.uint8],
    shape: Shape,
    tile: int = TILE,
    seed: int = 0,
    wear: Wear = AGED,
) -> NDArray[np.uint8]:
    """Paint `picture` blue on white over rows x cols tiles and wear every tile on its own.

    Parameters
    ----------
    picture : RGB, ``(H, W, 3)``, of any size; its middle is taken where the sides do not suit
    shape : rows and columns of tiles
    tile : side of a tile in pixels
    seed : of everything that chance decides; the same seed gives the same panel

    Returns
    -------
    RGB, ``(rows * tile, cols * tile, 3)``; `tessella.imaging.cut.cut` cuts it along the grid
    """
    _check_picture(picture)
    _check_size(shape, tile)
    rng = np.random.default_rng(seed)
    tone = _painted(picture, (shape[0] * tile, shape[1] * tile), tile / TILE, wear)
    damage = np.float32(math.exp(wear.unevenness * rng.standard_normal()))
    tiles = _Tiles(rng, shape, tile, wear, damage)
    glaze = tiles.glazed(tiles.laid(tone))  # (N, T, T, 3)
    worn = tiles.worn(glaze).reshape(*shape, tile, tile, 3)
    whole = worn.swapaxes(1, 2).reshape(shape[0] * tile, shape[1] * tile, 3)
    return np.clip(np.rint(whole), 0, 255).astype(np.uint8)


def _check_picture(picture: NDArray[np.uint8]) -> None:
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8 or not picture.size:
        raise InputError(
            "A picture for a panel must be uint8 of shape (height, width, 3); "
            f"got {picture.dtype} of shape {picture.shape}."
        )


def _check_size(shape: Shape, tile: int) -> None:
    rows, cols = shape
    if rows < 1 or cols < 1 or rows * cols > MOST_TILES:
        raise InputError(
            f"A panel must have 1 row and column or more and {MOST_TILES} tiles at most; "
            f"got {rows} x {cols}."
        )
    if tile < 8:
        raise InputError(f"A tile must have sides of 8 px or more; got {tile}.")


def _painted(picture: NDArray[np.uint8], size: Shape, scale: float, wear: Wear) -> Floats:
    """Return the tone of every pixel of the unworn panel, ``(H, W)``: 0 blue, 1 bare glaze."""
    height, width = picture.shape[:2]
    part = min(height / size[0], width / size[1])  # Pixels of the picture to one of the panel.
    tall, wide = part * size[0], part * size[1]
    # Rounding must not put a side of the box outside the picture.
    left, top = max(0.0, (width - wide) / 2), max(0.0, (height - tall) / 2)
    box = (left, top, min(width, left + wide), min(height, top + tall))
    gray = Image.fromarray(picture).convert("L")
    resized = gray.resize((size[1], size[0]), Image.Resampling.BICUBIC, box=box)
    tone = np.asarray(resized, np.float32)  # (H, W)
    # The painter's folds and outlines: what differs from its surroundings differs more.
    around = ndimage.uniform_filter(tone, round(20 * scale) + 1, mode="nearest")
    tone = tone + np.float32(wear.relief) * (tone - around)
    low, middle, high = np.percentile(tone[::4, ::4], (2, 50, 98))
    tone = np.clip((tone - low) / max(high - low, 1), 0, 1)
    middle = min(max((middle - low) / max(high - low, 1), 0.02), 0.98)
    # Old paintings are dark, tiles are mostly white: the middle grey becomes the ground's tone.
    power = math.log(wear.ground) / math.log(middle)
    painted: Floats = tone ** np.float32(min(max(power, 0.35), 2.0))
    return painted


@dataclass(frozen=True, eq=False)
class _Tiles:
    """The tiles of one panel: N of them in reading order, of T x T pixels."""

    rng: np.random.Generator
    shape: Shape
    side: int
    wear: Wear
    damage: np.float32

    @property
    def count(self) -> int:
        return self.shape[0] * self.shape[1]

    @property
    def scale(self) -> float:
        """How many pixels a pixel of a 50 px tile is."""
        return self.side / TILE

    def normal(self, *size: int) -> Floats:
        return self.rng.standard_normal(size, np.float32)

    def within(self, low: float, high: float, *size: int) -> Floats:
        return np.float32(low) + np.float32(high - low) * self.rng.random(size, np.float32)

    def laid(self, tone: Floats) -> Floats:
        """Return the tones of every tile, out of register and tilted, ``(N, T, T)``."""
        wear, n = self.wear, self.count
        down, right = self._places()
        angle = np.radians(wear.tilt * self.normal(n, 1, 1))
        zoom = 1 - self.within(0, wear.zoom, n, 1, 1)
        cos, sin = zoom * np.cos(angle), zoom * np.sin(angle)
        far = self.within(wear.least_shift, wear.most_shift, n, 1, 1) * self.scale
        way = self.within(0, 2 * math.pi, n, 1, 1)
        row, col = np.divmod(np.arange(n), self.shape[1])
        middle = (self.side - 1) / 2
        y = (row * self.side + middle)[:, None, None] + far * np.sin(way) + cos * down - sin * right
        x = (col * self.side + middle)[:, None, None] + far * np.cos(way) + sin * down + cos * right
        where = np.stack([y, x]).astype(np.float32)
        laid: Floats = ndimage.map_coordinates(tone, where, order=1, mode="nearest")
        return laid

    def glazed(self, tone: Floats) -> Floats:
        """Return the colours of tiles with these tones, ``(N, T, T, 3)``."""
        wear, n = self.wear, self.count
        faded = 1 - self.within(0, wear.fading, n, 1, 1)
        index = np.rint((1 - faded * (1 - tone)) * 255).astype(np.uint8)
        glaze: Floats = self._palette()[index]  # (N, T, T, 3)
        steps = np.linspace(-1, 1, self.side, dtype=np.float32)
        slope = np.float32(wear.lighting) * self.normal(2, n, 1, 1)
        gain = 1 + np.float32(wear.brightness) * self.normal(n, 1, 1)
        gain = gain + slope[0] * steps[:, None] + slope[1] * steps[None, :]
        tint = np.float32(wear.tint) * self.normal(n, 1, 1, 3)
        glaze *= gain[..., None]
        glaze += tint
        return glaze

    def _palette(self) -> Floats:
        """Return this panel's colour of every tone, ``(256, 3)``."""
        clear, old = (np.array(ink, np.float32) for ink in _INKS)
        share = self.rng.random()
        stops = clear + np.float32(share) * (old - clear) + self.wear.hue * self.normal(1, 3)
        tones = np.linspace(0, 1, 256)
        return np.stack([np.interp(tones, _STOPS, c) for c in stops.T], 1).astype(np.float32)

    def worn(self, glaze: Floats) -> Floats:
        """Return the tiles after centuries, ``(N, T, T, 3)``."""
        wear = self.wear
        clouds = self._clouds(6)
        glaze += wear.mottling * clouds[..., None]
        biscuit = self._biscuit(clouds)
        glaze = _over(glaze, biscuit, self._chipped(self._clouds(18)))
        glaze = _over(glaze, _SOIL, 0.75 * self._cracked(clouds))
        bare = _over(biscuit, self._grout_color(), self._grout())
        glaze = _over(glaze, bare, self._border())
        if wear.blur:
            sigma = wear.blur * self.scale
            glaze = ndimage.gaussian_filter(glaze, (0, sigma, sigma, 0), mode="nearest", truncate=3)
        glaze += wear.grain * self.normal(*glaze.shape[:3], 1)
        glaze += wear.speckle * self.normal(*glaze.shape)
        return glaze

    def _clouds(self, knots: int) -> Floats:
        """Return smooth noise of spread about 1 in every tile, ``(N, T, T)``."""
        rise = _rise(knots, self.side)
        clouds: Floats = rise @ (1.5 * self.normal(self.count, knots, knots)) @ rise.T
        return clouds

    def _biscuit(self, clouds: Floats) -> Floats:
        """Return the colour of the clay under the glaze, ``(N, T, T, 3)``."""
        clay = _BISCUIT + 4 * self.normal(1, 1, 1, 3) + 6 * self.normal(self.count, 1, 1, 1)
        return clay + 5 * clouds[..., None]

    def _grout_color(self) -> Floats:
        """Return the colour of the mortar, ``(N, 1, 1, 3)``."""
        mortar = _MORTAR - self.within(0, 80, 1)  # Clean lime to soot.
        return mortar + 5 * self.normal(1, 1, 1, 3) + 8 * self.normal(self.count, 1, 1, 1)

    def _amount(self, *size: int) -> Floats:
        """Return how much more or less than the mean each is damaged."""
        amount: Floats = np.exp(self.wear.unevenness * self.normal(*size))
        return self.damage * amount

    def _border(self) -> Floats:
        """Return how far the glaze of every pixel is gone along the sides, ``(N, T, T)``."""
        wear, n, side = self.wear, self.count, self.side
        ragged = self.normal(n, 4, 7) @ _rise(7, side).T
        ragged += 0.7 * self.normal(n, 4, side // 3) @ _rise(side // 3, side).T  # (N, 4, T)
        # Whole sides differ: one lay sheltered, the next was chiselled off the wall.
        whole = wear.sides * self.normal(n, 4, 1) - wear.sound
        # Glaze breaks off in shells: the root makes round nicks of what would be spikes.
        nicks: Floats = np.sqrt(np.maximum(ragged + whole, 0))
        width = wear.border * nicks * self._amount(n, 1, 1)
        ends = np.minimum(np.arange(side), np.arange(side)[::-1]) / (2 * self.scale)
        corner = wear.corner * np.exp(-ends).astype(np.float32)
        width += corner * self.damage * np.maximum(self.normal(n, 4, 1), 0)
        return _cover(width * self.scale)

    def _grout(self) -> Floats:
        """Return how far mortar would cover every pixel where the glaze is gone, ``(N, T, T)``."""
        width = self.wear.grout + 0.3 * self.normal(self.count, 4, self.side)
        return _cover(width * self.scale)

    def _cracked(self, clouds: Floats) -> Floats:
        """Return how much of a crack every pixel shows, ``(N, T, T)``."""
        chosen = np.flatnonzero(self.rng.random(self.count) < self.wear.crack * self.damage)
        cracks = np.zeros(clouds.shape, np.float32)
        k = len(chosen)
        down, right = self._places()
        angle = self.within(0, np.pi, k, 1, 1)
        reach = self.within(-0.3, 0.3, k, 1, 1) * self.side
        straight = np.cos(angle) * down + np.sin(angle) * right - reach
        away = straight + 1.6 * self.scale * clouds[chosen]
        cracks[chosen] = np.exp(-((away / (0.6 * self.scale)) ** 2))
        return cracks

    def _chipped(self, clouds: Floats) -> Floats:
        """Return how far chips take the glaze off every pixel, ``(N, T, T)``."""
        chips = np.zeros(clouds.shape, np.float32)
        amount = self.wear.chip * self._amount(self.count)
        number = np.minimum(self.rng.poisson(amount), 6)
        down, right = self._places()
        for nth in range(number.max()):
            chosen = np.flatnonzero(number > nth)
            k = len(chosen)
            # Blows hit the sides more often than the middle.
            y, x = 0.5 * self.side * np.sin(self.within(-np.pi / 2, np.pi / 2, 2, k, 1, 1))
            radius = self.scale * (0.8 + self.rng.gamma(1.5, 1.0, (k, 1, 1)).astype(np.float32))
            away = np.hypot(down - y, right - x) / radius + 0.35 * clouds[chosen]
            chips[chosen] = np.maximum(chips[chosen], np.clip((1 - away) * radius + 0.5, 0, 1))
        return chips

    def _places(self) -> tuple[Floats, Floats]:
        """Return every pixel's place from the middle, ``(T, 1)`` and ``(1, T)``."""
        steps = np.arange(self.side, dtype=np.float32) - np.float32((self.side - 1) / 2)
        return steps[:, None], steps[None, :]


def _over(below: Floats, above: Floats, cover: Floats) -> Floats:
    """Lay a colour over others as far as it covers them."""
    laid: Floats = below + cover[..., None] * (above - below)
    return laid


def _rise(knots: int, side: int) -> Floats:
    """Return the weights that draw straight lines through `knots` values, ``(side, knots)``."""
    places = np.linspace(0, knots - 1, side)[:, None] - np.arange(knots)
    rise: Floats = np.clip(1 - np.abs(places), 0, 1).astype(np.float32)
    return rise


def _cover(width: Floats) -> Floats:
    """Return how much of every pixel lies in a border of a tile, ``(N, T, T)``.

    Parameters
    ----------
    width : of the border along the top, bottom, left and right, ``(N, 4, T)``
    """
    steps = np.arange(width.shape[2], dtype=np.float32)
    top = width[:, 0, None, :] - steps[:, None]
    bottom = width[:, 1, None, :] - steps[::-1, None]
    left = width[:, 2, :, None] - steps[None, :]
    right = width[:, 3, :, None] - steps[None, ::-1]
    deepest = np.maximum(np.maximum(top, bottom), np.maximum(left, right))
    cover: Floats = np.clip(deepest, 0, 1)
    return cover
