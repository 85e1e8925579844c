"""Twin networks: vectors agree with the formulas written plainly, and model files keep them."""

from dataclasses import replace

import numpy as np
import pytest

from tessella import edges
from tessella.errors import FormatError, InputError
from tessella.networks.embedding import Model
from tessella.networks.model import Model as DlcmModel
from tessella.networks.twins import FAINT, GRAIN, OPPONENT, REACH, SHOWN, Form

FORM = Form(rows=8, depth=4, channels=6, blocks=1, free=2, whole=3)


@pytest.fixture
def model(twin_model):
    return twin_model(FORM, piece=8)


@pytest.fixture
def pieces():
    rng = np.random.default_rng(3)
    return rng.integers(0, 256, (5, 8, 8, 3), np.uint8)


def row_by_row(twin, rim):
    """What one rim ``(rows, depth, 3)`` gives: expected, weights, shown, free numbers, bias."""
    colours = (rim.astype(np.float64) - 128) / 64 @ OPPONENT.T
    rows, depth = rim.shape[:2]

    def squashed(x):
        return np.sign(x) * np.log(1 + 64 * abs(x)) / 2

    values = []
    for r in range(rows):
        across = [squashed(colours[r, c] - colours[r, c + 1]) for c in range(depth - 1)]
        below = colours[r + 1] if r + 1 < rows else colours[r]
        down = [squashed(below[c] - colours[r, c]) for c in range(3)]
        values.append(np.concatenate([*colours[r], *across, *down]))

    def convolved(values, number):
        around = [np.zeros_like(values[0]), *values, np.zeros_like(values[0])]
        kernel, bias = twin.kernels[number], twin.biases[number]
        return [np.concatenate(around[r : r + 3]) @ kernel + bias for r in range(rows)]

    def positive(values):
        return [np.maximum(v, 0) for v in values]

    values = convolved(values, 0)
    for block in range(twin.form.blocks):
        inner = convolved(positive(values), 2 * block + 1)
        inner = convolved(positive(inner), 2 * block + 2)
        values = [a + b for a, b in zip(values, inner, strict=True)]
    seen = positive(values)
    row = np.array([v @ twin.row for v in seen])
    edge = np.mean(seen, axis=0) @ twin.edge
    near, slope = colours[:, 0], colours[:, 0] - colours[:, 1]
    spread = np.tile(slope.var(axis=0) + GRAIN**2, 2)
    expected = np.hstack([near + slope.mean(axis=0), np.tile(slope.mean(axis=0), (rows, 1))])
    expected = expected + row[:, :SHOWN] * np.sqrt(spread)
    trust = REACH * np.tanh((row[:, SHOWN : 2 * SHOWN] + edge[:SHOWN]) / REACH)
    weights = np.exp(trust + np.array(FAINT)) / spread
    free = np.concatenate([edge[SHOWN + 1 :], row[:, 2 * SHOWN :].ravel()])
    return expected, weights, np.hstack([near, -slope]), free, edge[SHOWN]


def score_slowly(model, left_piece, right_piece):
    """The specification: f - T log(1 + S d)."""
    depth = model.form.depth
    m, w, y, f, b = row_by_row(model.left, left_piece[:, ::-1][:, :depth])
    m2, w2, y2, f2, b2 = row_by_row(model.right, right_piece[:, :depth])
    d = 0.5 * (w * (y2 - m) ** 2).sum() + 0.5 * (w2 * (y - m2) ** 2).sum()
    return f @ f2 + b + b2 - model.reach * np.log(1 + model.steep * d)


def test_scores_are_those_of_the_formula_written_plainly(model, pieces):
    right = model.vectors(pieces, 0, edges.RIGHT)
    left = model.vectors(pieces, 0, edges.LEFT)
    found = model.scores(right, left)
    for i, a in enumerate(pieces):
        for j, b in enumerate(pieces):
            assert found[i, j] == pytest.approx(score_slowly(model, a, b), rel=1e-4, abs=1e-4)


def test_without_foretelling_scores_are_products_alone(twin_model, pieces):
    model = twin_model(replace(FORM, foretells=False), piece=8)
    right = model.vectors(pieces, 0, edges.RIGHT)
    left = model.vectors(pieces, 0, edges.LEFT)
    assert right.shape == (5, 2 + 3 + 8 * 2)
    np.testing.assert_allclose(model.scores(right, left), right @ left.T, rtol=1e-5)


def test_portions_give_what_the_whole_gives(model, pieces, monkeypatch):
    whole = model.vectors(pieces, 0, edges.RIGHT)
    monkeypatch.setattr("tessella.networks.embedding._PORTION", 2)
    np.testing.assert_allclose(model.vectors(pieces, 0, edges.RIGHT), whole, rtol=1e-5, atol=1e-5)


def test_a_file_keeps_the_model(model, pieces, tmp_path):
    model.save(tmp_path / "kept.npz")
    loaded = Model.load(tmp_path / "kept.npz")
    assert (loaded.name, loaded.form, loaded.facts) == (model.name, FORM, model.facts)
    for direction in (edges.RIGHT, edges.LEFT):
        np.testing.assert_array_equal(
            loaded.vectors(pieces, 0, direction), model.vectors(pieces, 0, direction)
        )


def test_weights_that_half_precision_holds_take_half_the_room(model, tmp_path):
    def rounded(twin):
        return replace(twin, kernels=tuple(k.astype(np.float16).astype("f4") for k in twin.kernels))

    short = replace(model, left=rounded(model.left), right=rounded(model.right))
    for each, kept in ((model, np.float32), (short, np.float16)):
        each.save(tmp_path / "kept.npz")
        with np.load(tmp_path / "kept.npz") as held:
            assert held["left.kernel1"].dtype == kept
        np.testing.assert_array_equal(
            Model.load(tmp_path / "kept.npz").left.kernels[1], each.left.kernels[1]
        )


def test_files_of_other_measures_are_refused_both_ways(model, tiny_models, tmp_path):
    with pytest.raises(FormatError, match="for --measure dlcm"):
        Model.load(tiny_models / "tiny-12.npz")
    model.save(tmp_path / "twins.npz")
    with pytest.raises(FormatError, match="for --measure embedding"):
        DlcmModel.load(tmp_path / "twins.npz")


def test_what_is_no_model_is_refused(tmp_path):
    (tmp_path / "no.npz").write_text("nothing")
    with pytest.raises(FormatError, match="is not a model"):
        Model.load(tmp_path / "no.npz")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"depth": 2}, "depth of 3"),
        ({"blocks": -1}, "0 or more"),
        ({"foretells": False, "free": 0, "whole": 0}, "need free numbers"),
    ],
)
def test_forms_that_cannot_be_are_refused(changed, told):
    with pytest.raises(InputError, match=told):
        replace(FORM, **changed)


def test_networks_must_fit_the_pieces(model):
    with pytest.raises(InputError, match="do not show 8 x 4 px"):
        replace(model, eroded=(0, 1))
