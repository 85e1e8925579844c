"""The imitation loses what a JPEG file loses."""

import io

import numpy as np
import pytest
import torch
from PIL import Image
from skimage import data

from tessella.learning.jpeg import recompress


@pytest.mark.parametrize("quality", [60, 75, 92])
def test_the_imitation_comes_close_to_the_real_thing(quality):
    picture = data.astronaut()[:160, :176]
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=quality, subsampling=2)
    real = np.asarray(Image.open(file)).astype(float)
    given = torch.from_numpy(picture.copy()).permute(2, 0, 1)[None].float()
    made = recompress(given, torch.tensor([float(quality)]))[0].permute(1, 2, 0).numpy()
    lost = np.abs(real - picture).mean()
    assert np.abs(made - real).mean() < 0.4 * lost
    assert abs(np.abs(made - picture).mean() - lost) < 0.1 * lost


def test_any_size_keeps_its_size():
    given = torch.randint(0, 256, (2, 3, 19, 33)).float()
    assert recompress(given, torch.tensor([50.0, 90.0])).shape == given.shape
