"""The Python API: one call, its parts, and what they promise."""

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tessella
from tessella import api, checkpoint
from tessella.errors import FormatError, InputError
from tessella.snapshots import MOST

QUICK = {"solver": "paikin_tal", "measure": "ssd"}


@pytest.fixture(scope="module")
def puzzle(picture):
    return tessella.cut(picture, 56, turned=True, seed=3)[0]


@pytest.fixture(scope="module")
def truth(picture):
    return tessella.cut(picture, 56, turned=True, seed=3)[1]


class Interrupting:
    """A watcher that interrupts the work at a generation of a run."""

    def __init__(self, run: int, number: int) -> None:
        self.at = (run, number)

    def stage(self, name, total):
        pass

    def advance(self, steps=1):
        pass

    def generation(self, generation):
        if (generation.run, generation.number) == self.at:
            raise KeyboardInterrupt


def test_importing_tessella_imports_nothing_heavy(environment):
    code = "import sys, tessella; print(*sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    loaded = set(told.stdout.split())
    assert "tessella" in loaded
    assert not loaded & {"numba", "numpy", "matplotlib", "typer", "rich", "torch", "PIL"}


def test_every_public_name_is_there_and_no_other():
    for name in tessella.__all__:
        assert getattr(tessella, name) is not None
        assert name in dir(tessella)
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = tessella.nothing_of_the_kind


def test_an_easy_picture_is_put_back_together(puzzle, truth):
    result = tessella.solve(puzzle)
    assert tessella.score(result, truth).perfect
    assert not result.stopped
    assert result.settings["solver"]["name"] == "genetic"
    assert {"measuring", "adjusting", "solving", "judging", "total"} <= set(result.seconds)


def test_the_parts_give_what_the_one_call_gives(puzzle):
    plan = tessella.make_plan("ssd", "genetic", {"population": 6})
    prepared = tessella.prepare(puzzle, plan, keep=20, seed=5)
    in_parts = tessella.search(prepared, runs=2)
    at_once = tessella.solve(
        puzzle, measure="ssd", settings={"population": 6}, keep=20, seed=5, runs=2
    )
    assert in_parts.arrangement.same(at_once.arrangement)
    assert in_parts.runs == at_once.runs
    assert in_parts.settings == at_once.settings


def test_the_result_speaks_of_the_pieces_as_they_were_given(puzzle):
    result = tessella.solve(puzzle, seed=11)
    assert result.compatibility.fitness(result.arrangement) == pytest.approx(result.fitness)
    assert [join.compatibility for join in result.joins] == pytest.approx(
        [float(result.compatibility.of(np.array([join.edges]))[0]) for join in result.joins]
    )
    last = result.evolution[-1].snapshot
    assert result.compatibility.fitness(last) == pytest.approx(result.fitness)


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 10**6))
def test_relabelling_the_pieces_relabels_the_answer(puzzle, truth, seed):
    order = np.random.default_rng(seed).permutation(len(puzzle))
    shuffled = tessella.Puzzle(puzzle.pieces[order], upright=False, shape=puzzle.shape)
    result = tessella.solve(shuffled, seed=seed, **QUICK)
    sheet = result.arrangement.sheets[0]
    named = tessella.Arrangement.single(order[sheet.piece], sheet.turns)
    assert tessella.score(named, truth).neighbor == 1


def test_the_same_seed_gives_the_same_answer_whatever_the_threads(puzzle):
    first, second = (tessella.solve(puzzle, seed=2, threads=threads) for threads in (1, 2))
    assert first.arrangement.same(second.arrangement)
    assert first.history == second.history


def test_every_run_is_recorded_and_the_best_is_shown(puzzle):
    result = tessella.solve(puzzle, runs=3, measure="ssd", settings={"population": 4})
    assert len(result.runs) == len(result.history) == 3
    assert result.fitness == max(result.runs)
    assert result.settings["runs"] == 3


