"""Ragged shreds: ink near both rims and the run of the blade, at the best vertical shift.

Two shreds that were neighbours have the same cut between them: what the rim of one does, the rim of
the other does too. The slow part of that is how a shred happens to lie bent on its bed, the
quickest part is fibres, so a band in between is compared, by its correlation. Ink is compared as
`ink` does, but over several columns behind the rim, where print is whole. Both are asked at every
vertical shift of a few pixels, since nobody lays shreds down level, and the best shift counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from tessella import edges
from tessella.errors import InputError
from tessella.kernels.border import GRAIN, sum_abs
from tessella.measuring import inside
from tessella.puzzle import Puzzle

_PARTS = 2  # ink, then contour
_STEP_MAX = 4.0  # pixels; a torn corner must not outvote the whole cut


@dataclass(frozen=True)
class Contour:
    """Shared ink minus ink that stands alone, plus `weight` times the contours' correlation.

    Attributes
    ----------
    penalty : weight of ink that finds none on the other side
    weight : of the correlation of the contours, in pixels of shared ink
    shift : how many pixels shreds may be shifted up or down against each other; at most a
        twentieth of their height
    depth, skip : how many columns of print are looked at, and how many at the rim are not; fewer
        where strips are narrow
    blur : of print, along the rim, in rows
    slow, quick : the band of contours that is compared, as widths of Gaussians in rows
    paper : grey from which on a pixel is paper, whatever its shade
    """

    penalty: float = 0.3
    weight: float = 400.0
    shift: int = 15
    depth: int = 6
    skip: int = 1
    blur: float = 2.0
    slow: float = 100.0
    quick: float = 4.0
    paper: int = 235

    def __post_init__(self) -> None:
        for name in ("penalty", "weight", "shift", "skip", "blur"):
            if not 0 <= getattr(self, name) < np.inf:
                raise InputError(f"Setting {name} must be 0 or more; got {getattr(self, name)}.")
        if self.depth < 1:
            raise InputError(f"Setting depth must be at least 1; got {self.depth}.")
        if not 0 < self.quick < self.slow:
            raise InputError("Setting quick must be more than 0 and less than slow.")
        if not 1 <= self.paper <= 255:
            raise InputError(f"Setting paper must be 1 to 255; got {self.paper}.")

    @property
    def distance(self) -> bool:
        """Scores are evidence, not distances."""
        return False

    def right(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float32]:
        """Return ink and contour, which is straight, of the right sides, ``(A, 2H)``."""
        return self._described(inside(pieces, eroded)[:, :, ::-1], None)

    def left(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float32]:
        """Return ink and contour, which is straight, of the left sides, ``(B, 2H)``."""
        return self._described(inside(pieces, eroded), None)

    def look(self, puzzle: Puzzle, which: NDArray[np.int32], direction: int) -> NDArray[np.float32]:
        """Return ink and contour of edges `which`, turned to face `direction`, ``(A, 2H)``."""
        seen = puzzle.facing(which, direction)
        if not puzzle.ragged:
            return (self.right if direction == edges.RIGHT else self.left)(seen, puzzle.eroded)
        run = np.zeros(seen.shape[:2])
        for row, edge in enumerate(which.tolist()):
            turns = edges.turns_to_face(edge % 4, direction)
            first, last = puzzle.rim(edge // 4, turns)
            run[row, : len(first)] = self._band(first, last, direction)
        return self._described(seen[:, :, ::-1] if direction == edges.RIGHT else seen, run)

    def _band(
        self, first: NDArray[np.int32], last: NDArray[np.int32], direction: int
    ) -> NDArray[np.float64]:
        """Return the compared band of one side's contour, 0 near the ends of the shred."""
        rim = (last if direction == edges.RIGHT else first).astype(np.float64)
        rows, some = np.arange(len(rim)), last > first
        if some.sum() < 2:
            return np.zeros(len(rim))
        rim = np.interp(rows, rows[some], rim[some])
        band = gaussian_filter1d(rim, self.quick) - gaussian_filter1d(rim, self.slow)
        ends = min(round(self.slow), len(rim) // 4)
        band[:ends] = band[len(rim) - ends :] = 0  # corners are torn, and filters see an edge
        return np.asarray(np.clip(band, -_STEP_MAX, _STEP_MAX))

    def _described(
        self, seen: NDArray[np.uint8], run: NDArray[np.float64] | None
    ) -> NDArray[np.float32]:
        """Return ink ``(A, H)`` beside contours of norm 1, the rim being the first column."""
        height, width = seen.shape[1:3]
        skip, depth = min(self.skip, width // 20), max(1, min(self.depth, width // 8))
        near = seen[:, :, skip : skip + depth].mean(axis=3, dtype=np.float32)
        ink = (np.clip(self.paper - near, 0, None) / self.paper).mean(axis=2)
        blur = min(self.blur, height / 200)
        if blur > 0.1:
            ink = gaussian_filter1d(ink, blur, axis=1, mode="constant")
        contour = np.zeros(ink.shape) if run is None else run
        norm = np.sqrt((contour * contour).sum(axis=1, keepdims=True))
        contour = np.divide(contour, norm, out=np.zeros_like(contour), where=norm > 0)
        return np.hstack([ink, contour]).astype(np.float32)

    def raw(self, right: NDArray[np.float32], left: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the evidence for every pair at its best shift, ``(A, B)``."""
        height = right.shape[1] // _PARTS
        most = min(self.shift, height // 20)
        best = np.full((len(right), len(left)), -np.inf, np.float32)
        ink, run = np.ascontiguousarray(right[:, :height]), right[:, height:]
        for shift in range(-most, most + 1):
            other = _shifted(left[:, :height], shift)
            apart = np.empty_like(best)
            sum_abs(ink, other, apart)
            held = ink.sum(axis=1)[:, None] + other.sum(axis=1)
            evidence = held / 2 - (0.5 + self.penalty) * apart
            if self.weight:
                evidence += self.weight * (run @ _shifted(left[:, height:], shift).T)
            np.maximum(best, evidence, out=best)
        return np.asarray(np.rint(best / GRAIN) * GRAIN, np.float32)

    def score(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        """Return the evidence as it is."""
        return raw.astype(np.float32)


def _shifted(rows: NDArray[np.float32], by: int) -> NDArray[np.float32]:
    """Return `rows` ``(B, H)`` moved down by `by` pixels, blank where nothing came from."""
    out = np.zeros_like(rows)
    if by >= 0:
        out[:, by:] = rows[:, : rows.shape[1] - by]
    else:
        out[:, :by] = rows[:, -by:]
    return out
