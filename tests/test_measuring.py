from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella import describing, edges, measuring
from tessella.arrangement import Arrangement
from tessella.measures.l1 import L1
from tessella.measures.mgc import Mgc
from tessella.measures.ssd import Ssd
from tessella.measuring import Distance, inside, measure, rim
from tessella.metrics import top
from tessella.puzzle import Puzzle
from tessella.scores import Scores
from tessella.truth import Truth, edge_classes
from tessella.watch import Silent

QUICK = settings(max_examples=25, deadline=None)


@st.composite
def puzzles(draw):
    count, seed = draw(st.integers(1, 7)), draw(st.integers(0, 99))
    size = draw(st.sampled_from([(4, 4), (4, 5), (5, 3)]))
    levels = draw(st.sampled_from([1, 2, 256]))  # few levels make many ties
    pieces = np.random.default_rng(seed).integers(0, levels, (count, *size, 3), np.uint8)
    return Puzzle(pieces, upright=draw(st.booleans()))


def puzzle(count=9, size=(6, 6), **known) -> Puzzle:
    rng = np.random.default_rng(count)
    return Puzzle(rng.integers(0, 256, (count, *size, 3), np.uint8), **known)


def from_lists(scores: Scores) -> np.ndarray:
    """The dense table that the lists amount to."""
    table = np.full((4 * scores.pieces, 4 * scores.pieces), -np.inf, np.float32)
    for e, (partner, score) in enumerate(zip(scores.partner, scores.score, strict=True)):
        listed = partner >= 0
        table[e, partner[listed]] = score[listed]
    if scores.upright:
        return np.array([row[(e + 2) % 4 :: 4] for e, row in enumerate(table)])
    return table


def same(one: Scores, two: Scores) -> None:
    for field in ("lo", "hi", "partner", "score", "dense"):
        assert np.array_equal(getattr(one, field), getattr(two, field)), field


@given(puzzles())
@QUICK
def test_lists_of_all_candidates_equal_the_dense_table(asked):
    scores = measure(asked, Ssd(), keep=None, dense=True)
    assert np.array_equal(from_lists(scores), scores.dense)


@given(puzzles(), st.integers(1, 30))
@QUICK
def test_a_short_list_is_the_beginning_of_the_long_one(asked, keep):
    short, long = (measure(asked, Ssd(), keep=k) for k in (keep, None))
    assert np.array_equal(short.partner, long.partner[:, :keep])
    assert np.array_equal(short.score, long.score[:, :keep])


@given(puzzles())
@QUICK
def test_the_range_is_that_of_all_candidates_listed_or_not(asked):
    scores = measure(asked, Ssd(), keep=1, dense=True)
    for e, row in enumerate(scores.dense):
        candidates = row[np.isfinite(row)]
        assert scores.lo[e] == candidates.min(initial=np.inf)
        assert scores.hi[e] == candidates.max(initial=-np.inf)


@given(puzzles())
@QUICK
def test_lists_hold_only_admissible_edges_each_once(asked):
    scores = measure(asked, Ssd(), keep=None)
    for e, row in enumerate(scores.partner):
        found = sorted(row[row >= 0].tolist())
        known = {"upright": asked.upright, "square": asked.square}
        edge = range(4 * len(asked))
        assert found == [f for f in edge if edges.admissible(e, f, **known)]


@pytest.mark.parametrize("by", [L1(), Mgc()])
@pytest.mark.parametrize("upright", [True, False])
def test_the_number_of_threads_does_not_change_the_result(monkeypatch, by, upright):
    monkeypatch.setattr(measuring, "_BLOCK_CELLS", 64)
    asked = puzzle(50, upright=upright)
    same(measure(asked, by, threads=1), measure(asked, by, threads=3))


@pytest.mark.parametrize("size", [(6, 6), (6, 5)])
@pytest.mark.parametrize("upright", [True, False])
def test_blocks_do_not_change_the_result(monkeypatch, size, upright):
    asked = puzzle(50, size, upright=upright)
    whole = measure(asked, L1())
    monkeypatch.setattr(measuring, "_BLOCK_CELLS", 1)
    monkeypatch.setattr(describing, "EDGES", 7)
    same(measure(asked, L1()), whole)


def test_small_puzzles_are_kept_dense_and_large_ones_as_lists(monkeypatch):
    assert measure(puzzle(9), Ssd()).dense is not None
    monkeypatch.setattr(measuring, "DENSE_BYTES", 16 * 9 * 9 - 1)
    assert measure(puzzle(9), Ssd()).dense is None
    assert measure(puzzle(9), Ssd(), dense=True).dense is not None


