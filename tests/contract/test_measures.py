"""What every measure must do, whatever it computes; a new file in measures/ is tested here."""

from __future__ import annotations

import dataclasses
import shutil
from functools import cache

import numpy as np
import pytest

from tessella import edges, models, registry
from tessella.documents.strips import Strips, colourless
from tessella.errors import InputError
from tessella.measuring import Learned, Selective, measure
from tessella.networks.model import Model
from tessella.networks.twins import Form
from tessella.puzzle import Puzzle
from tessella.scores import Scores

NAMES = registry.names("measure")
ROWS, COLS = 3, 4
every_measure = pytest.mark.parametrize("name", NAMES)


@cache
def picture(height: int, width: int) -> np.ndarray:
    """A smooth picture with a little grain."""
    rng = np.random.default_rng(8)
    y, x = np.mgrid[:height, :width][..., None] / 9
    waves = rng.normal(0, 1, (6, 3, 3))  # (waves, (along y, along x, phase), channels)
    total = sum(np.sin(w[0] * y + w[1] * x + 6 * w[2]) for w in waves)
    return np.clip(128 + 25 * total + rng.normal(0, 1, total.shape), 0, 255).astype(np.uint8)


@cache
def cut(height: int, width: int) -> np.ndarray:
    """Pieces of `height` by `width`, row by row."""
    whole = picture(ROWS * height, COLS * width)
    grid = whole.reshape(ROWS, height, COLS, width, 3).swapaxes(1, 2)
    return np.ascontiguousarray(grid.reshape(-1, height, width, 3))


@pytest.fixture(autouse=True)
def _shipped(request, tiny_models, subnetwork, tmp_path, monkeypatch):
    """Learned measures find tiny models, some of them for strips."""
    pair_model, twin_model, tile_model, shred_model = (
        request.getfixturevalue(f"{kind}_model") for kind in ("pair", "twin", "tile", "shred")
    )
    for file in tiny_models.glob("*.npz"):
        shutil.copy(file, tmp_path)
    gray = Model("gray-12", 12, (0, 0), (subnetwork((4, "pool", 4), 12, 12, "y"),))
    gray.save(tmp_path / "gray-12.npz")
    for kind in UNTAUGHT:
        pair_model(kind, f"{kind}-12").save(tmp_path / f"{kind}-12.npz")
    form = Form(rows=12, depth=6, channels=4, blocks=1, free=1, whole=2)
    twin_model(form, piece=12).save(tmp_path / "twins.npz")
    tile_model(beside={"mgc": 100.0}).save(tmp_path / "tile-16.npz")
    shred_model().save(tmp_path / "sides-16.npz")
    monkeypatch.setattr(models, "FOLDER", tmp_path)


STRIPS_ONLY = {"graynet", "shreds"}
SQUARE_ONLY = {"embedding"}
"""Learned measures that are asked as classical ones are, about all pairs."""
UNTAUGHT = ("squeezenet", "gan")
"""Measures whose random weights know nothing, having no classical one beside them."""
ALONE = {"tiles": {"company": False}}
"""Who hears others weighs them by all candidates that the puzzle has."""


def need_pieces(name: str) -> None:
    if name in STRIPS_ONLY:
        with pytest.raises(InputError, match="is for strips"):
            scored(name, cut(12, 12))
        pytest.skip("it measures strips alone")


def need_square(name: str, size: tuple[int, int]) -> None:
    need_pieces(name)
    learned = name in SQUARE_ONLY or isinstance(registry.make("measure", name), Learned)
    if size[0] != size[1] and learned:
        with pytest.raises(InputError, match="square pieces"):
            scored(name, cut(*size))
        pytest.skip("learned measures need square pieces")


def scored(name: str, pieces: np.ndarray, **known) -> Scores:
    return measure(Puzzle(pieces, **known), registry.make("measure", name), keep=None, dense=True)


def pairwise(name: str):
    """The measures that `name` asks, each of which looks at two pieces and at nothing else."""
    by = registry.make("measure", name)
    if isinstance(by, Learned):
        pytest.skip("a learned measure is asked about lists of pairs")
    return [make_plain(by), by.second()] if isinstance(by, Selective) else [by]


def make_plain(by):
    """The first opinion of a selective measure alone."""

    class First:
        distance = by.distance
        right, left, raw, score = by.right, by.left, by.raw, by.score

    return First()


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@every_measure
def test_its_settings_have_defaults_and_cannot_be_changed(name):
    by = registry.make("measure", name)
    assert dataclasses.is_dataclass(by)
    assert type(by).__dataclass_params__.frozen


@every_measure
@pytest.mark.parametrize("size", [(12, 12), (12, 10), (9, 12)])
@pytest.mark.parametrize("upright", [True, False])
def test_scores_are_finite_exactly_where_edges_may_join(name, size, upright):
    need_square(name, size)
    scores = scored(name, cut(*size), upright=upright)
    for e, row in enumerate(scores.dense):
        for c, value in enumerate(row):
            f = 4 * c + (e + 2) % 4 if upright else c
            allowed = edges.admissible(e, f, upright=upright, square=scores.square)
            assert np.isfinite(value) if allowed else np.isneginf(value)


