"""Small tensors are quickest on one thread; photographs to train with, and kills."""

import pytest
import torch
from PIL import Image
from skimage import data

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def photographs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("photographs")
    for name in ("astronaut", "coffee", "chelsea"):
        picture = getattr(data, name)()[:240, :240]
        Image.fromarray(picture).resize((96, 96)).save(folder / f"{name}.png")
    return folder


class Killed(Exception):
    pass


class Killer:
    """A watcher that ends the training as a kill would, after a checkpoint."""

    def __init__(self, steps):
        self.left = steps

    def stage(self, name, total):
        pass

    def advance(self, steps=1):
        self.left -= steps
        if self.left < 0:
            raise Killed


@pytest.fixture
def killed():
    """Return what runs a training and kills it after so many steps."""

    def run(train, *given, after):
        with pytest.raises(Killed):
            train(*given, watch=Killer(after))

    return run
