"""From plain weights back to networks for tiles that can go on learning."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from tessella.learning.tile_network import Block, TileNetwork
from tessella.networks.layers import Floats


def begin(network: TileNetwork, weights: Mapping[str, Floats], tiles: Tensor) -> None:
    """Give `network` the weights that `tile_export.weights` made of another of its form.

    What normalises was folded into the convolutions, and comes back by looking at tiles: every
    normalisation then gives what the plain weights give, with the spread of these tiles.

    Parameters
    ----------
    tiles : about 0, with edges that face right, ``(M, 3, S, S)``; hundreds or more
    """
    folded = _folded(network)
    for name, unit in folded.items():
        layer = unit[0]
        assert isinstance(layer, nn.Conv2d)
        kernel = torch.from_numpy(weights[f"{name}.weight"])  # (rows columns inputs, outputs)
        shape = *layer.kernel_size, layer.in_channels, layer.out_channels
        _give(layer.weight, kernel.view(shape).permute(3, 2, 0, 1))
    root = math.exp(float(network.scale.detach()) / 2)
    for name in ("asks", "answers", "shared", "matched", "verdict"):
        linear, factor = getattr(network, name), 1 / root if name in ("asks", "answers") else 1.0
        kernel = torch.from_numpy(weights[f"{name}.weight"])
        if name == "verdict":  # Plain weights have its inputs by row, then channel.
            kernel = kernel.view(-1, network.form.pair, 1).transpose(0, 1).flatten(0, 1)
        _give(linear.weight, factor * kernel.T)
        _give(linear.bias, factor * torch.from_numpy(weights[f"{name}.bias"]))
    for name in ("first", "second", "third"):
        layer = getattr(network, name)
        kernel = torch.from_numpy(weights[f"{name}.weight"]).view(3, -1, layer.out_channels)
        _give(layer.weight, kernel.permute(2, 1, 0))
        _give(layer.bias, torch.from_numpy(weights[f"{name}.bias"]))
    _settle(network, {unit[1]: weights[f"{name}.bias"] for name, unit in folded.items()}, tiles)


def _folded(network: TileNetwork) -> dict[str, nn.Sequential]:
    """Return the convolutions with a normalisation behind them, by name."""
    describer, units = network.describer, dict[str, nn.Module]()
    lines: dict[str, list[nn.Module]] = {"along": list(describer.along)}
    for i, (scale, read) in enumerate(zip(describer.scales, describer.reads, strict=True)):
        assert isinstance(scale, nn.Sequential)
        units |= {f"scale{i}": scale[0], f"read{i}": read}
        lines[f"scale{i}"] = list(scale)[2:]
    for name, blocks in lines.items():
        for k, block in enumerate(blocks):
            assert isinstance(block, Block)
            units |= {f"{name}.{k}.0": block.first, f"{name}.{k}.1": block.second}
    return {name: unit for name, unit in units.items() if isinstance(unit, nn.Sequential)}


def _settle(network: TileNetwork, shifts: Mapping[nn.Module, Floats], tiles: Tensor) -> None:
    """Let every normalisation take what it divides by from what reaches it, first to last."""

    def look(norm: nn.Module, given: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        assert norm.running_mean is not None
        assert norm.running_var is not None
        mean = given[0].mean((0, 2, 3))
        spread = given[0].var((0, 2, 3), correction=0)
        _give(norm.running_mean, mean)
        _give(norm.running_var, spread)
        _give(norm.weight, (spread + norm.eps).sqrt())
        _give(norm.bias, mean + torch.from_numpy(shifts[norm]).to(mean.device))

    hooks = [norm.register_forward_pre_hook(look) for norm in shifts]
    network.eval()  # What it divides by is what was just found, and stays.
    with torch.no_grad():
        network.describer.forward(tiles)  # Not by a call, which may be compiled for other sizes.
    network.train()
    for hook in hooks:
        hook.remove()


def _give(held: Tensor, values: Tensor) -> None:
    with torch.no_grad():
        held.copy_(values)
