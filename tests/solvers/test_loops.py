from __future__ import annotations

import numpy as np
import pytest
import skimage.data

from tessella import registry
from tessella.adjust.ratio import Ratio
from tessella.errors import InputError
from tessella.evidence import Evidence
from tessella.imaging.cut import cut
from tessella.measures.mgc import Mgc
from tessella.measuring import measure
from tessella.puzzle import Puzzle
from tessella.solvers import loops
from tessella.solvers._matching import Candidates
from tessella.solvers.loops import Loops
from tessella.solving import Job


def compare(puzzle, **how):
    return Ratio().adjust(measure(puzzle, Mgc(), **how))


def levels_of(told, turn_step=4, order=6):
    """Return the blocks of all orders, from single pieces on."""
    pair = Candidates.best(told, 5).near(1.15).pair
    levels = [loops._smallest(told, pair, turn_step)]
    while len(levels) < order:
        levels.append(loops._next(told, levels[-1]))
    return levels


@pytest.fixture(scope="module")
def chelsea():
    return skimage.data.chelsea()


@pytest.mark.parametrize("upright", [True, False], ids=["upright", "turned"])
def test_pieces_all_alike_fill_the_shape(upright):
    puzzle = Puzzle(np.full((12, 4, 4, 3), 90, np.uint8), upright=upright)
    found = Loops().solve(Job(Evidence(compare(puzzle)), (3, 4)))
    assert (found.arrangement.sheets[0].piece >= 0).all()


def test_every_square_part_of_a_picture_is_a_loop_of_its_order(told_of, grid):
    """In 4 x 5 pieces there are 3 x 4 squares of side 2, and so on; none of side 5."""
    levels = levels_of(told_of(20, grid(4, 5)))
    assert [len(level.cell) for level in levels[1:]] == [12, 6, 2, 0, 0]
    pieces = np.arange(20).reshape(4, 5)
    found = {tuple(block.ravel().tolist()) for block in levels[2].cell // 4}
    assert found == {
        tuple(pieces[r : r + 3, c : c + 3].ravel().tolist()) for r in range(2) for c in range(3)
    }


def test_turned_pieces_make_every_loop_in_four_turns(told_of, grid):
    levels = levels_of(told_of(20, grid(4, 5), upright=False), turn_step=1)
    assert [len(level.cell) for level in levels[1:5]] == [4 * 12, 4 * 6, 4 * 2, 0]
    turns = levels[3].cell % 4
    assert (turns == turns[:, :1, :1]).all()
    assert sorted(turns[:, 0, 0]) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_a_missing_match_breaks_the_loops_around_it(told_of, grid):
    pairs = grid(4, 5)
    del pairs[(4 * 6, 4 * 6 + 6)]  # in the second row: one square above it, one below
    assert [len(level.cell) for level in levels_of(told_of(20, pairs))[1:4]] == [10, 2, 0]


def test_a_loop_scores_the_mean_of_what_it_is_made_of(told_of, grid):
    pairs = grid(3, 3, 0.8)
    pairs[(0, 6)] = 0.4
    levels = levels_of(told_of(9, pairs))
    np.testing.assert_allclose(np.sort(levels[1].score), [0.7, 0.8, 0.8, 0.8], rtol=1e-5)
    np.testing.assert_allclose(levels[2].score, [0.775], rtol=1e-5)


def test_a_closed_loop_is_believed_before_a_better_match_that_closes_none(told_of, grid):
    """Piece 9 fits the right side of 1 better than 2 does, but nothing else around it."""
    told = told_of(10, grid(3, 3, 0.5) | {(4, 4 * 9 + 2): 0.99})
    found = Loops(slack=50).solve(Job(Evidence(told), None))
    joins = {frozenset(pair) for pair in found.arrangement.joins().tolist()}
    assert {frozenset(pair) for pair in grid(3, 3)} <= joins


def test_edges_that_cannot_tell_their_partners_apart_have_none(told_of):
    pairs = {(0, 4 * i + 2): 0.5 for i in range(1, 5)}
    told = told_of(5, pairs)
    assert len(Candidates.best(told, 5).near(1.15).pair) == 4
    assert len(Candidates.best(told, 4).near(1.15).pair) == 0


@pytest.mark.parametrize(("slack", "count"), [(1.5, 2), (1.05, 1)])
def test_slack_says_how_far_behind_the_best_a_candidate_may_be(told_of, slack, count):
    pairs = {(0, 6): 0.8, (0, 10): 0.75, (8, 14): 0.01}
    assert len(Candidates.best(told_of(4, pairs), 5).near(slack).pair) == count


def test_too_many_loops_of_an_order_end_the_growing(told_of, grid, monkeypatch):
    told = told_of(20, grid(4, 5))
    monkeypatch.setattr(loops, "_MOST", 0)
    assert len(levels_of(told, order=2)[1].cell) == 0
    found = Loops().solve(Job(Evidence(told), (4, 5)))
    assert found.arrangement.sheets[0].piece.tolist() == np.arange(20).reshape(4, 5).tolist()


def test_a_stop_still_leaves_no_piece_out(chelsea):
    puzzle, _ = cut(chelsea, 28, seed=4)
    found = Loops().solve(Job(Evidence(compare(puzzle)), puzzle.shape, stop=lambda: True))
    assert found.stopped
    np.testing.assert_array_equal(found.arrangement.placed(), np.arange(len(puzzle)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"partners": 0}, "partners must be 1 or more; got 0"),
        ({"slack": 0.9}, "slack must be 1 or more; got 0.9"),
        ({"slack": float("nan")}, "slack must be 1 or more; got nan"),
        ({"order": 1}, "order must be 2 or more; got 1"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        Loops(**settings)


def test_settings_can_be_given_by_name():
    asked = {"partners": "4", "slack": "1.5", "order": "3"}
    assert registry.make("solver", "loops", asked) == Loops(partners=4, slack=1.5, order=3)
