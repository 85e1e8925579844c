from __future__ import annotations

import numpy as np

from tessella.adjust.evidence import NONE, Evidence
from tessella.documents.strips import colourless, strips_of
from tessella.measures.ink import Ink
from tessella.measuring import measure


def strips(seed=0):
    rng = np.random.default_rng(seed)
    grey = np.where(rng.uniform(size=(5, 40, 6)) < 0.2, 0, 255).astype(np.uint8)
    grey[0] = 255
    return strips_of(list(grey))


def test_sums_of_compatibilities_rank_as_sums_of_scores_do():
    scores = measure(strips(), Ink(), dense=True)
    found = Evidence().adjust(scores)
    some = np.isfinite(scores.dense)
    slope = (found.dense[some] - NONE) / np.where(scores.dense[some] == 0, 1, scores.dense[some])
    moved = slope[scores.dense[some] != 0]
    np.testing.assert_allclose(moved, moved[0], rtol=1e-3)
    assert np.abs(found.dense[some] - NONE).max() == np.float32(0.5)


def test_no_evidence_is_a_half():
    blank = colourless(np.full((3, 30, 5), 255, np.uint8))
    found = Evidence().adjust(measure(strips_of(list(blank[..., 0])), Ink(), dense=True))
    assert found.of(np.array([[0, 6], [4, 10]], np.int32)).tolist() == [NONE, NONE]