def test_the_evolution_is_thinned(puzzle):
    result = tessella.solve(puzzle, settings={"strategy": "paper", "population": 10})
    assert 2 <= len(result.evolution) <= MOST
    numbers = [generation.number for generation in result.evolution]
    assert numbers == sorted(numbers)
    assert all(generation.snapshot is not None for generation in result.evolution)


def test_a_time_limit_ends_an_endless_search(puzzle):
    result = tessella.solve(puzzle, settings={"patience": 10**9}, seconds=0.5, runs=5)
    assert result.stopped
    assert len(result.runs) < 5
    assert len(result.arrangement.placed()) == len(puzzle)


def test_a_stop_asked_from_the_beginning_still_gives_a_complete_answer(puzzle):
    result = tessella.solve(puzzle, stop=lambda: True)
    assert result.stopped
    assert len(result.arrangement.placed()) == len(puzzle)


@pytest.mark.parametrize(
    "limits",
    [
        {"runs": 0},
        {"seconds": 0},
        {"seconds": float("nan")},
        {"seed": -1},
        {"threads": 0},
        {"keep": 0},
    ],
)
def test_impossible_limits_are_refused(puzzle, limits):
    with pytest.raises(InputError):
        tessella.solve(puzzle, **limits)


def test_interrupted_work_goes_on_and_ends_as_if_undisturbed(puzzle, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint.Checkpoint, "due", lambda self: True)
    how = {"measure": "ssd", "runs": 2, "settings": {"population": 6, "patience": 6}}
    kept = tmp_path / "kept"
    for run, number in ((0, 3), (1, 4)):
        watch = Interrupting(run, number)
        with pytest.raises(KeyboardInterrupt):  # One thread: runs one after the other.
            tessella.solve(puzzle, checkpoint=kept, watch=watch, threads=1, **how)
    resumed = tessella.solve(puzzle, checkpoint=kept, **how)
    undisturbed = tessella.solve(puzzle, **how)
    assert resumed.arrangement.same(undisturbed.arrangement)
    assert resumed.runs == undisturbed.runs
    assert resumed.history == undisturbed.history
    assert [g.number for g in resumed.evolution] == [g.number for g in undisturbed.evolution]
    assert not kept.exists()


@pytest.mark.parametrize("change", [{"seed": 1}, {"keep": 5}, {"settings": {"population": 7}}])
def test_work_begun_otherwise_is_not_taken_up(puzzle, tmp_path, monkeypatch, change):
    monkeypatch.setattr(checkpoint.Checkpoint, "due", lambda self: True)
    how = {"measure": "ssd", "checkpoint": tmp_path / "kept"}
    with pytest.raises(KeyboardInterrupt):
        tessella.solve(puzzle, watch=Interrupting(0, 1), **how)
    with pytest.raises(FormatError, match="--force"):
        tessella.solve(puzzle, **how, **change)


@pytest.mark.parametrize("solver", ["paikin_tal", "genetic"])
@pytest.mark.parametrize("shape", [None, (1, 1), (2, 3)])
def test_a_single_piece_is_an_answer(solver, shape):
    alone = tessella.Puzzle(np.zeros((1, 8, 8, 3), np.uint8), shape=shape)
    result = tessella.solve(alone, solver=solver)
    assert result.arrangement.placed().tolist() == [0]
    assert result.joins == ()


def test_missing_pieces_leave_empty_cells(picture):
    whole, _ = tessella.cut(picture, 56)
    some = tessella.Puzzle(whole.pieces[:-3], upright=True, shape=whole.shape)
    result = tessella.solve(some)
    sheet = result.arrangement.sheets[0]
    assert sheet.shape == whole.shape
    assert (sheet.piece < 0).sum() == 3


def test_the_record_is_json(puzzle):
    result = tessella.solve(puzzle, **QUICK)
    record = json.loads(json.dumps(result.to_json()))
    assert record["settings"]["measure"]["name"] == "ssd"
    assert record["runs"] == [{"fitness": result.fitness}]


