"""Content joins: what counts when blank strips are anybody's."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Arrangement, Sheet
from tessella.errors import FormatError
from tessella.metrics import score
from tessella.truth import Truth

# Strips 0 and 3 are blank and identical; 1 and 2 are printed.
CLASSES = np.array([0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 0, 1], np.int32)
BLANK = np.array([True, False, False, True])


def row(*pieces):
    return Arrangement.single([list(pieces)])


def truth(blank=BLANK):
    return Truth(row(0, 1, 2, 3), CLASSES, blank)


@pytest.mark.parametrize(
    ("order", "content"),
    [
        ((0, 1, 2, 3), 1),
        ((3, 1, 2, 0), 1),  # identical strips changed places
        ((0, 3, 1, 2), 2 / 3),  # nothing blank behind the print
        ((1, 0, 3, 2), 0),
    ],
)
def test_joins_of_print_count_and_blank_strips_are_interchangeable(order, content):
    assert score(row(*order), truth()).content == pytest.approx(content)


def test_blank_against_blank_does_not_count():
    both = Truth(row(0, 3, 1, 2), CLASSES, BLANK)
    apart = Arrangement(
        (Sheet(np.array([[3, 1, 2]]), np.zeros((1, 3))), Sheet(np.array([[0]]), np.zeros((1, 1))))
    )
    assert score(apart, both).content == 1
    assert score(apart, both).neighbor < 1


def test_puzzles_without_strips_have_no_content_joins():
    assert score(row(0, 1, 2, 3), truth(None)).content is None
    assert "content" not in score(row(0, 1, 2, 3), truth(None)).to_json()
    assert "content" in score(row(0, 1, 2, 3), truth()).to_json()


@pytest.mark.parametrize("blank", ["all", [4], [-1], [0.5], [True]])
def test_a_truth_with_odd_blank_strips_is_refused(blank):
    with pytest.raises(FormatError, match="blank"):
        Truth.from_json(truth().to_json() | {"blank": blank})
