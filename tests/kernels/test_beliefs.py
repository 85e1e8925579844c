"""Belief propagation against plain sums and exact chances."""

from __future__ import annotations

import numpy as np
import pytest

from tessella import edges
from tessella.kernels.beliefs import FREE, OUTSIDE, Chances, Said, believe, hear, summed, tell


def _listed(dense: np.ndarray) -> Chances:
    """Return a table of odds, ``(4N, M)``, as lists; label j is piece j."""
    edges_, labels = dense.shape
    start = np.arange(edges_ + 1) * labels
    label = np.tile(np.arange(labels, dtype=np.int32), edges_)
    weight = dense.ravel().astype(np.float32)
    return Chances(start, label, weight, np.arange(labels, dtype=np.int32))


def test_hearing_is_the_plain_sum() -> None:
    dense = np.random.default_rng(0).uniform(0, 6, (36, 6))
    pieces, chance = np.array([2, 8], np.int32), np.array([0.5, 0.25], np.float32)
    out = np.empty(7, np.float32)
    hear(_listed(dense), 3, pieces, chance, out)
    plain = 1 + 0.25 + 0.5 * dense[4 * 2 + 3] + 0.25 * dense[4 * 8 + 3]
    np.testing.assert_allclose(out[:6], plain, rtol=1e-5)


@pytest.mark.parametrize("count", [0, 5, 8, 29])
def test_summed_is_the_sum(count: int) -> None:
    weight = np.random.default_rng(count).uniform(0, 1, count).astype(np.float32)
    assert summed(weight) == pytest.approx(weight.sum(dtype=np.float64), rel=1e-6)


def test_telling_names_the_likeliest_and_remembers() -> None:
    labels, chance = np.zeros(2, np.int32), np.zeros(2, np.float32)
    place = np.full(4, -1, np.int32)
    weight = np.array([1, 6, 0.001, 3], np.float32)
    assert tell(weight, 0.5, labels, chance, 0, place) == 2
    assert labels.tolist() == [1, 3]
    np.testing.assert_allclose(chance, [0.6, 0.3], atol=1e-3)
    assert tell(np.array([0, 1, 0, 0], np.float32), 0.5, labels, chance, 2, place) == 2
    assert labels.tolist() == [1, 3]
    np.testing.assert_allclose(chance, [0.8, 0.15], atol=1e-3)
    assert (place == -1).all()


def test_one_free_cell_believes_the_product_of_what_it_hears() -> None:
    """A cell with four fixed neighbours has nothing to iterate: its belief is exact."""
    count = 5
    dense = np.random.default_rng(1).uniform(0, 9, (4 * (count + 4), count))
    fixed = np.full(9, OUTSIDE, np.int32)
    fixed[4] = FREE
    step = np.array([1, -3, -1, 3])
    for direction in range(4):
        fixed[4 + step[direction]] = count + direction
    said = Said(
        fixed, step, np.zeros((9, 5), np.int32), np.zeros((9, 5, 8), np.int32),
        np.zeros((9, 5, 8), np.float32),
    )  # fmt: skip
    believe(_listed(dense), said, np.array([4]), np.ones(count, np.float32), 0.3)
    plain = np.ones(count)
    for direction in range(4):
        plain *= 1 + dense[4 * (count + direction) + (direction + 2) % 4]
    plain /= plain.sum()
    told = said.label[4, 4, : said.count[4, 4]]
    assert sorted(told) == list(range(count))
    np.testing.assert_allclose(said.chance[4, 4, :count], plain[told], rtol=1e-4)


def test_beliefs_of_a_row_are_the_exact_chances() -> None:
    """Where cells form no loop, what they believe is what adding up all possibilities gives."""
    count = 6
    rng = np.random.default_rng(4)
    pieces = count + 2  # The last two are fixed at the ends.
    rightwards = rng.uniform(0, 9, (pieces, pieces))
    dense = np.zeros((pieces, 4, count))
    dense[:, edges.RIGHT] = rightwards[:, :count]
    dense[:, edges.LEFT] = rightwards[:count].T
    fixed = np.full((3, 5), OUTSIDE, np.int32)
    fixed[1] = count, FREE, FREE, FREE, count + 1
    cells = np.flatnonzero(fixed.ravel() == FREE)
    said = Said(
        fixed.ravel(), np.array([1, -5, -1, 5]), np.zeros((15, 5), np.int32),
        np.zeros((15, 5, count), np.int32), np.zeros((15, 5, count), np.float32),
    )  # fmt: skip
    wanted = rng.uniform(0.5, 2, count).astype(np.float32)
    for _ in range(30):
        for cell in cells:
            believe(_listed(dense.reshape(-1, count)), said, np.array([cell]), wanted, damping=0.3)
    beside = 1 + rightwards
    plain = np.einsum(
        "a,ab,bc,c,a,b,c->abc",
        beside[count, :count], beside[:count, :count], beside[:count, :count],
        beside[:count, count + 1], wanted, wanted, wanted,
    )  # fmt: skip
    for axis, cell in enumerate(cells):
        exact = plain.sum(axis=tuple({0, 1, 2} - {axis})) / plain.sum()
        told = said.label[cell, 4, : said.count[cell, 4]]
        np.testing.assert_allclose(said.chance[cell, 4, : len(told)], exact[told], atol=2e-3)
        assert len(told) == count
