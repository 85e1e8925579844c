"""Convolutions in torch, normalised while they learn, and their weights as plain arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tessella.networks.layers import Layer


class Unit(nn.Module):
    """A layer of `tessella.networks.layers`; with batch normalisation, which `folded` takes out."""

    def __init__(self, layer: Layer, *, norm: bool) -> None:
        super().__init__()
        self.relu = layer.relu
        self.conv = nn.Conv2d(
            layer.given, layer.made, layer.size, layer.stride, layer.padding, bias=True
        )
        nn.init.kaiming_normal_(self.conv.weight, nonlinearity="relu" if self.relu else "linear")
        assert self.conv.bias is not None
        nn.init.zeros_(self.conv.bias)
        self.norm = nn.BatchNorm2d(layer.made) if norm else None

    def forward(self, values: Tensor) -> Tensor:
        """Convolve ``(B, given, H, W)``."""
        values = self.conv(values)
        if self.norm is not None:
            values = self.norm(values)
        return torch.relu(values) if self.relu else values

    def precisely(self, values: Tensor) -> Tensor:
        """Convolve in single precision whatever autocast says: pixels differ by little in a sky."""
        with torch.autocast(values.device.type, enabled=False):
            out: Tensor = self(values.float())
            return out


def units(layers: Mapping[str, Layer], *, norm: bool) -> nn.ModuleDict:
    """Return a unit for every layer; those without ReLU, the last ones, are not normalised."""
    return nn.ModuleDict({n: Unit(each, norm=norm and each.relu) for n, each in layers.items()})


def folded(made: nn.ModuleDict) -> dict[str, NDArray[np.float32]]:
    """Return the weights of all units, what normalises them folded in."""
    weights: dict[str, NDArray[np.float32]] = {}
    for name, unit in made.items():
        assert isinstance(unit, Unit)
        weight, bias = unit.conv.weight.detach().double(), unit.conv.bias
        assert bias is not None
        shift = bias.detach().double()
        if unit.norm is not None:
            assert unit.norm.running_var is not None
            assert unit.norm.running_mean is not None
            scale = unit.norm.weight.double() / (unit.norm.running_var + unit.norm.eps).sqrt()
            weight = weight * scale[:, None, None, None]
            shift = unit.norm.bias.double() + (shift - unit.norm.running_mean) * scale
        weights[f"{name}.weight"] = weight.detach().float().cpu().numpy()
        weights[f"{name}.bias"] = shift.detach().float().cpu().numpy()
    return weights


def fill(made: nn.ModuleDict, weights: Mapping[str, NDArray[np.float32]]) -> None:
    """Give plain weights to units that are not normalised."""
    with torch.no_grad():
        for name, unit in made.items():
            assert isinstance(unit, Unit)
            assert unit.norm is None
            assert unit.conv.bias is not None
            unit.conv.weight.copy_(torch.from_numpy(weights[f"{name}.weight"]))
            unit.conv.bias.copy_(torch.from_numpy(weights[f"{name}.bias"]))
