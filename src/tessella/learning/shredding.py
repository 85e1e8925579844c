"""What shredded pages may look like: ranges that every page draws from."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from tessella.errors import InputError, shown
from tessella.learning.domain import MOST, Range

LEAST = 0.01
"""Pixels of a page for one of a strip: fewer show nothing but one of them."""


@dataclass(frozen=True)
class Shredding:
    """Ranges of how a page is cut and scanned.

    Lengths are pixels of the strips, inks and greys are on the scale 0 to 1, chances are
    fractions. Where strips of one page differ, a range is that of their spread.

    Attributes
    ----------
    scale : pixels of the page for one of a strip
    width : of strips
    angle : how far a page is turned before it is cut, in radians
    kinds : weights of cuts that lose nothing, that double ink, and that lose a little or much
    doubled, little, much : columns lost between two strips, of those kinds
    rough, own : how far both sides of a cut run alike from its line, and each by itself
    bend : how far cuts bend
    flush : chance that rows are shifted until the paper ends at one column
    slip, stretch, lean : how strips lie: pixels, fractions, fractions
    blur : in pixels
    hard : how much contrast is added
    pale : how much ink is lost
    grey : how dark the paper is
    fray : how far in from a side single rows show white or the bed
    bed : chance that it is the bed
    shadow, deep : how dark a shadow along the sides is, and how many pixels deep
    noise : spread of a pixel's noise
    bits : chance of two tones alone
    compressed : chance of JPEG
    quality : of JPEG
    missing : chance that strips of a page are missing, and then of each
    """

    scale: Range = (0.6, 1.55)
    width: Range = (24.0, 110.0)
    angle: Range = (0.0, 0.01)
    kinds: tuple[float, float, float, float] = (0.2, 0.12, 0.48, 0.2)
    doubled: Range = (0.0, 4.0)
    little: Range = (0.0, 8.0)
    much: Range = (8.0, 36.0)
    rough: Range = (0.0, 1.6)
    own: Range = (0.0, 0.9)
    bend: Range = (0.0, 2.5)
    flush: float = 0.5
    slip: Range = (0.0, 5.0)
    stretch: Range = (0.0, 0.003)
    lean: Range = (0.0, 0.006)
    blur: Range = (0.0, 1.0)
    hard: Range = (0.0, 3.0)
    pale: Range = (0.0, 0.55)
    grey: Range = (0.0, 0.1)
    fray: Range = (0.5, 4.5)
    bed: float = 0.25
    shadow: Range = (0.0, 0.5)
    deep: Range = (0.7, 5.0)
    noise: Range = (0.0, 0.05)
    bits: float = 0.12
    compressed: float = 0.5
    quality: Range = (35.0, 96.0)
    missing: tuple[float, float] = (0.4, 0.12)

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name == "kinds":
                fine = min(value) >= 0 and sum(value) > 0
            elif field.name == "missing":
                fine = all(0 <= share <= 1 for share in value)
            elif isinstance(value, tuple):
                fine = 0 <= value[0] <= value[1] <= MOST
            else:
                fine = 0 <= value <= 1
            if not fine:
                raise InputError(
                    f"A shredding's {field.name} must be a share, or two ascending numbers from 0 "
                    f"to {MOST}; got {shown(value)}."
                )
        if self.scale[0] < LEAST:
            raise InputError(f"A shredding's scale must be {LEAST} or more; got {self.scale[0]}.")
