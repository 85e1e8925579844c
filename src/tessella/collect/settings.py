"""What a person may say about the pictures that pieces are collected from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from tessella.collect.bed import read_colour
from tessella.collect.piece import Point
from tessella.errors import InputError
from tessella.puzzle import Shape

KINDS = ("auto", "strips", "tiles", "panel")
DPI = 300
"""Pixels an inch of strips, where a scan has more and nobody says otherwise."""

SIDE = (16, 2048)
"""Pixels a side that tiles may come out with."""


@dataclass(frozen=True)
class Settings:
    """How to collect.

    Attributes
    ----------
    kind : one of `KINDS`
    dpi : pixels an inch of the pieces; None leaves them at the resolution of the pictures, strips
        at most at `DPI`
    tile_mm : the side of a tile in millimetres
    marker_mm : the side of a marker's black frame in millimetres
    inset : part of a tile's side that is cropped at every side, to lie inside the joint
    bed : a colour, or "auto"
    shape : rows and columns of a panel
    corners : of a panel in pixels of its file: top left, top right, bottom right, bottom left
    """

    kind: str = "auto"
    dpi: int | None = None
    tile_mm: float | None = None
    inset: float = 0.0
    bed: str = "auto"
    shape: Shape | None = None
    corners: tuple[Point, ...] = ()
    marker_mm: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"--kind must be one of {', '.join(KINDS)}; got {self.kind!r}.")
        if self.dpi is not None and not 20 <= self.dpi <= 2400:
            raise InputError(f"--dpi must be 20 to 2400; got {self.dpi}.")
        if self.tile_mm is not None and not 1 <= self.tile_mm <= 2000:
            raise InputError(f"--tile-mm must be 1 to 2000 millimetres; got {self.tile_mm}.")
        if self.marker_mm is not None:
            if not 1 <= self.marker_mm <= 2000:
                raise InputError(
                    f"--marker-mm must be 1 to 2000 millimetres; got {self.marker_mm}."
                )
            if self.kind in ("strips", "panel"):
                raise InputError(f"--marker-mm is for tiles, not for --kind {self.kind}.")
        if not 0 <= self.inset <= 0.2:
            raise InputError(f"--inset must be 0 to 0.2 of a tile's side; got {self.inset}.")
        read_colour(self.bed)
        self._check_panel()

    def _check_panel(self) -> None:
        described = self.shape is not None or bool(self.corners)
        if self.kind != "panel":
            if described:
                raise InputError("--shape and --corners are for --kind panel; leave them out.")
            return
        if self.shape is None or len(self.corners) != 4:
            raise InputError(
                "--kind panel needs --shape RxC and four times --corners X,Y: top left, top "
                f"right, bottom right, bottom left; got {len(self.corners)} corners."
            )
        rows, cols = self.shape
        if min(rows, cols) < 1 or not 2 <= rows * cols <= 100_000:
            raise InputError(f"--shape must name 2 to 100,000 tiles; got {rows}x{cols}.")
        if self.dpi is not None and self.tile_mm is None:
            raise InputError(
                "--dpi needs to know how large a tile of the panel is: give --tile-mm."
            )

    def to_json(self) -> dict[str, Any]:
        """Return the recipe for ``collect.json``."""
        return asdict(self)
