from __future__ import annotations

import numpy as np
import pytest

from tessella import api, edges, models
from tessella.documents.chunks import chunks_of
from tessella.documents.cut import cut_strips
from tessella.documents.strips import PAPER, colourless
from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.measures import graynet
from tessella.measures.dlcm import Dlcm
from tessella.measures.graynet import Graynet
from tessella.measures.ink import Ink
from tessella.measuring import measure
from tessella.models.choice import choose
from tessella.networks import specification
from tessella.networks.model import Model
from tessella.pictures import demo_picture

SIZE = 24


@pytest.fixture(scope="module")
def tiny(tmp_path_factory, subnetwork) -> str:
    path = tmp_path_factory.mktemp("gray") / "gray-24.npz"
    sub = subnetwork((4, "pool", 4), SIZE, 16, "y")
    Model("gray-24", SIZE, (0, 0), (sub,)).save(path)
    return str(path)


@pytest.fixture
def strips(printed):
    """Two parts of pages, 12 strips of 40 px each, the last row of chunks incomplete."""
    return cut_strips([page[:200, 200:680] for page in printed[:2]], 12)[0]


def dense(puzzle, **settings):
    return measure(puzzle, Graynet(**settings), dense=True).dense


def summed(right, left, network):
    """Return the score of two sides: the sum over their chunks that are not both blank."""
    some = ~(right.blank[0] & left.blank[0])
    return network(right.picture[0, some], left.picture[0, some]).sum()


def together(model):
    """Score pairs of chunks by the plain pass, less what each says beside paper."""

    def network(left, right):
        paper = np.full_like(left, PAPER)
        told = [
            specification.forward(model, colourless(a), colourless(b), 0)
            for a, b in ((left, right), (left, paper), (paper, right), (paper, paper))
        ]
        return told[0] - told[1] - told[2] + told[3]

    return network


