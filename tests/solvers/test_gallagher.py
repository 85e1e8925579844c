from __future__ import annotations

import numpy as np
import pytest
import skimage.data

from tessella import registry
from tessella.adjust.ratio import Ratio
from tessella.arrangement import EMPTY
from tessella.compatibility import from_lists
from tessella.errors import InputError
from tessella.evidence import Evidence
from tessella.imaging.cut import cut
from tessella.measures.mgc import Mgc
from tessella.measuring import measure
from tessella.puzzle import Puzzle
from tessella.solvers.gallagher import Gallagher
from tessella.solving import Job


def compare(puzzle, **how):
    return Ratio().adjust(measure(puzzle, Mgc(), **how))


def lists(count, joins, upright=True):
    """Return compatibilities of which these joins, edges to scores, are all."""
    partner = np.full((4 * count, 4), -1, np.int32)
    value = np.zeros((4 * count, 4), np.float32)
    for (e, f), fit in joins.items():
        for a, b in ((e, f), (f, e)):
            k = int((partner[a] >= 0).sum())
            partner[a, k], value[a, k] = b, fit
    return from_lists(count, upright, True, partner, value)


def row(count):
    """Return compatibilities of pieces that follow each other in one row."""
    return lists(count, {(4 * p, 4 * p + 6): 0.9 for p in range(count - 1)})


@pytest.fixture(scope="module")
def chelsea():
    return skimage.data.chelsea()


def test_a_turned_answer_is_laid_the_way_it_was_asked_for(chelsea):
    for seed in range(4):
        puzzle, _ = cut(chelsea, 28, turned=True, seed=seed)
        found = Gallagher().solve(Job(Evidence(compare(puzzle)), puzzle.shape))
        assert found.arrangement.sheets[0].shape == puzzle.shape


def test_the_tree_is_trimmed_to_the_frame_that_holds_most_of_it():
    """A row of seven with a block of four at its end: the frame of 2 x 4 lies over the block."""
    joins = {(4 * p, 4 * p + 6): 0.9 for p in range(5)}
    joins |= {(4 * 4 + 3, 4 * 6 + 1): 0.8, (4 * 5 + 3, 4 * 7 + 1): 0.8, (4 * 6, 4 * 7 + 2): 0.8}
    (sheet,) = Gallagher().solve(Job(Evidence(lists(8, joins)), (2, 4))).arrangement.sheets
    np.testing.assert_array_equal(sheet.piece[0], [2, 3, 4, 5])
    np.testing.assert_array_equal(sheet.piece[1, 2:], [6, 7])
    assert set(sheet.piece[1, :2].tolist()) == {0, 1}


def test_holes_are_filled_with_what_suits_their_neighbours():
    """Piece 5 joins the top of piece 0 and is trimmed away; then it fills the free corner."""
    joins = {(0, 6): 0.9, (4, 10): 0.9, (3, 13): 0.9, (7, 17): 0.9}
    joins |= {(1, 23): 0.95, (16, 22): 0.3, (11, 21): 0.3}
    found = Gallagher().solve(Job(Evidence(lists(6, joins)), (2, 3))).arrangement
    np.testing.assert_array_equal(found.sheets[0].piece, [[0, 1, 2], [3, 4, 5]])


def test_an_unknown_shape_keeps_the_whole_tree_and_surrounds_it_with_the_rest():
    joins = {(4 * p, 4 * p + 6): 0.9 for p in range(4)} | {(4 * 6 + 3, 4 * 7 + 1): 0.9}
    (sheet,) = Gallagher().solve(Job(Evidence(lists(8, joins)), None)).arrangement.sheets
    where = {int(p): tuple(cell) for cell, p in np.ndenumerate(sheet.piece) if p != EMPTY}
    assert sorted(where) == list(range(8))
    first = where[0]
    assert [where[p] for p in range(5)] == [(first[0], first[1] + k) for k in range(5)]
    assert (sheet.piece != EMPTY).any(axis=0).all()
    assert (sheet.piece != EMPTY).any(axis=1).all()


def test_pieces_that_look_alike_are_joined_last_unless_asked_otherwise():
    """Edge 0 fits 6 and 10 alike, but 10 has no one else, and 6 has 16."""
    told = lists(5, {(0, 6): 1.0, (0, 10): 1.0, (16, 6): 0.9})

    def joined(order, seed):
        found = Gallagher(order=order).solve(Job(Evidence(told), None, seed=seed)).arrangement
        return [0, 6] in found.joins().tolist()

    assert {joined("margin", seed) for seed in range(20)} == {False}
    assert {joined("score", seed) for seed in range(20)} == {True, False}


def test_the_order_of_joins_is_one_of_two():
    assert registry.make("solver", "gallagher", {"order": "score"}) == Gallagher(order="score")
    with pytest.raises(InputError, match="order must be one of margin, score"):
        registry.make("solver", "gallagher", {"order": "luck"})


def test_the_seed_does_not_matter_where_pieces_can_be_told_apart(chelsea):
    puzzle, _ = cut(chelsea, 28, seed=6)
    told = compare(puzzle)
    one, two = (Gallagher().solve(Job(Evidence(told), puzzle.shape, seed=seed)) for seed in (0, 1))
    assert one.arrangement.same(two.arrangement)


def test_the_seed_decides_where_they_cannot():
    told = compare(Puzzle(np.full((12, 4, 4, 3), 90, np.uint8), upright=True))
    one, two = (Gallagher().solve(Job(Evidence(told), (3, 4), seed=seed)) for seed in (0, 1))
    assert not one.arrangement.same(two.arrangement)


@pytest.mark.parametrize("shape", [None, (20, 30), (1, 600)])
def test_a_stop_keeps_what_is_joined_and_fills_up_with_the_rest(shape):
    found = Gallagher().solve(Job(Evidence(row(600)), shape, stop=lambda: True))
    assert found.stopped
    np.testing.assert_array_equal(found.arrangement.placed(), np.arange(600))
    assert found.fitness > 5


def test_a_finished_answer_does_not_count_as_stopped():
    assert not Gallagher().solve(Job(Evidence(row(3)), (1, 3), stop=lambda: True)).stopped


def test_tells_how_many_joins_are_made(listener):
    Gallagher().solve(Job(Evidence(row(300)), None, watch=listener))
    assert listener.stages == [("joining", 299)]
    assert listener.steps == 299
