"""The history of a search: the best fitness after every generation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tessella.errors import InputError
from tessella.plots.figure import blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLES = ("-", "--", "-.", ":")


def history(runs: Sequence[Sequence[float]]) -> Figure:
    """Draw the best fitness of every run against its generations; the best run is the thick one."""
    drawn = [(number, run) for number, run in enumerate(runs, 1) if len(run)]
    if not drawn:
        raise InputError("A history needs at least one run with one generation; got none.")
    from matplotlib import colormaps
    from matplotlib.ticker import MaxNLocator

    best = max(drawn, key=lambda item: item[1][-1])[0]
    figure = blank(7, 3.2)
    axes = figure.add_subplot()
    for place, (number, run) in enumerate(drawn):
        shade = 0.05 + 0.75 * place / max(1, len(drawn) - 1)
        axes.plot(
            range(1, len(run) + 1),
            run,
            STYLES[place % len(STYLES)],
            color=colormaps["viridis"](shade),
            linewidth=2.2 if number == best else 1.0,
            label=f"run {number}: {run[-1]:.1f}" + (" (best)" if number == best else ""),
        )
    axes.set(xlabel="generation", ylabel="best fitness")
    axes.grid(color="0.9")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(drawn) > 1:
        axes.legend(frameon=False, fontsize="small", loc="lower right")
    return figure
