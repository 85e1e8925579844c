"""Witnesses: what speaks for joins."""

import numpy as np
import pytest

from tessella import sureness, witnesses
from tessella.arrangement import EMPTY, Arrangement
from tessella.compatibility import from_lists
from tessella.imaging.cut import cut


@pytest.fixture(scope="module")
def known():
    """A turned grid of 4 x 5 pieces whose true joins lead, and some others that are listed."""
    picture = np.random.default_rng(1).integers(0, 256, (16, 20, 3), dtype=np.uint8)
    _, truth = cut(picture, 4, turned=True, seed=3)
    rng = np.random.default_rng(2)
    partner = np.full((80, 4), -1, np.int32)
    score = np.zeros((80, 4), np.float32)
    for edge, true in enumerate(truth.partners()):
        others = [f for f in rng.permutation(80) if f // 4 != edge // 4 and f != true][:3]
        listed = [*([int(true)] if true >= 0 else []), *others][:4]
        partner[edge, : len(listed)] = listed
        score[edge, : len(listed)] = [0.9 if f == true else rng.uniform(0.2, 0.4) for f in listed]
    return truth, from_lists(20, False, True, partner, score)


def test_every_join_has_every_witness(known, odds_from):
    truth, compatibility = known
    seen = witnesses.seen(truth.arrangement, odds_from(compatibility))
    assert sum(len(row.pairs) for row, _ in seen) == len(truth.arrangement.joins())
    for row, told in seen:
        assert told.shape == (len(row.pairs), len(witnesses.FIRST))
        assert np.isfinite(told).all()


def test_a_piece_in_its_place_suits_it_better_than_any_other(known, odds_from):
    truth, compatibility = known
    odds = odds_from(compatibility)
    (right,) = witnesses.margins(truth.arrangement, odds)
    assert (right[0] > 0).all()
    sheet = truth.arrangement.sheets[0]
    piece, turns = sheet.piece.copy(), sheet.turns.copy()
    for grid in (piece, turns):
        grid[1, 1], grid[2, 3] = grid[2, 3], grid[1, 1]
    (swapped,) = witnesses.margins(Arrangement.single(piece, turns), odds)
    assert swapped[0][1, 1] < 0
    assert swapped[1][2, 3] < 0


def test_empty_cells_have_no_margin_and_no_joins(known, odds_from):
    truth, compatibility = known
    sheet = truth.arrangement.sheets[0]
    piece = sheet.piece.copy()
    piece[1, 2] = EMPTY
    holed = Arrangement.single(piece, sheet.turns)
    odds = odds_from(compatibility)
    assert witnesses.margins(holed, odds)[0][0][1, 2] == 0
    assert sum(len(row.pairs) for row, _ in witnesses.seen(holed, odds)) == len(holed.joins())


def test_the_mean_around_a_join_leaves_the_join_itself_out():
    along, across = np.full((3, 3), 2.0), np.full((3, 3), np.nan)
    along[:, 2] = np.nan
    along[1, 0] = 100.0
    assert witnesses.around(along, across, 1)[1, 0] == 2.0


def test_a_loop_that_is_open_is_not_counted():
    along, across = np.full((2, 2), np.nan), np.full((2, 2), np.nan)
    along[:, 0], across[0] = 1.0, (3.0, 2.0)
    both, closed = witnesses.loops(along, across)
    assert closed[:, 0].tolist() == [1, 1]
    assert both[1, :, 0, 0].tolist() == [1, 2, 3]
    across[0, 1] = np.nan
    assert witnesses.loops(along, across)[1].max() == 0


def test_the_numbers_are_as_many_as_the_terms():
    by = sureness.shipped()
    seen = np.zeros((1, len(witnesses.FIRST)))
    first = sureness.first_terms(seen)
    second = sureness.second_terms(np.zeros((1, len(witnesses.SECOND))), first)
    assert (len(by.first), len(by.second)) == (first.shape[1], second.shape[1])
    assert len(by.row) == sureness.row_terms(seen).shape[1]


def test_numbers_are_read_as_they_were_written(tmp_path):
    by = sureness.Weights((1.0, 2.5), (0.25,), (3.0,), {"answers": 2})
    by.save(tmp_path / "numbers.json")
    assert sureness.Weights.load(tmp_path / "numbers.json") == by
