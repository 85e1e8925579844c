"""Large puzzles are merged into fragments before they evolve; here small ones count as large."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Arrangement
from tessella.checkpoint import Checkpoint
from tessella.compatibility import from_dense, from_lists
from tessella.evidence import Evidence
from tessella.solving import Job
from tessella.stages import merge
from tessella.stages.evolve import Evolve
from tessella.stages.merge import Merge, sharpened, strengthened
from tessella.stages.move import FAR
from tessella.stages.regimes import REGIMES
from tessella.stages.stage import Answer
from tessella.stop import never

SHAPE = (6, 8)
PIECES = 48
TURNED = pytest.mark.parametrize("upright", [True, False], ids=["upright", "turned"])


def merged(told, shape, stop):
    return Merge().merged(told, shape, stop)


def truth(upright, seed=0):
    rng = np.random.default_rng(seed)
    turns = np.zeros(SHAPE, int) if upright else rng.integers(0, 4, SHAPE)
    return Arrangement.single(rng.permutation(PIECES).reshape(SHAPE), turns)


def noise(upright, seed=0, most=1.0, keep=12, dense=False):
    """Return random compatibilities up to `most`; true joins fit well."""
    rng = np.random.default_rng(seed)
    e, c = np.arange(4 * PIECES)[:, None], np.arange(PIECES if upright else 4 * PIECES)
    table = rng.uniform(0, most, (4 * PIECES, len(c))).astype(np.float32)
    table[e // 4 == (c if upright else c // 4)] = -np.inf
    for a, b in truth(upright, seed).joins().tolist():
        fit = rng.uniform(0.8, 1)
        table[a, b // 4 if upright else b] = table[b, a // 4 if upright else a] = fit
    if dense:
        return from_dense(PIECES, upright, True, table, keep)
    best = np.argsort(-table, axis=1, kind="stable")[:, :keep].astype(np.int32)
    kept = np.take_along_axis(table, best, axis=1)
    partner = 4 * best + (e + 2) % 4 if upright else best
    return from_lists(PIECES, upright, True, partner.astype(np.int32), kept)


class Quick:
    """What the table has for very large puzzles, on a small one."""

    stages = (Merge(), Evolve(population=8, patience=4), FAR, REGIMES[4].stages[4])

    def solve(self, job):
        answer = Answer(job.compatibility)
        for stage in self.stages:
            answer = stage(answer, job)
        return answer.solution(job)


def quick():
    return Quick()


def check_complete(arrangement):
    (sheet,) = arrangement.sheets
    np.testing.assert_array_equal(arrangement.placed(), np.arange(PIECES))
    assert sheet.shape == SHAPE


@TURNED
def test_what_can_be_told_apart_is_one_fragment(upright):
    told = noise(upright, most=0.5)
    found = merged(told, SHAPE, never)
    assert len(found.piece) == PIECES
    partner = np.full(4 * PIECES, -1)
    joins = truth(upright).joins()
    partner[joins[:, 0]], partner[joins[:, 1]] = joins[:, 1], joins[:, 0]
    np.testing.assert_array_equal(found.joins.neighbor, partner)
    fit = told.of(np.stack([joins[:, 0], joins[:, 1]], -1))
    np.testing.assert_allclose(
        found.joins.score[joins[0, 0] // 4],
        np.mean([fit[j] for j in np.flatnonzero((joins // 4 == joins[0, 0] // 4).any(axis=1))]),
        rtol=1e-5,
    )


@TURNED
@pytest.mark.parametrize("dense", [True, False])
def test_joins_are_strengthened_and_all_else_is_halved(upright, dense):
    told = noise(upright, dense=dense)
    joins = merged(told, SHAPE, never).joins.neighbor
    made = strengthened(told, joins)
    e = np.repeat(np.arange(4 * PIECES), np.diff(told.start)).astype(np.int32)
    pairs = np.stack([e, told.partner], -1)
    bonus = 0.5 * (joins[e] == told.partner)
    assert bonus.any()
    np.testing.assert_allclose(made.of(pairs), told.of(pairs) / 2 + bonus, atol=1e-6)
    for edge in range(4 * PIECES):
        row = made.score[made.start[edge] : made.start[edge + 1]]
        assert (np.diff(row) <= 0).all()


@TURNED
@pytest.mark.parametrize("known", [True, False])
def test_answers_are_complete_and_do_not_depend_on_the_threads(upright, known):
    told = noise(upright)
    shape = SHAPE if known else None
    first, *others = (
        quick().solve(Job(Evidence(told), shape, seed=3, threads=n)) for n in (1, 2, 3)
    )
    np.testing.assert_array_equal(first.arrangement.placed(), np.arange(PIECES))
    assert first.fitness == pytest.approx(told.fitness(first.arrangement))
    for other in others:
        assert first.arrangement.same(other.arrangement)
        assert first.history == other.history


@pytest.mark.parametrize("most", [0, 1, 3, 8, 30])
def test_a_stop_at_any_question_leaves_a_complete_arrangement(most):
    told = noise(True)
    asked = iter([False] * most)
    found = quick().solve(Job(Evidence(told), SHAPE, threads=1, stop=lambda: next(asked, True)))
    assert found.stopped
    check_complete(found.arrangement)


def test_a_stopped_run_that_is_resumed_ends_as_the_undisturbed_one(tmp_path):
    told = noise(True)
    whole = quick().solve(Job(Evidence(told), SHAPE, seed=2, threads=1))
    kept = Checkpoint(tmp_path / "state.npz", "key", every=0)
    told_so_far = []

    class Listener:
        def stage(self, name, total):
            pass

        def advance(self, steps=1):
            pass

        def generation(self, generation):
            told_so_far.append(generation)

    part = quick().solve(
        Job(Evidence(told), SHAPE, seed=2, threads=1, checkpoint=kept, watch=Listener(),
        stop=lambda: len(told_so_far) > 2))  # fmt: skip
    assert part.stopped
    again = Checkpoint(tmp_path / "state.npz", "key", every=0)
    found = quick().solve(Job(Evidence(told), SHAPE, seed=2, threads=2, checkpoint=again))
    assert found.arrangement.same(whole.arrangement)
    assert found.history == whole.history


@TURNED
@pytest.mark.parametrize("last", [3, 64])
def test_sharpened_lists_spread_what_an_edge_can_choose_from(upright, last, monkeypatch):
    monkeypatch.setattr(merge, "LAST", last)
    told = noise(upright)
    found = sharpened(told)

    def spread(e, fit):
        row = told.score[told.start[e] : told.start[e + 1]]
        low = row[min(last, len(row)) - 1]
        return min(max((fit - low) / (row[0] - low), 0), 1)

    for e in range(4 * PIECES):
        old, new = (slice(*each.start[e : e + 2]) for each in (told, found))
        expected = {
            int(f): (spread(e, fit) + spread(f, fit)) / 2
            for f, fit in zip(told.partner[old], told.score[old], strict=True)
        }
        got = dict(zip(found.partner[new].tolist(), found.score[new].tolist(), strict=True))
        assert got == pytest.approx(expected, abs=1e-5)
        assert (np.diff(found.score[new]) <= 0).all()


def test_where_candidates_are_all_alike_none_counts():
    partner = np.array([[-1, -1], [-1, -1], [4, 8], [-1, -1]] * 3, np.int32)
    partner = np.where(partner >= 0, (partner + 4 * (np.arange(12)[:, None] // 4)) % 12, -1)
    told = from_lists(3, True, True, partner, np.where(partner >= 0, np.float32(0.5), 0))
    found = sharpened(told)
    assert len(found.score)
    assert (found.score == 0).all()


def test_without_any_candidates_nothing_is_sharpened():
    told = from_lists(2, True, True, np.full((8, 1), -1, np.int32), np.zeros((8, 1), np.float32))
    assert len(sharpened(told).score) == 0


def test_fragments_are_strengthened_while_evolution_searches(monkeypatch):
    told = noise(True)
    seen = []
    monkeypatch.setattr(
        "tessella.stages.evolve.strengthened",
        lambda searched, joins: seen.append((searched, joins)) or strengthened(searched, joins),
    )
    job = Job(Evidence(told), SHAPE, seed=1, threads=1)
    answer = Merge()(Answer(told), job)
    Evolve(population=8, patience=2)(answer, job)
    ((searched, joins),) = seen
    assert searched is told
    np.testing.assert_array_equal(joins, answer.merged.joins.neighbor)


def test_what_merging_did_wrong_is_mended_by_sharpened_lists():
    mend = REGIMES[4].stages[4]
    assert mend.name == "mend"
    told = noise(True)
    job = Job(Evidence(told), SHAPE, seed=1, threads=1)
    answer = Merge()(Answer(told), job)
    np.testing.assert_array_equal(mend._counted(answer, job).score, sharpened(told).score)
    assert mend.heat < FAR.heat
    alone = Evolve(population=8, patience=2)(Answer(told), job)
    assert mend(alone, job) is alone  # Nothing was merged.
