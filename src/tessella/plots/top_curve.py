"""Top-i curves: how often the true partner is among the i best, for several measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tessella.errors import InputError
from tessella.plots.figure import blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKERS = "osD^vPX*<>"


@dataclass(frozen=True, eq=False)
class Curve:
    """One measure's Top-1, Top-2, ... as fractions, under the name it is shown by."""

    label: str
    top: NDArray[np.float64]


def top_curve(curves: Sequence[Curve], title: str = "") -> Figure:
    """Draw Top-i against i, in percent; markers tell the curves apart without colour."""
    if not curves or any(len(curve.top) == 0 for curve in curves):
        raise InputError("Top-i curves need at least one measure with at least Top-1.")
    from matplotlib import colormaps
    from matplotlib.ticker import MaxNLocator

    figure = blank(6.5, 4.2)
    axes = figure.add_subplot()
    for place, curve in enumerate(sorted(curves, key=lambda c: -float(c.top[0]))):
        axes.plot(
            np.arange(1, len(curve.top) + 1),
            100 * curve.top,
            marker=MARKERS[place % len(MARKERS)],
            color=colormaps["viridis"](0.85 * place / max(1, len(curves) - 1)),
            linewidth=1.4,
            markersize=4,
            label=f"{curve.label} ({100 * curve.top[0]:.1f} % Top-1)",
        )
    axes.set(xlabel="i", ylabel="true partner among the i best (%)", title=title)
    axes.set_ylim(top=100.5)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(color="0.9")
    axes.legend(frameon=False, fontsize="small", loc="lower right")
    return figure
