from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.edges import admissible
from tessella.kernels.forest import (
    COLLISION,
    JOINED,
    ONE_FRAGMENT,
    fragments,
    join,
    make_forest,
)

STEP = {0: (0, 1), 1: (-1, 0), 2: (0, -1), 3: (1, 0)}


class PlainForest:
    """The same, written plainly: a list of fragments, each a dict of piece to row, col, turns."""

    def __init__(self, pieces):
        self.fragments = [{p: (0, 0, 0)} for p in range(pieces)]

    def of(self, piece):
        return next(each for each in self.fragments if piece in each)

    def join(self, e, f):
        mine, other = self.of(e // 4), self.of(f // 4)
        if mine is other:
            return ONE_FRAGMENT
        row, col, turns = mine[e // 4]
        faces = (e + turns) % 4
        goal = row + STEP[faces][0], col + STEP[faces][1]
        other = turned(other, (faces + 2 - (f + other[f // 4][2])) % 4)
        down, across = (a - b for a, b in zip(goal, other[f // 4][:2], strict=True))
        other = {p: (r + down, c + across, t) for p, (r, c, t) in other.items()}
        if {(r, c) for r, c, _ in mine.values()} & {(r, c) for r, c, _ in other.values()}:
            return COLLISION
        self.fragments = [g for g in self.fragments if not g.keys() & (mine | other).keys()]
        self.fragments.append(mine | other)
        return JOINED


def turned(fragment, times):
    for _ in range(times):
        fragment = {p: (-c, r, (t + 1) % 4) for p, (r, c, t) in fragment.items()}
    return fragment


def cornered(fragment):
    """Return a fragment shifted so that its rows and columns begin at 0."""
    top, left = (min(place[axis] for place in fragment.values()) for axis in (0, 1))
    return {p: (r - top, c - left, t) for p, (r, c, t) in fragment.items()}


def read(found, label):
    """Return one fragment as a dict of piece to row, col, turns."""
    where = np.stack([found.row, found.col, found.turns], axis=1)
    return {int(p): tuple(where[p].tolist()) for p in np.flatnonzero(found.label == label)}


def random_joins(pieces, upright, square, count, rng):
    pairs = rng.integers(0, 4 * pieces, (count, 2))
    return [(e, f) for e, f in pairs.tolist() if admissible(e, f, upright=upright, square=square)]


@settings(max_examples=60)
@given(
    pieces=st.integers(2, 14),
    kind=st.sampled_from([(True, True), (False, True), (False, False)]),
    seed=st.integers(0, 2**31 - 1),
)
def test_joins_as_its_plain_twin_does(pieces, kind, seed):
    forest, plain = make_forest(pieces), PlainForest(pieces)
    for e, f in random_joins(pieces, *kind, 150, np.random.default_rng(seed)):
        assert join(forest, e, f) == plain.join(e, f)
    found = fragments(forest)
    assert sorted(found.size.tolist(), reverse=True) == found.size.tolist()
    for label, size in enumerate(found.size):
        fragment = read(found, label)
        assert len(fragment) == size
        twin = plain.of(min(fragment))
        assert any(fragment == cornered(turned(twin, times)) for times in range(4))


def test_upright_pieces_stay_upright():
    forest = make_forest(20)
    for e, f in random_joins(20, True, True, 300, np.random.default_rng(0)):
        join(forest, e, f)
    assert not forest.turns.any()


def test_a_refused_join_changes_nothing():
    forest = make_forest(4)
    assert join(forest, 4 * 0, 4 * 1 + 2) == JOINED
    assert join(forest, 4 * 2, 4 * 3 + 2) == JOINED
    assert join(forest, 4 * 0 + 3, 4 * 2 + 1) == JOINED
    before = [array.copy() for array in forest]
    assert join(forest, 4 * 1 + 3, 4 * 3 + 1) == ONE_FRAGMENT
    for array, old in zip(forest, before, strict=True):
        np.testing.assert_array_equal(array, old)


def test_two_pieces_never_lie_in_one_cell():
    forest = make_forest(3)
    assert join(forest, 4 * 0, 4 * 1 + 2) == JOINED
    assert join(forest, 4 * 0, 4 * 2 + 2) == COLLISION
    assert fragments(forest).size.tolist() == [2, 1]


def test_a_spiral_of_turned_pieces_closes_only_where_it_may():
    """Four pieces, each turned once more than the one before, lie around a point."""
    forest = make_forest(5)
    for p in range(3):
        assert join(forest, 4 * p, 4 * (p + 1) + 3) == JOINED
    assert len(set(zip(forest.row[:4].tolist(), forest.col[:4].tolist(), strict=True))) == 4
    assert np.ptp(forest.row[:4]) == np.ptp(forest.col[:4]) == 1
    assert sorted(forest.turns[:4].tolist()) == [0, 1, 2, 3]
    assert join(forest, 4 * 3, 4 * 4 + 3) == COLLISION


def test_a_long_row_keeps_its_order():
    count = 3000
    forest = make_forest(count)
    order = np.random.default_rng(3).permutation(count - 1)
    assert all(join(forest, 4 * p, 4 * (p + 1) + 2) == JOINED for p in order.tolist())
    found = fragments(forest)
    assert found.size.tolist() == [count]
    np.testing.assert_array_equal(found.col, np.arange(count))
    assert not found.row.any()
