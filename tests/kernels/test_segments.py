from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella.arrangement import Arrangement
from tessella.kernels.segments import segments, share_of_buddies


def random_case(rows, cols, seed, share=0.6):
    """Return an arrangement with a free rim, and best buddies of which some lie together."""
    rng = np.random.default_rng(seed)
    piece = rng.permutation(rows * cols).reshape(rows, cols).astype(np.int32)
    piece[(rng.random(piece.shape) < 0.1) & (piece > 0)] = -1
    turns = rng.integers(0, 4, piece.shape).astype(np.int32)
    buddy = np.full(4 * rows * cols, -1, np.int32)
    for e, f in Arrangement.single(piece, turns).joins().tolist():
        if rng.random() < share:
            buddy[e], buddy[f] = f, e
    return np.pad(piece, 1, constant_values=-1), np.pad(turns, 1), buddy


def around(cell):
    row, col = cell
    return [(row, col + 1), (row - 1, col), (row, col - 1), (row + 1, col)]


def plain_segments(piece, turns, buddy):
    """Return the segments as lists of cells, written plainly."""
    cells = {(int(r), int(c)) for r, c in np.argwhere(piece >= 0)}

    def edge(cell, side):
        return 4 * int(piece[cell]) + (side - int(turns[cell])) % 4

    def together(cell, side):
        return buddy[edge(cell, side)] == edge(around(cell)[side], side + 2)

    found, free = [], set(cells)
    for first in sorted(cells):
        if first not in free:
            continue
        free.discard(first)
        grown, waiting = {first}, [first]
        while waiting:
            for cell in around(waiting.pop()):
                joins = [together(cell, s) for s, n in enumerate(around(cell)) if n in grown]
                if cell in free and sum(joins) > len(joins) / 2:
                    free.discard(cell)
                    grown.add(cell)
                    waiting.append(cell)
        found.append(grown)
    return found


@given(rows=st.integers(1, 6), cols=st.integers(1, 6), seed=st.integers(0, 2**31 - 1))
def test_grows_as_its_plain_twin_does(rows, cols, seed):
    case = random_case(rows, cols, seed)
    label = segments(*case)
    plain = plain_segments(*case)
    assert (label >= 0).sum() == sum(map(len, plain))
    for number, cells in enumerate(plain):
        assert {(int(r), int(c)) for r, c in np.argwhere(label == number)} == cells


def test_all_best_buddies_are_one_segment():
    piece = np.pad(np.arange(12, dtype=np.int32).reshape(3, 4), 1, constant_values=-1)
    buddy = np.full(48, -1, np.int32)
    for e, f in Arrangement.single(piece).joins().tolist():
        buddy[e], buddy[f] = f, e
    label = segments(piece, np.zeros_like(piece), buddy)
    np.testing.assert_array_equal(label, np.where(piece >= 0, 0, -1))


@pytest.mark.parametrize(("buddies", "whole"), [(1, False), (2, True)])
def test_a_piece_needs_best_buddies_at_more_than_half_of_its_joins(buddies, whole):
    """Pieces 0, 1 and 2 lie in an L; piece 3 closes the square with two joins."""
    piece = np.pad(np.array([[0, 1], [2, 3]], np.int32), 1, constant_values=-1)
    buddy = np.full(16, -1, np.int32)
    for e, f in [(0, 6), (3, 9), (7, 13), (8, 14)][: 2 + buddies]:
        buddy[e], buddy[f] = f, e
    label = segments(piece, np.zeros_like(piece), buddy)
    assert label[1, 1] == label[1, 2] == label[2, 1]
    assert (label[2, 2] == label[1, 1]) == whole


@pytest.mark.parametrize("seed", range(5))
def test_the_share_of_best_buddies_counts_every_join_once(seed):
    piece, turns, buddy = random_case(4, 5, seed)
    joins = Arrangement.single(piece, turns).joins()
    expected = np.mean(buddy[joins[:, 0]] == joins[:, 1])
    assert share_of_buddies(piece, turns, buddy) == pytest.approx(expected)


def test_a_piece_alone_has_no_join_that_could_be_wrong():
    alone = np.pad(np.zeros((1, 1), np.int32), 1, constant_values=-1)
    assert share_of_buddies(alone, np.zeros_like(alone), np.full(4, -1, np.int32)) == 1
