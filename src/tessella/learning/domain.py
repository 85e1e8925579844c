"""What painted tile panels may look like: ranges that every panel draws from."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from tessella.errors import InputError, shown

Range = tuple[float, float]

MOST = 1000
"""Nothing that differs among panels or pages does so by more."""

SHARES = ("extent", "cropped")
"""Ranges of shares."""


@dataclass(frozen=True)
class Domain:
    """Ranges of a painted panel's look.

    Lengths are fractions of a tile's side, colours are on the scale 0 to 255, chances and shares
    are fractions. Where tiles of one panel differ, a range is that of their spread.

    Attributes
    ----------
    clean : share of panels with nothing of what tells tiles apart, but for what is lost
    extent : share of a picture's shorter side that a panel shows
    colours : weights of one ink, two inks, full colour and grey
    relief : how much outlines and folds are sharpened
    outline : strength of painted outlines
    ground : tone that the middle grey becomes; towards 1 more glaze is left bare
    ornament : chance of a band of repeated ornament and mouldings
    lost : of the content, on every side, by cropping and wear together
    cropped : share of what is lost that a crop took, the joint with it
    joint : width of joint or bevel on a tile's side
    ragged : how uneven joints are, as a share of their width
    bevel : how far a slope of light reaches into the tile from its sides
    nicks, shells, cracks, corners : how much there is of each
    gain, gamma, tint, slope, fading : spreads among tiles
    clouds : spread of the glaze's clouds
    light : how uneven the light of the whole panel is
    glare : chance of a flash's spots
    shift, tilt, zoom, shear : spreads of how tiles lie: fractions, degrees, fractions, fractions
    blur : spread of the blur in pixels
    noise : spread of a pixel's noise
    compressed : chance of JPEG
    quality : of JPEG
    """

    clean: float = 0.15
    extent: Range = (0.55, 1.0)
    colours: tuple[float, float, float, float] = (0.42, 0.16, 0.28, 0.14)
    relief: Range = (0.0, 1.4)
    outline: Range = (0.0, 1.2)
    ground: Range = (0.3, 0.85)
    ornament: float = 0.35
    lost: Range = (0.0, 0.06)
    cropped: Range = (0.3, 1.0)
    joint: Range = (0.0, 0.045)
    ragged: Range = (0.1, 0.8)
    bevel: Range = (0.0, 0.05)
    nicks: Range = (0.0, 1.3)
    shells: Range = (0.0, 0.5)
    cracks: Range = (0.0, 0.15)
    corners: Range = (0.0, 1.0)
    gain: Range = (0.0, 0.12)
    gamma: Range = (0.0, 0.12)
    tint: Range = (0.0, 6.0)
    slope: Range = (0.0, 0.06)
    fading: Range = (0.0, 0.2)
    clouds: Range = (0.0, 5.0)
    light: Range = (0.0, 0.35)
    glare: float = 0.15
    shift: Range = (0.0, 0.024)
    tilt: Range = (0.0, 0.6)
    zoom: Range = (0.0, 0.012)
    shear: Range = (0.0, 0.008)
    blur: Range = (0.2, 1.0)
    noise: Range = (0.0, 6.0)
    compressed: float = 0.6
    quality: Range = (40, 96)

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name == "colours":
                fine = min(value) >= 0 and sum(value) > 0
            elif isinstance(value, tuple):
                fine = 0 <= value[0] <= value[1] <= (1 if field.name in SHARES else MOST)
            else:
                fine = 0 <= value <= 1
            if not fine:
                raise InputError(
                    f"A domain's {field.name} must be a share, or two ascending numbers from 0 to "
                    f"{MOST}; got {shown(value)}."
                )
