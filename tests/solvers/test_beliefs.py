"""Belief propagation in doubtful regions, and rolling a picture that lies across its frame."""

from __future__ import annotations

import numpy as np
import pytest

import tessella.solvers._beliefs as beliefs
from tessella import edges
from tessella.adjust.minmax import Minmax
from tessella.arrangement import Arrangement, Sheet
from tessella.closer import Closer, with_closer
from tessella.compatibility import Compatibility, from_lists
from tessella.imaging.cut import cut
from tessella.kernels.beliefs import FREE, ONE, OUTSIDE, Chances, Said, believe, hear, tell
from tessella.measures.mgc import Mgc
from tessella.measuring import measure
from tessella.metrics import score
from tessella.puzzle import Puzzle
from tessella.solvers._beliefs import believed
from tessella.solvers._rolling import rolled
from tessella.solving import Solution
from tessella.stop import never
from tessella.truth import Truth
from tessella.watch import SILENT


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
def small() -> tuple[Puzzle, Truth, Compatibility]:
    puzzle, truth = cut(_picture(), 14, seed=3)
    scores = measure(puzzle, Mgc(), dense=False, keep=8)
    return puzzle, truth, with_closer(Minmax().adjust(scores), puzzle, Mgc())


def _solution(piece: np.ndarray, compatibility: Compatibility) -> Solution:
    sheet = Sheet(piece.astype(np.int32), np.zeros(piece.shape, np.int8))
    arrangement = Arrangement((sheet,))
    fitness = compatibility.fitness(arrangement)
    return Solution(arrangement, fitness, (fitness,), False)


