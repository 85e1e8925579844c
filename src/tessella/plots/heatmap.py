"""The heatmap of local fitness: how well every piece agrees with its neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.plots.viridis import viridis

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
