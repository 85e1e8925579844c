from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tessella import models
from tessella.imaging.azulejo import panel
from tessella.imaging.cut import cut
from tessella.models.choice import choose
from tessella.networks.model import Model
from tessella.pictures import demo_picture


@pytest.fixture
def with_azulejo(tiny_models, tmp_path, monkeypatch):
    for name in ("tiny-12", "worn-16"):
        Model.load(tiny_models / f"{name}.npz").save(tmp_path / f"{name}.npz")
    tile = dataclasses.replace(Model.load(tiny_models / "tiny-12.npz"), name="azulejo-12")
    tile.save(tmp_path / "azulejo-12.npz")
    monkeypatch.setattr(models, "FOLDER", tmp_path)


@pytest.mark.usefixtures("with_azulejo")
@pytest.mark.parametrize("gray", [False, True])
def test_tiles_have_their_own_model_and_clean_pictures_do_not_take_it(gray):
    picture = demo_picture()[:240, :240]
    if gray:
        picture = np.repeat(picture.mean(axis=2, keepdims=True).astype(np.uint8), 3, axis=2)
    clean, _ = cut(picture, 24)
    worn, _ = cut(panel(picture, (10, 10), tile=24, seed=1), 24)
    assert choose(clean).name == "tiny-12"
    assert choose(worn).name == "azulejo-12"


def test_a_model_file_that_changed_is_read_again(tiny_models, tmp_path):
    path = tmp_path / "own.npz"
    model = models.find(str(tiny_models / "tiny-12.npz"))
    model.save(path)
    assert models.find(str(path)).count == model.count
    dataclasses.replace(model, count=model.count + 1, facts={"longer": True}).save(path)
    assert models.find(str(path)).count == model.count + 1
