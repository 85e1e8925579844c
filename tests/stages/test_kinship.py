"""Kinship: pieces whose places nothing tells still know whose picture they are of."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Sheet
from tessella.belonging import Belonging
from tessella.odds import Odds
from tessella.stages.kinship import Bonds, _united, homes, kin

ANY = Bonds(pieces=2)
"""By which walks end at fragments of two pieces."""


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


def groups(*args, by: Bonds = ANY) -> list[list[int]]:
    sheets, odds = args
    found = kin(sheets, odds, by, [False] * len(sheets))
    firm = [part for knot in found.knots for part in ([knot] if knot.firm else knot.parts)]
    return [knot.pieces.tolist() for knot in firm]


def test_what_is_loose_goes_where_its_candidates_lie_and_strangers_stay_alone():
    odds = odds_between(6, [right_of(1, 2), right_of(4, 3)])
    assert groups((row(0, 1), row(3, 5)), odds) == [[0, 1, 2], [3, 4, 5]]
    odds = odds_between(6, [right_of(1, 2)])
    assert groups((row(0, 1), row(3, 5)), odds) == [[0, 1, 2], [3, 5], [4]]


def test_walks_go_on_through_what_is_loose():
    # Piece 3 knows 2 alone, which knows the row.
    odds = odds_between(4, [right_of(1, 2), right_of(2, 3)])
    assert groups((row(0, 1),), odds) == [[0, 1, 2, 3]]


def test_edges_that_are_joined_already_count_for_nothing():
    taken = odds_between(3, [right_of(0, 1), right_of(0, 2)])
    assert groups((row(0, 1),), taken) == [[0, 1], [2]]
    free = odds_between(3, [right_of(0, 1), right_of(1, 2)])
    assert groups((row(0, 1),), free) == [[0, 1, 2]]


def test_a_knot_knows_what_it_was_made_of():
    odds = odds_between(6, [right_of(2, 3), right_of(4, 5)])
    (knot,) = kin((row(0, 1, 2), row(3, 4)), odds, ANY, (False, False)).knots
    assert knot.seeds == (0, 3)
    assert knot.size == 6
    assert list(knot.leaves()) == list(knot.parts)
    assert [part.pieces.tolist() for part in knot.parts] == [[0, 1, 2], [3, 4, 5]]


def test_a_closed_sheet_is_kin_to_nobody_and_no_knot():
    odds = odds_between(3, [right_of(0, 1), right_of(1, 2)])
    found = kin((row(0, 1),), odds, ANY, (True,))
    assert [knot.pieces.tolist() for knot in found.knots] == [[2]]


@pytest.mark.parametrize(("least", "small", "large"), [(0.19, 1, 1), (0.21, 1, 2), (2.0, 2, 2)])
def test_how_much_must_be_in_common_decides_and_less_where_a_fragment_is_small(least, small, large):
    # Of six or ten free edges each, one steps to the other's: nearly two steps to and fro.
    odds = odds_between(8, [right_of(3, 4)])
    by = Bonds(pieces=2, least=least)
    assert len(groups((row(0, 1, 2, 3), row(4, 5, 6, 7)), odds, by=by)) == large
    odds = odds_between(8, [right_of(1, 2)])
    assert len(groups((row(0, 1), row(2, 3)), odds, by=by)) == small + 4


@pytest.mark.parametrize(("least", "knots"), [(0.7, 1), (0.9, 2)])
def test_what_has_a_quarter_of_it_in_common_may_be_of_one_picture(least, knots):
    odds = odds_between(8, [right_of(3, 4)])
    sheets = row(0, 1, 2, 3), row(4, 5, 6, 7)
    found = kin(sheets, odds, Bonds(pieces=2, least=least), (False, False))
    assert [knot.firm for knot in found.knots] == [knots > 1] * knots


def test_a_single_piece_that_expects_nobody_is_left_over():
    # Of its four edges, one is nearly sure of a partner.
    odds = odds_between(3, [right_of(1, 2)])
    assert groups((row(0, 1),), odds, by=Bonds(pieces=2, heard=0.24)) == [[0, 1, 2]]
    assert groups((row(0, 1),), odds, by=Bonds(pieces=2, heard=0.25)) == [[0, 1], [2]]


def test_where_nothing_is_large_enough_all_stay_apart():
    odds = odds_between(3, [right_of(0, 1), right_of(1, 2)])
    assert groups((row(0, 1),), odds, by=Bonds()) == [[0, 1], [2]]


@pytest.mark.parametrize("seed", range(5))
def test_those_that_meet_most_become_one_first(seed):
    chance = np.random.default_rng(seed)
    count = int(chance.integers(0, 12))
    meet = chance.exponential(0.3, (count, count)) * (chance.random((count, count)) < 0.3)
    meet, free = meet + meet.T, chance.integers(1, 20, count).astype(float)
    size = chance.integers(1, 40, count)
    names, tree, _ = _united(meet, free, size, Bonds())
    group = {k: {k} for k in range(count)}
    for took in tree:
        bonds = {}
        for a in group:
            for b in group:
                edges, pieces = (
                    min(sum(v[i] for i in group[g]) for g in (a, b)) for v in (free, size)
                )
                walks = sum(meet[i, j] for i in group[a] for j in group[b])
                if a < b and walks / edges > Bonds().enough(np.array(pieces)):
                    bonds[a, b] = walks / edges
        assert bonds[took] == pytest.approx(max(bonds.values()))
        group[took[0]] |= group.pop(took[1])
    assert [min(next(g for g in group.values() if k in g)) for k in range(count)] == names.tolist()


def test_every_piece_has_a_home_and_a_join_of_two_blank_edges_makes_none():
    none = np.zeros(16, np.bool_)
    assert homes((row(3, 1),), 4, none).tolist() == [0, 1, 2, 1]
    half, both = none.copy(), none.copy()
    half[4 * 3] = both[4 * 3] = both[4 * 1 + 2] = True
    assert homes((row(3, 1),), 4, half).tolist() == [0, 1, 2, 1]
    assert homes((row(3, 1),), 4, both).tolist() == [0, 1, 2, 3]


def test_nobody_is_akin_over_blank_edges_and_what_is_blank_all_around_is_spare():
    odds = odds_between(6, [right_of(1, 2), right_of(2, 3), right_of(4, 5)])
    sheets, shut = (row(0, 1), row(3, 4)), (False, False)
    (knot,) = kin(sheets, odds, ANY, shut).knots
    assert knot.pieces.tolist() == [0, 1, 2, 3, 4, 5]
    blank = np.zeros(24, np.bool_)
    blank[4 * 1] = blank[8:12] = blank[4 * 3 + 2] = True
    found = kin(sheets, odds, ANY, shut, blank)
    assert [knot.pieces.tolist() for knot in found.knots] == [[3, 4, 5], [0, 1]]
    assert found.spare.tolist() == [2]


def told(*names, differ=()):
    pairs = np.array(differ, np.intp).reshape(-1, 2)
    return Belonging(np.array(names, np.intp), pairs, np.empty(0, np.intp))


def told_knots(sheets, odds, what, count=None):
    found = kin(sheets, odds, ANY, [False] * len(sheets), count=count, told=what)
    return [(knot.pieces.tolist(), knot.firm) for knot in found.knots]


def test_fragments_told_to_be_of_one_picture_are_kin_though_they_never_meet():
    nobody, sheets = odds_between(6, [right_of(0, 1)]), (row(0, 1), row(2, 3))
    assert told_knots(sheets, nobody, told(-1, 5, -1, 5, -1, -1)) == [
        ([0, 1, 2, 3], True), ([4], True), ([5], True),
    ]  # fmt: skip
    assert told_knots(sheets, nobody, told(-1, 5, -1, -1, 5, -1))[0] == ([0, 1, 4], True)


@pytest.mark.parametrize("count", [None, 1])
def test_fragments_told_apart_are_no_kin_nor_by_way_of_what_is_loose(count):
    odds = odds_between(5, [right_of(1, 2), right_of(2, 3)])
    sheets = row(0, 1), row(3, 4)
    assert len(told_knots(sheets, odds, told(*[-1] * 5), count)) == 1
    assert told_knots(sheets, odds, told(0, -1, -1, 1, -1, differ=[(0, 1)]), count) == [
        ([0, 1, 2], True), ([3, 4], True),
    ]  # fmt: skip
    # The loose piece goes with whom it may.
    apart = told(0, -1, 2, 1, -1, differ=[(0, 1), (0, 2)])
    assert told_knots(sheets, odds, apart, count) == [([2, 3, 4], True), ([0, 1], True)]
    alone = told(0, -1, 2, 1, -1, differ=[(0, 1), (0, 2), (1, 2)])
    assert told_knots(sheets, odds, alone, count)[-1] == ([2], True)


def test_two_loose_pieces_told_apart_go_different_ways():
    odds = odds_between(6, [right_of(1, 2), (4 * 1 + 1, 4 * 3 + 3), (4 * 4 + 1, 4 * 3 + 3)])
    sheets = row(0, 1), row(4, 5)
    both = told(-1, -1, 0, 1, -1, -1, differ=[(0, 1)])
    ways = [pieces for pieces, _ in told_knots(sheets, odds, both, count=2)]
    assert ways == [[0, 1, 2], [3, 4, 5]]
    # What meets by way of one of them may be one picture; the other is then of none.
    assert told_knots(sheets, odds, both)[-1] == ([3], True)


def test_what_may_be_of_one_picture_is_not_where_it_is_told_apart():
    odds = odds_between(8, [right_of(3, 4)])
    sheets, by = (row(0, 1, 2, 3), row(4, 5, 6, 7)), Bonds(pieces=2, least=0.7)
    apart = told(0, *[-1] * 6, 1, differ=[(0, 1)])
    found = kin(sheets, odds, by, (False, False), told=apart)
    assert [knot.firm for knot in found.knots] == [True, True]


def test_a_fragment_with_pieces_told_apart_is_parted_before_kin_are_sought():
    odds = odds_between(5, [right_of(0, 1), right_of(2, 3), right_of(3, 4)])
    apart = told(0, -1, -1, 1, -1, differ=[(0, 1)])
    assert told_knots((row(0, 1, 2, 3, 4),), odds, apart) == [([2, 3, 4], True), ([0, 1], True)]
