"""What the shipped models of gan and of squeezenet know."""

from __future__ import annotations

import numpy as np
import pytest
from skimage import data

from tessella import metrics, models
from tessella.imaging.azulejo import panel
from tessella.imaging.cut import cut
from tessella.measures.gan import Gan
from tessella.measures.squeezenet import Squeezenet
from tessella.measuring import measure
from tessella.pictures import demo_picture


def top1(picture: np.ndarray, size: int, by, **known) -> float:
    puzzle, truth = cut(picture, size, **known)
    return float(metrics.top(measure(puzzle, by(device="cpu", count=0)), truth, 1)[0])


@pytest.mark.parametrize(
    ("by", "size", "erode", "model"),
    [
        (Squeezenet, 28, 0, "squeezenet-28"),
        (Squeezenet, 64, 2, "squeezenet-64"),
        (Gan, 64, 2, "gan-64"),
        (Gan, 64, 4, "gan-64"),
    ],
)
def test_shipped_models_find_neighbours_in_a_picture_they_never_saw(by, size, erode, model):
    assert model in models.names(by.kind)
    picture = data.coffee()[60 : 60 + 3 * size, 100 : 100 + 4 * size]
    assert by().suited(cut(picture, size, erode=erode)[0]).model == model
    assert top1(picture, size, by, erode=erode) > 0.3  # One of eleven, by chance.


@pytest.mark.parametrize("by", [Squeezenet, Gan])
def test_shipped_models_find_neighbours_among_worn_tiles(by):
    worn = panel(demo_picture(), (3, 4), 50, seed=3)
    assert by().suited(cut(worn, 50)[0]).model == f"{by.kind}-50"
    assert top1(worn, 50, by) > 0.2
