"""The stage that exchanges blocks: full rectangles are bettered, all else stays."""

from __future__ import annotations

import numpy as np
import pytest

import tessella
from tessella import api
from tessella.arrangement import Arrangement, Sheet
from tessella.metrics import score
from tessella.solving import Job
from tessella.stages.exchange import Exchange
from tessella.stages.stage import Answer


@pytest.fixture(scope="module")
def small():
    """A picture of 6 x 7 pieces, its truth and the job to arrange it, in the order measured."""
    picture = tessella.demo_picture()[: 6 * 28, : 7 * 28]
    puzzle, truth = tessella.cut(picture, 28, seed=2)
    plan = tessella.make_plan("mgc")
    evidence = api.adjust(api.measure(puzzle, plan.measure, shuffled=True), plan).evidence
    return truth, Job(evidence, shape=(6, 7), seed=1, threads=1)


def exchanged(arrangement: Arrangement, job: Job, **known) -> Answer:
    begun = Answer(job.compatibility, arrangement=arrangement, history=(1.0,), **known)
    return Exchange()(begun, job)


def test_a_band_that_lies_two_cells_aside_comes_back(small):
    truth, job = small
    piece = truth.arrangement.sheets[0].piece.copy()
    piece[:3, 2:] = np.roll(piece[:3, 2:], 2, axis=1)
    aside = Arrangement.single(piece)
    answer = exchanged(aside, job)
    assert score(answer.arrangement, truth).neighbor == 1.0
    assert answer.history[-1] == pytest.approx(job.compatibility.fitness(answer.arrangement))
    assert answer.history[-1] > job.compatibility.fitness(aside)


def test_what_no_exchange_betters_stays_as_it_is(small):
    truth, job = small
    assert exchanged(truth.arrangement, job).arrangement is truth.arrangement


def test_with_an_empty_cell_several_sheets_or_no_time_left_nothing_is_done(small):
    truth, job = small
    piece = np.roll(truth.arrangement.sheets[0].piece, 2, axis=1)
    hole = piece.copy()
    hole[0, 0] = -1
    halves = [Sheet(part, np.zeros(part.shape, np.int8)) for part in np.split(piece, 2)]
    for arrangement in (Arrangement.single(hole), Arrangement(tuple(halves))):
        assert exchanged(arrangement, job).arrangement is arrangement
    late = Arrangement.single(piece)
    assert exchanged(late, job, stopped=True).arrangement is late
    assert exchanged(late, job).arrangement is not late
