from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from tessella.errors import InputError
from tessella.measures.mgc import Mgc
from tessella.measures.ssd import Ssd
from tessella.measures.wmgc import MgcSsd, Wmgc
from tessella.measuring import measure
from tessella.puzzle import Puzzle

RNG = np.random.default_rng(6)


def puzzle(count=5, levels=256, upright=True):
    return Puzzle(RNG.integers(0, levels, (count, 6, 6, 3), np.uint8), upright=upright)


def test_the_second_opinion_is_mgc_times_a_root_of_ssd():
    left, right = RNG.integers(0, 256, (2, 4, 5, 3, 3), np.uint8)
    said = [-by.raw(by.right(left, 0), by.left(right, 0)) for by in (Mgc(), Ssd(), MgcSsd(3))]
    np.testing.assert_allclose(said[2], said[0] * said[1] ** (1 / 3), rtol=1e-5)


def contested(table):
    """Rows of ``(N, N)`` scores whose best is not what the best bijection gives them."""
    rows = range(len(table))
    best = max(permutations(rows), key=lambda p: sum(table[r, p[r]] for r in rows))
    return [table[r, best[r]] < table[r].max() for r in rows]


@pytest.mark.parametrize("seed", range(5))
def test_the_doubted_are_those_whom_the_best_bijection_denies_their_best(seed):
    pieces = np.random.default_rng(seed).integers(100, 104, (5, 4, 4, 3), np.uint8)
    scores = measure(Puzzle(pieces), Mgc())
    doubted = Wmgc().doubtful(scores).reshape(5, 4)
    for side in range(4):
        assert doubted[:, side].tolist() == contested(scores.dense[side::4])


@pytest.mark.parametrize("upright", [True, False])
def test_doubted_edges_have_the_second_opinion_and_all_others_the_first(upright):
    asked = puzzle(8, 4, upright)
    first, second, chosen = (measure(asked, by) for by in (Mgc(), MgcSsd(4), Wmgc()))
    doubted = Wmgc().doubtful(first)
    assert 0 < doubted.sum() < len(doubted)
    for field in ("dense", "lo", "hi", "partner", "score"):
        one, two, found = (getattr(scores, field) for scores in (first, second, chosen))
        assert np.array_equal(found[~doubted], one[~doubted])
        np.testing.assert_allclose(found[doubted], two[doubted], rtol=1e-6)


def test_a_candidate_as_good_as_the_best_is_no_reason_for_doubt():
    scores = measure(Puzzle(np.full((4, 6, 6, 3), 7, np.uint8)), Mgc())
    assert not Wmgc().doubtful(scores).any()


def test_short_lists_leave_someone_alone_and_in_doubt():
    # All pieces want piece 0 to their right, and none lists another.
    pieces = np.zeros((4, 6, 6, 3), np.uint8)
    pieces[1:, :, :3] = np.array([60, 120, 180])[:, None, None, None]
    scores = measure(Puzzle(pieces), Mgc(), keep=1)
    wanted = scores.partner[4::4, 0]
    assert (wanted == 2).all()
    assert Wmgc().doubtful(scores)[4::4].sum() == 2


def test_a_single_piece_has_nothing_to_doubt():
    assert not Wmgc().doubtful(measure(puzzle(1), Mgc())).any()


def test_a_root_of_nothing_is_refused():
    with pytest.raises(InputError, match="q > 0"):
        Wmgc(q=0)
