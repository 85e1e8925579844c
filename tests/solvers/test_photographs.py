"""Photographs come back, whichever solver that covers every variant puts them together."""

from __future__ import annotations

import pytest
import skimage.data

from tessella.adjust.ratio import Ratio
from tessella.evidence import Evidence
from tessella.imaging.cut import cut
from tessella.measures.l1 import L1
from tessella.measures.mgc import Mgc
from tessella.measuring import measure
from tessella.metrics import score
from tessella.solvers.gallagher import Gallagher
from tessella.solvers.linear import Linear
from tessella.solvers.loops import Loops
from tessella.solvers.paikin_tal import PaikinTal
from tessella.solving import Job

CASES = {  # The measure; the least for rocket and astronaut; for rectangles, more than this.
    Gallagher: (Mgc(), 0.8, 0.95, 0.98),
    Linear: (Mgc(), 0.8, 0.95, 0.99),
    Loops: (Mgc(), 0.8, 0.95, 0.99),
    PaikinTal: (L1(), 0.82, 0.94, 0.99),
}

pytestmark = pytest.mark.parametrize("solver", CASES, ids=lambda cls: cls.__name__)


def compare(solver, puzzle, **how):
    return Ratio().adjust(measure(puzzle, CASES[solver][0], **how))


@pytest.fixture(scope="module")
def chelsea():
    return skimage.data.chelsea()


@pytest.mark.parametrize("picture", ["rocket", "astronaut", "coffee", "chelsea"])
def test_photographs_come_back(solver, picture):
    puzzle, truth = cut(getattr(skimage.data, picture)(), 28, seed=1)
    found = solver().solve(Job(Evidence(compare(solver, puzzle)), puzzle.shape))
    least = {"rocket": CASES[solver][1], "astronaut": CASES[solver][2]}.get(picture, 1)
    assert score(found.arrangement, truth).neighbor >= least


@pytest.mark.parametrize("dense", [True, False], ids=["dense", "lists"])
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("turned", [True, False], ids=["turned", "upright"])
def test_a_photograph_comes_back_whatever_is_known_of_it(solver, chelsea, turned, known, dense):
    puzzle, truth = cut(chelsea, 28, turned=turned, seed=2)
    told = compare(solver, puzzle, dense=dense)
    found = solver().solve(Job(Evidence(told), puzzle.shape if known else None))
    assert score(found.arrangement, truth).perfect


@pytest.mark.parametrize("turned", [True, False], ids=["turned", "upright"])
def test_rectangular_pieces_come_back(solver, chelsea, turned):
    puzzle, truth = cut(chelsea, (40, 25), turned=turned, seed=3)
    found = solver().solve(Job(Evidence(compare(solver, puzzle)), puzzle.shape))
    assert score(found.arrangement, truth).neighbor > CASES[solver][3]
    assert found.arrangement.sheets[0].shape == puzzle.shape
