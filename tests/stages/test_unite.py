"""Fragments by worth: holes stay holes, panels stay apart, strangers are left over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from skimage import data

import tessella
from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.imaging.cut import cut_panels
from tessella.kernels import uniting
from tessella.kernels.board import Box
from tessella.kernels.merging import IMPOSSIBLE, single_fragments
from tessella.odds import Calibration, Worth, odds_of
from tessella.panels import Panels
from tessella.sorting import sort
from tessella.stages.unite import _pairs, joins_of
from tessella.watch import Silent
from tessella.wishes import Wishes

QUICK = {"population": "4", "patience": "2", "islands": "1"}


@pytest.fixture(scope="module")
def pictures():
    """Two photographs of 8 x 8 pieces."""
    size = 8 * 28
    return data.astronaut()[:size, 100 : 100 + size], data.coffee()[:size, 200 : 200 + size]


def test_missing_pieces_leave_holes():
    puzzle, truth = cut_panels([data.astronaut()], 28, missing=0.3, seed=2)
    found = tessella.solve(replace(puzzle, shape=None), settings=QUICK, seed=1)
    closed = tessella.solve(
        replace(puzzle, shape=None), settings={**QUICK, "without": "unite"}, seed=1
    )
    new, old = (tessella.score(each, truth) for each in (found, closed))
    assert new.neighbor > 0.85
    assert new.neighbor > old.neighbor + 0.05
    assert new.false_joins < old.false_joins
    assert len(found.arrangement.placed()) == len(puzzle)
    assert len(found.arrangement.sheets) == 1


def test_within_a_known_shape_all_pieces_lie_and_holes_stay(pictures):
    puzzle, truth = cut_panels(pictures[:1], 28, missing=0.2, seed=2)
    found = tessella.solve(puzzle, settings=QUICK, seed=1).arrangement
    assert found.sheets[0].shape == (8, 8)
    assert len(found.placed()) == len(puzzle)
    assert tessella.score(found, truth).neighbor > 0.9


@pytest.mark.parametrize("turned", [False, True])
def test_two_pictures_come_out_as_two_sheets_and_strangers_are_left_over(pictures, turned):
    strange = data.rocket()[100:300, 50:250]
    puzzle, truth = cut_panels(
        pictures, 28, foreign=3, foreign_from=[strange], turned=turned, seed=4
    )
    found = tessella.solve(puzzle, panels=Panels(), seed=1)
    sorting = sort(found.arrangement, truth, upright=not turned)
    assert sorting.sheets == 2
    assert sorting.purity > 0.98
    assert sorting.left_over >= 1
    assert tessella.score(found, truth).neighbor > 0.9


def test_the_same_seed_gives_the_same_answer_on_any_number_of_threads(pictures):
    puzzle, _ = cut_panels(pictures, 28, missing=0.1, turned=True, seed=5)
    one, two = (tessella.solve(puzzle, panels=Panels(), seed=3, threads=n) for n in (1, 2))
    assert one.arrangement.same(two.arrangement)


def test_compiled_and_plain_uniting_agree(pictures):
    puzzle, _ = cut_panels([pictures[0][:112, :112]], 28, missing=0.1, turned=True, seed=5)
    scores = tessella.api.measure(puzzle, tessella.make_plan("mgc").measure, shuffled=True).scores
    worth = Worth.by(odds_of(scores, Calibration(8.0, 1.4)))
    pairs = _pairs(worth.compatibility, 6)
    outcomes = []
    for hopes, unite in (
        (uniting.hopes, uniting.unite),
        (uniting.hopes.py_func, uniting.unite.py_func),
    ):
        fragments, hope = single_fragments(len(puzzle)), np.empty(len(pairs))
        facts = worth.compatibility.tables, worth.zero, fragments, Box(9, 9, 1)
        hopes(*facts, pairs, hope)
        assert hope.min() > IMPOSSIBLE
        made = unite(*facts, pairs, hope, 1e-6, 0.02)
        outcomes.append((made, hope, joins_of(fragments)))
    assert outcomes[0][0] == outcomes[1][0] > 5
    assert outcomes[0][1] == pytest.approx(outcomes[1][1])
    assert (outcomes[0][2] == outcomes[1][2]).all()


def test_whatever_is_united_is_worth_something(pictures):
    puzzle, _ = cut_panels(pictures, 28, missing=0.4, seed=6)
    found = tessella.solve(puzzle, panels=Panels(), seed=1)
    assert found.worth is not None
    assert found.worth > 0
    for sheet in found.arrangement.sheets:
        assert (sheet.piece != EMPTY).sum() > 1


class Listening(Silent):
    """A watcher that remembers the numbers of generations."""

    def __init__(self):
        self.numbers = []

    def generation(self, generation):
        self.numbers.append(generation.number)


def test_generations_go_on_counting_and_history_is_on_one_scale(pictures):
    puzzle, _ = cut_panels(pictures[:1], 28, missing=0.2, seed=2)
    watch = Listening()
    settings = {**QUICK, "without": "move"}
    found = tessella.solve(puzzle, settings=settings, seed=1, watch=watch)
    before = tessella.solve(puzzle, settings={**QUICK, "without": "move,unite"}, seed=1)
    (history,), (first,) = found.history, before.history
    assert history[: len(first)] == first
    assert watch.numbers == list(range(watch.numbers[-1] + 1))
    assert len(history) > len(first) + 2
    assert min(history[len(first) :]) > 0.5 * found.fitness
    assert history[-1] == pytest.approx(found.fitness)


def test_an_answer_to_begin_with_is_bettered_in_generations_that_ascend(pictures):
    puzzle, truth = cut_panels(pictures, 28, seed=4)
    piece = truth.arrangement.sheets[0].piece.copy()
    piece[0, :2] = piece[0, 1::-1]
    begin = Arrangement(
        (Sheet(piece, truth.arrangement.sheets[0].turns), *truth.arrangement.sheets[1:])
    )
    joined = tuple(truth.arrangement.joins()[0].tolist())
    watch = Listening()
    known = {"panels": Panels(), "begin": begin, "wishes": Wishes(joined=(joined,))}
    found = tessella.solve(puzzle, watch=watch, seed=1, **known)
    assert watch.numbers == sorted(set(watch.numbers))
    (history,) = found.history
    assert len(history) > watch.numbers[-1]
    assert min(history) > 0.5 * found.fitness
