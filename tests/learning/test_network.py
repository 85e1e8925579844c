"""The factorised score of a pair is the plain one, in torch as in NumPy."""

import numpy as np
import pytest
import torch

from tessella import edges
from tessella.learning import scoring
from tessella.learning.dlcm import _exported
from tessella.learning.network import Network
from tessella.learning.scoring import pairs
from tessella.learning.view import seen
from tessella.networks import specification, view
from tessella.networks.architecture import Architecture
from tessella.networks.model import Model

PAPER = (6, 6, "pool", 6, "pool", 6)
DEEP = (6, 6, "pool", 6, 6, "pool", 8, 8)


def network(layers, rows, depth, planes="rgb"):
    torch.manual_seed(1)
    return Network(Architecture(planes, layers, rows, depth))


@pytest.mark.parametrize("size", [28, 50, 64, 27])
def test_the_factorised_score_is_the_plain_one(size):
    net = network(PAPER, size, size)
    left, right = torch.randn(4, size, size, 3), torch.randn(5, size, size, 3)
    which = torch.tensor([[0, 4], [2, 2], [3, 1], [1, 0]])
    with torch.no_grad():
        found = net.table(left, right, which)
        joined = torch.cat([left[:, None].expand(4, 2, size, size, 3), right[which]], 3)
        wanted = net(joined.reshape(8, size, 2 * size, 3)).view(4, 2)
    assert (found - wanted).abs().max() < 1e-4 * wanted.std()


@pytest.mark.parametrize(
    ("layers", "rows", "depth"), [(DEEP, 56, 34), (DEEP, 28, 21), (PAPER, 9, 12)]
)
def test_so_it_is_for_deeper_networks_and_narrower_views(layers, rows, depth):
    net = network(layers, rows, depth)
    left, right = torch.randn(3, rows, depth, 3), torch.randn(3, rows, depth, 3)
    with torch.no_grad():
        found = net.table(left, right, torch.arange(3)[:, None])[:, 0]
        wanted = net(torch.cat([left, right], 2))
    assert (found - wanted).abs().max() < 1e-4 * wanted.std()


def test_exported_weights_score_the_same_without_torch():
    chance = np.random.default_rng(0)
    left, right = chance.integers(0, 256, (2, 6, 20, 20, 3)).astype(np.uint8)
    nets = [network(PAPER, 16, 12, planes) for planes in ("rgbw", "y")]
    model = Model("x", 20, (0, 2), tuple(_exported(net) for net in nets))
    which = np.stack([np.arange(6), np.arange(6)], 1)
    found = pairs(model, left, right, which, 2, device="cpu")
    wanted = specification.forward(model, left, right, 2)
    np.testing.assert_allclose(found, wanted, atol=1e-4 * wanted.std())


@pytest.mark.parametrize("planes", ["rgb", "y", "gw"])
@pytest.mark.parametrize("direction", [edges.RIGHT, edges.LEFT])
def test_torch_sees_what_numpy_sees(planes, direction):
    pieces = np.random.default_rng(0).integers(0, 256, (3, 12, 12, 3)).astype(np.uint8)
    wanted = view.seen(pieces, 2, planes, 6, 5, direction)
    found = seen(torch.from_numpy(pieces), 2, planes, 6, 5, direction)
    np.testing.assert_allclose(found.numpy(), wanted, atol=1e-6)


def test_dropout_acts_in_training_alone():
    torch.manual_seed(0)
    net = Network(Architecture("rgb", PAPER, 12, 12), dropout=0.5)
    pair = torch.randn(2, 12, 24, 3)
    with torch.no_grad():
        assert not torch.equal(net(pair), net(pair))
        net.eval()
        assert torch.equal(net(pair), net(pair))


@pytest.mark.parametrize("busy", [0, 2, 9])
def test_a_card_whose_memory_is_taken_is_waited_for(monkeypatch, busy):
    slept, tried = [], []
    monkeypatch.setattr(scoring, "WAITS", (1, 2, 4))
    monkeypatch.setattr(scoring.time, "sleep", slept.append)

    def work():
        tried.append(1)
        if len(tried) <= busy:
            raise torch.OutOfMemoryError("taken")
        return 7

    if busy > 3:
        with pytest.raises(torch.OutOfMemoryError):
            scoring.sharing(work)()
    else:
        assert scoring.sharing(work)() == 7
    assert slept == [1, 2, 4][:busy]
