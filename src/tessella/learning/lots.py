"""Lots: what chance decides while panels are painted."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tessella.learning.domain import Range


class Lots:
    """What chance decides: of panels by NumPy, of pixels on the device."""

    def __init__(self, chance: np.random.Generator, device: torch.device) -> None:
        self.chance, self.device = chance, device
        self.generator = torch.Generator(device=device)
        self.generator.manual_seed(int(chance.integers(2**62)))

    def within(self, bounds: Range, *size: int) -> Tensor:
        """Draw numbers between two."""
        return bounds[0] + (bounds[1] - bounds[0]) * self.share(*size)

    def mostly_small(self, bounds: Range, *size: int) -> Tensor:
        """Draw numbers between two, small ones more often."""
        return bounds[0] + (bounds[1] - bounds[0]) * self.share(*size) ** 1.4

    def share(self, *size: int) -> Tensor:
        """Draw numbers from 0 to 1."""
        return torch.rand(size, generator=self.generator, device=self.device)

    def normal(self, *size: int) -> Tensor:
        """Draw normal numbers."""
        return torch.randn(size, generator=self.generator, device=self.device)

    def happens(self, share: float, *size: int) -> Tensor:
        """Draw what happens to a share."""
        return self.share(*size) < share

    def clouds(self, count: int, knots: int, side: int) -> Tensor:
        """Return smooth noise of spread about 1, ``(count, 1, side, side)``."""
        coarse = 1.4 * self.normal(count, 1, knots, knots)
        return functional.interpolate(coarse, (side, side), mode="bilinear", align_corners=True)
