from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Sheet
from tessella.documents.render import render_strips, shrunk_strips, write_pdf
from tessella.documents.strips import strips_of
from tessella.errors import InputError
from tessella.imaging.render import render, scrambled


def grey(*shape, value=0):
    return np.full(shape, value, np.uint8)


def test_strips_of_unequal_sizes_lie_side_by_side_from_the_top():
    puzzle = strips_of([grey(4, 3, value=10), grey(6, 2, value=20)])
    image = render_strips(puzzle, Sheet(np.array([[1, 0]]), np.zeros((1, 2))), gap=1)
    assert image.shape == (6, 6)
    assert (image[:, :2] == 20).all()
    assert (image[:4, 3:] == 10).all()
    assert (image[4:, 2:] == 255).all()


def test_rims_meet_and_do_not_cover_each_other():
    steps = np.array([4, 5, 4, 5])
    zero, full = np.zeros(4, int), np.full(4, 6)
    rims = [np.stack([zero, steps]), np.stack([steps - 4, full])]
    puzzle = strips_of([grey(4, 5, value=10), grey(4, 6, value=20)], rims=rims)
    image = render_strips(puzzle, Sheet(np.array([[0, 1]]), np.zeros((1, 2))))
    assert ((image == 10) | (image == 20)).all()
    assert (image == 10).sum(axis=1).tolist() == steps.tolist()


def test_an_empty_cell_is_a_grey_bar_and_render_gives_colours():
    puzzle = strips_of([grey(4, 3), grey(4, 3)])
    image = render(puzzle, Sheet(np.array([[0, -1, 1]]), np.zeros((1, 3))))
    assert image.shape == (4, 9, 3)
    assert 0 < image[0, 4, 0] < 255


def test_a_turned_strip_stands_on_its_head():
    strip = np.arange(12, dtype=np.uint8).reshape(4, 3)
    puzzle = strips_of([strip], upright=False)
    image = render_strips(puzzle, Sheet(np.array([[0]]), np.array([[2]])))
    assert np.array_equal(image, np.rot90(strip, 2))


def test_all_strips_are_drawn_in_their_order():
    puzzle = strips_of([grey(4, 3, value=v) for v in (1, 2, 3)])
    assert scrambled(puzzle)[0, ::3, 0].tolist() == [1, 2, 3]
    assert shrunk_strips(puzzle, 0.75).sizes.tolist() == [[3, 2]] * 3


@pytest.mark.parametrize(
    ("piece", "turns", "reason"),
    [([[0], [1]], [[0], [0]], "one row"), ([[2]], [[0]], "piece 2"), ([[0]], [[1]], "quarter")],
)
def test_sheets_that_strips_cannot_make_are_refused(piece, turns, reason):
    puzzle = strips_of([grey(4, 3)] * 2)
    with pytest.raises(InputError, match=reason):
        render_strips(puzzle, Sheet(np.array(piece), np.array(turns)))


def test_pages_become_a_pdf_of_their_size(tmp_path):
    from tessella.documents.pages import read_pages

    write_pdf(tmp_path / "pages.pdf", [grey(1100, 850, value=255), grey(1100, 850)])
    pages = read_pages([tmp_path / "pages.pdf"], 100)
    assert [page.grey.shape for page in pages] == [(1100, 850)] * 2
    assert pages[1].grey.max() < 10
