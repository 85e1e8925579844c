"""As many sheets as there are panels: what is told is held to, and what belongs nowhere is left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tessella.arrangement import Arrangement, Sheet
from tessella.belonging import Belonging
from tessella.compatibility import from_dense
from tessella.evidence import Evidence
from tessella.odds import Odds
from tessella.panels import Panels
from tessella.solving import Job
from tessella.stages.kinship import Bonds, kin
from tessella.stages.number import numbered

ROW = 8


def odds_between(pieces, leads):
    """Return odds by which pieces a and b lie side by side, by how much that is likelier."""
    both = {(4 * a, 4 * b + 2): lead for (a, b), lead in leads.items()}
    both |= {(f, e): lead for (e, f), lead in both.items()}
    edge, partner = np.array(sorted(both)).reshape(-1, 2).T
    start = np.searchsorted(edge, np.arange(4 * pieces + 1)).astype(np.int64)
    lead = np.array([both[pair] for pair in sorted(both)], np.float32)
    return Odds(pieces, True, True, start, partner.astype(np.int32), lead, 0.0, 0.1)


def rows(*lengths):
    """Return sheets of one row and a hole below each, with pieces in order."""
    sheets, first = [], 0
    for length in lengths:
        piece = np.full((2, length), -1, np.int32)
        piece[0] = np.arange(first, first + length)
        sheets.append(Sheet(piece, np.zeros(piece.shape, np.int8)))
        first += length
    return Arrangement(tuple(sheets))


def job(monkeypatch, odds, panels):
    flat = np.zeros((4 * odds.pieces, odds.pieces), np.float32)
    monkeypatch.setattr(Evidence, "odds", odds)
    return Job(Evidence(from_dense(odds.pieces, True, True, flat, 2)), panels=panels)


def lying(arrangement):
    return [sorted(sheet.piece[sheet.piece >= 0].tolist()) for sheet in arrangement.sheets]


FIRST, SECOND, THIRD = list(range(10)), list(range(10, 19)), list(range(19, 27))


@pytest.mark.parametrize(
    ("count", "left"),
    [
        (None, [FIRST, SECOND, THIRD, [27, 28]]),
        (3, [FIRST, SECOND, THIRD, [27, 28]]),
        (2, [FIRST, SECOND + THIRD, [27, 28]]),
        (1, [SECOND + THIRD, [27, 28]]),
    ],
)
def test_what_meets_lies_on_one_sheet_and_the_rest_is_left_over(monkeypatch, count, left):
    # The second row ends where the third begins; the first meets nobody.
    odds = odds_between(29, {(18, 19): 2.0})
    found = numbered(rows(10, 9, 8, 2), job(monkeypatch, odds, Panels(count)))
    assert sorted(lying(found)) == sorted(left)


def test_parts_that_do_not_fit_the_shape_stay_apart(monkeypatch):
    odds = odds_between(18, {(8, 9): 2.0})
    panels = Panels(1, ((2, 9),))
    assert lying(numbered(rows(9, 9), job(monkeypatch, odds, panels))) == [list(range(9))]


@pytest.mark.parametrize(
    ("shapes", "left"),
    [
        (((1, 10), (1, 9)), [FIRST, SECOND]),
        (((3, 9), (2, 12)), [FIRST, SECOND]),
        (((1, 9), (1, 9)), [FIRST[:9], SECOND]),
        (((1, 6), (1, 10)), [FIRST, SECOND[:6]]),
    ],
)
def test_every_sheet_has_a_shape_of_its_own(monkeypatch, shapes, left):
    odds = odds_between(19, {(9, 10): 2.0})
    assert lying(numbered(rows(10, 9), job(monkeypatch, odds, Panels(2, shapes)))) == left
    known_of_one = Panels(2, shapes[:1])
    assert lying(numbered(rows(10, 9), job(monkeypatch, odds, known_of_one))) == [FIRST, SECOND]


def test_a_full_sheet_takes_no_other(monkeypatch):
    full = np.arange(40, dtype=np.int32).reshape(5, 8)
    row = rows(49).sheets[0]
    beside = Sheet(np.where(row.piece < 40, -1, row.piece), row.turns)
    both = Arrangement((Sheet(full, np.zeros(full.shape, np.int8)), beside))
    odds = odds_between(49, {(39, 40): 2.0})
    assert lying(numbered(both, job(monkeypatch, odds, Panels(1)))) == [list(range(40))]


@pytest.mark.parametrize(("count", "knots"), [(None, [36]), (2, [20, 16]), (1, [36])])
def test_kin_are_as_many_as_are_told(count, knots):
    odds = odds_between(36, {(19, 20): 5.0, (19, 21): 3.0})
    sheets = [Sheet(np.arange(a, b, dtype=np.int32)[None], np.zeros((1, b - a), np.int8))
              for a, b in ((0, 20), (20, 36))]  # fmt: skip
    found = kin(sheets, odds, Bonds(), (False, False), count=count)
    assert [knot.size for knot in found.knots] == knots


@pytest.mark.parametrize(("count", "knots"), [(None, [20, 16]), (1, [36])])
def test_to_meet_at_all_is_enough_where_there_are_more_than_were_told(count, knots):
    odds = odds_between(36, {(19, 20): -3.0})
    sheets = [Sheet(np.arange(a, b, dtype=np.int32)[None], np.zeros((1, b - a), np.int8))
              for a, b in ((0, 20), (20, 36))]  # fmt: skip
    found = kin(sheets, odds, Bonds(), (False, False), count=count)
    firm = [part for knot in found.knots for part in ([knot] if knot.firm else knot.parts)]
    assert [knot.size for knot in firm] == knots


def told(names, pieces, differ=(), panels=()):
    """Return what is told of the pieces that `names` gives names."""
    name = np.full(pieces, -1, np.intp)
    name[list(names)] = list(names.values())
    pairs = np.array(differ, np.intp).reshape(-1, 2)
    return Belonging(name, pairs, np.array(panels, np.intp))


@pytest.mark.parametrize(
    ("names", "differ", "panels", "left"),
    [
        ({0: 0, 10: 0}, (), (), [FIRST + SECOND, THIRD, [27, 28]]),
        ({10: 0, 20: 1}, ((0, 1),), (), [FIRST, SECOND, [27, 28]]),
        ({10: 0, 20: 1}, ((0, 1),), (0, 1), [SECOND, THIRD, [27, 28]]),
    ],
    ids=["together", "apart", "panels"],
)
def test_what_is_told_of_sheets_goes_before_what_meets(monkeypatch, names, differ, panels, left):
    odds = odds_between(29, {(18, 19): 2.0})
    begun = job(monkeypatch, odds, Panels(2))
    begun = replace(begun, belonging=told(names, 29, differ, panels))
    assert sorted(lying(numbered(rows(10, 9, 8, 2), begun))) == sorted(left)
