from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella.kernels.assembly import single_pieces
from tessella.kernels.board import Box
from tessella.kernels.loops import Links, lay_blocks, leads, loops_of

ANYWHERE = Box(99, 99, 0)


def links(table):
    """Return which blocks follow which by a table of truth values ``(B, B)``."""
    high = np.cumsum(table.sum(axis=1)).astype(np.int64)
    return Links(high - table.sum(axis=1), high, np.nonzero(table)[1].astype(np.int64))


def loops_plain(right, down, name):
    """Return all loops by trying every four blocks."""
    every = range(len(name))
    return {
        (a, b, c, d)
        for a, b, c, d in itertools.product(every, repeat=4)
        if right[a, b] and right[c, d] and down[a, c] and down[b, d]
        if len({name[a], name[b], name[c], name[d]}) == 4
    }


@given(blocks=st.integers(1, 9), density=st.floats(0.1, 0.6), seed=st.integers(0, 2**31 - 1))
def test_finds_the_loops_that_its_plain_twin_finds(blocks, density, seed):
    rng = np.random.default_rng(seed)
    right, down = rng.random((2, blocks, blocks)) < density
    np.fill_diagonal(right, False)
    np.fill_diagonal(down, False)
    name = rng.integers(0, blocks, blocks)
    right &= name[:, None] != name
    down &= name[:, None] != name
    found = loops_of(links(right), links(down), name, 10**6)
    assert len(found) == len({tuple(x) for x in found.tolist()})
    assert {tuple(x) for x in found.tolist()} == loops_plain(right, down, name)


@pytest.mark.parametrize(("most", "count"), [(1, 1), (0, 0)])
def test_too_many_loops_are_none(most, count):
    right, down = np.zeros((2, 4, 4), bool)
    right[0, 1] = right[2, 3] = down[0, 2] = down[1, 3] = True
    assert len(loops_of(links(right), links(down), np.arange(4), most)) == count


def test_leads_says_who_follows():
    table = np.random.default_rng(0).random((8, 8)) < 0.5
    given_links = links(table)
    for i, j in np.ndindex(8, 8):
        assert leads(given_links, i, j) == table[i, j]


def test_blocks_are_laid_whole_or_not_at_all():
    """The second block shares pieces 1 and 3 with the first; the third wants 0 in two places."""
    cell = np.array([[[0, 1], [2, 3]], [[1, 4], [3, 5]], [[6, 0], [7, 1]]], np.int32) * 4
    found = single_pieces(8)
    assert lay_blocks(found, ANYWHERE, cell) == 2
    assert found.size[found.size > 0].tolist() == [6, 1, 1]
    assert (found.pose[5] - found.pose[0]).tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("second", "laid"),
    [([[1, 3], [0, 2]], 1), ([[1, 3], [4, 5]], 0), ([[3, 1], [4, 5]], 0)],
    ids=["the same", "0 and 2 are there", "mirrored"],
)
def test_a_block_is_compared_with_what_lies_as_the_turns_say(second, laid):
    """Turned once counter-clockwise, 0 1 over 2 3 becomes 1 3 over 0 2."""
    found = single_pieces(6)
    assert lay_blocks(found, ANYWHERE, np.array([[[0, 4], [8, 12]]], np.int32)) == 1
    turned = 4 * np.array([second], np.int32) + 1
    assert lay_blocks(found, ANYWHERE, turned) == laid
