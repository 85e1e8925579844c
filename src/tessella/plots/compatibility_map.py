"""The compatibility map: every piece's right side against every other piece.

After the paper's Appendix A. Pieces are numbered in reading order of an arrangement, so the true
partners stand just above the diagonal when the arrangement is the true one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Sheet
from tessella.compatibility import Compatibility
from tessella.edges import LEFT, RIGHT
from tessella.errors import InputError
from tessella.plots.figure import blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 3000
"""Pieces above which the map, of as many rows and columns, is refused."""


def table(compatibility: Compatibility, sheet: Sheet) -> NDArray[np.float32]:
    """Return what the map shows: anchors down, candidates to their right across, ``(n, n)``.

    Pieces are turned as `sheet` turns them. The diagonal, a piece beside itself, is nan.
    """
    right = sheet.edges_facing(RIGHT).ravel()
    left = sheet.edges_facing(LEFT).ravel()
    anchor, candidate = right[right >= 0], left[left >= 0]
    count = len(anchor)
    if count > MOST:
        raise InputError(f"A compatibility map shows at most {MOST} pieces; got {count}.")
    pairs = np.stack(np.broadcast_arrays(anchor[:, None], candidate[None, :]), -1)
    told = compatibility.of(pairs.reshape(-1, 2)).reshape(count, count)
    np.fill_diagonal(told, np.nan)
    return told


def compatibility_map(compatibility: Compatibility, sheet: Sheet) -> Figure:
    """Draw the compatibility of every piece's right side with every other piece's left side."""
    told = table(compatibility, sheet)
    count = len(told)
    figure = blank(6.6, 5.6)
    axes = figure.add_subplot()
    extent = (0.5, count + 0.5, count + 0.5, 0.5)
    # Nearest keeps the one-pixel diagonal; averaging would fade it on large puzzles.
    shown = axes.imshow(
        told, cmap="viridis", vmin=0, vmax=1, interpolation="nearest", extent=extent
    )
    axes.set_facecolor("0.82")
    axes.set(xlabel="candidate piece, in reading order", ylabel="anchor piece, in reading order")
    axes.set_title("compatibility with the anchor's right side")
    figure.colorbar(shown, ax=axes, label="compatibility", fraction=0.046, pad=0.02)
    return figure
