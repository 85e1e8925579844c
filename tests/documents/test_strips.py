"""Strips: sizes, rims and how they are shown to measures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella import edges
from tessella.arrangement import Arrangement
from tessella.documents.strips import PAPER, Strips, colourless, strips_of
from tessella.errors import InputError
from tessella.measures.ssd import Ssd
from tessella.measuring import measure
from tessella.shuffle import permuted


def some(sizes, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, 256, size, np.uint8) for size in sizes]


SIZES = [(9, 4), (7, 3), (9, 5)]


def test_strips_keep_their_own_sizes_on_white():
    images = some(SIZES)
    puzzle = strips_of(images)
    assert puzzle.piece_size == (9, 5)
    assert puzzle.sizes.tolist() == [list(s) for s in SIZES]
    for i, image in enumerate(images):
        assert np.array_equal(puzzle.one(i), image)
    assert (puzzle.grey[1, 7:] == PAPER).all()
    assert not puzzle.rectangles
    assert puzzle.described() == "3 strips of 7 to 9 x 3 to 5 px"


def test_strips_are_flat_and_of_pages_not_of_a_shape():
    puzzle = strips_of(some(SIZES)).sized((2, 2), 2)
    assert (puzzle.flat, puzzle.pages, puzzle.shape) == (True, 2, (1, 3))
    assert puzzle.sized(None, None).pages is None


def test_strips_are_placed_where_a_page_shows_them():
    puzzle = strips_of(some(SIZES))
    sheet = Arrangement.single(np.array([[2, -1, 0]])).sheets[0]
    page = puzzle.layout.draw(sheet)
    assert [piece for piece, *_ in puzzle.places(sheet)] == [2, 0]
    for piece, turns, top, left in puzzle.places(sheet):
        strip = puzzle.one(piece, turns)
        height, width = strip.shape
        assert np.array_equal(page[top : top + height, left : left + width], strip)


def test_strips_lie_in_one_row_and_are_never_square():
    puzzle = strips_of(some([(4, 4)] * 3))
    assert puzzle.shape == (1, 3)
    assert not puzzle.square
    assert puzzle.rectangles


@pytest.mark.parametrize("upright", [True, False])
def test_only_long_sides_join(upright):
    puzzle = strips_of(some(SIZES), upright=upright)
    scores = measure(puzzle, Ssd(), dense=True)
    ends = np.arange(12) % 2 == 1
    assert np.isneginf(scores.dense[ends]).all()
    assert (scores.partner[ends] == -1).all()
    assert np.isfinite(scores.dense[~ends]).sum() == (12 if upright else 48 - 24)


@given(st.integers(0, 1), st.sampled_from([edges.RIGHT, edges.LEFT]), st.integers(0, 2))
def test_the_paper_touches_the_side_that_is_asked_for(over, direction, piece):
    images = some(SIZES)
    puzzle = strips_of(images, upright=False)
    side = (direction + 2 * over) % 4
    (seen,) = puzzle.facing(np.array([4 * piece + side], np.int32), direction)
    expected = np.rot90(images[piece], 2 * over)
    height, width = expected.shape
    part = seen[:height, -width:] if direction == edges.RIGHT else seen[:height, :width]
    assert np.array_equal(part[..., 0], expected)
    assert seen.sum() // 3 == int(expected.sum()) + PAPER * (9 * 5 - expected.size)


@pytest.mark.parametrize("turns", [0, 2])
def test_ragged_rows_are_flush_with_the_seam(turns):
    image = np.arange(1, 25, dtype=np.uint8).reshape(4, 6)
    rim = np.array([[0, 1, 2, 1], [6, 5, 6, 4]], np.int32)
    puzzle = strips_of([image], upright=False, rims=[rim])
    edge = np.array([0 if turns == 0 else 2], np.int32)
    seen = puzzle.facing(edge, edges.RIGHT)[0, ..., 0]
    turned = np.rot90(image, turns)
    first, last = puzzle.rim(0, turns)
    for y in range(4):
        paper = turned[y, first[y] : last[y]]
        assert seen[y].tolist() == [PAPER] * (6 - len(paper)) + paper.tolist()


def test_what_lies_beyond_the_rims_is_white():
    rim = np.array([[1, 1], [3, 2]], np.int32)
    puzzle = strips_of([np.zeros((2, 4), np.uint8)], rims=[rim])
    assert puzzle.one(0).tolist() == [[255, 0, 0, 255], [255, 0, 255, 255]]
    assert puzzle.rim(0, 2).tolist() == [[2, 1], [3, 3]]


def test_another_order_takes_sizes_rims_and_names_along():
    rims = [np.stack([np.zeros(h), np.full(h, w)]).astype(np.int32) for h, w in SIZES]
    puzzle = strips_of(some(SIZES), names=("a", "b", "c"), rims=rims)
    shuffled, order = permuted(puzzle, 3)
    assert isinstance(shuffled, Strips)
    for k, i in enumerate(order):
        assert np.array_equal(shuffled.one(k), puzzle.one(i))
        assert shuffled.names[k] == puzzle.names[i]


def test_blank_strips_have_no_ink():
    grey = np.full((3, 5, 4), 255, np.uint8)
    grey[1] = 240
    grey[2, 4, 3] = 239
    assert Strips(colourless(grey)).blank().tolist() == [True, True, False]


def test_greys_take_no_more_memory_as_colours():
    grey = np.zeros((2, 3, 4), np.uint8)
    assert np.shares_memory(colourless(grey), grey)


@pytest.mark.parametrize(
    ("images", "reason"),
    [([], "at least one strip"), (some([(9, 4), (9, 1)]), "strip 1 has 1")],
)
def test_no_strip_and_strips_without_width_are_refused(images, reason):
    with pytest.raises(InputError, match=reason):
        strips_of(images)


def test_sizes_and_rims_must_fit():
    grey = colourless(np.zeros((2, 6, 4), np.uint8))
    with pytest.raises(InputError, match="fit"):
        Strips(grey, sizes=np.array([[6, 4], [6, 5]]))
    with pytest.raises(InputError, match="rims must have shape"):
        Strips(grey, rims=np.zeros((2, 2, 5), np.int32))
    with pytest.raises(InputError, match="begin and end"):
        Strips(grey, rims=np.full((2, 2, 6), 5, np.int32))
    with pytest.raises(InputError, match="worn frames"):
        Strips(grey, eroded=1)


def test_ends_of_strips_cannot_be_asked_for():
    with pytest.raises(InputError, match="long sides"):
        strips_of(some(SIZES)).facing(np.array([1], np.int32), edges.RIGHT)