def test_turned_puzzles_have_room_of_their_own(monkeypatch):
    monkeypatch.setattr(measuring, "DENSE_BYTES", 0)
    turned = puzzle(9, upright=False)
    assert measure(turned, Ssd()).dense is not None
    monkeypatch.setattr(measuring, "DENSE_BYTES_TURNED", 16 * 9 * 36 - 1)
    assert measure(turned, Ssd()).dense is None


def test_a_single_piece_has_no_candidates():
    scores = measure(puzzle(1), Ssd())
    assert (scores.partner == -1).all()
    assert np.isneginf(scores.score).all()
    assert np.isneginf(scores.dense).all()


def test_the_watcher_hears_of_every_edge():
    heard = []

    class Ear(Silent):
        def stage(self, name, total):
            heard.append(total)

        def advance(self, steps=1):
            heard.append(-steps)

    measure(puzzle(40), Ssd(), watch=Ear())
    assert heard[0] == 160
    assert sum(heard) == 0


@dataclass(frozen=True)
class Doubter(Ssd):
    """Asks `L1` about the edges of every third piece."""

    def doubtful(self, scores):
        return np.arange(4 * scores.pieces) // 4 % 3 == 0

    def second(self):
        return L1()


@pytest.mark.parametrize("upright", [True, False])
def test_a_selective_measure_asks_the_other_about_edges_in_doubt(upright):
    asked = puzzle(upright=upright)
    first, second, chosen = (measure(asked, by) for by in (Ssd(), L1(), Doubter()))
    doubted = np.arange(36) // 4 % 3 == 0
    for field in ("lo", "hi", "partner", "score", "dense"):
        one, two, found = (getattr(scores, field) for scores in (first, second, chosen))
        assert np.array_equal(found[~doubted], one[~doubted])
        assert np.array_equal(found[doubted], two[doubted])


def test_a_distance_scores_minus_the_log_of_one_plus_itself():
    raw = np.array([-np.expm1(3.0), -1.0, 0.0, 1e-9])
    np.testing.assert_allclose(Distance().score(raw), [-3, -np.log(2), 0, 0], rtol=1e-6)


@pytest.mark.parametrize("eroded", [0, 1, 2])
def test_the_rim_is_the_outer_columns_inside_the_frame_outermost_first(eroded):
    pieces = puzzle(3, (8, 9)).pieces
    seen = inside(pieces, eroded)
    assert seen.shape == (3, 8 - 2 * eroded, 9 - 2 * eroded, 3)
    right, left = (rim(pieces, eroded, d) for d in (edges.RIGHT, edges.LEFT))
    for k in range(2):
        assert np.array_equal(right[:, :, k], seen[:, :, -1 - k])
        assert np.array_equal(left[:, :, k], seen[:, :, k])


def test_all_candidates_of_turned_rectangles_can_be_listed():
    pieces = np.random.default_rng(0).integers(0, 256, (70, 4, 6, 3)).astype(np.uint8)
    puzzle = Puzzle(pieces, upright=False)
    scores = measure(puzzle, Ssd(), keep=None, dense=False)
    assert scores.partner.shape == (280, 140)
    assert ((scores.partner >= 0).sum(axis=1) == 138).all()


def test_a_partner_that_is_not_listed_is_never_counted_as_found():
    pieces = np.random.default_rng(1).integers(0, 256, (16, 5, 5, 3)).astype(np.uint8)
    puzzle = Puzzle(pieces)
    truth = Truth(Arrangement.single(np.arange(16).reshape(4, 4)), edge_classes(puzzle))
    ssd = Ssd()
    listed = top(measure(puzzle, ssd, keep=2, dense=False), truth, 6)
    known = top(measure(puzzle, ssd, dense=True), truth, 6)
    np.testing.assert_allclose(listed[:2], known[:2])
    assert (listed <= known + 1e-12).all()


def test_what_describes_pieces_keeps_to_the_threads_that_were_asked_for():
    from tessella.threads import at_most, spread

    def used() -> int:
        return len(
            set(spread(lambda _: threading.get_ident() * (time.sleep(0.01) or 1), range(8), None))
        )

    with at_most(1):
        assert used() == 1
    with at_most(3):
        assert 1 < used() <= 3
