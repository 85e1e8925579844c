"""From a trained network for strips to plain weights, what normalises it folded in."""

from __future__ import annotations

from torch import nn

from tessella.learning.shred_network import ShredNetwork
from tessella.learning.tile_export import keep_blocks, keep_folded
from tessella.networks.layers import Floats


def weights(network: ShredNetwork) -> dict[str, Floats]:
    """Return all weights by the names that `tessella.networks.shred_form` gives them."""
    weights = dict[str, Floats]()
    for i, (scale, read) in enumerate(zip(network.scales, network.reads, strict=True)):
        assert isinstance(scale, nn.Sequential)
        keep_folded(weights, f"scale{i}", scale[0])
        keep_blocks(weights, f"scale{i}", list(scale)[2:])
        keep_folded(weights, f"read{i}", read)
    keep_blocks(weights, "along", list(network.along))
    root = network.scale.detach().exp().sqrt()  # Of a product: its root for either side.
    for name in ("asks", "answers"):
        kernel = getattr(network, name).weight.detach().T.clone()
        kernel[:, :-1] *= root
        weights[name] = kernel.float().cpu().contiguous().numpy()
    weights["slips"] = network.prior().detach().float().cpu().numpy()
    weights["nobody"] = network.nobody.detach().float().cpu().numpy()
    return weights