def _firm(truth: Truth, held: np.ndarray) -> np.ndarray:
    """Return the true joins of which both pieces are `held`."""
    partner = truth.partners()
    mine = np.repeat(held, 4)
    return np.where((partner >= 0) & mine & mine[partner // 4], partner, -1).astype(np.int32)


def test_closer_agrees_with_the_measure(small: tuple[Puzzle, Truth, Compatibility]) -> None:
    puzzle, _, _ = small
    scores = measure(puzzle, Mgc(), dense=True)
    assert scores.dense is not None
    some = np.array([7, 3, 40, 99], np.int32)
    for side in (edges.RIGHT, edges.BOTTOM):
        told = Closer(puzzle, Mgc())(some, side, 1)
        np.testing.assert_allclose(told, scores.dense[4 * some + side][:, some], rtol=1e-5)


def test_only_lists_of_distances_are_looked_at_closer(
    small: tuple[Puzzle, Truth, Compatibility],
) -> None:
    puzzle, _, listed = small
    assert listed.closer is not None
    full = Minmax().adjust(measure(puzzle, Mgc(), dense=True))
    assert with_closer(full, puzzle, Mgc()).closer is None


def test_hearing_is_the_plain_sum() -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, ONE, (9, 6)).astype(np.uint16)
    labels, chance = np.array([2, 8], np.int32), np.array([0.5, 0.25], np.float32)
    out = np.empty(6, np.float32)
    hear(rows, labels, chance, 0.5, out)
    plain = 0.5 + 0.25 + 6 * (0.5 * rows[2] + 0.25 * rows[8]) / ONE
    np.testing.assert_allclose(out, plain, rtol=1e-5)


def test_telling_names_the_likeliest_and_remembers() -> None:
    labels, chance = np.zeros(2, np.int32), np.zeros(2, np.float32)
    weight = np.array([1, 6, 0.001, 3], np.float32)
    assert tell(weight, 0.5, labels, chance, 0) == 2
    assert labels.tolist() == [1, 3]
    np.testing.assert_allclose(chance, [0.6, 0.3], atol=1e-3)
    assert tell(np.array([0, 1, 0, 0], np.float32), 0.5, labels, chance, 2) == 2
    assert labels.tolist() == [1, 3]
    np.testing.assert_allclose(chance, [0.8, 0.15], atol=1e-3)


def test_one_free_cell_believes_the_product_of_what_it_hears() -> None:
    """A cell with four fixed neighbours has nothing to iterate: its belief is exact."""
    rng = np.random.default_rng(1)
    count = 5
    tables = [rng.integers(0, ONE, (count + 4, count)).astype(np.uint16) for _ in range(4)]
    fixed = np.full(9, OUTSIDE, np.int32)
    fixed[4] = FREE
    step = np.array([1, -3, -1, 3])
    for direction in range(4):
        fixed[4 + step[direction]] = count + direction
    said = Said(
        fixed, step, np.zeros((9, 5), np.int32), np.zeros((9, 5, 8), np.int32),
        np.zeros((9, 5, 8), np.float32),
    )  # fmt: skip
    believe(Chances(*tables), said, np.array([4]), np.ones(count, np.float32), 0.1, 0.3)
    plain = np.ones(count)
    for direction in range(4):
        plain *= 0.1 + tables[direction][count + direction] / ONE * count
    plain /= plain.sum()
    order = np.argsort(-plain)[: said.count[4, 4]]
    assert said.label[4, 4, : len(order)].tolist() == order.tolist()
    np.testing.assert_allclose(said.chance[4, 4, : len(order)], plain[order], rtol=1e-4)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_shuffled_region_is_laid_anew(
    small: tuple[Puzzle, Truth, Compatibility], monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    _, truth, compatibility = small
    monkeypatch.setattr(beliefs, "_LARGE", 20)
    monkeypatch.setattr(beliefs, "_AWAY", 1)
    true = truth.arrangement.sheets[0].piece
    piece = true.copy()
    region = np.zeros(true.shape, np.bool_)
    region[3:7, 4:9] = True
    piece[region] = np.random.default_rng(0).permutation(piece[region])
    held = np.ones(true.size, np.bool_)
    held[piece[region]] = False
    before = _solution(piece, compatibility)
    after = believed(
        before, compatibility, _firm(truth, held), threads=threads, stop=never, watch=SILENT
    )
    assert score(before.arrangement, truth, upright=True, shape_known=True).neighbor < 0.8
    assert score(after.arrangement, truth, upright=True, shape_known=True).neighbor == 1
    assert after.fitness > before.fitness
    assert len(after.history) == 2


def test_what_is_right_stays(
    small: tuple[Puzzle, Truth, Compatibility], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, truth, compatibility = small
    monkeypatch.setattr(beliefs, "_LARGE", 20)
    right = _solution(truth.arrangement.sheets[0].piece, compatibility)
    held = np.ones(right.arrangement.sheets[0].piece.size, np.bool_)
    held[:4] = False
    after = believed(right, compatibility, _firm(truth, held), threads=1, stop=never, watch=SILENT)
    assert after.arrangement.same(right.arrangement)


def test_without_anything_sure_nothing_is_done(
    small: tuple[Puzzle, Truth, Compatibility],
) -> None:
    _, truth, compatibility = small
    right = _solution(truth.arrangement.sheets[0].piece, compatibility)
    none = np.full(4 * compatibility.pieces, -1, np.int32)
    after = believed(right, compatibility, none, threads=1, stop=never, watch=SILENT)
    assert after is right


def _true_only(truth: Truth) -> Compatibility:
    """Return lists on which strangers do not fit at all, as they hardly do in a large puzzle."""
    partner = truth.partners()[:, None].astype(np.int32)
    return from_lists(len(partner) // 4, True, True, partner, np.ones(partner.shape, np.float32))


@pytest.mark.parametrize(("axis", "by"), [(0, 2), (1, 5), (0, 7)])
def test_a_picture_across_its_frame_is_rolled_back(
    small: tuple[Puzzle, Truth, Compatibility], axis: int, by: int
) -> None:
    _, truth, _ = small
    compatibility = _true_only(truth)
    true = truth.arrangement.sheets[0].piece
    after = rolled(_solution(np.roll(true, by, axis), compatibility), compatibility)
    assert np.array_equal(after.arrangement.sheets[0].piece, true)
    assert after.fitness == pytest.approx(compatibility.fitness(truth.arrangement))


def test_a_whole_picture_is_not_rolled(small: tuple[Puzzle, Truth, Compatibility]) -> None:
    _, truth, _ = small
    compatibility = _true_only(truth)
    right = _solution(truth.arrangement.sheets[0].piece, compatibility)
    assert rolled(right, compatibility) is right
