"""Reliability curves: on the diagonal every word is kept."""

import numpy as np
import pytest

from tessella.errors import InputError
from tessella.plots.reliability import POINTS, binned, reliability

SAID = np.linspace(0.01, 0.99, 2000)
RIGHT = np.random.default_rng(0).random(2000) < SAID


def test_chances_that_keep_their_word_lie_on_the_diagonal():
    said, right = binned(SAID, RIGHT)
    assert len(said) == POINTS
    assert right == pytest.approx(said, abs=0.08)


def test_every_group_has_a_line_beside_the_diagonal_and_they_differ_without_colour():
    lines = reliability({"one": (SAID, RIGHT), "two": (SAID, ~RIGHT)}).axes[0].lines
    assert [line.get_label() for line in lines[1:]] == ["one", "two"]
    assert len({line.get_marker() for line in lines[1:]}) == 2


def test_groups_without_a_join_are_refused():
    with pytest.raises(InputError, match="at least one join"):
        reliability({"none": (np.array([]), np.array([], bool))})
