"""Doubtful regions of very large puzzles laid anew."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from tessella import edges
from tessella.adjust.minmax import Minmax
from tessella.arrangement import Arrangement, Sheet
from tessella.evidence import Evidence, gather
from tessella.imaging.cut import cut
from tessella.kernels.crossover import Parent
from tessella.measures.mgc import Mgc
from tessella.measuring import measure
from tessella.metrics import score
from tessella.puzzle import Puzzle
from tessella.remeasure import Pairs, remeasure
from tessella.solving import Job
from tessella.stages.balancing import balanced, odds_of
from tessella.stages.believe import Believe
from tessella.stages.merge import Merged
from tessella.stages.stage import Answer
from tessella.stop import Stop, never
from tessella.truth import Truth


def _picture(rows: int = 9, cols: int = 12, size: int = 14) -> np.ndarray:
    """Return something smooth with enough detail for every seam."""
    rng = np.random.default_rng(5)
    down, across = np.indices((rows * size, cols * size))
    waves = [
        np.sin(down * rng.uniform(0.02, 0.3) + across * rng.uniform(0.02, 0.3) + rng.uniform(0, 6))
        for _ in range(12)
    ]
    color = np.tensordot(rng.uniform(-1, 1, (3, 12)), np.stack(waves), 1).transpose(1, 2, 0)
    return np.clip(128 + 30 * color, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def small() -> tuple[Puzzle, Truth, Evidence]:
    puzzle, truth = cut(_picture(), 14, seed=3)
    scores = measure(puzzle, Mgc(), dense=False, keep=8)
    return puzzle, truth, gather(scores, Minmax(), remeasure(puzzle, scores, Mgc()))


def _answer(piece: np.ndarray, evidence: Evidence, firm: np.ndarray) -> Answer:
    sheet = Sheet(piece.astype(np.int32), np.zeros(piece.shape, np.int8))
    arrangement = Arrangement((sheet,))
    parent = Parent(firm, np.zeros(piece.size, np.float32), 0.0)
    merged = Merged(np.empty(0, np.int64), np.empty((0, 3), np.int64), parent, firm)
    told = evidence.compatibility
    return Answer(told, merged, arrangement, (told.fitness(arrangement),))


def _firm(truth: Truth, held: np.ndarray) -> np.ndarray:
    """Return the true joins of which both pieces are `held`."""
    partner = truth.partners()
    mine = np.repeat(held, 4)
    return np.where((partner >= 0) & mine & mine[partner // 4], partner, -1).astype(np.int32)


def test_measuring_again_agrees_with_the_measure(small: tuple[Puzzle, Truth, Evidence]) -> None:
    puzzle, _, _ = small
    scores = measure(puzzle, Mgc(), dense=True)
    assert scores.dense is not None
    some = np.array([7, 3, 40, 99], np.int32)
    for side in (edges.RIGHT, edges.BOTTOM):
        told = Pairs(puzzle, Mgc())(some, side, 1)
        np.testing.assert_allclose(told, scores.dense[4 * some + side][:, some], rtol=1e-5)


def test_only_lists_of_distances_are_measured_again(
    small: tuple[Puzzle, Truth, Evidence],
) -> None:
    puzzle, _, listed = small
    assert listed.remeasure is not None
    assert remeasure(puzzle, measure(puzzle, Mgc(), dense=True), Mgc()) is None


def test_odds_are_balanced() -> None:
    """Every piece has one neighbour on either side: rows and columns have the same sum."""
    score = -np.random.default_rng(2).uniform(0, 2, (40, 40)).astype(np.float32)
    np.fill_diagonal(score, -np.inf)
    odds = odds_of(score, 30)
    assert odds.shape == (40, 30)
    np.testing.assert_allclose(odds.sum(axis=1), 30, rtol=1e-4)
    np.testing.assert_allclose(odds[:30].sum(axis=0), 30, rtol=0.02)


def test_odds_are_the_same_to_the_bit_however_many_threads_blas_has() -> None:
    score = -np.random.default_rng(3).uniform(0, 2, (800, 800)).astype(np.float32)
    made = []
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            made.append(odds_of(score, 700))
    np.testing.assert_array_equal(made[0], made[1])


def test_by_every_pair_true_joins_are_the_likeliest(
    small: tuple[Puzzle, Truth, Evidence],
) -> None:
    puzzle, truth, _ = small
    piece = truth.arrangement.sheets[0].piece
    free = np.zeros(piece.shape, np.bool_)
    free[2:8, 2:10] = True
    near = balanced(truth.arrangement.sheets[0], free, Pairs(puzzle, Mgc()), 2)
    assert near is not None
    assert (
        balanced(truth.arrangement.sheets[0], free, Pairs(puzzle, Mgc()), 2, stop=lambda: True)
        is None
    )
    partner = truth.partners()
    inside = np.flatnonzero((partner >= 0) & np.isin(np.arange(len(partner)) // 4, piece[free]))
    assert (near.best()[inside] == partner[inside]).mean() > 0.95
    rim = 4 * piece[0, 0] + edges.RIGHT
    assert near.partner[near.start[rim] : near.start[rim + 1]].tolist() == [partner[rim]]
    e, f = np.repeat(np.arange(len(partner)), np.diff(near.start)), near.partner
    np.testing.assert_allclose(near.of(np.stack([f, e], axis=-1).astype(np.int32)), near.score)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_shuffled_region_is_laid_anew(
    small: tuple[Puzzle, Truth, Evidence], threads: int
) -> None:
    _, truth, evidence = small
    stage = Believe(large=20, away=1)
    true = truth.arrangement.sheets[0].piece
    piece = true.copy()
    region = np.zeros(true.shape, np.bool_)
    region[3:7, 4:9] = True
    piece[region] = np.random.default_rng(0).permutation(piece[region])
    held = np.ones(true.size, np.bool_)
    held[piece[region]] = False
    before = _answer(piece, evidence, _firm(truth, held))
    after = stage(before, Job(evidence, true.shape, threads=threads))
    assert before.arrangement is not None
    assert after.arrangement is not None
    assert score(before.arrangement, truth, upright=True, shape_known=True).neighbor < 0.8
    assert score(after.arrangement, truth, upright=True, shape_known=True).neighbor == 1
    assert len(after.history) > 1 + stage.sweeps // stage.reading  # And moves.
    told = evidence.compatibility
    assert after.history[-1] == pytest.approx(told.fitness(after.arrangement))
    assert after.history[-1] > before.history[-1]


def _from_the_truth(small: tuple[Puzzle, Truth, Evidence], stop: Stop) -> tuple[Answer, Answer]:
    """Return the right answer, and what comes out if four of its pieces are in doubt."""
    _, truth, evidence = small
    held = np.arange(evidence.compatibility.pieces) >= 4
    right = _answer(truth.arrangement.sheets[0].piece, evidence, _firm(truth, held))
    return right, Believe(large=20)(right, Job(evidence, None, threads=1, stop=stop))


def test_stopped_at_once_nothing_changes(small: tuple[Puzzle, Truth, Evidence]) -> None:
    right, after = _from_the_truth(small, stop=lambda: True)
    assert after.stopped
    assert after.arrangement is right.arrangement
    assert after.history == right.history


def test_what_is_right_stays(small: tuple[Puzzle, Truth, Evidence]) -> None:
    right, after = _from_the_truth(small, stop=never)
    assert after.arrangement is not None
    assert right.arrangement is not None
    assert after.arrangement.same(right.arrangement)


def test_without_anything_sure_nothing_is_done(small: tuple[Puzzle, Truth, Evidence]) -> None:
    _, truth, evidence = small
    none = np.full(4 * evidence.compatibility.pieces, -1, np.int32)
    right = _answer(truth.arrangement.sheets[0].piece, evidence, none)
    assert Believe()(right, Job(evidence, None, threads=1)) is right
