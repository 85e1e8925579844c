"""Permuting hides the order of files; restoring gives it back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.arrangement import Arrangement
from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.puzzle import Puzzle
from tessella.shuffle import permuted, restore


def puzzle_of(count: int) -> Puzzle:
    pieces = np.arange(count * 48, dtype=np.int64).reshape(count, 4, 4, 3).astype(np.uint8)
    names = tuple(f"tile {i}.png" for i in range(count))
    return Puzzle(pieces, upright=False, shape=(2, count), eroded=1, names=names)


def test_everything_but_the_order_stays():
    puzzle = puzzle_of(12)
    shuffled, order = permuted(puzzle, 7)
    assert sorted(order.tolist()) == list(range(12))
    assert order.tolist() != list(range(12))
    assert np.array_equal(shuffled.pieces, puzzle.pieces[order])
    assert shuffled.names == tuple(puzzle.names[i] for i in order)
    assert (shuffled.upright, shuffled.shape, shuffled.eroded) == (False, (2, 12), 1)


def test_the_seed_decides_the_order():
    orders = [permuted(puzzle_of(12), seed)[1].tolist() for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]


@settings(max_examples=25, deadline=None)
@given(count=st.integers(2, 12), seed=st.integers(0, 1000))
def test_relabelling_pieces_relabels_the_answer(count, seed):
    image = np.random.default_rng(seed).integers(0, 256, (4, 4 * count, 3), dtype=np.uint8)
    puzzle, truth = cut(image, 4, turned=True, seed=seed)
    shuffled, order = permuted(puzzle, seed + 1)
    (sheet,) = truth.arrangement.sheets
    where = np.argsort(order)
    answer = Arrangement.single(where[sheet.piece], sheet.turns)
    again = restore(answer, order)
    assert again.same(truth.arrangement)
    assert [shuffled.names[p] for p in answer.sheets[0].piece.flat] == [
        puzzle.names[p] for p in again.sheets[0].piece.flat
    ]


def test_empty_cells_and_turns_stay_where_they_are():
    order = np.array([2, 0, 1], np.int32)
    answer = Arrangement.single(np.array([[0, -1], [2, 1]]), np.array([[1, 0], [3, 2]]))
    (sheet,) = restore(answer, order).sheets
    assert sheet.piece.tolist() == [[2, -1], [1, 0]]
    assert sheet.turns.tolist() == [[1, 0], [3, 2]]


def test_an_answer_to_a_larger_puzzle_is_refused():
    order = np.array([1, 0], np.int32)
    with pytest.raises(InputError, match="piece 2"):
        restore(Arrangement.single([[0, 2]]), order)
