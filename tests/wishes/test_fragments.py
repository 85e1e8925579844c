"""Fragments and wishes about sheets: what holds together goes together, unless wishes tear it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

import tessella
from tessella.arrangement import Arrangement, Sheet
from tessella.evidence import Evidence
from tessella.imaging.cut import cut_panels
from tessella.odds import Odds
from tessella.panels import Panels
from tessella.solving import Job
from tessella.stages.frame import fragments
from tessella.wishes import Code, Fixed, Wishes
from tessella.wishes.checking import check
from tessella.wishes.contradictions import check_wishes
from tessella.wishes.facts import Facts
from tessella.wishes.honouring import laid_anew

NOBODY = Panels(None)


def sheets_of(*shapes):
    """Return sheets of such shapes, full of pieces in order."""
    sheets, first = [], 0
    for rows, cols in shapes:
        cells = np.arange(first, first + rows * cols, dtype=np.int32).reshape(rows, cols)
        sheets.append(Sheet(cells, np.zeros(cells.shape, np.int8)))
        first += rows * cols
    return Arrangement(tuple(sheets))


def honoured(draw, before, wishes, panels=NOBODY, upright=True, odds=None):
    """Return `before`, in which no piece fits any other better, laid anew by `wishes`."""
    pieces = len(before.placed())
    told = draw.noise(pieces, upright, True, np.random.default_rng(0))
    known = check_wishes(wishes, Facts.of_job(Job(Evidence(told), panels=panels)))
    return laid_anew(before, known, told, odds=odds)


def joined(arrangement):
    return {frozenset(pair) for pair in arrangement.joins().tolist()}


def held(arrangement):
    return sorted(int((sheet.piece >= 0).sum()) for sheet in arrangement.sheets)


ONE = {
    "together": Wishes(together=((3, 40),)),
    "codes": Wishes(codes=(Code(3, panel="N"), Code(40, panel="N"))),
    "numbers": Wishes(codes=(Code(3, panel="1"), Code(40, panel="1"))),
    "fixed": Wishes(fixed=(Fixed(0, 0, 0, 0), Fixed(30, 0, 8, 1))),
}


@pytest.mark.parametrize("panels", [NOBODY, Panels(2), Panels(1), Panels(1, ((12, 7),))])
@pytest.mark.parametrize("kind", ONE)
def test_two_pieces_of_one_panel_bring_their_fragments_onto_it_whole(draw, kind, panels):
    before = sheets_of((5, 6), (4, 6))
    found = honoured(draw, before, ONE[kind], panels)
    assert held(found) == [54]
    assert joined(found) == joined(before)
    assert check(found, ONE[kind], shape=panels.shapes[0] if panels.shapes else None) == ()


def test_fragments_lie_where_their_cells_are_known_and_are_turned_as_wholes(draw):
    before = sheets_of((5, 6), (4, 6))
    turned = Arrangement((before.sheets[0], before.sheets[1].turned(1)))
    wishes = Wishes(fixed=(Fixed(0, 0, 0, 0), Fixed(30, 0, 5, 0), Fixed(36, 0, 6, 0)))
    found = honoured(draw, turned, wishes, upright=False)
    (sheet,) = found.sheets
    assert sheet.piece.ravel().tolist() == list(range(54))


def test_where_there_is_no_room_for_a_fragment_its_piece_comes_alone(draw):
    before, wishes = sheets_of((5, 6), (4, 6)), Wishes(together=((3, 40),))
    found = honoured(draw, before, wishes, Panels(2, ((5, 7), (5, 7))))
    assert held(found) in ([23, 31], [25, 29])


def test_what_is_told_of_another_part_of_a_fragment_keeps_that_where_it_is(draw):
    # 3 comes to 40; but 0 and 41 are on different panels.
    before = sheets_of((5, 6), (4, 6))
    wishes = Wishes(together=((3, 40),), codes=(Code(0, panel="N"), Code(41, panel="S")))
    found = honoured(draw, before, wishes)
    assert check(found, wishes) == ()
    assert sum(held(found)) == 54
    assert len(found.sheets) == 2


def sure_but_for(arrangement, weak):
    """Return odds by which all joins are sure but for those right of a column."""
    pairs = np.sort(arrangement.joins(), axis=1)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    both = both[np.lexsort(both.T[::-1])]
    edge, partner = both.T
    pieces = len(arrangement.placed())
    start = np.searchsorted(edge, np.arange(4 * pieces + 1)).astype(np.int64)
    (sheet,) = arrangement.sheets
    left, right = sheet.piece[:, weak], sheet.piece[:, weak + 1]
    doubtful = np.isin(edge // 4, left) & np.isin(partner // 4, right)
    doubtful |= np.isin(edge // 4, right) & np.isin(partner // 4, left)
    lead = np.where(doubtful, -2.0, 9.0).astype(np.float32)
    return Odds(pieces, True, True, start, partner.astype(np.int32), lead, 0.0, 0.1)


@pytest.mark.parametrize("weak", [0, 1, 3])
@pytest.mark.parametrize("panels", [NOBODY, Panels(2)])
def test_a_fragment_with_pieces_told_apart_is_parted_where_it_is_least_sure(draw, weak, panels):
    before = sheets_of((5, 6))
    wishes = Wishes(apart=((0, 29),))
    found = honoured(draw, before, wishes, panels, odds=sure_but_for(before, weak))
    left, right = np.split(before.sheets[0].piece, [weak + 1], axis=1)
    parts = [sorted(sheet.piece[sheet.piece >= 0].tolist()) for sheet in found.sheets]
    assert sorted(parts) == sorted([sorted(left.ravel()), sorted(right.ravel())])
    assert len(joined(before) - joined(found)) == 5


@pytest.mark.parametrize("kind", ["together", "codes"])
@pytest.mark.parametrize("count", [None, 2])
def test_pieces_of_one_panel_bring_whole_pictures_together_from_nothing(kind, count):
    pictures = data.coffee()[100:240, 60:228], data.chelsea()[60:172, 120:288]
    puzzle, truth = cut_panels(pictures, 28, seed=4)
    first, second = (int(sheet.piece[1, 2]) for sheet in truth.arrangement.sheets)
    wishes = {
        "together": Wishes(together=((first, second),)),
        "codes": Wishes(codes=(Code(first, panel="N"), Code(second, panel="N"))),
    }[kind]
    plain = tessella.solve(puzzle, panels=Panels(count), seed=1)
    found = tessella.solve(puzzle, panels=Panels(count), wishes=wishes, seed=1)
    assert held(plain.arrangement) == [24, 30]
    assert held(found.arrangement) == [54]
    assert joined(found.arrangement) >= joined(plain.arrangement)


def several(rng, upright):
    """Return sheets with one or two fragments each, and single pieces beside some."""
    sheets, first = [], 0
    for _ in range(int(rng.integers(1, 4))):
        cells = np.full((4, 9), -1, np.int32)
        for left in rng.permutation([0, 5])[: rng.integers(1, 3)].tolist():
            rows, cols = rng.integers(1, 5, 2).tolist()
            some = np.arange(first, first + rows * cols)
            cells[:rows, left : left + cols] = some.reshape(rows, cols)
            first += rows * cols
        turns = np.zeros(cells.shape) if upright else rng.integers(0, 4, cells.shape)
        sheets.append(Sheet(cells, turns.astype(np.int8)))
    order = rng.permutation(first)
    named = [np.where(s.piece < 0, -1, order[s.piece]) for s in sheets]
    return Arrangement(tuple(Sheet(p, s.turns) for p, s in zip(named, sheets, strict=True)))


def told_of_sheets(pieces, rng):
    """Return wishes about sheets that some sorting of `pieces` pieces meets."""
    picture = rng.integers(0, 3, pieces)

    def drawn(count, same):
        some = rng.permutation(pieces)[:count].tolist()
        if same:
            return tuple(p for p in some if picture[p] == picture[some[0]])
        return tuple({int(picture[p]): p for p in some}.values())

    every = [(drawn(5, same), same) for same in rng.integers(0, 2, 3).tolist()]
    marked = rng.permutation(pieces)[: rng.integers(0, 4)].tolist()
    return Wishes(
        together=tuple(some for some, same in every if same and len(some) > 1),
        apart=tuple(some for some, same in every if not same and len(some) > 1),
        codes=tuple(Code(piece, panel="NSE"[picture[piece]]) for piece in marked),
    )


def may_stay_whole(before, wishes):
    """Say whether no fragment must be torn: whoever is drawn together is nowhere told apart."""
    names = sorted({code.panel for code in wishes.codes})
    panels = [[c.piece for c in wishes.codes if c.panel == name] for name in names]
    lying = [part.piece[part.piece >= 0].tolist() for s in before.sheets for part in fragments(s)]
    groups: list[set[int]] = []
    for some in (*lying, *wishes.together, *panels):
        met = [group for group in groups if not group.isdisjoint(some)]
        groups = [group for group in groups if group.isdisjoint(some)] + [set(some).union(*met)]
    different = [*wishes.apart, [panel[0] for panel in panels]]
    return all(len(group & set(some)) < 2 for some in different for group in groups)


@settings(max_examples=60, deadline=None)
@given(upright=st.booleans(), count=st.sampled_from([None, 3]), seed=st.integers(0, 2**31 - 1))
def test_no_fragment_is_torn_that_no_wish_tears(draw, upright, count, seed):
    rng = np.random.default_rng(seed)
    before = several(rng, upright)
    wishes = told_of_sheets(len(before.placed()), rng)
    found = honoured(draw, before, wishes, Panels(count), upright)
    assert check(found, wishes) == ()
    if count is None and may_stay_whole(before, wishes):
        assert joined(before) <= joined(found)
