"""Training SqueezeNet V1.1 to tell pairs that are adjacent from others.

`tessella.networks.squeezenet` cites the papers. Paixao et al. begin with weights of ImageNet; ours
begin with random ones, and the convolutions are therefore batch-normalised while they learn, which
is folded into their weights in the end.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tessella.learning import pairs
from tessella.learning.batches import draw
from tessella.learning.losses import loss
from tessella.learning.units import Unit, fill, units
from tessella.networks.pair_model import PairModel
from tessella.networks.squeezenet import FIRES, POOLED, layers


def judged(made: nn.ModuleDict, pair: Tensor, dropout: float = 0.0) -> Tensor:
    """Return how much likelier than not pairs ``(B, H, W, 3)`` are adjacent, ``(B,)``."""
    first = made["conv1"]
    assert isinstance(first, Unit)
    values = first.precisely(pair.permute(0, 3, 1, 2))
    for name in FIRES:
        if name in POOLED:
            values = _pooled(values)
        squeezed = made[f"{name}_squeeze"](values)
        values = torch.cat([made[f"{name}_{side}"](squeezed) for side in ("narrow", "wide")], 1)
    if dropout:
        values = functional.dropout(values, dropout, made.training)
    classes: Tensor = made["conv10"](values).float().mean((2, 3))  # (B, 2): not, adjacent
    return classes[:, 1] - classes[:, 0]


def _pooled(values: Tensor) -> Tensor:
    """Take the best of every 3 x 3 at steps of 2; what is one row or column high stays so."""
    down, across = (max(0, 2 - size) for size in values.shape[2:])
    if down or across:
        values = functional.pad(values, (0, across, 0, down))  # Features are 0 or more.
    return functional.max_pool2d(values, 3, 2, ceil_mode=True)


def load(model: PairModel, place: torch.device) -> pairs.Judge:
    """Return a model in torch, ready to score."""
    made = units(layers(), norm=False)
    fill(made, model.weights)
    made.to(place).eval().requires_grad_(False)
    return lambda pair, _eroded: judged(made, pair)


class Trainer(pairs.Trainer):
    """A network that learns which of two classes a pair is of, both equally heavy."""

    def build(self) -> None:
        """Make what is trained."""
        super().build()
        self.units = units(layers(), norm=True).to(self.device)
        self.optimizer = self.adam(self.units)
        self.parts |= {"units": self.units, "optimizer": self.optimizer}

    def judge(self, pair: Tensor, eroded: int) -> Tensor:
        """Score pairs ``(B, rows, 2 * depth, 3)``, ``(B,)``."""
        del eroded  # The frame was cut away before.
        return judged(self.units, pair, self.recipe.training.dropout)

    def learn(self, chance: np.random.Generator, rate: float) -> Tensor:
        """Take one step."""
        batch = draw(self.album, self.recipe, chance)
        pair = pairs.joined(*self.sides(batch), batch.which)
        with self.autocast():
            scores = self.judge(pair, batch.eroded).view(batch.which.shape)
        total = loss(self.recipe.training.loss, scores, batch.same)
        self.take_step(self.optimizer, total, rate)
        self.scaler.update()
        return total.detach()
