"""Pages cut into strips, and the truth about them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella.documents.cut import cut_strips
from tessella.errors import InputError
from tessella.imaging.render import render


@given(
    pages=st.integers(1, 3),
    count=st.integers(1, 6),
    width=st.integers(12, 20),
    turned=st.booleans(),
    seed=st.integers(0, 99),
)
def test_cut_then_render_gives_every_page_back(pages, count, width, turned, seed):
    rng = np.random.default_rng(seed)
    given_pages = [rng.integers(0, 256, (10 + k, width), np.uint8) for k in range(pages)]
    puzzle, truth = cut_strips(given_pages, count, turned=turned, seed=seed)
    assert puzzle.upright is not turned
    assert [s.shape for s in truth.arrangement.sheets] == [(1, count)] * pages
    for page, sheet in zip(given_pages, truth.arrangement.sheets, strict=True):
        used = page[:, : width // count * count]
        assert np.array_equal(render(puzzle, sheet)[..., 0], used)


def test_blank_strips_are_told_and_share_a_class():
    page = np.full((30, 40), 255, np.uint8)
    page[5:9, 10:20] = 0
    _, truth = cut_strips([page], 4)
    assert truth.blank.sum() == 3
    classes = truth.edge_class.reshape(-1, 4)
    assert len({tuple(c) for c in classes[truth.blank]}) == 1
    again = type(truth).from_json(truth.to_json())
    assert np.array_equal(again.blank, truth.blank)


@pytest.mark.parametrize(
    ("page", "count", "reason"),
    [
        (np.zeros((9, 9), np.uint8), 5, "Page 1 is 9 px wide"),
        (np.zeros((9, 9), np.uint8), 0, "at least 1"),
        (np.zeros((9, 9, 3), np.uint8), 2, "shape"),
    ],
)
def test_what_cannot_be_cut_is_refused(page, count, reason):
    with pytest.raises(InputError, match=reason):
        cut_strips([page], count)
