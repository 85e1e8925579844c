from __future__ import annotations

import numpy as np
import pytest

from tessella.errors import InputError
from tessella.imaging.color import lab
from tessella.measures.prediction import Prediction

RNG = np.random.default_rng(4)
LEFT = RNG.integers(0, 256, (4, 5, 3, 3), np.uint8)
RIGHT = RNG.integers(0, 256, (6, 5, 3, 3), np.uint8)


def by_definition(a, b, p, q):
    a, b = lab(a), lab(b)
    total = 0.0
    for row in range(a.shape[0]):
        for c in range(3):
            total += abs((2 * a[row, -1, c] - a[row, -2, c]) - b[row, 0, c]) ** p
            total += abs((2 * b[row, 0, c] - b[row, 1, c]) - a[row, -1, c]) ** p
    return total ** (q / p)


@pytest.mark.parametrize("by", [Prediction(), Prediction(p=0.5, q=1.0), Prediction(p=1, q=2)])
def test_the_score_is_minus_the_log_of_one_plus_the_definition(by):
    found = by.score(by.raw(by.right(LEFT, 0), by.left(RIGHT, 0)))
    expected = [[by_definition(a, b, by.p, by.q) for b in RIGHT] for a in LEFT]
    np.testing.assert_allclose(found, -np.log1p(expected), rtol=1e-5)


def test_asked_the_other_way_round_the_answer_is_the_same():
    by = Prediction()
    there = by.raw(by.right(LEFT, 0), by.left(RIGHT, 0))
    left, right = (np.rot90(pieces, 2, axes=(1, 2)) for pieces in (LEFT, RIGHT))
    back = by.raw(by.right(right, 0), by.left(left, 0)).T
    np.testing.assert_allclose(there, back, rtol=1e-5)


@pytest.mark.parametrize("given", [{"p": 0.0}, {"p": 1.1}, {"p": -1.0}, {"q": 0.0}])
def test_powers_out_of_range_are_refused(given):
    with pytest.raises(InputError, match="0 < p <= 1 and q > 0"):
        Prediction(**given)
