"""A gap is told where both sides are printed and the join is hardly likelier than none."""

from dataclasses import replace

import numpy as np

from tessella import api
from tessella.arrangement import Arrangement, Sheet
from tessella.documents.division import divided, guess_pages
from tessella.documents.gaps import missing_before, parted
from tessella.documents.render import render_strips
from tessella.documents.strips import strips_of
from tessella.odds import Calibration, odds_of
from tessella.plan import make_plan

STRIPS = 12


def page(seed: int, width: int = 480) -> np.ndarray:
    """Lines of letters, each with a shape of its own, that cuts go through."""
    rng = np.random.default_rng(seed)
    made = np.full((620, width), 255, np.uint8)
    for top in range(40, 580, 26):
        letters = rng.random((4, width // 8 - 3)) < 0.5
        made[top : top + 16, 12:-12] = np.where(letters.repeat(4, 0).repeat(8, 1), 20, 255)
    return made


def cut(*pages: np.ndarray):
    wide = pages[0].shape[1] // STRIPS
    images = [p[:, i * wide : (i + 1) * wide] for p in pages for i in range(STRIPS)]
    return strips_of(images)


def odds(puzzle):
    by = make_plan("ink", "path").measure
    return odds_of(api.measure(puzzle, by, shuffled=True).scores, Calibration(0.05, 4.0))


def row(*strips: int) -> Sheet:
    return Sheet(np.array([strips]), np.zeros((1, len(strips)), np.int8))


def test_a_gap_is_told_where_a_strip_was_taken_out():
    puzzle = cut(page(0))
    left = [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11]
    kept = puzzle.reordered(np.array(left, np.int32))
    sheet = row(*range(11))
    missing = missing_before(kept, sheet, odds(kept))
    assert np.flatnonzero(missing).tolist() == [4]


def test_a_whole_page_has_no_gaps():
    puzzle = cut(page(1))
    assert not missing_before(puzzle, row(*range(STRIPS)), odds(puzzle)).any()


def test_blank_sides_have_no_gaps_between_them():
    blank = strips_of([np.full((300, 30), 255, np.uint8)] * 4)
    assert not missing_before(blank, row(0, 1, 2, 3), odds(blank)).any()


def test_without_odds_nothing_is_known_of_gaps():
    assert not missing_before(cut(page(0)), row(0, 3), None).any()


def test_a_gap_is_as_wide_as_a_strip_and_drawn_grey():
    puzzle = cut(page(0))
    sheet = parted(puzzle, row(0, 1, 5, 6), odds(puzzle))
    assert sheet.gap is not None
    assert sheet.gap.tolist() == [[0, 0, 40, 0]]
    drawn = render_strips(puzzle, sheet)
    assert drawn.shape == (620, 5 * 40)
    assert len(np.unique(drawn[:, 80:120])) == 1
    assert 0 < drawn[0, 80] < 255


def test_a_missing_strip_takes_its_room_beside_what_both_of_its_cuts_took():
    puzzle = cut(page(0))
    sheet = parted(puzzle, row(0, 1, 5, 6), odds(puzzle), 3)
    assert sheet.gap is not None
    assert sheet.gap.tolist() == [[0, 3, 46, 3]]
    assert puzzle.layout.facts(Arrangement((sheet,)))["gaps"] == 1
    assert puzzle.layout.facts(Arrangement((sheet,)))["apart"] == 3


def solved(puzzle):
    return api.search(api.prepare(puzzle, make_plan("ink", "path"), threads=1), threads=1)


def test_the_number_of_pages_is_found_though_margins_were_not_kept():
    puzzle = cut(*(page(seed) for seed in range(4)))
    narrow = puzzle.reordered(np.array([i for i in range(48) if 2 <= i % 12 < 10], np.int32))
    result = solved(narrow)
    assert result.odds is not None
    result = replace(result, odds=replace(result.odds, fitted=True))  # guessed ones are not asked
    assert guess_pages(narrow) < 4
    assert len(divided(narrow, result, result.arrangement.sheets[0], None)) == 4


def test_a_row_is_divided_into_as_many_pages_as_are_known():
    puzzle = cut(page(0), page(1))
    result = solved(puzzle)
    for pages in (1, 2, 5):
        made = divided(puzzle, result, result.arrangement.sheets[0], pages)
        assert len(made) == pages
        assert sum(sheet.shape[1] for sheet in made) == len(puzzle)
