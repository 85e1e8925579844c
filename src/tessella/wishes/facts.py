"""What is known of a puzzle besides its pixels, as far as wishes depend on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tessella.panels import Panels
    from tessella.puzzle import Shape
    from tessella.solving import Job


@dataclass(frozen=True)
class Facts:
    """What decides which wishes can be met.

    Attributes
    ----------
    pieces, upright, square : how many there are, and how they may be turned
    shape : rows and columns of the sheet, or None where it is unknown: then only differences of
        rows and columns count
    sheets : how many there are, None where that is unknown
    flat : whether sheets are one row, as pages of strips are
    whole : whether every piece lies on a sheet; else some may be left over
    frames : rows and columns of the sheets that wishes call 0, 1, ..., where they differ or some
        are unknown; cells of these sheets count as they are
    """

    pieces: int
    upright: bool
    square: bool
    shape: Shape | None = None
    sheets: int | None = 1
    flat: bool = False
    whole: bool = True
    frames: tuple[Shape, ...] = ()

    @classmethod
    def of_job(cls, job: Job) -> Facts:
        """Return what a solver is told."""
        compatibility = job.compatibility
        flat = job.shape is None and not np.diff(compatibility.start)[1::2].any()
        facts = cls(
            compatibility.pieces, compatibility.upright, compatibility.square, job.shape, flat=flat
        )
        return facts.with_panels(job.panels)

    def with_panels(self, panels: Panels | None) -> Facts:
        """Return the same of a puzzle with several sheets, where there are `panels`.

        Where all sheets have one shape it is that of each; where they differ, or some are unknown,
        they are those of the sheets in the order in which wishes call them.
        """
        if panels is None:
            return self
        every = panels.count == len(panels.shapes) and len(set(panels.shapes)) == 1
        shape = panels.shapes[0] if every else None
        frames = () if every else panels.shapes
        return replace(self, shape=shape, sheets=panels.count, whole=False, frames=frames)

    @property
    def quarters(self) -> tuple[int, ...]:
        """The turns that pieces may have."""
        return (0,) if self.upright else (0, 1, 2, 3) if self.square else (0, 2)

    @property
    def shapes(self) -> tuple[Shape | None, ...]:
        """The shapes that a sheet may have: one that is known counts either way round if turned."""
        return self._either_way(self.shape)

    def shapes_of(self, number: int | None) -> tuple[Shape | None, ...]:
        """The shapes that the sheet may have that wishes call by a number; None: by no number."""
        if number is not None and number < len(self.frames):
            return self._either_way(self.frames[number])
        return self.shapes

    def _either_way(self, shape: Shape | None) -> tuple[Shape | None, ...]:
        if shape is None:
            return (None,)
        either = self.square and not self.upright and shape[0] != shape[1]
        return (shape, shape[::-1]) if either else (shape,)

    def inside(self, shape: Shape | None, row: int, col: int) -> bool:
        """Say whether a sheet of `shape` has a cell."""
        return shape is None or (0 <= row < shape[0] and 0 <= col < shape[1])
