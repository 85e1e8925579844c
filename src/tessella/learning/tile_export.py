"""From trained networks for tiles to plain weights, what normalises them folded in."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from tessella.learning.tile_network import Block, TileNetwork
from tessella.networks.layers import Floats


def weights(network: TileNetwork) -> dict[str, Floats]:
    """Return all weights by the names that `tessella.networks.tile_form` gives them."""
    describer, weights = network.describer, dict[str, Floats]()
    for i, (scale, read) in enumerate(zip(describer.scales, describer.reads, strict=True)):
        assert isinstance(scale, nn.Sequential)
        assert isinstance(read, nn.Sequential)
        keep_folded(weights, f"scale{i}", scale[0])
        keep_blocks(weights, f"scale{i}", list(scale)[2:])
        keep_folded(weights, f"read{i}", read)
    keep_blocks(weights, "along", list(describer.along))
    scale_of = network.scale.detach().exp().sqrt()  # Of a product: its root for either vector.
    for name in ("asks", "answers"):
        _linear(weights, name, getattr(network, name), scale_of)
    for name in ("shared", "matched", "verdict"):
        _linear(weights, name, getattr(network, name), torch.ones(()))
    for name in ("first", "second", "third"):
        layer = getattr(network, name)
        kernel = layer.weight.detach().double().permute(2, 1, 0).flatten(0, 1)
        _keep(weights, name, kernel, layer.bias.detach().double())
    rows = network.form.rows // 4  # Training has the verdict's inputs by channel, then row.
    verdict = weights["verdict.weight"].reshape(network.form.pair, rows, 1)
    weights["verdict.weight"] = np.ascontiguousarray(verdict.transpose(1, 0, 2).reshape(-1, 1))
    return weights


def keep_blocks(weights: dict[str, Floats], name: str, blocks: list[nn.Module]) -> None:
    """Keep residual blocks."""
    for k, block in enumerate(blocks):
        assert isinstance(block, Block)
        keep_folded(weights, f"{name}.{k}.0", block.first)
        keep_folded(weights, f"{name}.{k}.1", block.second)


def keep_folded(weights: dict[str, Floats], name: str, unit: nn.Module) -> None:
    """Keep a convolution with the normalisation behind it."""
    assert isinstance(unit, nn.Sequential)
    layer, norm = unit[0], unit[1]
    assert isinstance(layer, nn.Conv2d)
    assert isinstance(norm, nn.BatchNorm2d)
    assert norm.running_mean is not None
    assert norm.running_var is not None
    scale = norm.weight.detach().double() / (norm.running_var.double() + norm.eps).sqrt()
    kernel = layer.weight.detach().double() * scale[:, None, None, None]
    shift = norm.bias.detach().double() - norm.running_mean.double() * scale
    _keep(weights, name, kernel.permute(2, 3, 1, 0).flatten(0, 2), shift)


def _linear(weights: dict[str, Floats], name: str, layer: nn.Linear, scale: Tensor) -> None:
    factor = scale.double().cpu()
    kernel = layer.weight.detach().double().cpu().T * factor
    _keep(weights, name, kernel, layer.bias.detach().double().cpu() * factor)


def _keep(weights: dict[str, Floats], name: str, kernel: Tensor, bias: Tensor) -> None:
    weights[f"{name}.weight"] = np.ascontiguousarray(kernel.float().cpu().numpy())
    weights[f"{name}.bias"] = np.ascontiguousarray(bias.float().cpu().numpy())
