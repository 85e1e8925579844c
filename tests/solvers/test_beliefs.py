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
from tessella.kernels.beliefs import FREE, OUTSIDE, Chances, Said, believe, hear, summed, tell
from tessella.measures.mgc import Mgc
from tessella.measuring import measure
from tessella.metrics import score
from tessella.puzzle import Puzzle
from tessella.solvers._balancing import balanced, odds_of
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


def _listed(dense: np.ndarray) -> Chances:
    """Return a table of odds, ``(4N, M)``, as lists; label j is piece j."""
    edges_, labels = dense.shape
    start = np.arange(edges_ + 1) * labels
    label = np.tile(np.arange(labels, dtype=np.int32), edges_)
    weight = dense.ravel().astype(np.float32)
    return Chances(start, label, weight, np.arange(labels, dtype=np.int32))


def test_hearing_is_the_plain_sum() -> None:
    dense = np.random.default_rng(0).uniform(0, 6, (36, 6))
    pieces, chance = np.array([2, 8], np.int32), np.array([0.5, 0.25], np.float32)
    out = np.empty(7, np.float32)
    hear(_listed(dense), 3, pieces, chance, out)
    plain = 1 + 0.25 + 0.5 * dense[4 * 2 + 3] + 0.25 * dense[4 * 8 + 3]
    np.testing.assert_allclose(out[:6], plain, rtol=1e-5)


@pytest.mark.parametrize("count", [0, 5, 8, 29])
def test_summed_is_the_sum(count: int) -> None:
    weight = np.random.default_rng(count).uniform(0, 1, count).astype(np.float32)
    assert summed(weight) == pytest.approx(weight.sum(dtype=np.float64), rel=1e-6)


def test_telling_names_the_likeliest_and_remembers() -> None:
    labels, chance = np.zeros(2, np.int32), np.zeros(2, np.float32)
    place = np.full(4, -1, np.int32)
    weight = np.array([1, 6, 0.001, 3], np.float32)
    assert tell(weight, 0.5, labels, chance, 0, place) == 2
    assert labels.tolist() == [1, 3]
    np.testing.assert_allclose(chance, [0.6, 0.3], atol=1e-3)
    assert tell(np.array([0, 1, 0, 0], np.float32), 0.5, labels, chance, 2, place) == 2
    assert labels.tolist() == [1, 3]
    np.testing.assert_allclose(chance, [0.8, 0.15], atol=1e-3)
    assert (place == -1).all()


def test_one_free_cell_believes_the_product_of_what_it_hears() -> None:
    """A cell with four fixed neighbours has nothing to iterate: its belief is exact."""
    count = 5
    dense = np.random.default_rng(1).uniform(0, 9, (4 * (count + 4), count))
    fixed = np.full(9, OUTSIDE, np.int32)
    fixed[4] = FREE
    step = np.array([1, -3, -1, 3])
    for direction in range(4):
        fixed[4 + step[direction]] = count + direction
    said = Said(
        fixed, step, np.zeros((9, 5), np.int32), np.zeros((9, 5, 8), np.int32),
        np.zeros((9, 5, 8), np.float32),
    )  # fmt: skip
    believe(_listed(dense), said, np.array([4]), np.ones(count, np.float32), 0.3)
    plain = np.ones(count)
    for direction in range(4):
        plain *= 1 + dense[4 * (count + direction) + (direction + 2) % 4]
    plain /= plain.sum()
    told = said.label[4, 4, : said.count[4, 4]]
    assert sorted(told) == list(range(count))
    np.testing.assert_allclose(said.chance[4, 4, :count], plain[told], rtol=1e-4)


def test_beliefs_of_a_row_are_the_exact_chances() -> None:
    """Where cells form no loop, what they believe is what adding up all possibilities gives."""
    count = 6
    rng = np.random.default_rng(4)
    pieces = count + 2  # The last two are fixed at the ends.
    rightwards = rng.uniform(0, 9, (pieces, pieces))
    dense = np.zeros((pieces, 4, count))
    dense[:, edges.RIGHT] = rightwards[:, :count]
    dense[:, edges.LEFT] = rightwards[:count].T
    fixed = np.full((3, 5), OUTSIDE, np.int32)
    fixed[1] = count, FREE, FREE, FREE, count + 1
    cells = np.flatnonzero(fixed.ravel() == FREE)
    said = Said(
        fixed.ravel(), np.array([1, -5, -1, 5]), np.zeros((15, 5), np.int32),
        np.zeros((15, 5, count), np.int32), np.zeros((15, 5, count), np.float32),
    )  # fmt: skip
    wanted = rng.uniform(0.5, 2, count).astype(np.float32)
    for _ in range(30):
        for cell in cells:
            believe(_listed(dense.reshape(-1, count)), said, np.array([cell]), wanted, damping=0.3)
    beside = 1 + rightwards
    plain = np.einsum(
        "a,ab,bc,c,a,b,c->abc",
        beside[count, :count], beside[:count, :count], beside[:count, :count],
        beside[:count, count + 1], wanted, wanted, wanted,
    )  # fmt: skip
    for axis, cell in enumerate(cells):
        exact = plain.sum(axis=tuple({0, 1, 2} - {axis})) / plain.sum()
        told = said.label[cell, 4, : said.count[cell, 4]]
        np.testing.assert_allclose(said.chance[cell, 4, : len(told)], exact[told], atol=2e-3)
        assert len(told) == count


