from __future__ import annotations

import itertools

import numpy as np
import pytest
import skimage.data
from hypothesis import given
from hypothesis import strategies as st

from tessella import registry
from tessella.adjust.ratio import Ratio
from tessella.errors import InputError
from tessella.evidence import Evidence
from tessella.imaging.cut import cut
from tessella.measures.mgc import Mgc
from tessella.measuring import measure
from tessella.puzzle import Puzzle
from tessella.solvers._matching import Candidates
from tessella.solvers.linear import Linear, judge, positions
from tessella.solving import Job


def compare(puzzle, **how):
    return Ratio().adjust(measure(puzzle, Mgc(), **how))


@pytest.fixture(scope="module")
def chelsea():
    return skimage.data.chelsea()


@pytest.mark.parametrize("upright", [True, False], ids=["upright", "turned"])
def test_pieces_all_alike_fill_the_shape(upright):
    puzzle = Puzzle(np.full((12, 4, 4, 3), 90, np.uint8), upright=upright)
    found = Linear().solve(Job(Evidence(compare(puzzle)), (3, 4)))
    assert (found.arrangement.sheets[0].piece >= 0).all()


@given(
    nodes=st.integers(2, 4),
    matches=st.integers(1, 7),
    seed=st.integers(0, 2**31 - 1),
)
def test_positions_violate_the_matches_as_little_as_any_do(nodes, matches, seed):
    """The best positions can be integers, so that all of those are tried."""
    rng = np.random.default_rng(seed)
    tail = rng.integers(0, nodes, matches)
    head = (tail + rng.integers(1, nodes, matches)) % nodes
    step = rng.integers(-1, 2, matches)
    weight = 10 ** rng.uniform(-3, 3, matches)

    def loss(z):
        return float(weight @ np.abs(z[head] - z[tail] - step))

    others = itertools.product(range(-nodes, nodes + 1), repeat=nodes - 1)
    least = min(loss(np.array([0, *z])) for z in others)
    assert loss(positions(nodes, tail, head, step, weight)) == pytest.approx(least, abs=1e-6)


def test_no_matches_leave_all_positions_alike():
    none = np.empty(0, np.int64)
    assert not positions(3, none, none, none, np.empty(0)).any()


@pytest.mark.parametrize("upright", [True, False], ids=["upright", "turned"])
def test_a_match_that_contradicts_the_others_is_violated(told_of, grid, upright):
    """Piece 2 ends the first row, and 3 begins the second."""
    wrong = (8, 14)
    told = told_of(6, grid(2, 3) | {wrong: 0.5}, upright)
    kept, violated = judge(Candidates.best(told, 3), 1.0, 4 if upright else 1)
    assert violated.tolist() == [list(wrong)]
    assert {tuple(sorted(pair)) for pair in kept.pair.tolist()} == {
        tuple(sorted(pair)) for pair in grid(2, 3)
    }


def test_once_a_wrong_match_is_rejected_the_right_one_is_found(told_of, grid):
    """The right side of piece 4 likes 3 best, and only then 5."""
    pairs = grid(3, 3, 0.8) | {(16, 14): 0.9}
    told = told_of(9, pairs)
    left = Candidates.best(told, 3)
    kept, violated = judge(left, 1.0, 4)
    assert violated.tolist() == [[14, 16]] or violated.tolist() == [[16, 14]]
    left.reject(violated)
    kept, violated = judge(left, 1.0, 4)
    assert len(violated) == 0
    assert [16, 22] in np.sort(kept.pair, axis=1).tolist()


def test_matches_count_by_how_far_ahead_of_the_others_they_are(told_of):
    told = told_of(4, {(0, 6): 0.9, (0, 10): 0.45, (8, 14): 0.6})
    pair, weight = Candidates.best(told, 3).nearest()
    assert pair.tolist() == [[0, 6], [10, 0], [8, 14]]
    first, second, third = 0.01 - np.log([0.9, 0.45, 0.6])
    nobody = 10
    np.testing.assert_allclose(
        weight, [2 * second / first, first / second, 2 * nobody / third], rtol=1e-5
    )


def test_rejected_partners_still_weigh_on_what_comes_after_them(told_of):
    told = told_of(4, {(0, 6): 0.9, (0, 10): 0.45})
    left = Candidates.best(told, 3)
    left.reject(np.array([[6, 0]], np.int32))
    pair, weight = left.nearest()
    assert pair.tolist() == [[0, 10]]
    first, second = 0.01 - np.log([0.9, 0.45])
    assert weight[0] == pytest.approx(2 * first / second, rel=1e-5)


def test_a_stop_before_the_programs_agree_still_leaves_no_piece_out(chelsea):
    puzzle, _ = cut(chelsea, 28, seed=4)
    found = Linear().solve(Job(Evidence(compare(puzzle)), puzzle.shape, stop=lambda: True))
    assert found.stopped
    np.testing.assert_array_equal(found.arrangement.placed(), np.arange(len(puzzle)))


def test_a_puzzle_without_doubts_needs_one_round(told_of, grid):
    class Listener:
        def __init__(self):
            self.stages, self.steps = [], []

        def stage(self, name, total):
            self.stages.append((name, total))
            self.steps.append(0)

        def advance(self, steps=1):
            self.steps[-1] += steps

        def generation(self, generation):
            raise AssertionError("nothing is bred here")

    listener = Listener()
    told = told_of(6, grid(2, 3))
    found = Linear().solve(Job(Evidence(told), (2, 3), watch=listener))
    assert found.arrangement.sheets[0].piece.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert listener.stages == [("linear programs", 20), ("filling", 6)]
    assert listener.steps == [1, 6]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"depth": 0}, "depth must be 1 or more; got 0"),
        ({"rounds": 0}, "rounds must be 1 or more; got 0"),
        ({"sharpness": 0.0}, "sharpness must be greater than 0"),
        ({"sharpness": float("nan")}, "sharpness must be greater than 0"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        Linear(**settings)


def test_settings_can_be_given_by_name():
    asked = {"depth": "4", "sharpness": "1", "rounds": "1"}
    assert registry.make("solver", "linear", asked) == Linear(depth=4, sharpness=1, rounds=1)
