"""What every adjustment must do; a new file in adjust/ is tested here."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella import registry
from tessella.compatibility import Compatibility
from tessella.measures.l1 import L1
from tessella.measures.ssd import Ssd
from tessella.measuring import measure
from tessella.puzzle import Puzzle

QUICK = settings(max_examples=25, deadline=None)
every_adjustment = pytest.mark.parametrize("name", registry.names("adjustment"))


@st.composite
def puzzles(draw):
    count, seed = draw(st.integers(1, 6)), draw(st.integers(0, 99))
    size = draw(st.sampled_from([(4, 4), (4, 5)]))
    levels = draw(st.sampled_from([1, 2, 256]))  # few levels make many ties
    pieces = np.random.default_rng(seed).integers(0, levels, (count, *size, 3), np.uint8)
    return Puzzle(pieces, upright=draw(st.booleans()))


def table(found: Compatibility) -> np.ndarray:
    """The compatibility of every pair of edges, asked one by one, ``(4N, 4N)``."""
    total = 4 * found.pieces
    pairs = np.stack(np.meshgrid(np.arange(total), np.arange(total), indexing="ij"), axis=-1)
    allowed = pairs[..., 0] // 4 != pairs[..., 1] // 4
    if found.upright:
        allowed &= (pairs[..., 0] - pairs[..., 1]) % 4 == 2
    out = np.zeros((total, total), np.float32)
    out[allowed] = found.of(pairs[allowed])
    return out


@every_adjustment
@given(asked=puzzles(), dense=st.booleans(), keep=st.sampled_from([None, 1, 3]))
@QUICK
def test_compatibilities_lie_between_zero_and_one_and_are_exactly_symmetric(
    name, asked, dense, keep
):
    adjust = registry.make("adjustment", name).adjust
    # An asymmetric measure, so that symmetry is the adjustment's doing.
    found = table(adjust(measure(asked, L1(), dense=dense, keep=keep)))
    assert np.array_equal(found, found.T)
    assert 0 <= found.min() <= found.max() <= 1


@every_adjustment
@given(asked=puzzles())
@QUICK
def test_lists_of_all_candidates_equal_dense(name, asked):
    adjust = registry.make("adjustment", name).adjust
    lists, dense = (adjust(measure(asked, L1(), keep=None, dense=d)) for d in (False, True))
    assert lists.dense is None
    assert dense.dense is not None
    assert np.array_equal(lists.start, dense.start)
    assert np.array_equal(lists.score, dense.score)
    assert np.array_equal(lists.partner, dense.partner)
    assert np.array_equal(table(lists), table(dense))


@every_adjustment
@pytest.mark.parametrize("dense", [True, False])
def test_a_single_piece_has_no_compatibilities(name, dense):
    piece = np.zeros((1, 4, 4, 3), np.uint8)
    found = registry.make("adjustment", name).adjust(measure(Puzzle(piece), Ssd(), dense=dense))
    assert len(found.partner) == 0
    assert not table(found).any()


@every_adjustment
@pytest.mark.parametrize("dense", [True, False])
def test_of_two_pieces_each_is_the_others_one_candidate(name, dense):
    pieces = np.random.default_rng(0).integers(0, 256, (2, 4, 4, 3), np.uint8)
    found = registry.make("adjustment", name).adjust(measure(Puzzle(pieces), Ssd(), dense=dense))
    assert found.partner.tolist() == [6, 7, 4, 5, 2, 3, 0, 1]


@every_adjustment
def test_the_number_of_threads_does_not_change_the_result(name):
    pieces = np.random.default_rng(0).integers(0, 256, (30, 4, 4, 3), np.uint8)
    told = measure(Puzzle(pieces, upright=False), L1())
    adjust = registry.make("adjustment", name).adjust
    one, three = adjust(told, threads=1), adjust(told, threads=3)
    assert np.array_equal(one.dense, three.dense)
    assert np.array_equal(one.partner, three.partner)
