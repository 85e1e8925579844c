"""Belonging: what is told of pieces is told of all that holds together with them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella.belonging import Belonging, components

ROW = np.array([[k, k + 1] for k in range(5)])


def told(*names, differ=(), panels=()):
    """Return what is told of as many pieces as there are names, -1 being nothing."""
    pairs = np.array(differ, np.intp).reshape(-1, 2)
    return Belonging(np.array(names, np.intp), pairs, np.array(panels, np.intp))


def parts(cluster):
    return sorted(np.flatnonzero(cluster == k).tolist() for k in np.unique(cluster))


def never():
    raise AssertionError("nothing needs cutting")


def test_what_holds_together_with_pieces_of_one_name_is_one():
    joins = np.array([[0, 1], [3, 4]])
    assert parts(told(7, -1, -1, -1, 7, -1).clusters(joins, never)) == [[0, 1, 3, 4], [2], [5]]


@pytest.mark.parametrize("weak", range(5))
def test_pieces_of_names_that_differ_part_at_the_least_sure_join(weak):
    sure = np.where(np.arange(5) == weak, 0.2, 0.9)
    found = told(0, -1, -1, -1, -1, 1, differ=[(0, 1)]).clusters(ROW, lambda: sure)
    assert parts(found) == [list(range(weak + 1)), list(range(weak + 1, 6))]


def test_names_that_nobody_says_differ_may_hold_together():
    assert len(parts(told(0, -1, -1, -1, -1, 1).clusters(ROW, never))) == 1
    assert len(parts(told(0, -1, -1, -1, -1, 1, differ=[(0, 5)]).clusters(ROW, never))) == 1


def test_who_is_one_by_way_of_others_is_parted_too():
    # 0 and 5 are on one sheet, and 2 is not on that of 3: one of the joins beside them goes.
    joins = np.array([[0, 2], [5, 3]])
    some = told(7, -1, 8, 9, -1, 7, differ=[(8, 9)])
    assert parts(some.clusters(joins, lambda: np.array([0.9, 0.1]))) == [[0, 2, 5], [1], [3], [4]]
    assert parts(some.clusters(joins, lambda: np.array([0.1, 0.9]))) == [[0, 3, 5], [1], [2], [4]]


@given(seed=st.integers(0, 2**31 - 1))
def test_clusters_hold_to_what_is_told_and_cut_no_join_without_need(seed):
    rng = np.random.default_rng(seed)
    pieces = int(rng.integers(2, 30))
    name = rng.integers(-3, 4, pieces).clip(-1)
    differ = [(a, b) for a in range(4) for b in range(a) if rng.integers(2)]
    joins, some = rng.integers(0, pieces, (2 * pieces, 2)), told(*name, differ=differ)
    sure = rng.random(len(joins))
    cluster = some.clusters(joins, lambda: sure)
    for each in range(4):
        assert len(set(cluster[name == each].tolist())) <= 1
    assert not any((cluster[name == a][:1] == cluster[name == b][:1]).any() for a, b in differ)
    held = {each: set(name[cluster == each].tolist()) for each in cluster.tolist()}
    for one, two in cluster[joins].tolist():
        foes = any({a, b} <= held[one] | held[two] for a, b in differ)
        assert one == two or foes
    assert len(some.foes(cluster)) == len({*map(tuple, some.foes(cluster)[:, ::-1].tolist())})


def test_homes_told_to_be_one_are_unless_they_hold_what_was_told_apart():
    some = told(0, 0, 1, 2, 1, 3, differ=[(2, 3)])
    assert some.united(np.array([0, 1, 2, 3, 4, 5])).tolist() == [0, 0, 2, 3, 2, 5]
    assert some.united(np.array([0, 1, 2, 0, 1, 1])).tolist() == [0, 1, 1]
    assert some.foes(np.array([0, 1, 2, 0, 1, 1])).tolist() == [[0, 1], [1, 0]]


def test_a_sheet_is_closed_unless_something_is_told_of_another_piece_or_it_holds_foes():
    some = told(0, -1, 0, 1, 2, -1, differ=[(1, 2)])
    sheet = np.array([[0, 2], [1, -1]], np.int32)
    assert some.closed(sheet)
    assert not some.closed(sheet[:, :1])
    assert not some.closed(np.array([[3, 4]], np.int32))
    assert some.closed(np.array([[1, 5]], np.int32))


def test_a_part_is_told_the_same_by_other_numbers():
    some = told(0, -1, 0, 1, panels=[1]).part(np.array([3, 2]))
    assert some.name.tolist() == [1, 0]
    assert some.names_panel(np.array([0], np.int32))
    assert not some.names_panel(np.array([-1, 1], np.int32))


def test_components_are_those_that_hang_together():
    assert parts(components(4, np.array([[1, 3]]))) == [[0], [1, 3], [2]]
    assert parts(components(2, np.empty((0, 2), np.intp))) == [[0], [1]]
