from __future__ import annotations

import numpy as np
import pytest

from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.measures.ssd import Ssd
from tessella.measuring import measure
from tessella.pictures import demo_picture
from tessella.recall import recall


def test_recall_is_the_share_of_edges_that_list_their_neighbour():
    puzzle, truth = cut(demo_picture()[:56, :84], 28)
    told = measure(puzzle, Ssd(), dense=False)
    assert recall(told, truth) == 1
    partner = truth.partners()
    e = int(np.flatnonzero(partner >= 0)[0])
    told.partner[e] = -1
    assert recall(told, truth) == pytest.approx(13 / 14)  # 7 joins


def test_a_piece_identical_to_the_neighbour_counts_as_the_neighbour():
    flat = np.full((28, 84, 3), 90, np.uint8)
    puzzle, truth = cut(flat, 28)
    told = measure(puzzle, Ssd(), dense=False, keep=1)
    assert recall(told, truth) == 1


def test_lists_count_whether_or_not_there_is_a_table():
    puzzle, truth = cut(demo_picture()[:112, :168], 14)
    told = [measure(puzzle, Ssd(), dense=dense, keep=1) for dense in (True, False)]
    assert recall(told[0], truth) == recall(told[1], truth) < 1


def test_a_truth_without_joins_has_no_recall():
    alone, known = cut(demo_picture()[:28, :28], 28)
    with pytest.raises(InputError, match="at least one join"):
        recall(measure(alone, Ssd()), known)
