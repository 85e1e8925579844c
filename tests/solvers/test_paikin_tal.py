from __future__ import annotations

import numpy as np
import pytest
import skimage.data

from tessella import registry
from tessella.adjust.ratio import Ratio
from tessella.arrangement import EMPTY, Arrangement
from tessella.compatibility import from_lists
from tessella.errors import InputError
from tessella.evidence import Evidence
from tessella.imaging.cut import cut
from tessella.measures.l1 import L1
from tessella.measuring import measure
from tessella.metrics import score
from tessella.puzzle import Puzzle
from tessella.solvers.paikin_tal import PaikinTal
from tessella.solving import Job
from tessella.truth import Truth, edge_classes


def compare(puzzle, **how):
    return Ratio().adjust(measure(puzzle, L1(), **how))


def same_pieces(count, upright=True):
    """Return compatibilities of pieces that nobody can tell apart."""
    return compare(Puzzle(np.full((count, 4, 4, 3), 90, np.uint8), upright=upright))


def chain(count):
    """Return compatibilities of pieces that follow each other in one row."""
    partner = np.full((4 * count, 1), -1, np.int32)
    for i in range(count - 1):
        partner[4 * i, 0], partner[4 * i + 6, 0] = 4 * i + 6, 4 * i
    return from_lists(count, True, True, partner, np.ones((4 * count, 1), np.float32))


@pytest.fixture(scope="module")
def chelsea():
    return skimage.data.chelsea()


def without(puzzle, truth, lost):
    """Return what is left of a puzzle and its truth when some cells' pieces are lost."""
    sheet = truth.arrangement.sheets[0]
    gone = [sheet.piece[cell] for cell in lost]
    left = np.setdiff1d(np.arange(len(puzzle)), gone)
    name = np.full(len(puzzle), EMPTY)
    name[left] = np.arange(len(left))
    rest = Puzzle(puzzle.pieces[left], upright=puzzle.upright, shape=puzzle.shape)
    return rest, Truth(Arrangement.single(name[sheet.piece], sheet.turns), edge_classes(rest))


@pytest.mark.parametrize("turned", [True, False], ids=["turned", "upright"])
def test_missing_pieces_leave_their_cells_empty(chelsea, turned):
    lost = [(0, 3), (4, 4), (4, 5), (7, 10), (9, 15)]
    puzzle, truth = without(*cut(chelsea, 28, turned=turned, seed=4), lost)
    found = PaikinTal().solve(Job(Evidence(compare(puzzle)), puzzle.shape))
    (sheet,) = found.arrangement.sheets
    assert sheet.shape == puzzle.shape
    assert (sheet.piece == EMPTY).sum() == len(lost)
    assert score(found.arrangement, truth, upright=not turned, shape_known=True).perfect


def test_a_turned_answer_is_laid_the_way_it_was_asked_for(chelsea):
    puzzle, _ = cut(chelsea, 28, turned=True, seed=5)
    for seed in range(4):
        found = PaikinTal().solve(Job(Evidence(compare(puzzle)), puzzle.shape, seed=seed))
        assert found.arrangement.sheets[0].shape == puzzle.shape


def test_the_seed_does_not_matter_where_pieces_can_be_told_apart(chelsea):
    puzzle, _ = cut(chelsea, 28, seed=6)
    told = compare(puzzle)
    one, two = (PaikinTal().solve(Job(Evidence(told), puzzle.shape, seed=seed)) for seed in (0, 1))
    assert one.arrangement.same(two.arrangement)


def test_the_seed_decides_where_they_cannot():
    told = same_pieces(12)
    one, two = (PaikinTal().solve(Job(Evidence(told), (3, 4), seed=seed)) for seed in (0, 1))
    assert not one.arrangement.same(two.arrangement)
    assert one.fitness == two.fitness == 17


def test_pieces_that_can_be_told_apart_come_before_those_that_cannot():
    """Four pieces in a row, and beside them lie only pieces that nobody can tell apart."""
    partner = np.full((40, 6), -1, np.int32)
    score = np.zeros((40, 6), np.float32)
    for i in range(3):
        partner[4 * i, 0], partner[4 * i + 6, 0] = 4 * i + 6, 4 * i
        score[4 * i, 0] = score[4 * i + 6, 0] = 0.6
    alike = np.arange(4, 10)
    for piece in range(10):
        for side in (1, 3) if piece < 4 else range(4):
            others = [4 * p + (side + 2) % 4 for p in alike if p != piece][:6]
            partner[4 * piece + side, : len(others)] = others
            score[4 * piece + side, : len(others)] = 0.9
    told = from_lists(10, True, True, partner, score)
    for seed in range(5):
        sheet = PaikinTal().solve(Job(Evidence(told), None, seed=seed)).arrangement.sheets[0]
        row, col = np.argwhere(sheet.piece == 0)[0]
        assert sheet.piece[row, col : col + 4].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("upright", [True, False], ids=["upright", "turned"])
def test_pieces_all_alike_fill_the_shape(upright):
    found = PaikinTal().solve(Job(Evidence(same_pieces(12, upright)), (3, 4)))
    assert (found.arrangement.sheets[0].piece != EMPTY).all()


def test_a_row_longer_than_the_first_board_comes_back():
    found = PaikinTal().solve(Job(Evidence(chain(300)), None))
    np.testing.assert_array_equal(found.arrangement.sheets[0].piece, [np.arange(300)])


@pytest.mark.parametrize("shape", [None, (20, 15), (16, 20), (1, 300)])
def test_a_stop_keeps_what_is_placed_and_fills_up_with_the_rest(shape):
    found = PaikinTal().solve(Job(Evidence(chain(300)), shape, stop=lambda: True))
    assert found.stopped
    np.testing.assert_array_equal(found.arrangement.placed(), np.arange(300))
    assert found.fitness > 20
    (sheet,) = found.arrangement.sheets
    if shape is None:
        assert sheet.piece.size - 300 < sheet.shape[1]
    else:
        assert sheet.shape == shape


def test_a_finished_answer_does_not_count_as_stopped():
    assert not PaikinTal().solve(Job(Evidence(chain(3)), (1, 3), stop=lambda: True)).stopped


def test_tells_how_many_pieces_are_placed(listener):
    PaikinTal().solve(Job(Evidence(chain(300)), None, watch=listener))
    assert listener.stages == [("placing", 300)]
    assert listener.steps == 300


@pytest.mark.parametrize("foresight", [-0.1, float("nan"), float("inf")])
def test_foresight_is_a_number_from_zero_on(foresight):
    with pytest.raises(InputError, match="foresight must be 0 or more"):
        PaikinTal(foresight=foresight)


def test_foresight_can_be_set_by_name():
    assert registry.make("solver", "paikin_tal", {"foresight": "0"}) == PaikinTal(foresight=0)
