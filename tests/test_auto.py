"""Auto: the measure that suits the pieces, and why."""

from dataclasses import replace

import numpy as np
import pytest

from tessella import auto, models
from tessella.imaging.cut import cut
from tessella.measures import _companions
from tessella.measures.tiles import Tiles
from tessella.networks.model import Model


@pytest.fixture(autouse=True)
def shipped(tile_model, tmp_path, monkeypatch):
    folder = tmp_path / "models"
    folder.mkdir()
    tile_model().save(folder / "tile-16.npz")
    monkeypatch.setattr(models, "FOLDER", folder)
    return folder


def test_clean_pieces_are_for_mgc(picture):
    choice = auto.choose(cut(picture, 28)[0])
    assert choice.measure == "mgc"
    assert "sides go on" in choice.why


def test_pieces_that_do_not_go_on_are_for_tiles(picture):
    puzzle, _ = cut(picture, 28)
    inside = np.ascontiguousarray(puzzle.pieces[:, 3:-3, 3:-3])
    choice = auto.choose(replace(puzzle, pieces=inside))
    assert choice.measure == "tiles"
    assert "worn" in choice.why


def test_a_frame_that_a_model_knows_is_for_that_model(picture, tiny_models, shipped):
    worn = Model.load(tiny_models / "worn-16.npz")
    worn.save(shipped / "worn-16.npz")
    choice = auto.choose(cut(picture, 56, erode=2)[0])
    assert choice.measure == "dlcm"
    assert "frame of 2 px" in choice.why


def test_a_model_for_the_frame_that_takes_too_long_here_is_told_and_not_taken(
    picture, tiny_models, shipped, monkeypatch
):
    Model.load(tiny_models / "worn-16.npz").save(shipped / "worn-16.npz")
    puzzle = cut(picture, 56, erode=2)[0]
    monkeypatch.setattr(auto, "worn_seconds", lambda *_: 301.0)
    choice = auto.choose(puzzle)
    assert choice.measure != "dlcm"
    assert "dlcm would take about 5 minutes here, --measure dlcm insists" in choice.why
    monkeypatch.setattr(auto, "worn_seconds", lambda *_: 300.0)
    assert auto.choose(puzzle).measure == "dlcm"


def test_the_time_of_a_model_for_the_frame_is_estimated_by_a_trial(picture, tiny_models, shipped):
    Model.load(tiny_models / "worn-16.npz").save(shipped / "worn-16.npz")
    puzzle = cut(picture[:280, :280], 56, erode=2)[0]
    many = replace(puzzle, pieces=np.tile(puzzle.pieces, (40, 1, 1, 1)), names=(), shape=None)
    one, large = auto.worn_seconds(puzzle, 1), auto.worn_seconds(many, 1)
    assert 0 < one < large
    assert large > 10 * one
    assert auto.worn_seconds(many, 1000) < large / 10


def test_oblong_pieces_are_for_mgc(picture):
    choice = auto.choose(cut(picture, (28, 56))[0])
    assert choice.measure == "mgc"
    assert "square" in choice.why


@pytest.mark.parametrize("many", [2500, 1], ids=["few", "many"])
def test_what_takes_too_long_is_not_chosen_unasked(picture, monkeypatch, many):
    monkeypatch.setattr(auto, "MOST_SECONDS", 0.0)
    monkeypatch.setattr(auto, "MANY", many)
    puzzle, _ = cut(picture, 28)
    inside = np.ascontiguousarray(puzzle.pieces[:, 3:-3, 3:-3])
    choice = auto.choose(replace(puzzle, pieces=inside))
    assert choice.measure == "mgc"
    assert "--measure tiles insists" in choice.why


def test_without_a_model_for_tiles_there_is_no_choice(picture, tmp_path, monkeypatch):
    (tmp_path / "none").mkdir()
    monkeypatch.setattr(models, "FOLDER", tmp_path / "none")
    assert auto.choose(cut(picture, 28)[0]).measure == "mgc"


def test_the_time_of_tiles_goes_by_who_is_heard_about_how_many(
    picture, tiny_models, shipped, monkeypatch
):
    Model.load(tiny_models / "worn-16.npz").save(shipped / "worn-16.npz")
    monkeypatch.setattr(_companions, "NETWORKS", (_companions.Network("worn-16", 2, 4),))
    asked = []
    monkeypatch.setattr(auto, "_estimate", lambda *given: asked.append(given[2:]) or 0.0)
    upright, turned = (cut(picture, 28, turned=way)[0] for way in (False, True))
    for puzzle in (upright, turned):
        assert auto.seconds(puzzle, 1, Tiles(count=0)) > 0
    assert auto.seconds(turned, 1, Tiles(count=0), keep=4) > 0
    assert auto.seconds(turned, 1, Tiles(company=False)) > 0
    every = len(upright) - 1
    heard = [auto._HEARD * every**0.5, auto._HEARD * (4 * every) ** 0.5, 6.0]
    assert asked == [(4 * len(upright), pytest.approx(each)) for each in heard]
