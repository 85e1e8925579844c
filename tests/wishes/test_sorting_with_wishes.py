"""Mixtures and wishes: they are sorted and completed with wishes as well as without."""

from __future__ import annotations

import numpy as np
import pytest
from skimage import data

import tessella
from tessella.arrangement import Arrangement, Sheet
from tessella.imaging.cut import cut_panels
from tessella.panels import Panels
from tessella.solving import Job
from tessella.stages.move import Move
from tessella.stages.stage import Answer
from tessella.wishes import Wishes
from tessella.wishes.bettering import bettered

SIZE = 8 * 28


@pytest.fixture(scope="module")
def mixed():
    """One picture with a large flat sky and a textured one, 8 x 8 pieces each."""
    sky = data.rocket()[:SIZE, 300 : 300 + SIZE]
    return cut_panels((sky, data.coffee()[:SIZE, 200 : 200 + SIZE]), 28, turned=True, seed=4)


def test_a_wish_that_holds_anyway_changes_nothing_of_a_mixture(mixed):
    puzzle, truth = mixed
    session = tessella.Session(puzzle, panels=Panels(), seed=1)
    plain = session.solve()
    first, second = (sheet.piece[0, :2].tolist() for sheet in truth.arrangement.sheets)
    for wishes in (Wishes(together=(tuple(first),)), Wishes(apart=((first[0], second[0]),))):
        assert session.solve(wishes).arrangement.same(plain.arrangement)


def test_whole_pictures_that_no_wish_changes_stay_when_they_are_solved_again(mixed):
    puzzle, truth = mixed
    session = tessella.Session(puzzle, panels=Panels(), seed=1)
    first, second = (int(sheet.piece[0, 0]) for sheet in truth.arrangement.sheets)
    again = session.resolve(truth.arrangement, Wishes(apart=((first, second),)))
    assert again.arrangement.same(truth.arrangement)


def test_sheets_whose_pieces_all_stay_take_no_others(mixed):
    puzzle, truth = mixed
    evidence = tessella.prepare(puzzle, tessella.make_plan("mgc")).evidence
    whole, other = truth.arrangement.sheets
    moved = Sheet(np.roll(other.piece, 2, 0), np.roll(other.turns, 2, 0))
    before = Arrangement((moved, whole))
    job = Job(evidence, threads=1, panels=Panels())
    answer = Answer(job.compatibility, arrangement=before)
    held = tuple(whole.piece.ravel().tolist())
    found = bettered(answer, job, Move(still=held)).arrangement
    assert Arrangement(found.sheets[-1:]).same(Arrangement((whole,)))
    assert not found.same(before)
    every = tuple(range(len(puzzle)))
    assert bettered(answer, job, Move(still=every)).arrangement is before
