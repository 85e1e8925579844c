from __future__ import annotations

import numpy as np
import pytest
import skimage.data

from tessella import registry
from tessella.adjust.ratio import Ratio
from tessella.arrangement import EMPTY
from tessella.errors import InputError
from tessella.evidence import Evidence
from tessella.imaging.cut import cut
from tessella.kernels.buddies import best_buddies
from tessella.measures.mgc import Mgc
from tessella.measuring import measure
from tessella.metrics import score
from tessella.puzzle import Puzzle
from tessella.solvers.pomeranz import Pomeranz
from tessella.solving import Job


def compare(puzzle, **how):
    return Ratio().adjust(measure(puzzle, Mgc(), **how))


def share(told, arrangement):
    """Return the share of joins that are of best buddies."""
    joins = arrangement.joins()
    return np.mean(best_buddies(told.tables)[joins[:, 0]] == joins[:, 1])


@pytest.fixture(scope="module")
def chelsea():
    return skimage.data.chelsea()


@pytest.fixture(scope="module")
def rocket():
    puzzle, truth = cut(skimage.data.rocket(), 28, seed=1)
    return compare(puzzle), puzzle.shape, truth


@pytest.mark.parametrize(
    ("picture", "least"), [("rocket", 0.8), ("astronaut", 0.95), ("coffee", 1), ("chelsea", 1)]
)
def test_photographs_come_back(picture, least):
    puzzle, truth = cut(getattr(skimage.data, picture)(), 28, seed=1)
    found = Pomeranz().solve(Job(Evidence(compare(puzzle)), puzzle.shape))
    assert score(found.arrangement, truth).neighbor >= least


@pytest.mark.parametrize("dense", [True, False], ids=["dense", "lists"])
def test_lists_do_as_well_as_a_full_table(chelsea, dense):
    puzzle, truth = cut(chelsea, 28, seed=2)
    found = Pomeranz().solve(Job(Evidence(compare(puzzle, dense=dense)), puzzle.shape))
    assert score(found.arrangement, truth).perfect


def test_rectangular_pieces_come_back(chelsea):
    puzzle, truth = cut(chelsea, (40, 25), seed=3)
    found = Pomeranz().solve(Job(Evidence(compare(puzzle)), puzzle.shape))
    assert score(found.arrangement, truth).neighbor > 0.98


def test_turned_pieces_are_refused(chelsea):
    puzzle, _ = cut(chelsea[:56, :84], 28, turned=True)
    with pytest.raises(InputError, match="pomeranz needs upright pieces and a known shape"):
        Pomeranz().solve(Job(Evidence(compare(puzzle)), puzzle.shape))


def test_an_unknown_shape_is_refused(chelsea):
    puzzle, _ = cut(chelsea[:56, :84], 28)
    with pytest.raises(InputError, match="pomeranz needs upright pieces and a known shape"):
        Pomeranz().solve(Job(Evidence(compare(puzzle)), None))


def test_a_wider_frame_leaves_cells_empty(chelsea):
    puzzle, truth = cut(chelsea, 28, seed=4)
    shape = puzzle.shape[0] + 1, puzzle.shape[1] + 2
    found = Pomeranz().solve(Job(Evidence(compare(puzzle)), shape))
    (sheet,) = found.arrangement.sheets
    assert sheet.shape == shape
    assert (sheet.piece == EMPTY).sum() == sheet.piece.size - len(puzzle)
    assert score(found.arrangement, truth).neighbor > 0.9


def test_shifting_and_more_first_pieces_raise_the_share_of_best_buddies(rocket):
    told, shape, _ = rocket
    once = Pomeranz(starts=1).solve(Job(Evidence(told), shape, stop=lambda: True))
    shifted = Pomeranz(starts=1).solve(Job(Evidence(told), shape))
    many = Pomeranz(starts=10).solve(Job(Evidence(told), shape))
    shares = [share(told, each.arrangement) for each in (once, shifted, many)]
    assert once.stopped
    assert not shifted.stopped
    assert shares[0] < shares[1] <= shares[2]


def test_the_seed_does_not_matter_where_pieces_can_be_told_apart(chelsea):
    puzzle, _ = cut(chelsea, 28, seed=6)
    told = compare(puzzle)
    one, two = (Pomeranz().solve(Job(Evidence(told), puzzle.shape, seed=seed)) for seed in (0, 1))
    assert one.arrangement.same(two.arrangement)


def test_the_seed_decides_where_they_cannot():
    told = compare(Puzzle(np.full((12, 4, 4, 3), 90, np.uint8), upright=True))
    one, two = (Pomeranz().solve(Job(Evidence(told), (3, 4), seed=seed)) for seed in (0, 1))
    assert not one.arrangement.same(two.arrangement)


def test_a_stop_ends_the_search_after_the_first_placement(rocket):
    told, shape, _ = rocket
    asked = []

    def stop():
        asked.append(True)
        return True

    found = Pomeranz().solve(Job(Evidence(told), shape, stop=stop))
    assert found.stopped
    assert len(asked) == 1
    np.testing.assert_array_equal(found.arrangement.placed(), np.arange(told.pieces))


def test_tells_how_many_first_pieces_were_tried(rocket, listener):
    told, shape, _ = rocket
    Pomeranz(starts=3).solve(Job(Evidence(told), shape, watch=listener))
    assert listener.stages == [("placing", 3)]
    assert listener.steps == 3


def test_at_least_one_first_piece_is_needed():
    with pytest.raises(InputError, match="starts must be at least 1; got 0"):
        registry.make("solver", "pomeranz", {"starts": "0"})
