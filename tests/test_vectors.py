"""Searching by vectors: exact, the same by whoever searches, ties by the lower number."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella import vectors
from tessella.vectors import GRAIN, largest

ENGINES = ["numpy", pytest.param("faiss", marks=pytest.mark.skipif(
    vectors.usual() != "faiss", reason="faiss is not installed"))]  # fmt: skip


def plainly(right, left, own, others, keep):
    """What `largest` returns, written plainly: all products, sorted."""
    value = np.rint(right.astype(np.float64) @ left.astype(np.float64).T / GRAIN) * GRAIN
    value[own[:, None] == others] = -np.inf
    order = np.lexsort((np.broadcast_to(np.arange(len(left)), value.shape), -value), axis=1)
    column = order[:, :keep].astype(np.int32)
    score = np.take_along_axis(value, column, axis=1).astype(np.float32)
    column[np.isneginf(score)] = -1
    return column, score


@pytest.mark.parametrize("engine", ENGINES)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.booleans())
@settings(max_examples=20, deadline=None)
def test_lists_are_those_of_all_products_ties_included(engine, seed, keep, coarse):
    rng = np.random.default_rng(seed)
    left = rng.normal(size=(60, 5)).astype(np.float32)
    if coarse:  # Many are equal.
        left = np.rint(left)
    right, own = left[::-1][:40].copy(), np.arange(40, dtype=np.int32) // 4
    others = np.arange(60, dtype=np.int32)[::-1] // 4
    found = largest(right, left, own, others, keep, 2, engine)
    for one, other in zip(found, plainly(right, left, own, others, keep), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("engine", ENGINES)
def test_equal_edges_beyond_what_the_quick_search_lists_are_ranked_by_number(engine):
    left = np.ones((200, 4), np.float32)
    own, others = np.array([0], np.int32), np.arange(200, dtype=np.int32) // 4
    column, _ = largest(left[:1], left, own, others, 6, 1, engine)
    assert column.tolist() == [[4, 5, 6, 7, 8, 9]]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_edge_with_few_candidates_lists_them_all(engine):
    left = np.arange(8, dtype=np.float32).reshape(8, 1)
    own, others = np.array([0], np.int32), np.arange(8, dtype=np.int32) // 4
    column, score = largest(left[1:2], left, own, others, 8, 1, engine)
    assert column.tolist() == [[7, 6, 5, 4, -1, -1, -1, -1]]
    assert score[0, :4].tolist() == [7, 6, 5, 4]
