"""Wishes where there are several sheets: panels of tiles, and pages of strips."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tessella
from tessella.arrangement import Arrangement, Sheet
from tessella.errors import InputError
from tessella.evidence import Evidence
from tessella.panels import Panels
from tessella.placement import places
from tessella.solving import Job
from tessella.wishes import Code, Fixed, Wishes
from tessella.wishes.checking import check
from tessella.wishes.contradictions import check_wishes
from tessella.wishes.facts import Facts
from tessella.wishes.honouring import laid_anew

PANELS = Panels(None)


def honoured(arrangement, wishes, job):
    """Return `arrangement` laid anew so that all of `wishes` hold."""
    known = check_wishes(wishes, Facts.of_job(job))
    return laid_anew(arrangement, known, job.compatibility, seed=job.seed)


def two_sheets(draw, rng, upright):
    """Return 12 pieces on two sheets at random."""
    one = draw.laid(6, (2, 4), upright, True, rng).sheets[0]
    two = draw.laid(6, (3, 3), upright, True, rng).sheets[0]
    order = rng.permutation(12)
    cells = [np.where(s.piece < 0, -1, order[s.piece + 6 * k]) for k, s in enumerate((one, two))]
    return Arrangement(
        tuple(Sheet(cell, s.turns) for cell, s in zip(cells, (one, two), strict=True))
    )


def wishes_of(arrangement, rng):
    """Return wishes about sheets that `arrangement` meets."""
    every = list(places(arrangement))
    rng.shuffle(every)
    joins = arrangement.joins().tolist()
    sheets = [[at.piece for at in every if at.sheet == k] for k in (0, 1)]
    return Wishes(
        fixed=tuple(Fixed(a.piece, a.sheet, a.row, a.col, a.turns) for a in every[:2]),
        codes=tuple(Code(a.piece, a.row, panel="NS"[a.sheet]) for a in every[2:4]),
        joined=tuple((e, f) for e, f in joins[:1]),
        together=(tuple(sheets[0][:2]),),
        apart=((sheets[0][0], sheets[1][0]),),
    )


@settings(max_examples=40, deadline=None)
@given(upright=st.booleans(), seed=st.integers(0, 2**31 - 1))
def test_wishes_about_sheets_are_honoured(draw, upright, seed):
    rng = np.random.default_rng(seed)
    wishes = wishes_of(two_sheets(draw, rng, upright), rng)
    job = Job(Evidence(draw.noise(12, upright, True, rng)), panels=PANELS)
    found = honoured(two_sheets(draw, rng, upright), wishes, job)
    assert check(found, wishes) == ()
    assert set(found.placed().tolist()) <= set(range(12))


FRAMES = (2, 4), (3, 3)


def framed_wishes(arrangement, rng):
    """Return wishes about cells of sheets that are called by numbers, all of which are met."""
    every = list(places(arrangement))
    rng.shuffle(every)
    return Wishes(
        fixed=tuple(Fixed(a.piece, a.sheet, a.row, a.col, a.turns) for a in every[:3]),
        codes=tuple(Code(a.piece, a.row, panel=str(a.sheet + 1)) for a in every[3:6]),
    )


@settings(max_examples=40, deadline=None)
@given(upright=st.booleans(), told=st.integers(1, 2), seed=st.integers(0, 2**31 - 1))
def test_cells_count_on_panels_whose_shapes_are_known_one_by_one(draw, upright, told, seed):
    rng = np.random.default_rng(seed)
    wishes = framed_wishes(two_sheets(draw, rng, upright), rng)
    frames = FRAMES[:told]
    job = Job(Evidence(draw.noise(12, upright, True, rng)), panels=Panels(2, frames))
    found = honoured(two_sheets(draw, rng, upright), wishes, job)
    assert check(found, wishes, frames=frames) == ()
    at = {place.piece: found.sheets[place.sheet].shape for place in places(found)}
    for wish, number in wishes.numbered():
        if number < told:
            assert at[wish.value.piece] == frames[number]


@pytest.mark.parametrize(
    ("wishes", "panels", "said"),
    [
        (Wishes(fixed=(Fixed(0, 1, 0, 3),)), Panels(2, FRAMES), "the shape is 3 x 3 cells"),
        (Wishes(codes=(Code(0, 2, panel="1"),)), Panels(2, FRAMES), "the shape is 2 x 4 cells"),
        (
            Wishes(fixed=(Fixed(0, 0, 0, 0), Fixed(1, 0, 0, 4))),
            Panels(None, FRAMES[:1]),
            "the shape is 2 x 4 cells",
        ),
    ],
)
def test_cells_outside_the_shape_of_their_panel_are_refused(draw, wishes, panels, said):
    job = Job(Evidence(draw.noise(12, True, True, np.random.default_rng(0))), panels=panels)
    with pytest.raises(InputError, match=said):
        check_wishes(wishes, Facts.of_job(job))


def test_a_panel_called_by_a_number_is_no_other_number(draw):
    job = Job(Evidence(draw.noise(12, True, True, np.random.default_rng(0))), panels=Panels(2))
    both = Wishes(fixed=(Fixed(0, 0, 0, 0),), codes=(Code(0, panel="2"),))
    with pytest.raises(InputError, match="contradict each other"):
        check_wishes(both, Facts.of_job(job))


def test_a_piece_that_was_left_over_is_laid_where_a_wish_has_it(draw):
    told = draw.noise(5, True, True, np.random.default_rng(0))
    found = honoured(
        Arrangement.single([[0, 1], [2, 3]]),
        Wishes(joined=((4 * 1, 4 * 4 + 2),)),
        Job(Evidence(told), panels=PANELS),
    )
    assert 4 in found.placed()


def sheets_of(*shapes):
    """Return sheets of such shapes, full of pieces in order."""
    sheets, first = [], 0
    for rows, cols in shapes:
        cells = np.arange(first, first + rows * cols, dtype=np.int32).reshape(rows, cols)
        sheets.append(Sheet(cells, np.zeros(cells.shape, np.int8)))
        first += rows * cols
    return Arrangement(tuple(sheets))


def held(arrangement):
    """Return how many pieces lie on every sheet."""
    return [int((sheet.piece >= 0).sum()) for sheet in arrangement.sheets]


@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(forbidden=((4 * 0, 4 * 1 + 2),)),
        Wishes(fixed=(Fixed(0, 1, 2, 2), Fixed(9, 0, 0, 1))),
        Wishes(codes=(Code(18, 0, 0, "N"), Code(1, panel="S"))),
        Wishes(joined=((4 * 19, 4 * 24 + 2),)),
    ],
    ids=["forbidden", "fixed", "codes", "joined"],
)
def test_fragments_beside_so_many_panels_are_no_panels(draw, wishes):
    before = sheets_of((3, 3), (3, 3), (1, 2), (2, 2))
    job = Job(Evidence(draw.noise(25, True, True, np.random.default_rng(0))), panels=Panels(2))
    found = honoured(before, wishes, job)
    assert check(found, wishes) == ()
    assert sum(count >= 8 for count in held(found)) == 2
    assert 2 <= len(found.sheets) <= 4


def test_what_wishes_find_beyond_so_many_panels_is_left_over(draw):
    job = Job(Evidence(draw.noise(28, True, True, np.random.default_rng(0))), panels=Panels(2))
    wishes = Wishes(fixed=(Fixed(18, 0, 0, 0), Fixed(0, 1, 0, 0)))
    found = honoured(sheets_of((3, 3), (3, 3), (2, 5)), wishes, job)
    assert check(found, wishes) == ()
    assert sum(count >= 8 for count in held(found)) <= 2


def test_two_panels_on_one_sheet_are_refused_before_anything_is_measured():
    puzzle = tessella.Puzzle(np.zeros((4, 8, 8, 3), np.uint8))
    with pytest.raises(InputError, match="there is 1 sheet"):
        tessella.solve(puzzle, wishes=Wishes(codes=(Code(0, panel="A"), Code(1, panel="B"))))


@pytest.fixture(scope="module")
def pages():
    """Return strips of two pages: lines across, at other heights on each."""
    rng = np.random.default_rng(0)
    made = []
    for first in (20, 32):
        page = np.full((160, 120), 255, np.uint8)
        page[first:150:24, 8:112] = 0
        page[rng.integers(10, 150, 40), rng.integers(8, 112, 40)] = 0
        made.append(page)
    return tessella.cut_strips(made, 6, seed=1)[0]


def test_a_locked_row_without_a_page_stays_on_the_page_it_is_on(pages, tmp_path):
    plain = tessella.solve(pages).arrangement
    first, second = (sheet.piece[0].tolist() for sheet in plain.sheets)
    lines = [f"{pages.names[page[0]]},1,4,yes" for page in (first, second)]
    (tmp_path / "w.csv").write_text("\n".join(["file,row,col,locked", *lines]))
    wishes = tessella.read_wishes(tmp_path / "w.csv", pages)
    assert not wishes.fixed
    found = tessella.solve(pages, wishes=wishes).arrangement
    page = {place.piece: place.sheet for place in places(found)}
    assert page[first[0]] != page[second[0]]


def test_only_among_several_sheets_a_locked_row_without_a_panel_is_on_any(tmp_path):
    puzzle = tessella.Puzzle(np.zeros((4, 8, 8, 3), np.uint8))
    (tmp_path / "w.csv").write_text("file,panel,row,col,locked\n0,,2,1,yes\n1,South,1,1,yes")
    one, many = (tessella.read_wishes(tmp_path / "w.csv", puzzle, p) for p in (None, Panels(2)))
    assert [fixed.piece for fixed in one.fixed] == [0, 1]
    assert [fixed.piece for fixed in many.fixed] == [1]
    assert many.upright == ((0, 0),)
    assert many.codes[0] == Code(0, 1, 0)


@pytest.mark.parametrize("kind", ["joined", "forbidden", "apart", "together", "fixed"])
def test_pages_hold_to_wishes(pages, kind):
    plain = tessella.solve(pages).arrangement
    first, second = plain.sheets
    a, b = int(first.piece[0, 0]), int(second.piece[0, -1])
    e, f = plain.joins()[0].tolist()
    wishes = {
        "joined": Wishes(joined=((4 * a, 4 * b + 2),)),
        "forbidden": Wishes(forbidden=((e, f),)),
        "apart": Wishes(apart=((int(first.piece[0, 0]), int(first.piece[0, 1])),)),
        "together": Wishes(together=((a, b),)),
        "fixed": Wishes(fixed=(Fixed(a, 0, 0, 3), Fixed(b, 0, 0, 1))),
    }[kind]
    found = tessella.solve(pages, wishes=wishes).arrangement
    assert check(plain, wishes) != ()
    assert check(found, wishes) == ()
    np.testing.assert_array_equal(found.placed(), np.arange(len(pages)))
    assert all(sheet.shape[0] == 1 for sheet in found.sheets)
