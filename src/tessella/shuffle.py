"""Permuting a puzzle before it is measured, so that the order of files cannot leak."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.puzzle import Puzzle


def permuted(puzzle: Puzzle, seed: int) -> tuple[Puzzle, NDArray[np.int32]]:
    """Return the puzzle with its pieces in random order, and that order.

    Returns
    -------
    the permuted puzzle, and ``order`` ``(N,)``: its piece k is piece ``order[k]`` of `puzzle`
    """
    order = np.random.default_rng(seed).permutation(len(puzzle)).astype(np.int32)
    return puzzle.reordered(order), order


def restore(arrangement: Arrangement, order: NDArray[np.int32]) -> Arrangement:
    """Return an arrangement of the permuted puzzle in the indices of the original one."""
    arrangement.fits(len(order))
    return Arrangement(tuple(_relabelled(sheet, order) for sheet in arrangement.sheets))


def _relabelled(sheet: Sheet, order: NDArray[np.int32]) -> Sheet:
    return Sheet(np.where(sheet.piece == EMPTY, EMPTY, order[sheet.piece]), sheet.turns)
