"""How far strips lay apart is told by print alone, and not where print does not tell."""

import numpy as np
import pytest

from tessella.arrangement import Arrangement, Sheet
from tessella.documents.gaps import parted
from tessella.documents.render import render_strips
from tessella.documents.spacing import spacing
from tessella.documents.strips import strips_of

WIDE = 60


def page(seed: int, width: int = 900) -> np.ndarray:
    """Words of letters with one or two stems, a bow and a bar, at uneven distances."""
    rng = np.random.default_rng(seed)
    made = np.full((800, width), 250, np.uint8)
    for top in range(30, 760, 34):
        left = 10
        while left < width - 30:
            wide = int(rng.integers(8, 17))
            stem = int(rng.integers(3, 5))
            made[top : top + 18, left : left + stem] = 20
            if rng.random() < 0.6:
                made[top + 6 : top + 18, left + wide - stem : left + wide] = 20
            for down in rng.choice([0, 6, 15], 2):
                made[top + down : top + down + 3, left : left + wide] = 20
            left += wide + int(rng.integers(3, 6)) + (14 if rng.random() < 0.2 else 0)
    return made


def cut(lost: int, *seeds: int):
    """Return strips of pages whose cuts take `lost` columns each, and the pages."""
    images, sheets = [], []
    for made in map(page, seeds):
        first = range(0, made.shape[1] - WIDE + 1, WIDE + lost)
        cells = np.arange(len(images), len(images) + len(first))[None]
        sheets.append(Sheet(cells, np.zeros(cells.shape, np.int8)))
        images += [made[:, at : at + WIDE] for at in first]
    return strips_of(images), sheets


@pytest.mark.parametrize("lost", [-5, -3, 0, 9])
def test_what_cuts_took_is_told_to_a_pixel(lost):
    found = spacing(*cut(lost, 0, 1, 2))
    assert found is not None
    assert abs(found - lost) <= 1


def test_strips_that_slipped_are_compared_where_their_lines_are_level():
    puzzle, (sheet,) = cut(-5, 3)
    slips = np.arange(len(puzzle)) % 3 * 30 - 30
    moved = strips_of([np.roll(puzzle.one(i), s, axis=0) for i, s in enumerate(slips.tolist())])
    level = Sheet(sheet.piece, sheet.turns, None, -slips[None].astype(np.int32))
    assert spacing(moved, [level]) == spacing(puzzle, [sheet]) == -5
    assert spacing(moved, [sheet]) is None


def test_turned_strips_say_the_same():
    puzzle, (sheet,) = cut(-5, 3)
    over = Sheet(sheet.piece[:, ::-1], np.full(sheet.shape, 2, np.int8))
    assert spacing(puzzle, [over]) == spacing(puzzle, [sheet]) == -5


def test_strips_in_no_order_tell_nothing():
    puzzle, (sheet,) = cut(-5, 5)
    assert spacing(puzzle, [sheet]) == -5
    order = np.random.default_rng(0).permutation(len(puzzle))[None]
    assert spacing(puzzle, [Sheet(order, sheet.turns)]) is None


def test_blank_short_or_few_strips_tell_nothing():
    blank = strips_of([np.full((800, WIDE), 250, np.uint8)] * 12)
    row = Sheet(np.arange(12)[None], np.zeros((1, 12), np.int8))
    assert spacing(blank, [row]) is None
    puzzle, (sheet,) = cut(-5, 6)
    assert spacing(puzzle, [sheet]) is not None
    few = Sheet(sheet.piece[:, :6], sheet.turns[:, :6])  # five joins
    assert spacing(puzzle, [few]) is None
    short = strips_of([puzzle.one(i)[:48] for i in range(len(puzzle))])
    assert spacing(short, [sheet]) is None


def test_a_page_is_drawn_with_its_strips_apart_and_its_file_tells_it():
    puzzle, (sheet,) = cut(4, 7)
    laid = parted(puzzle, sheet, None, 4)
    assert laid.gap is not None
    assert laid.gap.tolist() == [[0, *[4] * (len(puzzle) - 1)]]
    assert np.array_equal(render_strips(puzzle, laid)[:, 64:124], puzzle.one(1))
    read = Arrangement.from_json(Arrangement((laid,)).to_json()).sheets[0]
    assert read.gap is not None
    assert np.array_equal(read.gap, laid.gap)
    assert puzzle.layout.facts(Arrangement((laid,)))["apart"] == 4
    assert puzzle.layout.facts(Arrangement((laid,)))["gaps"] == 0
    assert "4 px apart" in puzzle.layout.described(Arrangement((laid,)))


def test_strips_that_show_print_twice_are_drawn_over_each_other():
    puzzle, (sheet,) = cut(-5, 8)
    laid = parted(puzzle, sheet, None, -5)
    whole = page(8)[:, : render_strips(puzzle, laid).shape[1]]
    assert np.array_equal(render_strips(puzzle, laid), whole)
    assert "5 px over each other" in puzzle.layout.described(Arrangement((laid,)))


def test_pages_of_unknown_spacing_have_no_gaps():
    puzzle, (sheet,) = cut(0, 9)
    laid = parted(puzzle, sheet, None, None)
    assert laid.gap is None
    assert puzzle.layout.facts(Arrangement((laid,)))["apart"] is None