@every_measure
@pytest.mark.parametrize("size", [(12, 12), (12, 10)])
@pytest.mark.parametrize("upright", [True, False])
def test_true_neighbours_score_above_the_others_mean(name, size, upright):
    need_square(name, size)
    if name in UNTAUGHT:
        pytest.skip("random weights know nothing")
    scores = scored(name, cut(*size), upright=upright)
    grid = np.arange(ROWS * COLS).reshape(ROWS, COLS)
    across = zip(grid[:, :-1].ravel(), grid[:, 1:].ravel(), strict=True)
    down = zip(grid[:-1].ravel(), grid[1:].ravel(), strict=True)
    joins = [(4 * i, 4 * j + 2) for i, j in across] + [(4 * i + 3, 4 * j + 1) for i, j in down]
    for e, f in joins + [(f, e) for e, f in joins]:
        row = scores.dense[e]
        assert row[f // 4 if upright else f] > row[np.isfinite(row)].mean()


@every_measure
def test_upright_scores_are_the_turned_ones_of_opposite_sides(name):
    need_pieces(name)
    learned = isinstance(registry.make("measure", name), Learned)
    alone = registry.make("measure", name, ALONE.get(name))
    for by in [alone] if learned else pairwise(name):
        upright, turned = (
            measure(Puzzle(cut(12, 12), upright=u), by, keep=None, dense=True).dense
            for u in (True, False)
        )
        for e, row in enumerate(upright):
            close(row, turned[e, (e + 2) % 4 :: 4])


@every_measure
def test_relabelling_the_pieces_relabels_the_scores(name):
    need_pieces(name)
    pieces = cut(12, 12)
    order = np.random.default_rng(3).permutation(len(pieces))
    edge = (4 * order[:, None] + np.arange(4)).ravel()
    was, now = (scored(name, p, upright=False).dense for p in (pieces, pieces[order]))
    close(now, was[edge][:, edge])


@every_measure
@pytest.mark.parametrize("size", [(12, 12), (12, 10)])
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_turning_every_piece_moves_the_scores_to_the_next_sides(name, size, turns):
    need_square(name, size)
    pieces = cut(*size)
    moved = 4 * np.arange(len(pieces))[:, None] + (np.arange(4) + turns) % 4
    turned = np.ascontiguousarray(np.rot90(pieces, turns, axes=(1, 2)))
    was, now = (scored(name, p, upright=False).dense for p in (pieces, turned))
    close(now[moved.ravel()][:, moved.ravel()], was)


@every_measure
@pytest.mark.parametrize("eroded", [1, 2])
def test_classical_measures_see_an_eroded_piece_as_one_cut_smaller(name, eroded):
    if not registry.make("measure", name).distance:
        pytest.skip("a learned measure may look at the frame")
    whole = cut(12, 10)
    seen = np.ascontiguousarray(whole[:, eroded:-eroded, eroded:-eroded])
    worn = np.zeros_like(whole)
    worn[:, eroded:-eroded, eroded:-eroded] = seen
    close(scored(name, worn, eroded=eroded).dense, scored(name, seen).dense)


@every_measure
def test_blocks_of_descriptions_compare_as_the_whole_does(name):
    pieces = cut(12, 12)
    for by in pairwise(name):
        right, left = by.right(pieces, 0), by.left(pieces, 0)
        assert len(right) == len(left) == len(pieces)
        close(by.right(pieces[3:7], 0), right[3:7])
        close(by.left(pieces[3:7], 0), left[3:7])
        whole = by.raw(right, left)
        assert whole.shape == (len(pieces), len(pieces))
        close(by.raw(right[2:5], left), whole[2:5])
        close(by.raw(right, left[4:5]), whole[:, 4:5])


@every_measure
def test_scores_keep_the_order_of_raw_values(name):
    pieces = cut(12, 12)
    for by in pairwise(name):
        raw = np.sort(by.raw(by.right(pieces, 0), by.left(pieces, 0)), axis=None)
        score = by.score(raw)
        assert score.dtype == np.float32
        assert (np.diff(score) >= 0).all()
        if by.distance:
            assert score.max() <= 0


@every_measure
def test_the_smallest_pieces_have_borders_too(name):
    if not registry.make("measure", name).distance:
        pytest.skip("a learned measure may need more to look at")
    scores = scored(name, np.ascontiguousarray(cut(12, 12)[:, :2, :2]), upright=False)
    assert np.isfinite(scores.lo).all()


@cache
def strips(upright: bool) -> Strips:
    """Strips of three pages, the margins of each blank."""
    grey = np.concatenate([picture(60, 72)[..., channel] for channel in range(3)], axis=1)
    pages = np.ascontiguousarray(grey.reshape(60, 18, 12).swapaxes(0, 1))
    pages[[0, 5, 6, 11, 12, 17]] = 255
    return Strips(colourless(pages), upright=upright)


def scored_strips(name: str, puzzle: Strips) -> np.ndarray:
    by = registry.make("measure", name)
    if name in SQUARE_ONLY or (isinstance(by, Learned) and name not in STRIPS_ONLY):
        with pytest.raises(InputError, match="square pieces"):
            measure(puzzle, by)
        pytest.skip("it measures square pieces alone")
    return measure(puzzle, by, keep=None, dense=True).dense


@every_measure
@pytest.mark.parametrize("upright", [True, False])
def test_scores_of_strips_are_finite_at_long_sides_alone(name, upright):
    dense = scored_strips(name, strips(upright))
    assert np.isneginf(dense[1::2]).all()
    for e in range(0, len(dense), 2):
        row = dense[e] if upright else dense[e, ::2]
        allowed = np.arange(len(row)) // (1 if upright else 2) != e // 4
        np.testing.assert_array_equal(np.isfinite(row), allowed)


@every_measure
def test_turning_every_strip_over_moves_the_scores_to_the_other_sides(name):
    puzzle = strips(upright=False)
    over = Strips(colourless(np.ascontiguousarray(puzzle.grey[:, ::-1, ::-1])), upright=False)
    was, now = (scored_strips(name, p) for p in (puzzle, over))
    other = np.arange(len(was)) ^ 2
    close(now[other][:, other], was)
