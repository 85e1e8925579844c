"""What markers of known size say of a photograph: its scale, its perspective, where no tile is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from tessella.collect.markers import MODULES, Marker
from tessella.collect.plane import find_plane, times_as_long
from tessella.collect.quad import filled_quad, side_length

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

LIKE = 48
"""Greys by which paper around a marker differs from itself, in another light."""

CARD = 0.2
"""Of the picture; paper that has more of it, or reaches its border, is the table."""

ROUND = 4
"""Pixels of the small copy around a card that are its edge."""

_RING = (1.08, 1.25)  # of a marker's side: the paper around it that is looked at


@dataclass(frozen=True, eq=False)
class Ruler:
    """The markers of a photograph.

    Attributes
    ----------
    markers : of it; all are of one size
    tile : a tile's side in sides of a marker; None where nobody said
    """

    markers: tuple[Marker, ...] = ()
    tile: float | None = None

    def hidden(self, small: NDArray[np.uint8], scale: float) -> Mask:
        """Return where markers and the cards they are printed on lie in a small copy, ``(h, w)``.

        Parameters
        ----------
        scale : pixels of the copy for one pixel of the photograph
        """
        mask = np.zeros(small.shape[:2], np.bool_)
        for marker in self.markers:
            mask |= _card(small, marker.corners * scale)
        return mask if not mask.any() else scipy.ndimage.binary_dilation(mask, iterations=ROUND)

    def plane(self, scale: float) -> Floats | None:
        """Return the homography that makes markers unit squares, of pixels of a small copy."""
        if not self.markers:
            return None
        return find_plane(np.array([marker.corners for marker in self.markers]) * scale)

    def sides(self, quads: Sequence[Floats]) -> float | None:
        """Return a tile's side in sides of a marker, told by tiles' corners ``(4, 2)``."""
        if not self.markers or not quads:
            return None
        plane = find_plane(np.array(quads))
        if plane is None:
            return None
        return times_as_long(plane, np.array(quads), np.array([m.corners for m in self.markers]))


def _card(small: NDArray[np.uint8], quad: Floats) -> Mask:
    """Return where a marker lies, and the paper around it that is no table."""
    outer, inner = (_grown(quad, by) for by in _RING[::-1])
    size = (small.shape[0], small.shape[1])
    covered = filled_quad(outer, size)
    ring = covered & ~filled_quad(inner, size)
    if not ring.any():
        return covered
    paper = np.median(small[ring], axis=0)
    near = (np.abs(small - paper) < LIKE).all(axis=-1) | covered
    parts, _ = scipy.ndimage.label(near)
    number = int(np.bincount(parts[covered]).argmax())
    card = np.asarray(parts == number)
    border = np.concatenate([card[0], card[-1], card[:, 0], card[:, -1]])
    if border.any() or card.mean() > CARD:
        return covered
    holes, _ = scipy.ndimage.label(scipy.ndimage.binary_fill_holes(card) & ~card)
    print_most = (side_length(quad) * (1 + 2 / MODULES)) ** 2
    printed = np.bincount(holes.ravel()) < print_most
    printed[0] = False
    return np.asarray(card | printed[holes])


def _grown(quad: Floats, by: float) -> Floats:
    centre = quad.mean(axis=0)
    return np.asarray(centre + (quad - centre) * by)
