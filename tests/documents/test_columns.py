"""A row of strips is cut into columns, and what goes on becomes one again."""

from __future__ import annotations

import numpy as np

from tessella import api
from tessella.documents.columns import split
from tessella.documents.cut import cut_strips
from tessella.documents.pagination import paginate
from tessella.plan import make_plan

ROW = make_plan("ink", "path")


def searched(page, count):
    puzzle, truth = cut_strips([page], count, seed=1)
    return puzzle, truth, api.search(api.prepare(puzzle, ROW, threads=1), threads=1)


def captioned():
    """Two columns, a picture that ends exactly at a cut, and a caption across."""
    page = np.full((400, 200), 255, np.uint8)
    rng = np.random.default_rng(0)
    for top in range(220, 390, 6):  # letters of both columns, which end before the gutter
        for left, right in ((12, 96), (104, 188)):
            strokes = np.repeat(rng.random((4, 12)) < 0.5, 7, axis=1)
            page[top : top + 4, left:right] = np.where(strokes, 0, 255)
    page[20:160, 12:100] = 0
    for top in range(170, 200, 6):
        page[top : top + 3, 30:170] = 0
    return page


def test_a_caption_holds_together_what_a_picture_at_the_cut_tears_apart():
    puzzle, truth, row = searched(captioned(), 10)
    columns, _ = split(puzzle, row.compatibility, row.arrangement.sheets[0], room=206.0)
    assert len(columns) == 1
    assert api.score(paginate(puzzle, row, 1), truth).content == 1


def test_strangers_stay_apart():
    page = captioned()
    page[165:205] = 255  # no caption
    puzzle, _, row = searched(page, 10)
    columns, _ = split(puzzle, row.compatibility, row.arrangement.sheets[0], room=206.0)
    assert len(columns) == 2


def test_columns_are_joined_up_to_the_width_of_a_page():
    puzzle, _, row = searched(captioned(), 10)
    columns, _ = split(puzzle, row.compatibility, row.arrangement.sheets[0], room=150.0)
    assert max(column.width for column in columns) <= 150
    assert sorted(p for column in columns for p in column.piece) == list(range(10))
