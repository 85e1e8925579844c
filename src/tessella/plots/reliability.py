"""Reliability curves: how often what is said to be so likely is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tessella.errors import InputError
from tessella.plots.figure import MARKERS, blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = 10
"""Bins of equal count."""

Judged = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""What was said, and whether it was right, ``(J,)`` each."""


def binned(
    said: NDArray[np.float64], right: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean of what was said, and how much was right, in bins of equal count."""
    parts = [p for p in np.array_split(np.argsort(said, kind="stable"), POINTS) if len(p)]
    return np.array([said[p].mean() for p in parts]), np.array([right[p].mean() for p in parts])


def reliability(groups: Mapping[str, Judged]) -> Figure:
    """Draw what was right against what was said; on the diagonal every word is kept."""
    if not groups or any(len(said) == 0 for said, _ in groups.values()):
        raise InputError("Reliability curves need at least one group with at least one join.")
    from matplotlib import colormaps

    figure = blank(5.2, 4.8)
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="0.6", linewidth=1, linestyle="--")
    for place, (name, judged) in enumerate(groups.items()):
        axes.plot(
            *binned(*judged),
            marker=MARKERS[place % len(MARKERS)],
            color=colormaps["viridis"](0.85 * place / max(1, len(groups) - 1)),
            linewidth=1.4,
            markersize=4,
            label=name,
        )
    axes.set(xlabel="said to be right with chance", ylabel="right", xlim=(0, 1), ylim=(0, 1.01))
    axes.grid(color="0.9")
    axes.legend(frameon=False, fontsize="small", loc="upper left")
    return figure
