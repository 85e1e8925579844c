"""Evidence that knows the last answer: what was sure there holds together."""

from __future__ import annotations

import numpy as np
import pytest

import tessella
from tessella.api import prepare
from tessella.evidence import Evidence
from tessella.plan import make_plan
from tessella.sureness import chances, trusted
from tessella.wishes import Wishes
from tessella.wishes.contradictions import check_wishes
from tessella.wishes.facts import Facts
from tessella.wishes.guiding import guided
from tessella.wishes.settling import settled


def wished(evidence, wishes, shape=None):
    """Return `evidence` as `wishes` have it."""
    told = evidence.compatibility
    facts = Facts(told.pieces, told.upright, told.square, shape, sheets=None)
    return guided(evidence, check_wishes(wishes, facts))


@pytest.fixture(scope="module", params=[False, True], ids=["upright", "turned"])
def known(request):
    """The evidence of a puzzle, and its truth in the order of the evidence."""
    picture = tessella.demo_picture()[:112, :168]
    puzzle, truth = tessella.cut(picture, 28, turned=request.param, seed=1)
    prepared = prepare(puzzle, make_plan(None, None, None, puzzle=puzzle), seed=1)
    return prepared.evidence, tessella.shuffle.restore(truth.arrangement, prepared.inverse)


def sureness(evidence: Evidence, arrangement) -> dict[tuple[int, int], float]:
    """Return how far every join can be trusted, both ways round."""
    made = {}
    for row, sure in chances(arrangement, evidence.odds):
        for (e, f), value in zip(row.pairs.tolist(), sure, strict=True):
            made[e, f] = made[f, e] = float(trusted(value))
    return made


def test_every_pair_moves_as_far_as_the_joins_of_its_edges_can_be_trusted(known):
    evidence, arrangement = known
    before, after = evidence.compatibility, settled(evidence, arrangement, evidence.odds)
    trust = sureness(evidence, arrangement)
    of_edge = {e: value for (e, _), value in trust.items()}
    e = np.repeat(np.arange(len(before.start) - 1), np.diff(before.start))
    pairs = np.stack([e, before.partner], axis=1).astype(np.int32)[::7]
    for pair, was, now in zip(
        pairs.tolist(), before.of(pairs), after.compatibility.of(pairs), strict=True
    ):
        mine, other = (of_edge.get(edge, 0.0) for edge in pair)
        rival = (1 - mine) * (1 - other) * was
        wanted = 1 - (1 - mine) * (1 - was) if tuple(pair) in trust and was > 0 else rival
        assert now == pytest.approx(wanted, abs=1e-5)


def test_lists_stay_in_order_and_agree_with_the_table(known):
    evidence, arrangement = known
    after = settled(evidence, arrangement, evidence.odds).compatibility
    for edge in range(0, 4 * after.pieces, 5):
        part = slice(after.start[edge], after.start[edge + 1])
        assert (np.diff(after.score[part]) <= 0).all()
        if after.dense is not None:
            partner = after.partner[part]
            column = partner // 4 if after.upright else partner
            np.testing.assert_allclose(after.dense[edge, column], after.score[part], atol=1e-6)


def test_what_a_wish_rules_out_is_not_held_together(known):
    evidence, arrangement = known
    pair = tuple(arrangement.joins()[3].tolist())
    told = wished(evidence, Wishes(forbidden=(pair,)))
    after = settled(told, arrangement, evidence.odds)
    assert after.compatibility.of(np.array([pair], np.int32))[0] == 0
