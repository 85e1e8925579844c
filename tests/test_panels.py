"""Panels say how many pictures are in a folder; they travel to the solver, or are refused."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import tessella
from tessella import api, registry, shuffle
from tessella.arrangement import Arrangement
from tessella.documents.cut import cut_strips
from tessella.errors import InputError
from tessella.imaging.cut import cut, cut_panels
from tessella.panels import Panels
from tessella.runs import perform
from tessella.solving import Covers, Job, Solution, covered

NARROW = [n for n in registry.names("solver") if not covered(registry.find("solver", n)).panels]


def picture(rows: int, cols: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (8 * rows, 8 * cols, 3), np.uint8)


@pytest.fixture
def mixed():
    images = [picture(3, 4), picture(4, 4, 1)]
    return cut_panels(images, 8, missing=0.2, foreign=2, foreign_from=[picture(4, 5, 2)])


@dataclass(frozen=True)
class Knowing:
    """A solver that was told the answer, and keeps the job it was given."""

    covers: ClassVar[Covers] = Covers(panels=True)
    seen: ClassVar[list[Job]] = []

    answer: Arrangement
    adjust: str = "minmax"

    def solve(self, job: Job) -> Solution:
        self.seen.append(job)
        return Solution(self.answer, job.compatibility.fitness(self.answer))


def knowing(puzzle, truth, seed=0) -> Knowing:
    """Return the solver that knows `truth` of the pieces in the order it will see them."""
    order = shuffle.permuted(puzzle, seed)[1]
    return Knowing(shuffle.restore(truth.arrangement, np.argsort(order).astype(np.int32)))


def test_panels_reach_the_solver_and_their_answer_comes_back(mixed):
    puzzle, truth = mixed
    panels = Panels(2, ((3, 4), (4, 4)))
    result = tessella.solve(puzzle, measure="ssd", solver=knowing(puzzle, truth), panels=panels)
    assert Knowing.seen[-1].panels == panels
    assert Knowing.seen[-1].shape is None
    smaller, larger = truth.arrangement.sheets
    assert result.arrangement.same(Arrangement((larger, smaller)))  # the largest sheet first
    assert result.settings["panels"] == {"count": 2, "shapes": [[3, 4], [4, 4]]}
    sorting = tessella.score(result, truth).sorting
    assert sorting is not None
    assert (sorting.purity, sorting.foreign_left_over) == (1.0, 2)


def test_without_panels_nothing_is_recorded(mixed):
    puzzle, truth = mixed
    result = tessella.solve(puzzle, measure="ssd", solver=knowing(puzzle, truth))
    assert Knowing.seen[-1].panels is None
    assert "panels" not in result.settings


def test_the_shape_of_the_puzzle_is_that_of_its_one_panel():
    puzzle, truth = cut(picture(3, 4), 8)
    tessella.solve(puzzle, measure="ssd", solver=knowing(puzzle, truth), panels=Panels(1))
    job = Knowing.seen[-1]
    assert (job.shape, job.panels) == (None, Panels(1, ((3, 4),)))
    assert Panels().known(puzzle) == Panels()
    assert Panels(2).known(puzzle) == Panels(2)
    assert Panels(1, ((2, 2),)).known(puzzle) == Panels(1, ((2, 2),))


@pytest.mark.parametrize("name", NARROW)
def test_a_solver_that_knows_one_sheet_refuses_panels_by_its_name(name, mixed):
    solver = registry.make("solver", name)
    with pytest.raises(InputError, match=f"^The solver {name} lays all pieces on one sheet"):
        tessella.solve(mixed[0], measure="ssd", solver=name, panels=Panels())
    prepared = tessella.prepare(mixed[0], tessella.make_plan("ssd", name))
    with pytest.raises(InputError, match=f"^The solver {name} lays"):
        perform(solver, Job(prepared.evidence, panels=Panels()))


@pytest.mark.parametrize(
    ("count", "shapes", "said"),
    [
        (0, (), "at least 1 panel"),
        (10_001, (), "at most 10000 panels"),
        (1, ((1, 2), (2, 2)), "2 shapes for 1"),
        (None, ((0, 2),), "at least 1 x 1"),
    ],
)
def test_impossible_panels_are_refused(count, shapes, said):
    with pytest.raises(InputError, match=said):
        Panels(count, shapes)


def test_panels_must_suit_the_puzzle(mixed):
    puzzle = mixed[0]
    assert Panels(len(puzzle)).known(puzzle)
    with pytest.raises(InputError, match="at least as many pieces; there are 25"):
        Panels(len(puzzle) + 1).known(puzzle)
    assert Panels(1, ((50, 50),)).known(puzzle)
    with pytest.raises(InputError, match="100 cells for every piece"):
        Panels(1, ((50, 51),)).known(puzzle)
    strips, _ = cut_strips([np.full((60, 80), 255, np.uint8)], 8)
    with pytest.raises(InputError, match="use --pages"):
        Panels().known(strips)


def test_work_on_other_panels_is_other_work(mixed):
    prepared = tessella.prepare(mixed[0], tessella.make_plan("ssd", "paikin_tal"))
    told = (None, Panels(), Panels(2), Panels(2, ((3, 4),)))
    assert len({api._key(prepared, panels=panels) for panels in told}) == len(told)
