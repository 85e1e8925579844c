from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.kernels.assembly import cells_of, lay, lay_pairs, single_pieces
from tessella.kernels.board import Box

ANYWHERE = Box(99, 99, 0)


def turn(cell, times):
    """Turn (row, col, turns) about (0, 0)."""
    row, col, turns = cell
    for _ in range(times % 4):
        row, col = -col, row
    return row, col, (turns + times) % 4


def moved(group, anchor, cell):
    """Return a group, {piece: (row, col, turns)}, moved so that piece `anchor` lies in `cell`."""
    times = cell[2] - group[anchor][2]
    spun = {p: turn(c, times) for p, c in group.items()}
    down, across = cell[0] - spun[anchor][0], cell[1] - spun[anchor][1]
    return {p: (r + down, c + across, t) for p, (r, c, t) in spun.items()}


def lay_plain(groups, box, wanted):
    """Return the groups after laying `wanted`, {piece: (row, col, turns)}, and whether it could."""
    touched = [g for g in groups if g.keys() & wanted.keys()]
    merged = {}
    for group in touched:
        anchor = min(group.keys() & wanted.keys())
        merged |= moved(group, anchor, wanted[anchor])
    cells = {(r, c) for r, c, _ in merged.values()}
    if any(merged[p] != cell for p, cell in wanted.items()) or len(cells) < len(merged):
        return groups, False
    height, width = np.ptp(list(cells), axis=0) + 1
    allowed = [(box.rows, box.cols)] + [(box.cols, box.rows)] * box.either
    if len(touched) > 1 and not any(height <= h and width <= w for h, w in allowed):
        return groups, False
    return [g for g in groups if g not in touched] + [merged], True


def settled(group):
    """Return a group as seen from its first piece, so that moving or turning it does not matter."""
    return moved(group, min(group), (0, 0, 0))


def as_groups(found):
    groups = []
    for home in np.flatnonzero(found.size):
        members, cell = cells_of(found, home)
        assert len(members) == found.size[home]
        groups.append({p: tuple(c) for p, c in zip(members.tolist(), cell.tolist(), strict=True)})
    return groups


def same(found, groups):
    def ordered(some):
        return sorted((settled(g) for g in some), key=min)

    return ordered(as_groups(found)) == ordered(groups)


@settings(max_examples=60)
@given(
    pieces=st.integers(2, 14),
    box=st.sampled_from([ANYWHERE, Box(99, 99, 1), Box(3, 5, 0), Box(3, 5, 1), Box(1, 14, 1)]),
    step=st.sampled_from([1, 2, 4]),
    seed=st.integers(0, 2**31 - 1),
)
def test_merges_as_its_plain_twin_does(pieces, box, step, seed):
    """A box that may not be laid either way round comes without quarter turns."""
    step = max(step, 2 - box.either)
    rng = np.random.default_rng(seed)
    found = single_pieces(pieces)
    groups = [{p: (0, 0, 0)} for p in range(pieces)]
    for _ in range(25):
        cells = [(0, 0), (0, 1), (1, 0), (1, 1)][: rng.integers(2, 5)]
        chosen = rng.choice(pieces, min(pieces, len(cells)), replace=False)
        turns = rng.choice(np.arange(0, 4, step), 4)
        wanted = {int(p): (*cell, int(t)) for p, cell, t in zip(chosen, cells, turns, strict=False)}
        groups, could = lay_plain(groups, box, wanted)
        piece = np.array(list(wanted), np.int32)
        assert lay(found, box, piece, np.array(list(wanted.values()), np.int64)) == could
    assert same(found, groups)


def row_of(count):
    """Lay `count` pieces in a row; the last two pieces stay alone."""
    found = single_pieces(count + 2)
    lay_pairs(found, ANYWHERE, np.array([[4 * i, 4 * i + 6] for i in range(count - 1)], np.int32))
    return found


def test_pairs_of_edges_come_to_lie_against_each_other():
    """Side 1 (top) of piece 0 meets side 1 of piece 1, which therefore lies upside down above."""
    found = single_pieces(2)
    lay_pairs(found, ANYWHERE, np.array([[1, 5]], np.int32))
    assert same(found, [{0: (0, 0, 0), 1: (-1, 0, 2)}])


def test_what_lies_as_asked_for_already_is_confirmed():
    found = row_of(3)
    asked = np.array([[5, 5, 1], [4, 5, 1]], np.int64)  # the row, turned once: 1 above 0
    assert lay(found, ANYWHERE, np.array([0, 1], np.int32), asked)


@pytest.mark.parametrize(
    "asked", [[[0, 0, 0], [0, 2, 0]], [[0, 0, 0], [0, 1, 1]]], ids=["elsewhere", "turned"]
)
def test_what_lies_otherwise_is_refused(asked):
    found = row_of(3)
    assert not lay(found, ANYWHERE, np.array([0, 1], np.int32), np.array(asked, np.int64))
    assert same(found, as_groups(row_of(3)))


def test_a_cell_takes_one_piece():
    found = row_of(3)
    lay_pairs(found, ANYWHERE, np.array([[4 * 1 + 3, 4 * 3 + 1], [4 * 4 + 0, 4 * 3 + 2]], np.int32))
    assert found.size.max() == 5
    again = row_of(3)
    lay_pairs(again, ANYWHERE, np.array([[4 * 1 + 3, 4 * 3 + 1], [4 * 1 + 3, 4 * 4 + 1]], np.int32))
    assert sorted(again.size[again.size > 0]) == [1, 4]


@pytest.mark.parametrize(("box", "merges"), [(Box(1, 4, 0), True), (Box(1, 3, 0), False)])
def test_the_shape_bounds_assemblies(box, merges):
    found = row_of(3)
    lay_pairs(found, box, np.array([[4 * 2, 4 * 3 + 2]], np.int32))
    assert (found.size.max() == 4) == merges


@pytest.mark.parametrize(("either", "merges"), [(1, True), (0, False)])
def test_a_shape_may_be_laid_either_way_round_if_the_box_says_so(either, merges):
    found = single_pieces(3)
    lay_pairs(found, Box(3, 1, either), np.array([[0, 6], [4, 10]], np.int32))
    assert (found.size.max() == 3) == merges
