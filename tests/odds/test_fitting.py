"""Fitting a calibration finds how scores were made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tessella.odds import Calibration
from tessella.odds.calibration import LOGARITHMS, calibration_in
from tessella.odds.fitting import Case, chances_of, fit, surprise
from tessella.scores import Scores

PIECES = 60


def made(seed, *, clear):
    """Return right sides 4 i that join left sides 4 i + 6, most of them, led by about `clear`."""
    chance = np.random.default_rng(seed)
    table = chance.normal(0, 1, (PIECES, PIECES))
    np.fill_diagonal(table, -np.inf)
    partner = np.full(4 * PIECES, -1, np.int32)
    for i in range(PIECES - 1):
        if chance.random() < 0.8:
            table[i, i + 1] += clear
            partner[4 * i], partner[4 * i + 6] = 4 * i + 6, 4 * i
    listed = np.full((4 * PIECES, PIECES), -1, np.int32)
    score = np.full((4 * PIECES, PIECES), -np.inf, np.float32)
    for i in range(PIECES):
        for side, row, other in ((0, table[i], 2), (2, table[:, i], 0)):
            order = np.argsort(-row)
            listed[4 * i + side] = 4 * order + other
            score[4 * i + side] = row[order]
    listed[np.isneginf(score)] = -1
    hi = score.max(axis=1)
    scores = Scores(PIECES, True, True, False, hi - 9, hi, listed, score)
    return Case(scores, partner)


@pytest.fixture(scope="module")
def cases():
    return [made(seed, clear=4.0) for seed in range(3)]


def test_the_fit_surprises_less_than_other_readings(cases):
    best = fit(cases)
    assert best.levelled
    least = surprise(cases, best)
    for slope, offset in ((0.5, 0), (2, 0), (1, 1.5), (1, -1.5)):
        other = replace(best, slope=best.slope * slope, offset=best.offset + offset)
        assert surprise(cases, other) > least - 1e-3


def test_scores_twice_as_large_are_read_with_half_the_slope(cases):
    double = [
        replace(c, scores=replace(c.scores, score=2 * c.scores.score, hi=2 * c.scores.hi))
        for c in cases
    ]
    assert fit(double).slope == pytest.approx(fit(cases).slope / 2, rel=0.15)


def test_what_is_said_to_be_likely_is_right_as_often(cases):
    by = fit(cases)
    every = [chances_of(case, by) for case in [*cases, made(9, clear=4.0)]]
    chance, right = (np.concatenate([getattr(t, n) for t in every]) for n in ("chance", "right"))
    likely = chance > 0.5
    assert chance[likely].mean() == pytest.approx(right[likely].mean(), abs=0.06)


def test_a_models_facts_tell_how_it_is_read():
    by = Calibration(1.25, 1.5, levelled=True)
    assert calibration_in({"calibration": by.to_json()}) == by
    assert calibration_in({}) is LOGARITHMS
    assert calibration_in({}, by) is by
