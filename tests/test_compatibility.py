from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella import edges
from tessella.compatibility import Compatibility, from_dense, from_lists
from tessella.errors import FormatError, InputError

KINDS = st.sampled_from([(True, True), (True, False), (False, True), (False, False)])


def noise(pieces, upright, square, keep, dense, seed=0):
    e = np.arange(4 * pieces)[:, None]
    f = 4 * np.arange(pieces) + (e + 2) % 4 if upright else np.arange(4 * pieces)
    allowed = (e // 4 != f // 4) & (upright | square | ((e - f) % 2 == 0))
    table = np.random.default_rng(seed).uniform(0, 1, allowed.shape)
    table = np.where(allowed, table, -np.inf).astype(np.float32)
    if dense:
        return from_dense(pieces, upright, square, table, keep)
    best = np.argsort(-table, axis=1)[:, :keep].astype(np.int32)
    kept = np.take_along_axis(table, best, axis=1)
    partner = 4 * best + (e + 2) % 4 if upright else best
    partner = np.where(np.isneginf(kept), -1, partner).astype(np.int32)
    return from_lists(pieces, upright, square, partner, np.maximum(kept, 0))


def pairs(told):
    every = range(4 * told.pieces)
    how = {"upright": told.upright, "square": told.square}
    found = [(e, f) for e in every for f in every if edges.admissible(e, f, **how)]
    return np.array(found, np.int32).reshape(-1, 2)


@settings(max_examples=25, deadline=None)
@given(
    pieces=st.integers(1, 6),
    kind=KINDS,
    keep=st.integers(0, 5),
    dense=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_relabelling_keeps_every_compatibility_and_every_rank(pieces, kind, keep, dense, seed):
    told = noise(pieces, *kind, keep, dense, seed)
    order = np.random.default_rng(seed).permutation(pieces)
    again = told.relabelled(order)
    asked = pairs(told)
    edge = 4 * order[np.arange(4 * pieces) // 4] + np.arange(4 * pieces) % 4
    np.testing.assert_array_equal(again.of(edge[asked].astype(np.int32)), told.of(asked))
    for e in range(4 * pieces):
        one, two = slice(*told.start[e : e + 2]), slice(*again.start[edge[e] : edge[e] + 2])
        np.testing.assert_array_equal(edge[told.partner[one]], again.partner[two])
        np.testing.assert_array_equal(told.score[one], again.score[two])


def test_relabelling_back_gives_the_first_names():
    told = noise(5, False, True, 3, True)
    order = np.array([3, 0, 4, 1, 2])
    again = told.relabelled(order).relabelled(np.argsort(order))
    np.testing.assert_array_equal(again.partner, told.partner)
    np.testing.assert_array_equal(again.dense, told.dense)


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("upright", [True, False])
def test_what_is_saved_is_loaded(tmp_path, upright, dense):
    told = noise(4, upright, not upright, 3, dense)
    told.save(tmp_path / "told.npz")
    again = Compatibility.load(tmp_path / "told.npz")
    assert (again.pieces, again.upright, again.square) == (4, upright, not upright)
    np.testing.assert_array_equal(again.start, told.start)
    np.testing.assert_array_equal(again.partner, told.partner)
    np.testing.assert_array_equal(again.score, told.score)
    assert (again.dense is None) == (not dense)
    np.testing.assert_array_equal(again.of(pairs(told)), told.of(pairs(told)))


@pytest.mark.parametrize("content", [b"", b"no archive", None])
def test_a_file_that_is_no_compatibility_is_refused(tmp_path, content):
    path = tmp_path / "told.npz"
    if content is None:
        np.savez(path, start=np.zeros(5))
    else:
        path.write_bytes(content)
    with pytest.raises(FormatError, match="not a saved compatibility"):
        Compatibility.load(path)


def test_a_file_cut_short_is_refused(tmp_path):
    path = tmp_path / "told.npz"
    noise(4, True, True, 3, False).save(path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(FormatError, match="not a saved compatibility"):
        Compatibility.load(path)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"start": np.array([0, 1, 1, 1])}, "start needs 9"),
        ({"start": np.array([0, 2, 1, 1, 1, 1, 1, 1, 1])}, "ascending"),
        ({"partner": np.array([6, 0], np.int32)}, "as long as start says"),
        ({"partner": np.array([8], np.int32)}, "edges 0 to 7"),
        ({"score": np.array([1.5], np.float32)}, "between 0 and 1"),
        ({"score": np.array([np.nan], np.float32)}, "between 0 and 1"),
        ({"dense": np.zeros((8, 3), np.float32)}, "wrong shape"),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(changed, message):
    right = {
        "start": np.array([0, 1, 1, 1, 1, 1, 1, 1, 1]),
        "partner": np.array([6], np.int32),
        "score": np.array([0.5], np.float32),
    }
    Compatibility(2, True, True, **right)
    with pytest.raises(InputError, match=message):
        Compatibility(2, True, True, **right | changed)
