"""Learned scores become logarithms of chances, distances the paper's min-max."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tessella.adjust.minmax import Minmax
from tessella.adjust.posterior import Posterior
from tessella.errors import InputError
from tessella.evidence import gather
from tessella.measures.ssd import Ssd
from tessella.measuring import measure
from tessella.puzzle import Puzzle
from tessella.solvers.genetic import Genetic
from tessella.solvers.rika import Rika


def pieces(count):
    return np.random.default_rng(count).integers(0, 256, (count, 4, 4, 3), np.uint8)


def learned(dense, scale=3.0, count=5):
    """Return scores that are no distances."""
    told = measure(Puzzle(pieces(count)), Ssd(), dense=dense)
    names = [name for name in ("lo", "hi", "score", "dense") if getattr(told, name) is not None]
    scaled = {name: getattr(told, name) * np.float32(scale) for name in names}
    return replace(told, distance=False, **scaled)


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("depth", [2.0, 10.0])
def test_is_the_mean_of_the_logarithms_of_both_edges_chances(dense, depth):
    found = Posterior(depth).adjust(learned(dense))
    scores = learned(True).dense.astype(np.float64)
    chance = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(chance.sum(axis=1), 1)
    with np.errstate(divide="ignore"):
        value = 1 + np.maximum(np.log(chance), -depth) / depth
    for e in range(20):
        for j in range(5):
            f = 4 * j + (e + 2) % 4
            if e // 4 != j:
                both = (value[e, j] + value[f, e // 4]) / 2
                got = found.of(np.array([[e, f]], np.int32))
                np.testing.assert_allclose(got, both, atol=1e-5)


def test_candidates_that_cannot_be_told_apart_share_the_chance():
    told = learned(True)
    for values in (told.lo, told.hi, told.dense):
        values[np.isfinite(values)] = 7.0
    found = Posterior(10.0).adjust(told)
    np.testing.assert_allclose(found.score, 1 + np.log(1 / 4) / 10, atol=1e-6)


def test_rows_are_done_in_blocks(monkeypatch):
    whole = Posterior().adjust(learned(True)).dense
    monkeypatch.setattr("tessella.adjust.posterior._ROWS", 7)
    np.testing.assert_array_equal(Posterior().adjust(learned(True)).dense, whole)


@pytest.mark.parametrize("dense", [True, False])
def test_distances_get_min_max(dense):
    told = measure(Puzzle(pieces(5)), Ssd(), dense=dense)
    wanted = Minmax().adjust(measure(Puzzle(pieces(5)), Ssd(), dense=dense))
    found = Posterior().adjust(told)
    np.testing.assert_array_equal(found.partner, wanted.partner)
    np.testing.assert_array_equal(found.score, wanted.score)


def test_a_depth_of_nothing_is_refused():
    with pytest.raises(InputError, match="depth of posterior"):
        Posterior(0.0)


def test_the_genetic_solver_wants_it_but_the_papers_does_not():
    assert Genetic().adjust == "posterior"
    assert Rika().adjust == "minmax"


@pytest.mark.parametrize("dense", [True, False])
def test_min_max_comes_along_for_learned_scores(dense):
    scores = learned(dense)
    coarse, expected = gather(scores, Posterior()).coarse, Minmax().adjust(scores)
    np.testing.assert_array_equal(coarse.partner, expected.partner)
    np.testing.assert_array_equal(coarse.score, expected.score)
    assert (coarse.dense is not None) is dense


def test_distances_have_nothing_coarser():
    assert gather(replace(learned(True), distance=True), Posterior()).coarse is None
