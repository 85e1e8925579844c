"""Rows of strips become pages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tessella import api
from tessella.documents.columns import Column, bare_sides
from tessella.documents.cut import cut_strips
from tessella.documents.pagination import deal, guess_pages, lay_out, paginate
from tessella.documents.reading import Ends
from tessella.documents.strips import strips_of
from tessella.errors import InputError
from tessella.plan import make_plan


def solved(pages, count=36, turned=False, number=None, solver="path"):
    puzzle, truth = cut_strips(pages, count, turned=turned, seed=1)
    prepared = api.prepare(puzzle, make_plan("ink", solver), threads=1)
    return puzzle, truth, paginate(puzzle, api.search(prepared, threads=1), number)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("number", [3, None])
def test_mixed_pages_are_told_apart_and_stand_upright(printed, turned, number):
    _, truth, result = solved(printed, turned=turned, number=number)
    score = api.score(result, truth)
    assert score.content == 1
    assert len(result.arrangement.sheets) == 3
    assert score.false_joins < 0.25  # blank strips are anybody's
    shown = result.arrangement.sheets[0]
    true = {
        int(p): int(t) for s in truth.arrangement.sheets for p, t in zip(*_cells(s), strict=True)
    }
    told = {int(p): int(t) for p, t in zip(*_cells(shown), strict=True)}
    assert sum(true[p] == t for p, t in told.items()) > 0.7 * len(told)


def _cells(sheet):
    return sheet.piece[0], sheet.turns[0]


def test_the_genetic_solver_lays_strips_too(printed):
    _, truth, result = solved(printed[:1], number=1, solver="genetic")
    assert api.score(result, truth).content > 0.9


def test_one_page_gets_its_margins_back(printed):
    puzzle, _, result = solved(printed[:1], number=1)
    (sheet,) = result.arrangement.sheets
    blank = puzzle.blank()[sheet.piece[0]]
    assert blank[0]
    assert blank[-1]
    assert np.flatnonzero(~blank).tolist() == list(range(*np.flatnonzero(~blank)[[0, -1]] + [0, 1]))


@pytest.mark.parametrize("worn", [False, True])
def test_a_join_that_is_told_is_not_cut(printed, worn, monkeypatch):
    puzzle, _ = cut_strips(printed, 36, seed=1)
    prepared = api.prepare(puzzle, make_plan("ink", "path"), threads=1)
    row = api.search(prepared, threads=1)
    monkeypatch.setattr(type(puzzle), "worn", worn)
    plain = paginate(puzzle, row, 3)
    page = {int(p): k for k, s in enumerate(plain.arrangement.sheets) for p in s.piece[0]}
    parted = [
        tuple(j) for j in row.arrangement.joins().tolist() if page[j[0] // 4] != page[j[1] // 4]
    ]
    blank = puzzle.blank()
    parted = [pair for pair in parted if not (blank[pair[0] // 4] and blank[pair[1] // 4])]
    for pair in parted[:3]:
        cut = paginate(puzzle, row, 3, [pair[::-1]])
        assert pair not in {tuple(join) for join in plain.arrangement.joins().tolist()}
        assert sorted(pair) in np.sort(cut.arrangement.joins(), axis=1).tolist()
        assert len(cut.arrangement.sheets) == 3
    assert parted


def test_fitness_and_joins_are_of_the_pages(printed):
    _, _, result = solved(printed[:2], number=2)
    assert result.fitness == pytest.approx(result.compatibility.fitness(result.arrangement))
    assert len(result.joins) == 70
    assert result.settings["pages"] == 2


@pytest.mark.parametrize(
    ("strips", "width", "pages"), [(85, 50, 1), (680, 50, 8), (26, 93, 1), (1, 50, 1)]
)
def test_pages_are_counted_by_the_width_of_all_strips(strips, width, pages):
    height = 5500 if width == 50 else 3470
    puzzle = strips_of([np.full((height, width), 255, np.uint8)] * min(strips, 1))
    many = puzzle.reordered(np.zeros(strips, np.int32))
    assert guess_pages(many) == pages


def test_a_single_strip_is_a_page():
    puzzle, _, result = solved([np.full((60, 20), 255, np.uint8)], count=1)
    assert len(puzzle) == len(result.arrangement.sheets) == 1


def column(piece, width, ends=None, head=0, tail=0):
    return Column((piece,), (0,), width, np.zeros(600), head, tail, ends)


@pytest.mark.parametrize("swapped", [False, True])
def test_of_two_columns_the_one_that_reads_on_into_the_other_is_the_left(swapped):
    columns = [column(1, 90, Ends(2, 1)), column(2, 90, Ends(0, 1))]
    number = column(3, 8)
    sheet = lay_out([*columns[:: -1 if swapped else 1], number], [0, 4], 200.0)
    assert [p for p in sheet.piece[0].tolist() if p in (1, 2, 3)] == [1, 3, 2]


@pytest.mark.parametrize("swapped", [False, True])
def test_of_two_columns_the_one_that_begins_as_whole_pages_do_is_the_left(swapped):
    """Margins are the same on all pages; what the text says of one page weighs less."""
    columns = [column(1, 90, Ends(0, 1), head=5, tail=9), column(2, 90, Ends(2, 1), head=8, tail=6)]
    whole = column(3, 180, head=5, tail=6)
    sheet = lay_out(columns[:: -1 if swapped else 1], [], 200.0, [whole])
    assert sheet.piece[0].tolist() == [1, 2]


def test_the_same_column_of_two_pages_is_not_put_on_one():
    """Lines of print agree with the wrong column, but where they begin tells."""
    lines = np.eye(4, 600)
    columns = [
        replace(column(i, 90, head=head, tail=tail), lines=lines[row])
        for i, (row, head, tail) in enumerate([(0, 5, 9), (0, 5, 9), (1, 8, 6), (2, 8, 6)])
    ]
    puzzle = strips_of([np.full((9, 4), 255, np.uint8)])
    dealt = deal(puzzle, columns, [], 200.0, 2)
    assert sorted(sorted(b.head for b in page) for page, _ in dealt) == [[5, 8], [5, 8]]


def test_where_print_does_not_tell_a_number_stands_in_the_middle_of_the_gutter():
    narrow, wide = column(1, 90, tail=2), column(2, 95, head=9)
    number = column(3, 11, head=4)
    assert lay_out([wide, narrow, number], [], 200.0).piece[0].tolist() == [1, 3, 2]


def test_sides_without_ink_are_bare():
    strip = np.full((9, 4), 255, np.uint8)
    strip[3, 0] = 0
    assert bare_sides(strips_of([strip])).tolist() == [True, False, False, False]


@pytest.mark.parametrize("pages", [0, 37])
def test_impossible_numbers_of_pages_are_refused(printed, pages):
    with pytest.raises(InputError, match="1 to the number of strips, 36"):
        solved(printed[:1], number=pages)


def shreds(pages, per_page):
    """Blank shreds of `pages` pages of which each continues its own blade's contours."""
    rng = np.random.default_rng(0)
    images, rims = [], []
    for _ in range(pages):
        walk = np.cumsum(rng.normal(0, 0.4, (per_page + 1, 800)), axis=1)
        cuts = np.rint(walk + 22 * np.arange(per_page + 1)[:, None]).astype(np.int32)
        for i in range(per_page):
            rim = cuts[i : i + 2] - cuts[i : i + 2].min()
            images.append(np.full((800, int(rim.max())), 250, np.uint8))
            rims.append(np.maximum.accumulate(rim, axis=0))
    return strips_of(images, rims=rims)


def test_shreds_without_ink_are_cut_where_contours_end():
    puzzle = shreds(2, 12)
    assert guess_pages(shreds(2, 26)) == 2
    prepared = api.prepare(puzzle, make_plan("contour", "path"), threads=1)
    result = paginate(puzzle, api.search(prepared, threads=1), 2)
    found = sorted(sorted(sheet.piece[0].tolist()) for sheet in result.arrangement.sheets)
    assert found == [list(range(12)), list(range(12, 24))]


def test_a_column_of_more_strips_than_calls_may_be_nested_is_cut():
    """All joins hold alike, so that every cut takes one strip off a column."""
    puzzle, _ = cut_strips([np.zeros((8, 2400), np.uint8)], 1200)
    plan = make_plan("ink", "path", {"kicks": 0})
    row = api.search(api.prepare(puzzle, plan, threads=1), threads=1)
    sheets = paginate(puzzle, row, 3).arrangement.sheets
    assert len(sheets) == 3
    assert sorted(np.concatenate([s.piece[0] for s in sheets]).tolist()) == list(range(1200))