def test_direct_tries_shifts_only_if_the_shape_is_not_the_true_one():
    truth = tessella.Truth(tessella.Arrangement.single([[0, 1], [2, 3]]), np.arange(16))
    shifted = tessella.Arrangement.single([[-1, 0, 1], [-1, 2, 3]])
    swapped = tessella.Arrangement.single([[1, 0], [3, 2]])
    assert tessella.score(shifted, truth).direct == 1
    assert tessella.score(shifted, truth, shape_known=True).direct == 0
    assert tessella.score(swapped, truth).direct == 0


def test_direct_tries_whole_turns_unless_the_truth_turns_no_piece():
    upright = tessella.Truth(tessella.Arrangement.single([[0, 1], [2, 3]]), np.arange(16))
    turned = tessella.Truth(
        tessella.Arrangement.single([[0, 1], [2, 3]], np.array([[0, 1], [2, 3]])), np.arange(16)
    )
    for truth, expected in ((upright, 0.0), (turned, 1.0)):
        answer = tessella.Arrangement((truth.arrangement.sheets[0].turned(2),))
        assert tessella.score(answer, truth).direct == expected
    answer = tessella.Arrangement((upright.arrangement.sheets[0].turned(2),))
    assert tessella.score(answer, upright, upright=False).direct == 1


def test_strips_of_the_same_pixels_but_other_outlines_are_other_work():
    grey = np.full((3, 30, 8), 255, np.uint8)
    pieces = np.stack([grey] * 3, axis=-1)
    rims = np.tile(np.array([[0], [8]], np.int32), (3, 1, 30))
    plan = tessella.make_plan("ink", "path")
    kinds = [
        {},
        {"sizes": np.array([[30, 8], [30, 8], [29, 8]])},
        {"rims": rims},
        {"rims": rims - [[0], [1]]},
    ]
    strips = [tessella.Strips(pieces, **kind) for kind in kinds]
    keys = [api._key(tessella.prepare(each, plan)) for each in strips]
    assert len(set(keys)) == len(kinds)
    assert api._key(tessella.prepare(tessella.Strips(pieces), plan)) == keys[0]


def test_prepare_is_measure_and_adjust(puzzle):
    plan = tessella.make_plan("ssd", "paikin_tal")
    whole = api.prepare(puzzle, plan, keep=8, seed=5)
    measured = api.measure(puzzle, plan.measure, keep=8, seed=5)
    halves = api.adjust(measured, plan)
    assert np.array_equal(halves.order, whole.order)
    assert (halves.keep, halves.seed, halves.plan) == (8, 5, whole.plan)
    for name in ("start", "partner", "score", "dense"):
        assert np.array_equal(
            getattr(halves.compatibility, name), getattr(whole.compatibility, name)
        )
    assert halves.seconds.keys() == whole.seconds.keys()
    assert api.search(halves).arrangement.same(api.search(whole).arrangement)


def test_plans_share_a_measuring(puzzle):
    measured = api.measure(puzzle, tessella.make_plan("ssd").measure)
    for adjustment in ("minmax", "ratio"):
        plan = tessella.make_plan("ssd", "paikin_tal", {"adjust": adjustment})
        alone = api.prepare(puzzle, plan).compatibility
        shared = api.adjust(measured, plan).compatibility
        assert np.array_equal(shared.score, alone.score)


def test_pieces_in_random_order_can_stay_in_it(puzzle):
    plan = tessella.make_plan("ssd", "paikin_tal")
    measured = api.measure(puzzle, plan.measure, seed=5, shuffled=True)
    assert measured.seen is puzzle
    assert np.array_equal(measured.order, np.arange(len(puzzle)))


@pytest.mark.parametrize(
    ("given", "message"),
    [({"keep": 0}, "at least 1 candidate"), ({"seed": -1}, "seed"), ({"threads": 0}, "thread")],
)
def test_a_measuring_is_bounded_as_a_whole_solve_is(puzzle, given, message):
    with pytest.raises(InputError, match=message):
        api.measure(puzzle, tessella.make_plan("ssd").measure, **given)
