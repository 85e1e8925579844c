from __future__ import annotations

import numpy as np
import pytest

from tessella import edges
from tessella.networks import seam, specification

PAPER = (8, 8, "pool", 8, "pool", 8)
DEEPER = (16, 16, "pool", 16, 16, "pool", 24, 24)


def noise(count, rows, depth, planes, seed):
    shape = (count, rows, depth, planes)
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def factorised(sub, left, right, which, threads=None):
    engine = seam.Engine(sub)
    sides = engine.sides(left, edges.RIGHT, threads), engine.sides(right, edges.LEFT, threads)
    out = np.zeros(len(which), np.float32)
    assert sum(engine.pairs(*sides, which, out, threads)) == len(which)
    return out


def all_pairs(a, b):
    return np.stack(np.meshgrid(np.arange(a), np.arange(b), indexing="ij"), -1).reshape(-1, 2)


@pytest.mark.parametrize(
    ("layers", "rows", "depth", "planes"),
    [
        *((PAPER, size, size, "rgb") for size in (28, 50, 64, 27, 29, 30)),
        *((PAPER, rows, depth, "y") for rows, depth in ((28, 20), (27, 21), (60, 16), (25, 18))),
        *((DEEPER, size, size, "rgbyw") for size in (28, 27)),
        ((6,), 5, 4, "g"),
        ((6, "pool", 5), 10, 9, "rg"),
        ((6, "pool", 5), 10, 8, "rg"),
        ((6, 5, 4, "pool", 6, "pool", 5, "pool", 3), 40, 41, "rgb"),
    ],
)
def test_scores_are_those_of_the_plain_pass(subnetwork, layers, rows, depth, planes):
    sub = subnetwork(layers, rows, depth, planes)
    left, right = (noise(n, rows, depth, len(planes), n) for n in (4, 3))
    which = all_pairs(4, 3)
    whole = np.concatenate([left[which[:, 0]], right[which[:, 1]]], axis=2)
    expected = specification.score(sub, whole)
    tolerance = 1e-4 * expected.std()
    np.testing.assert_allclose(factorised(sub, left, right, which), expected, 0, tolerance)
    np.testing.assert_allclose(seam.Engine(sub).whole(whole), expected, 0, tolerance)


def test_scores_depend_neither_on_threads_nor_on_the_other_pairs(subnetwork):
    sub = subnetwork(PAPER, 28, 28)
    sides = noise(9, 28, 28, 3, 1), noise(9, 28, 28, 3, 2)
    which = np.random.default_rng(3).integers(0, 9, (4000, 2))
    one, two = (factorised(sub, *sides, which, threads) for threads in (1, 2))
    assert np.array_equal(one, two)
    alone = factorised(sub, *sides, which[:1], 1)
    np.testing.assert_allclose(one[0], alone[0], rtol=1e-5)


def test_what_is_kept_of_an_edge_is_told_in_bytes(subnetwork):
    engine = seam.Engine(subnetwork((64, 64, "pool", 64, "pool", 64), 27, 27))
    kept = engine.sides(noise(3, 27, 27, 3, 0), edges.LEFT)
    held = sum(array.nbytes for array in (*kept.parts, *kept.held))
    assert held <= 3 * engine.edge_bytes <= 2 * held
