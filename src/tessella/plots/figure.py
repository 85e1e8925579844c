"""Blank figures and how they become PNG; matplotlib is imported only when one is asked for."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 150
MARKERS = "osD^vPX*<>"
"""They tell curves apart without colour."""


def blank(width: float, height: float) -> Figure:
    """Return an empty figure of `width` x `height` inches, free of any global state."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=DPI, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def png(figure: Figure, dpi: int = DPI) -> bytes:
    """Return `figure` as a PNG file."""
    buffer = io.BytesIO()
    # Without this the file would tell which version drew it, and never be the same twice.
    figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()