def test_scores_are_ink_and_the_weighted_sum_over_chunks_with_ink(strips, tiny):
    found = dense(strips, model=tiny, count=0, weight=2.0)
    inked = measure(strips, Ink(), dense=True).dense
    a, b, c, d = 4 * np.flatnonzero(~strips.blank())[[0, 3, 5, 8]]
    for e, f in ((a, b + 2), (b, c + 2), (c, d + 2), (d + 2, a)):  # the last one upside down
        right = chunks_of(strips, np.array([e], np.int32), edges.RIGHT, SIZE)
        left = chunks_of(strips, np.array([f], np.int32), edges.LEFT, SIZE)
        seen = summed(right, left, together(models.find(tiny)))
        shared = (~(right.blank | left.blank)).sum()
        assert shared > 0
        expected = inked[e, f // 4] + 2 * (seen - graynet.EVEN * shared)
        np.testing.assert_allclose(found[e, f // 4], expected, rtol=1e-4, atol=1e-2)


def test_a_blank_strip_says_what_ink_says_and_nothing_to_another(strips, tiny):
    grey = strips.grey.copy()
    grey[[1, 5]] = PAPER
    blanked = type(strips)(colourless(grey))
    found = dense(blanked, model=tiny, count=0)
    inked = measure(blanked, Ink(), dense=True).dense
    np.testing.assert_array_equal(found[4], inked[4])
    assert found[4, 5] == 0


def test_who_is_not_proposed_counts_as_a_stranger(strips, tiny):
    every, some = (dense(strips, model=tiny, count=count, slack=np.inf) for count in (0, 2))
    inked = measure(strips, Ink(), dense=True)
    asked = (np.arange(4), inked.partner[:4, :2])
    for e in (0, 2):
        for f in asked[1][e]:
            assert some[e, f // 4] == pytest.approx(every[e, f // 4], abs=1e-3)
    right = chunks_of(strips, np.arange(0, 96, 4, dtype=np.int32), edges.RIGHT, SIZE)
    left = chunks_of(strips, np.arange(2, 96, 4, dtype=np.int32), edges.LEFT, SIZE)
    shared = (~right.blank).astype(float) @ (~left.blank).T.astype(float)
    stranger = inked.dense[::4] + Graynet().weight * (graynet.STRANGERS - graynet.EVEN) * shared
    same = np.isclose(some[::4], stranger, atol=1e-2)
    assert 0.5 < same.mean() < 1


def test_who_comes_close_to_the_best_is_asked_about(strips, tiny):
    inked = measure(strips, Ink(), keep=6, dense=False)
    by = Graynet(model=tiny, count=6, slack=30.0).scorer(strips)
    asked = {(code // 96, code % 96) for code in by.proposed.tolist()}
    near = set()
    for e in range(0, 96, 2):
        for f, score in zip(inked.partner[e].tolist(), inked.score[e], strict=True):
            if score >= inked.score[e, 0] - 30:
                near |= {(e, f), (f, e)}
    assert asked == near
    assert len(near) < len(Graynet(model=tiny, count=6, slack=np.inf).scorer(strips).proposed)


def test_whoever_lists_some_candidates_is_told_about_those_by_the_network(strips, tiny):
    listed = measure(strips, Graynet(model=tiny, count=1), keep=5)
    every = dense(strips, model=tiny, count=0)
    for e in (0, 2, 8):
        for f, score in zip(listed.partner[e], listed.score[e], strict=True):
            if f >= 0 and np.isfinite(score):
                assert score == pytest.approx(every[e, f // 4], abs=1e-3)


@pytest.mark.parametrize("upright", [True, False])
def test_threads_and_the_order_of_strips_change_nothing(strips, tiny, upright):
    puzzle = type(strips)(strips.pieces, upright=upright)
    by = Graynet(model=tiny, count=4)
    one, two = (measure(puzzle, by, dense=True, threads=n).dense for n in (1, 2))
    np.testing.assert_array_equal(one, two)
    order = np.random.default_rng(1).permutation(len(strips)).astype(np.int32)
    moved = measure(puzzle.reordered(order), by, dense=True).dense
    edge = (4 * order[:, None] + np.arange(4)).ravel()
    np.testing.assert_allclose(moved, one[edge][:, order if upright else edge], atol=1e-2)


class Told:
    def __init__(self):
        self.total = self.done = 0

    def stage(self, name, total):
        self.name, self.total, self.done = name, total, 0

    def advance(self, steps=1):
        self.done += steps

    def generation(self, generation): ...


def test_the_watcher_is_told_every_pair(strips, tiny):
    watch = Told()
    measure(strips, Graynet(model=tiny, count=3), watch=watch)
    assert "gray-24 and ink" in watch.name
    assert watch.done == watch.total > 0


@pytest.fixture
def beside_others(tiny_models, tiny, tmp_path, monkeypatch):
    """The tiny models ship, and one for strips that would fit pieces of 24 px exactly."""
    for file in (*tiny_models.glob("*.npz"),):
        models.find(str(file)).save(tmp_path / file.name)
    models.find(tiny).save(tmp_path / "gray-24.npz")
    monkeypatch.setattr(models, "FOLDER", tmp_path)


@pytest.mark.usefixtures("beside_others")
def test_models_for_strips_are_taken_for_strips_alone(strips):
    pieces, _ = cut(demo_picture()[:96, :96], SIZE)
    assert choose(pieces).name == "tiny-12"
    result = api.solve(strips, measure="graynet", solver="path")
    assert result.settings["measure"]["model"] == "gray-24"
    with pytest.raises(InputError, match="tiny-12 is not for strips"):
        Graynet(model="tiny-12")


@pytest.mark.usefixtures("shipped")
def test_without_a_model_for_strips_there_is_a_clear_error(strips):
    with pytest.raises(InputError, match="No model for strips ships"):
        measure(strips, Graynet())


def test_pieces_and_strips_lower_than_a_chunk_are_refused(strips, tiny):
    with pytest.raises(InputError, match="graynet is for strips"):
        measure(cut(demo_picture()[:96, :96], SIZE)[0], Graynet(model=tiny))
    low = type(strips)(strips.pieces[:, : SIZE - 1])
    with pytest.raises(InputError, match="lower than one chunk of 24 px"):
        measure(low, Graynet(model=tiny))
    assert np.isfinite(dense(type(strips)(strips.pieces[:, :SIZE]), model=tiny)[0, 1])


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"count": -1}, "count must be 0 or more"),
        ({"slack": float("nan")}, "slack must be 0 or more"),
        ({"weight": -1.0}, "weight must be 0 or more"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, told):
    with pytest.raises(InputError, match=told):
        Graynet(**settings)


def test_the_fingerprint_is_of_the_weights(tiny):
    assert Graynet(model=tiny).fingerprint() == Dlcm(tiny).fingerprint()
