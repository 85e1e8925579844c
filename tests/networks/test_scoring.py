from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tessella.networks import scoring, specification
from tessella.networks.model import Model

LAYERS = (4, 4, "pool", 4, "pool", 4)


class Counting:
    """Counts the steps."""

    done = 0

    def stage(self, name, total): ...

    def advance(self, steps=1):
        self.done += steps

    def generation(self, generation): ...


def pieces(count, size, seed):
    return np.random.default_rng(seed).integers(0, 256, (count, size, size, 3), np.uint8)


@pytest.fixture
def worn(subnetwork) -> Model:
    parts = tuple(subnetwork(LAYERS, 24, 20, p, seed) for seed, p in enumerate(("rgb", "y", "rw")))
    return Model("worn", 30, (1, 3), parts)


@pytest.mark.parametrize("eroded", [1, 3])
def test_scores_are_the_sum_of_the_subnetworks_by_the_plain_pass(worn, eroded):
    right, left = pieces(5, 30, 1), pieces(4, 30, 2)
    which = np.random.default_rng(3).integers(0, 4, (30, 2))
    found = scoring.pairs(worn, right, left, which, eroded)
    expected = specification.forward(worn, right[which[:, 0]], left[which[:, 1]], eroded)
    np.testing.assert_allclose(found, expected, 0, 1e-4 * expected.std())


def test_pairs_that_look_alike_tie_exactly_and_are_told_too(worn):
    right = np.repeat(pieces(2, 30, 1), 25, axis=0)
    left = np.concatenate([pieces(3, 30, 2), pieces(3, 30, 2)])
    which = np.stack(np.meshgrid(np.arange(50), np.arange(6), indexing="ij"), -1).reshape(-1, 2)
    watch = Counting()
    found = scoring.pairs(worn, right, left, which, 2, watch).reshape(50, 6)
    assert len(np.unique(found)) == 6
    assert (found[:25] == found[0]).all()
    assert (found[:, :3] == found[:, 3:]).all()
    assert watch.done == 300


def test_a_mirrored_model_looks_top_to_bottom_too_and_tells_every_pair_once(worn):
    right, left = pieces(5, 30, 1), pieces(4, 30, 2)
    which = np.random.default_rng(3).integers(0, 4, (30, 2))
    watch = Counting()
    found = scoring.pairs(replace(worn, mirrored=True), right, left, which, 2, watch)
    once = scoring.pairs(worn, right, left, which, 2)
    other = scoring.pairs(worn, right[:, ::-1], left[:, ::-1], which, 2)
    np.testing.assert_allclose(found, (once + other) / 2, 0, 1e-5 * once.std())
    assert np.abs(found - once).max() > 0.01 * once.std()
    assert watch.done == 30
    expected = specification.forward(
        replace(worn, mirrored=True), right[which[:, 0]], left[which[:, 1]], 2
    )
    np.testing.assert_allclose(found, expected, 0, 1e-4 * expected.std())


def test_blocks_of_few_edges_give_the_same_and_tell_every_pair_once(worn, monkeypatch):
    right, left = pieces(11, 30, 1), pieces(9, 30, 2)
    which = np.random.default_rng(3).integers(0, 9, (57, 2))
    expected = scoring.pairs(worn, right, left, which, 2)
    monkeypatch.setattr(scoring, "MOST_BYTES", 40_000)
    watch = Counting()
    found = scoring.pairs(worn, right, left, which, 2, watch)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    assert watch.done == 57


def test_nothing_to_score_gives_nothing(worn):
    assert scoring.pairs(worn, *[pieces(2, 30, 0)] * 2, np.empty((0, 2), np.int64), 1).size == 0
