"""Small tensors are quickest on one thread, the more so beside other tests; and kills."""

import pytest
import torch

torch.set_num_threads(1)


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
