"""What is left beside whole pictures: sorted once more, and taken if another picture is whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from skimage import data

import tessella
from tessella import api
from tessella.arrangement import Arrangement, Sheet
from tessella.imaging.cut import cut_panels
from tessella.panels import Panels
from tessella.solving import Job
from tessella.stages.again import Again
from tessella.stages.regimes import stages_for
from tessella.stages.stage import Answer

SIDE = 6


@pytest.fixture(scope="module")
def mixed():
    """Two textured pictures of 6 x 6 pieces of 28 px: puzzle, truth and the job to sort them."""
    size = SIDE * 28
    pictures = [data.coffee()[100 : 100 + size, 60 : 60 + size], data.chelsea()[60:228, 120:288]]
    puzzle, truth = cut_panels(pictures, 28, seed=4)
    plan = tessella.make_plan("mgc")
    measured = api.measure(puzzle, plan.measure, shuffled=True)
    evidence = api.adjust(measured, plan).evidence
    return truth, Job(evidence, seed=1, threads=1, panels=Panels())


def torn(truth):
    """Return an answer whose second sheet lies in single pieces."""
    whole, other = truth.arrangement.sheets
    piece = np.full((1, 2 * SIDE * SIDE), -1, np.int32)
    piece[0, ::2] = other.piece.ravel()
    return Arrangement((whole, Sheet(piece, np.zeros(piece.shape, np.int8))))


def sorted_again(arrangement, job, stages=stages_for):
    return Again(stages)(Answer(job.compatibility, arrangement=arrangement), job).arrangement


def shapes(arrangement):
    return [sheet.shape for sheet in arrangement.sheets if (sheet.piece >= 0).all()]


def test_what_lies_apart_beside_a_whole_picture_becomes_whole(mixed):
    truth, job = mixed
    found = sorted_again(torn(truth), job)
    assert shapes(found) == [(SIDE, SIDE)] * 2
    assert found.sheets[0].piece.tolist() == truth.arrangement.sheets[0].piece.tolist()
    assert sorted(found.placed().tolist()) == list(range(2 * SIDE * SIDE))


def test_where_very_many_pieces_lie_on_one_sheet_nothing_is_sorted_again(mixed):
    truth, job = mixed
    before = torn(truth)
    left = SIDE * SIDE
    again = Again(stages_for, most=left - 1)
    assert again(Answer(job.compatibility, arrangement=before), job).arrangement is before
    again = replace(again, most=left)
    assert again(Answer(job.compatibility, arrangement=before), job).arrangement is not before


def test_many_pieces_on_small_sheets_are_sorted_again(mixed):
    truth, job = mixed
    whole, other = truth.arrangement.sheets
    halves = [Sheet(part, np.zeros(part.shape, np.int8)) for part in np.split(other.piece, 2)]
    again = Again(stages_for, most=SIDE * SIDE // 2)
    begun = Answer(job.compatibility, arrangement=Arrangement((whole, *halves)))
    assert shapes(again(begun, job).arrangement) == [(SIDE, SIDE)] * 2


def test_where_no_picture_is_whole_nothing_is_done(mixed):
    truth, job = mixed
    apart = Arrangement(torn(truth).sheets[1:])
    assert sorted_again(apart, job) is apart


def test_what_makes_no_other_picture_whole_is_not_taken(mixed):
    truth, job = mixed
    before = torn(truth)

    class Apart:
        name = "apart"

        def __call__(self, answer, part):
            piece = np.arange(part.compatibility.pieces, dtype=np.int32)[None]
            row = np.insert(piece, range(1, piece.size), -1, axis=1)
            sheet = Sheet(row, np.zeros(row.shape, np.int8))
            return replace(answer, arrangement=Arrangement((sheet,)))

    assert sorted_again(before, job, lambda part: (Apart(),)) is before


def test_where_all_panels_are_whole_nobody_looks_on(mixed):
    truth, job = mixed

    def never(part):
        raise AssertionError("there is no further panel")

    before = torn(truth)
    assert sorted_again(before, replace(job, panels=Panels(1)), never) is before


def test_known_shapes_of_whole_pictures_are_used_up(mixed):
    truth, job = mixed
    seen = []

    def looking(part):
        seen.append(part.panels)
        return stages_for(part, ("again",))

    panels = Panels(2, ((SIDE, SIDE), (SIDE, SIDE)))
    sorted_again(torn(truth), replace(job, panels=panels), looking)
    assert seen[0] == Panels(1, ((SIDE, SIDE),))
