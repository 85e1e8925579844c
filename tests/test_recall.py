from __future__ import annotations

import numpy as np
import pytest

from tessella.compatibility import from_lists
from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.measures.ssd import Ssd
from tessella.measuring import measure
from tessella.pictures import demo_picture
from tessella.recall import estimated, recall


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


@pytest.mark.parametrize(("k", "told"), [(2, 0.75), (7, None), (None, None)])
def test_without_the_truth_it_is_estimated_by_the_joins_of_the_answer(k, told):
    partner, score = np.full((32, 2), -1, np.int32), np.zeros((32, 2), np.float32)
    for e, f in ((0, 6), (6, 0), (4, 10), (18, 12)):  # One way is enough.
        partner[e, 0], score[e, 0] = f, 0.5
    compatibility = from_lists(8, True, True, partner, score)
    answer = np.array([[0, 6], [4, 10], [8, 14], [12, 18]], np.int32)
    found = estimated(compatibility, answer, k)
    assert (None if found is None else found.value) == told
    if found is not None:
        assert found.to_json()["k"] == 2
        assert "75.0 % with 2 candidates proposed" in str(found)
        assert "estimated" in found.to_json()["how"]
    assert estimated(compatibility, np.empty((0, 2), np.int32), k) is None