def test_odds_are_balanced() -> None:
    """Every piece has one neighbour on either side: rows and columns have the same sum."""
    score = -np.random.default_rng(2).uniform(0, 2, (40, 40)).astype(np.float32)
    np.fill_diagonal(score, -np.inf)
    odds = odds_of(score, 30)
    assert odds.shape == (40, 30)
    np.testing.assert_allclose(odds.sum(axis=1), 30, rtol=1e-4)
    np.testing.assert_allclose(odds[:30].sum(axis=0), 30, rtol=0.02)


def test_by_every_pair_true_joins_are_the_likeliest(
    small: tuple[Puzzle, Truth, Compatibility],
) -> None:
    puzzle, truth, _ = small
    piece = truth.arrangement.sheets[0].piece
    free = np.zeros(piece.shape, np.bool_)
    free[2:8, 2:10] = True
    near = balanced(truth.arrangement.sheets[0], free, Closer(puzzle, Mgc()), 2)
    assert near is not None
    assert (
        balanced(truth.arrangement.sheets[0], free, Closer(puzzle, Mgc()), 2, stop=lambda: True)
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
    before, firm = _solution(piece, compatibility), _firm(truth, held)
    after = believed(before, compatibility, firm, seed=0, threads=threads, stop=never, watch=SILENT)
    assert score(before.arrangement, truth, upright=True, shape_known=True).neighbor < 0.8
    assert score(after.arrangement, truth, upright=True, shape_known=True).neighbor == 1
    assert after.fitness > before.fitness
    readings = beliefs._SWEEPS // beliefs._READING
    assert len(after.history) > 1 + readings  # And moves.
    assert compatibility.closer is not None
    sheet = before.arrangement.sheets[0]
    near = balanced(sheet, beliefs._doubtful(sheet, firm), compatibility.closer, threads)
    assert near is not None
    gained = near.fitness(after.arrangement) - near.fitness(before.arrangement)
    assert after.history[-1] - before.history[-1] == pytest.approx(gained, abs=1e-2)


def test_stopped_at_once_nothing_changes(
    small: tuple[Puzzle, Truth, Compatibility], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, truth, compatibility = small
    monkeypatch.setattr(beliefs, "_LARGE", 20)
    right = _solution(truth.arrangement.sheets[0].piece, compatibility)
    held = np.ones(right.arrangement.sheets[0].piece.size, np.bool_)
    held[:4] = False
    after = believed(
        right, compatibility, _firm(truth, held),
        seed=0, threads=1, stop=lambda: True, watch=SILENT,
    )  # fmt: skip
    assert after.stopped
    assert after.arrangement is right.arrangement
    assert after.history == right.history


def test_what_is_right_stays(
    small: tuple[Puzzle, Truth, Compatibility], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, truth, compatibility = small
    monkeypatch.setattr(beliefs, "_LARGE", 20)
    right = _solution(truth.arrangement.sheets[0].piece, compatibility)
    held = np.ones(right.arrangement.sheets[0].piece.size, np.bool_)
    held[:4] = False
    after = believed(
        right, compatibility, _firm(truth, held), seed=0, threads=1, stop=never, watch=SILENT
    )
    assert after.arrangement.same(right.arrangement)


def test_without_anything_sure_nothing_is_done(
    small: tuple[Puzzle, Truth, Compatibility],
) -> None:
    _, truth, compatibility = small
    right = _solution(truth.arrangement.sheets[0].piece, compatibility)
    none = np.full(4 * compatibility.pieces, -1, np.int32)
    after = believed(right, compatibility, none, seed=0, threads=1, stop=never, watch=SILENT)
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
