"""An arrangement on a board with a rim is the same arrangement."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.kernels.rim import fold, unfold


@pytest.mark.parametrize("empty", [0, 3])
def test_what_is_laid_out_is_read_off_again(laid_out, empty):
    piece, turns = laid_out(4, 5, empty, False, 1)
    cells, pieces = 6 * 7, 20 - empty
    laid, lies = np.full(cells, -1, np.int32), np.zeros(pieces, np.int32)
    queue, waiting = np.zeros(cells, np.int64), np.zeros(cells, np.uint8)
    assert unfold(piece, turns, laid, lies, queue, waiting) == pieces
    board = laid.reshape(6, 7)
    assert (board[[0, -1]] == -1).all()
    assert (board[:, [0, -1]] == -1).all()
    assert (laid[lies] >> 2 == np.arange(pieces)).all()
    assert sorted(queue[:pieces]) == sorted(lies)
    assert (waiting == (laid >= 0)).all()
    found = np.zeros_like(piece), np.ones_like(turns)
    fold(laid, *found)
    assert (found[0] == piece).all()
    assert (found[1] == np.where(piece < 0, 0, turns)).all()


def test_compiled_and_plain_agree(laid_out):
    piece, turns = laid_out(3, 4, 2, False, 2)
    made = []
    for lay, read in ((unfold, fold), (unfold.py_func, fold.py_func)):
        laid, lies = np.full(30, -1, np.int32), np.zeros(10, np.int32)
        queue, waiting = np.zeros(30, np.int64), np.zeros(30, np.uint8)
        lay(piece, turns, laid, lies, queue, waiting)
        found = np.zeros_like(piece), np.zeros_like(turns)
        read(laid, *found)
        made.append((laid, lies, queue, waiting, *found))
    for fast, slow in zip(*made, strict=True):
        assert (fast == slow).all()
