"""The evolution strip: from scrambled to reconstructed."""

import numpy as np
import pytest

from tessella.arrangement import EMPTY, Arrangement
from tessella.errors import InputError
from tessella.plots.evolution import as_they_came, frames
from tessella.puzzle import Puzzle
from tessella.watch import Generation


def halves(truth, count):
    """Return arrangements whose first `k` of `count` parts are right, as generations."""
    piece = truth.arrangement.sheets[0].piece
    turns = truth.arrangement.sheets[0].turns
    rng = np.random.default_rng(0)
    for k in range(count):
        cells = piece.ravel().copy()
        wrong = np.arange(piece.size * k // count, piece.size)
        cells[wrong] = rng.permutation(cells[wrong])
        yield k, Arrangement.single(cells.reshape(piece.shape), turns)


@pytest.fixture
def told(solved):
    puzzle, truth, compatibility = solved
    generations = [Generation(0, k, compatibility.fitness(a), 0, a) for k, a in halves(truth, 10)]
    return puzzle, compatibility, generations, truth.arrangement


def test_the_strip_goes_from_scrambled_to_reconstructed(told):
    shown = frames(*told, count=5)
    assert shown[0].label == "scrambled"
    assert shown[-1].label == "reconstructed"
    assert shown[-1].arrangement is told[3]
    assert len(shown) <= 5


def test_fitness_never_falls_along_the_strip(told):
    fitness = [frame.fitness for frame in frames(*told, count=6)]
    assert fitness == sorted(fitness)


def test_no_generation_is_shown_twice(told):
    labels = [frame.label for frame in frames(*told, count=40)]
    assert len(labels) == len(set(labels))


def test_generations_without_a_snapshot_are_passed_over(told):
    puzzle, compatibility, _, final = told
    silent = [Generation(0, 0, 1.0, 0)]
    labels = [frame.label for frame in frames(puzzle, compatibility, silent, final)]
    assert labels == ["scrambled", "reconstructed"]


def test_a_strip_of_one_frame_is_refused(told):
    with pytest.raises(InputError, match="at least 2 frames; got 1"):
        frames(*told, count=1)


@pytest.mark.parametrize(("count", "shape"), [(1, (1, 1)), (5, (2, 3)), (9, (3, 3))])
def test_pieces_of_unknown_shape_are_laid_out_in_a_near_square(count, shape):
    puzzle = Puzzle(np.zeros((count, 4, 4, 3), np.uint8))
    sheet = as_they_came(puzzle).sheets[0]
    assert sheet.shape == shape
    assert sheet.piece[sheet.piece != EMPTY].tolist() == list(range(count))
