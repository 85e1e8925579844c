"""The heatmap of local fitness: how well every piece agrees with its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from tessella.plots.figure import blank
from tessella.plots.viridis import viridis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

MAP = "viridis"
EMPTY_GREY = 0.82


@dataclass(frozen=True)
class Scale:
    """The values that the darkest and the brightest colour stand for."""

    low: float = 0.0
    high: float = 1.0


def scale_of(*fitness: NDArray[np.float64], left_out: float = 0.01) -> Scale:
    """Return a scale that serves all of `fitness`, so that brightness can be compared.

    It spans the values that occur, since adjustments differ in which part of [0, 1] they use, but
    never less than a tenth of the best, so that trifles stay pale; `left_out` is the share of
    pieces that may lie below it.
    """
    known = np.concatenate([values[np.isfinite(values)] for values in fitness])
    if len(known) == 0 or known.max() <= 0:
        return Scale()
    high = float(known.max())
    return Scale(min(float(np.quantile(known, left_out)), 0.9 * high), high)


def colours(fitness: NDArray[np.float64], scale: Scale) -> NDArray[np.uint8]:
    """Return the colour of every cell, grey where there is nothing to tell, ``(rows, cols, 3)``."""
    share = (fitness - scale.low) / (scale.high - scale.low)
    shades = viridis(np.nan_to_num(share))
    shades[np.isnan(fitness)] = round(255 * EMPTY_GREY)
    return shades


def heatmap(
    fitness: NDArray[np.float64],
    *,
    cell: tuple[int, int] = (1, 1),
    scale: Scale | None = None,
    title: str = "",
) -> Figure:
    """Draw local fitness ``(rows, cols)`` with a colour bar; brighter fits better.

    Parameters
    ----------
    cell : height and width of a cell, so that the map has the picture's proportions
    scale : what the colours stand for; from the values when not given
    """
    rows, cols = fitness.shape
    ratio = float(np.clip(rows * cell[0] / (cols * cell[1]), 0.2, 2.5))
    width = 7.5 if ratio < 1.2 else 5.5
    figure = blank(width, float(np.clip((width - 1.2) * ratio + 0.7, 2.2, 11)))
    axes = figure.add_subplot()
    shown = draw(axes, fitness, cell, scale or scale_of(fitness))
    axes.set(xlabel="column", ylabel="row", title=title)
    bar = figure.colorbar(shown, ax=axes, extend="min", fraction=0.05, pad=0.02)
    bar.set_label("local fitness")
    return figure


def draw(
    axes: Axes, fitness: NDArray[np.float64], cell: tuple[int, int], scale: Scale
) -> AxesImage:
    """Draw the cells of a heatmap into `axes`; rows and columns count from 1."""
    from matplotlib import colormaps
    from matplotlib.ticker import MaxNLocator

    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    tinted = colormaps[MAP].with_extremes(bad=str(EMPTY_GREY))
    rows, cols = fitness.shape
    proportion = cell[0] / cell[1]
    aspect: float | Literal["auto"] = proportion
    if not 0.2 <= rows / cols * proportion <= 2.5:
        aspect = "auto"
    return axes.imshow(
        np.ma.masked_invalid(fitness),
        cmap=tinted,
        vmin=scale.low,
        vmax=scale.high,
        aspect=aspect,
        interpolation="nearest",
        extent=(0.5, cols + 0.5, rows + 0.5, 0.5),
    )
