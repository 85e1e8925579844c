from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.measures.mgc import DUMMIES, Mgc

RNG = np.random.default_rng(5)


def one_way(x, y, other):
    """Gallagher's distance by the statistics of the piece with columns `y`, then `x`."""
    inside = x - y
    spread = np.cov(np.vstack([inside, DUMMIES]).T)
    total = 0.0
    for row in range(len(x)):
        gradient = other[row] - x[row] - inside.mean(axis=0)
        total += gradient @ np.linalg.inv(spread) @ gradient
    return total


def by_definition(a, b):
    a, b = a.astype(float), b.astype(float)
    there = one_way(a[:, -1], a[:, -2], b[:, 0])
    back = one_way(b[:, 0], b[:, 1], a[:, -1])
    return there + back


def distances(left, right):
    by = Mgc()
    return -by.raw(by.right(left, 0), by.left(right, 0))


@given(st.integers(1, 12), st.integers(2, 4), st.integers(0, 9), st.sampled_from([3, 256]))
@settings(max_examples=25, deadline=None)
def test_equals_the_definition(height, width, seed, levels):
    rng = np.random.default_rng(seed)
    left, right = (rng.integers(0, levels, (n, height, width, 3), np.uint8) for n in (2, 3))
    expected = [[by_definition(a, b) for b in right] for a in left]
    np.testing.assert_allclose(distances(left, right), expected, rtol=1e-5, atol=1e-4)


def test_flat_pieces_of_one_colour_are_at_distance_zero():
    flat = np.full((2, 28, 28, 3), 255, np.uint8)
    assert distances(flat, flat).tolist() == [[0, 0], [0, 0]]


def test_a_flat_piece_is_far_from_another_colour_in_proportion_to_the_square():
    flat = np.full((3, 8, 8, 3), 100, np.uint8)
    flat[1] += 1
    flat[2] += 2
    near, far = distances(flat[:1], flat[1:])[0]
    np.testing.assert_allclose(far, 4 * near, rtol=1e-5)


def test_identical_borders_tie_exactly_wherever_they_stand():
    pieces = RNG.integers(0, 256, (37, 28, 28, 3), np.uint8)
    pieces[1::2] = pieces[1]
    found = distances(pieces, pieces)
    assert np.ptp(found[:, 1::2], axis=1).max() == 0
    assert np.ptp(found[1::2], axis=0).max() == 0


def test_a_straight_gradient_goes_on_across_the_seam():
    ramp = np.arange(0, 240, 10, dtype=np.uint8)
    picture = np.repeat(np.tile(ramp, (6, 1))[:, :, None], 3, axis=2)
    left, right = picture[None, :, :12], picture[None, :, 12:]
    assert distances(left, right).item() == 0
