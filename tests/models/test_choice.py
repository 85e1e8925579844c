from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tessella import models
from tessella.imaging.cut import cut
from tessella.models.choice import blue_and_white, choose
from tessella.pictures import demo_picture
from tessella.puzzle import Puzzle


def tinted(picture, weights):
    """Colour a picture's tones from white to what `weights` take away of red, green and blue."""
    dark = 1 - picture.mean(axis=2, keepdims=True) / 255
    return np.clip(255 * (1 - dark * np.array(weights)), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [((1, 0.75, 0.4), True), ((0.4, 0.75, 1), False), ((1, 1, 1), False), ((0.6, 1, 0.6), False)],
    ids=["blue", "brown", "grey", "violet"],
)
def test_only_blue_on_white_is_blue_and_white(weights, expected):
    puzzle, _ = cut(tinted(demo_picture()[:200, :200], weights), 50, erode=2)
    assert blue_and_white(puzzle) == expected


@pytest.mark.parametrize("level", [0, 90, 255])
def test_a_flat_puzzle_is_not_blue_and_white(level):
    assert not blue_and_white(Puzzle(np.full((3, 4, 4, 3), level, np.uint8)))


@pytest.fixture
def with_azulejo(tiny_models, tmp_path, monkeypatch):
    for name in ("tiny-12", "worn-16"):
        models.Model.load(tiny_models / f"{name}.npz").save(tmp_path / f"{name}.npz")
    tile = dataclasses.replace(models.Model.load(tiny_models / "tiny-12.npz"), name="azulejo-12")
    tile.save(tmp_path / "azulejo-12.npz")
    monkeypatch.setattr(models, "FOLDER", tmp_path)


@pytest.mark.usefixtures("with_azulejo")
def test_tiles_have_their_own_model_and_photographs_do_not_take_it():
    blue, _ = cut(demo_picture()[:240, :240], 12)
    brown, _ = cut(np.ascontiguousarray(demo_picture()[:240, :240, ::-1]), 12)
    assert choose(blue).name == "azulejo-12"
    assert choose(brown).name == "tiny-12"


def test_a_model_file_that_changed_is_read_again(tiny_models, tmp_path):
    path = tmp_path / "own.npz"
    model = models.find(str(tiny_models / "tiny-12.npz"))
    model.save(path)
    assert models.find(str(path)).count == model.count
    dataclasses.replace(model, count=model.count + 1, facts={"longer": True}).save(path)
    assert models.find(str(path)).count == model.count + 1
