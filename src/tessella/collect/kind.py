"""Whether a picture shows strips or tiles, by their outlines."""

from __future__ import annotations

import numpy as np
from PIL import Image

from tessella.collect.bed import Bed, find_bed
from tessella.collect.paper import paper_mask
from tessella.collect.quad import outline_points, smallest_box
from tessella.collect.separate import blobs_of
from tessella.collect.source import Source
from tessella.errors import InputError

LOOK = 900
"""Pixels of the longer side that are enough to see outlines."""

LONG = 3.5
"""How many times as long as wide what strips are made of is."""

MOST = 0.6
"""Of all that is not bed; where so much of it is long and narrow, they are strips."""


def guess_kind(source: Source, bed: Bed | None = None) -> str:
    """Return "strips" or "tiles"."""
    picture = Image.fromarray(source.image)
    picture.thumbnail((LOOK, LOOK), Image.Resampling.BOX)
    small = np.array(picture)
    try:
        mask = paper_mask(small, bed or find_bed(small))
    except InputError:  # no one colour at the border: a table
        return "tiles"
    long = all_of_it = 0.0
    for blob in blobs_of(mask, 0.001 * mask.size):
        own = np.pad(blob.mask, 1)
        box = smallest_box(outline_points(own))
        sides = np.linalg.norm(np.diff(box[:3], axis=0), axis=1)
        # what fills the picture like a frame is long in no direction
        fills = own.sum() > 0.5 * float(np.prod(sides))
        all_of_it += float(own.sum())
        long += float(own.sum()) * bool(fills and max(sides) > LONG * min(sides))
    return "strips" if all_of_it and long > MOST * all_of_it else "tiles"
