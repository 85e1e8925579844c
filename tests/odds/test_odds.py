"""Chances over all candidates and nobody, and the worth of arrangements by them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tessella
from tessella import api
from tessella.arrangement import EMPTY, Arrangement
from tessella.errors import InputError
from tessella.imaging.cut import cut_panels
from tessella.measures.mgc import Mgc
from tessella.odds import Calibration, Odds, Worth, calibration_of, odds_of
from tessella.odds.calibration import DISTANCES, LOGARITHMS

READ = Calibration(slope=8.0, offset=1.4)


def measured(picture, *, missing=0.0, turned=False, keep="usual"):
    puzzle, truth = cut_panels([picture], 28, missing=missing, turned=turned, seed=3)
    return api.measure(puzzle, Mgc(), shuffled=True, keep=keep).scores, truth


@pytest.fixture(scope="module")
def picture():
    """A smooth random picture: neighbours fit, strangers do not."""
    chance = np.random.default_rng(1)
    coarse = chance.integers(0, 256, (12, 15, 3)).astype(np.float64)
    for axis, size in ((0, 6 * 28), (1, 8 * 28)):
        at = np.linspace(0, coarse.shape[axis] - 1.001, size)
        low = at.astype(int)
        part = (at - low).reshape([-1 if k == axis else 1 for k in range(3)])
        coarse = coarse.take(low, axis) * (1 - part) + coarse.take(low + 1, axis) * part
    return (coarse + chance.normal(0, 2, coarse.shape)).clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("keep", ["usual", 5])
def test_chances_of_an_edge_and_nobody_add_up_to_one_and_are_the_same_both_ways(
    picture, turned, keep
):
    odds = odds_of(measured(picture, turned=turned, keep=keep)[0], READ)
    pair, nobody = odds.chances()
    edge = odds.edge()
    total = np.bincount(edge, pair, minlength=len(nobody)) + nobody
    assert total == pytest.approx(1, abs=0.05)
    table = {(int(e), int(f)): p for e, f, p in zip(edge, odds.partner, pair, strict=True)}
    assert all(table[f, e] == pytest.approx(p) for (e, f), p in table.items())


def test_true_partners_are_likelier_than_nobody_and_where_one_is_lost_nobody_is(picture):
    scores, truth = measured(picture, missing=0.3)
    odds = odds_of(scores, READ)
    _, nobody = odds.chances()
    joined = truth.arrangement.joins().ravel()
    alone = np.setdiff1d(np.arange(len(nobody)), joined)
    assert nobody[joined].mean() < 0.3 < 0.7 < nobody[alone].mean()


def test_more_missing_pieces_make_nobody_more_usual(picture):
    shares = [odds_of(measured(picture, missing=m)[0], READ).share for m in (0.0, 0.2, 0.4)]
    assert shares == sorted(shares)
    assert shares[2] > shares[0] + 0.1


def test_worth_prefers_the_truth_with_holes_to_a_compact_wrong_arrangement(picture):
    scores, truth = measured(picture, missing=0.3)
    worth = Worth.by(odds_of(scores, READ))
    pieces = truth.pieces
    columns = 7
    rows = -(-pieces // columns)
    cells = np.full(rows * columns, EMPTY)
    order = [p for p in truth.arrangement.sheets[0].piece.ravel() if p != EMPTY]
    cells[:pieces] = order
    compact = Arrangement.single(cells.reshape(rows, columns))
    assert len(compact.joins()) > len(truth.arrangement.joins())
    assert worth.of(truth.arrangement) > 0
    assert worth.of(truth.arrangement) > worth.of(compact) + 100


def test_a_hole_costs_nothing_and_joins_add_up(picture):
    scores, truth = measured(picture)
    worth = Worth.by(odds_of(scores, READ))
    joins = truth.arrangement.joins()
    assert worth.of(truth.arrangement) == pytest.approx(worth.joins(joins).sum())
    sheet = truth.arrangement.sheets[0]
    piece = sheet.piece.copy()
    hole = piece[2, 3]
    piece[2, 3] = EMPTY
    around = (joins // 4 == hole).any(axis=1)
    lost = worth.joins(joins[around]).sum()
    assert worth.of(Arrangement.single(piece, sheet.turns)) == pytest.approx(
        worth.of(truth.arrangement) - lost
    )


def test_who_says_nothing_of_how_to_be_read_gets_the_default_of_its_kind():
    assert calibration_of(Mgc()) is Mgc.calibration

    class Quiet:
        distance = True

    assert calibration_of(Quiet()) is DISTANCES
    Quiet.distance = False
    assert calibration_of(Quiet()) is LOGARITHMS
    with pytest.raises(InputError, match="slope"):
        Calibration(0.0, 1.0)


def test_a_result_tells_its_worth(picture):
    puzzle, _ = cut_panels([picture], 28, seed=3)
    result = tessella.solve(replace(puzzle, shape=None), settings={"population": "4"})
    assert result.worth is not None
    assert result.to_json()["worth"] == pytest.approx(result.worth)
    assert result.worth > 0


def test_listed_pairs_are_found_where_they_stand_and_others_nowhere() -> None:
    rng = np.random.default_rng(5)
    listed = [np.flatnonzero(rng.random(40) < share) for share in rng.choice([0, 0.2, 0.9], 40)]
    start = np.concatenate([[0], np.cumsum([len(each) for each in listed])]).astype(np.int64)
    partner = np.concatenate(listed).astype(np.int32)
    odds = Odds(10, False, True, start, partner, np.zeros(len(partner), np.float32), 0.0, 0.3)
    pairs = np.array([(e, f) for e in range(40) for f in range(40)], np.int32)
    place = {(e, f): start[e] + k for e, own in enumerate(listed) for k, f in enumerate(own)}
    wanted = [place.get((e, f), -1) for e, f in pairs.tolist()]
    assert odds.places(pairs).tolist() == wanted
    none = replace(odds, start=np.zeros(41, np.int64), partner=partner[:0], lead=odds.lead[:0])
    assert (none.places(pairs) == -1).all()
    assert len(odds.places(pairs[:0])) == 0
