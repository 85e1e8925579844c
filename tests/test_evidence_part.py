"""A part of the evidence: what is known of some pieces alone."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from skimage import data

import tessella
from tessella import api
from tessella.edges import BOTTOM, LEFT, RIGHT, TOP
from tessella.solving import Job
from tessella.wishes import Wishes
from tessella.wishes.contradictions import check_wishes
from tessella.wishes.facts import Facts
from tessella.wishes.guiding import guided


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("keep", [None, 6])
def test_a_part_that_nobody_measures_says_what_the_whole_says(turned, keep):
    puzzle, _ = tessella.cut(data.coffee()[:140, 200:368], 28, turned=turned, seed=1)
    prepared = tessella.prepare(puzzle, tessella.make_plan("mgc"), keep=keep)
    whole, some = replace(prepared.evidence, anew=None), np.array([3, 7, 11, 20, 29])
    part = whole.part(some)
    old = (4 * some[:, None] + np.arange(4)).ravel()
    pairs = np.array([(e, f) for e in range(20) for f in range(20) if e // 4 != f // 4], np.int32)
    if not turned:
        pairs = pairs[(pairs[:, 0] + 2) % 4 == pairs[:, 1] % 4]
    np.testing.assert_array_equal(
        part.compatibility.of(pairs), whole.compatibility.of(old[pairs].astype(np.int32))
    )
    assert part.scores is not None
    assert whole.scores is not None
    for edge in range(20):
        listed = [f for f in part.scores.partner[edge].tolist() if f >= 0]
        before = [f for f in whole.scores.partner[old[edge]].tolist() if f in old]
        assert old[listed].tolist() == before
    assert part.odds is not None
    assert part.odds.pieces == 5


@pytest.mark.parametrize("turned", [False, True])
def test_a_part_is_measured_as_a_puzzle_of_its_own(turned):
    puzzle, _ = tessella.cut(data.coffee()[:140, 200:368], 28, turned=turned, seed=1)
    plan = tessella.make_plan("mgc")
    seen = api.measure(puzzle, plan.measure, shuffled=True)
    some = np.array([3, 7, 11, 20, 29])
    part = api.adjust(seen, plan).evidence.part(some)
    alone = api.measure(
        replace(puzzle, shape=None).reordered(some.astype(np.int32)), plan.measure, shuffled=True
    )
    own = api.adjust(alone, plan).evidence
    assert part.scores is not None
    np.testing.assert_array_equal(part.scores.partner, alone.scores.partner)
    np.testing.assert_array_equal(part.scores.score, alone.scores.score)
    np.testing.assert_array_equal(part.compatibility.score, own.compatibility.score)
    assert part.blank.tolist() == own.blank.tolist()


@pytest.mark.parametrize("turned", [False, True])
def test_a_part_of_what_wishes_changed_is_measured_anew_and_changed_likewise(turned):
    puzzle, _ = tessella.cut(data.coffee()[:140, 200:368], 28, turned=turned, seed=1)
    plan, some = tessella.make_plan("mgc"), np.array([3, 7, 11, 20, 29])
    plain = tessella.prepare(puzzle, plan).evidence
    within, outside = (4 * 3 + RIGHT, 4 * 7 + LEFT), (4 * 11 + RIGHT, 4 * 12 + LEFT)
    refused, elsewhere = (4 * 20 + RIGHT, 4 * 29 + LEFT), (4 * 20 + RIGHT, 4 * 12 + LEFT)
    wishes = Wishes(joined=(within, outside), forbidden=(refused, elsewhere))
    known = check_wishes(wishes, Facts.of_job(Job(plain, wishes=wishes)))
    part, alone = guided(plain, known).part(some), plain.part(some)
    np.testing.assert_array_equal(part.scores.score, alone.scores.score)
    assert part.blank.tolist() == alone.blank.tolist()

    def fits(one, other):
        return part.compatibility.of(np.array([[one, other]], np.int32))[0]

    assert fits(4 * 0 + RIGHT, 4 * 1 + LEFT) == 1
    assert fits(4 * 3 + RIGHT, 4 * 4 + LEFT) == 0
    assert all(fits(4 * 2 + RIGHT, 4 * p + LEFT) == 0 for p in (0, 1, 3, 4))
    down = [(4 * p + BOTTOM, 4 * q + TOP) for p in range(5) for q in range(5) if p != q]
    for pair in down:
        assert fits(*pair) == alone.compatibility.of(np.array([pair], np.int32))[0]
    again = part.part(np.array([1, 2]))
    np.testing.assert_array_equal(again.scores.score, plain.part(some[1:3]).scores.score)
    assert part.worth.compatibility.of(np.array([refused], np.int32) % 4 + [[12, 16]])[0] == 0


@pytest.mark.parametrize("wished", [False, True])
def test_what_travels_says_the_same_of_parts_and_takes_no_table_along(wished):
    puzzle, _ = tessella.cut(data.coffee()[:140, 200:368], 28, turned=False, seed=1)
    evidence = tessella.prepare(puzzle, tessella.make_plan("mgc")).evidence
    some = np.array([3, 7, 11, 20, 29])
    if wished:
        wishes = Wishes(joined=((4 * 3 + RIGHT, 4 * 7 + LEFT),))
        facts = Facts.of_job(Job(evidence, wishes=wishes))
        evidence = guided(evidence, check_wishes(wishes, facts))
    sent = pickle.dumps(evidence.portable())
    part, own = pickle.loads(sent).part(some), evidence.part(some)
    for name in ("start", "partner", "score", "dense"):
        one, other = getattr(part.compatibility, name), getattr(own.compatibility, name)
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(part.scores.score, own.scores.score)
    assert part.odds.nobody == own.odds.nobody
    assert len(sent) < 1.5 * puzzle.pieces.nbytes
