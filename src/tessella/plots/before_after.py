"""Before and after: the pieces as they came beside the picture they make."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement
from tessella.imaging.render import render, scrambled, shrunk
from tessella.plots.figure import blank
from tessella.puzzle import Puzzle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIDE = 1400
"""Longest side of a picture in a plot, in pixels."""


def before_after(puzzle: Puzzle, arrangement: Arrangement) -> Figure:
    """Draw the pieces in the order they came, then every sheet of `arrangement`."""
    pictures = [("as they came", scrambled(puzzle))]
    for number, sheet in enumerate(arrangement.sheets, 1):
        label = "reassembled" if len(arrangement.sheets) == 1 else f"sheet {number}"
        pictures.append((label, render(puzzle, sheet)))
    ratio = max(image.shape[0] / image.shape[1] for _, image in pictures)
    figure = blank(5 * len(pictures), min(max(5 * ratio, 1.2), 12) + 0.4)
    for axes, (label, image) in zip(figure.subplots(1, len(pictures)), pictures, strict=True):
        show(axes, image, label)
    return figure


def show(axes: Axes, image: NDArray[np.uint8], label: str) -> None:
    """Draw a picture without axes, its label above."""
    axes.imshow(shrunk(image, SIDE), interpolation="antialiased")
    axes.set_title(label)
    axes.set_axis_off()
