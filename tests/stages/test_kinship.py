"""Kinship: pieces whose places nothing tells still know whose picture they are of."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Sheet
from tessella.odds import Odds
from tessella.stages.kinship import Bonds, homes, kin


def odds_between(pieces: int, pairs: list[tuple[int, int]]) -> Odds:
    """Return odds in which every named pair of upright edges is far likelier than nobody."""
    both = sorted({*pairs, *((f, e) for e, f in pairs)})
    edge, partner = np.array(both).T
    start = np.searchsorted(edge, np.arange(4 * pieces + 1)).astype(np.int64)
    lead = np.full(len(both), 5.0, np.float32)
    return Odds(pieces, True, True, start, partner.astype(np.int32), lead, 0.0, 0.1)


def row(*pieces: int) -> Sheet:
    return Sheet(np.array([pieces], np.int32), np.zeros((1, len(pieces)), np.int8))


def right_of(a: int, b: int) -> tuple[int, int]:
    """Return the edges that meet where piece b lies right of piece a."""
    return 4 * a, 4 * b + 2


def test_who_has_candidates_in_common_becomes_one_and_strangers_stay_alone():
    odds = odds_between(5, [right_of(0, 1), right_of(2, 3)])
    found = kin((), odds, Bonds(), ())
    assert [knot.pieces.tolist() for knot in found] == [[0, 1], [2, 3], [4]]


def test_edges_that_are_joined_already_count_for_nothing():
    taken = odds_between(3, [right_of(0, 1), right_of(0, 2)])
    apart = kin((row(0, 1),), taken, Bonds(), (False,))
    assert [knot.pieces.tolist() for knot in apart] == [[0, 1], [2]]
    free = odds_between(3, [right_of(0, 1), right_of(1, 2)])
    together = kin((row(0, 1),), free, Bonds(), (False,))
    assert [knot.pieces.tolist() for knot in together] == [[0, 1, 2]]
    assert together[0].sheets == (0,)
    assert [part.pieces.tolist() for part in together[0].parts] == [[0, 1], [2]]


def test_a_closed_sheet_is_kin_to_nobody_and_no_knot():
    odds = odds_between(3, [right_of(0, 1), right_of(1, 2)])
    found = kin((row(0, 1),), odds, Bonds(), (True,))
    assert [knot.pieces.tolist() for knot in found] == [[2]]


@pytest.mark.parametrize(("bonds", "knots"), [(Bonds(0.05), 1), (Bonds(0.1), 2)])
def test_how_much_must_be_in_common_decides(bonds, knots):
    # Of six free edges each, one is sure of one of the other's: two chances, one from either
    # side, of which 1.5 may be chance.
    odds = odds_between(4, [right_of(0, 1), right_of(2, 3), right_of(1, 2)])
    assert len(kin((row(0, 1), row(2, 3)), odds, bonds, (False, False))) == knots


def test_a_loose_piece_is_no_bridge_between_large_fragments():
    # Piece 4 is sure of both rows, which know nothing of each other.
    odds = odds_between(5, [right_of(1, 4), right_of(4, 2)])
    sheets = row(0, 1), row(2, 3)
    small = kin(sheets, odds, Bonds(0.01, 0.01, pieces=9), (False, False))
    assert [len(knot.pieces) for knot in small] == [5]
    large = kin(sheets, odds, Bonds(0.01, 0.01, pieces=2), (False, False))
    assert [len(knot.pieces) for knot in large] == [3, 2]


def test_every_piece_has_a_home():
    assert homes((row(3, 1),), 4).tolist() == [1, 0, 2, 0]
