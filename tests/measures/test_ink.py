from __future__ import annotations

import numpy as np
import pytest

from tessella import edges
from tessella.documents.cut import cut_strips
from tessella.documents.strips import colourless
from tessella.errors import InputError
from tessella.measures.ink import Ink
from tessella.measuring import measure
from tessella.metrics import top


def plain(by, left, right):
    """The score of two strips, greys ``(H, W)``, pixel by pixel."""
    ink = [np.clip(by.paper - s.astype(float), 0, None) / by.paper for s in (left, right)]
    a, b = ink[0][:, -1], ink[1][:, 0]
    a_next = np.clip(2 * a - ink[0][:, -2], 0, 1)
    b_next = np.clip(2 * b - ink[1][:, 1], 0, 1)
    each = [np.minimum(x, y) - by.penalty * np.abs(x - y) for x, y in ((a_next, b), (a, b_next))]
    return np.mean([e.sum() for e in each])


def test_it_agrees_with_plain_numpy():
    rng = np.random.default_rng(0)
    grey = rng.integers(0, 256, (5, 30, 6), np.uint8)
    by = Ink()
    strips = colourless(grey)
    found = by.raw(by.right(strips, 0), by.left(strips, 0))
    expected = [[plain(by, one, other) for other in grey] for one in grey]
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_blank_against_blank_says_exactly_nothing_at_any_height():
    by = Ink()
    for height in (10, 5000):
        blank = np.full((2, height, 5, 3), 255, np.uint8)
        assert by.raw(by.right(blank, 0), by.left(blank, 0)).tolist() == [[0, 0], [0, 0]]


def test_ink_beside_blank_speaks_against_a_join_and_shared_ink_for_it():
    blank = np.full((20, 5), 255, np.uint8)
    bar = blank.copy()
    bar[8:12] = 0
    both = colourless(np.stack([blank, bar]))
    by = Ink()
    scores = by.raw(by.right(both, 0), by.left(both, 0))
    assert scores[1, 1] > 0 > scores[0, 1]
    assert scores[0, 1] == scores[1, 0]


def test_true_neighbours_of_print_rank_first(printed):
    puzzle, truth = cut_strips(printed, 18)
    inked = measure(puzzle, Ink(), dense=True)
    bare = np.abs(inked.dense).max(axis=1, initial=0, where=np.isfinite(inked.dense)) == 0
    assert bare.any()  # the margins
    assert top(inked, truth)[0] > 0.6
    assert inked.dense[:, 0].shape == (4 * 54,)


def test_no_evidence_is_the_same_from_either_side():
    rng = np.random.default_rng(1)
    strips = colourless(rng.integers(0, 256, (4, 30, 6), np.uint8))
    by = Ink()
    one = by.raw(by.right(strips, 0), by.left(strips, 0))
    over = np.ascontiguousarray(np.rot90(strips, 2, (1, 2)))
    other = by.raw(by.right(over, 0), by.left(over, 0))
    np.testing.assert_allclose(one, other.T, atol=1e-3)
    assert edges.RIGHT == 0


@pytest.mark.parametrize("setting", [{"penalty": -1}, {"paper": 0}])
def test_settings_out_of_range_are_refused(setting):
    with pytest.raises(InputError, match=next(iter(setting))):
        Ink(**setting)
