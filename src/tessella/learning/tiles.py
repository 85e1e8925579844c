"""Training the measure `tiles`: panels are painted while it goes on, each with its own look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tessella.errors import InputError
from tessella.learning import tile_export, trainer
from tessella.learning.painter import Painter
from tessella.learning.tile_loss import losses, table, top1
from tessella.learning.tile_network import TileNetwork
from tessella.networks.tile_model import TileModel

CLIP = 2.0
"""The longest step that one batch's gradient asks for."""

DECAY = 0.02
"""AdamW's decay of weights."""

PANELS = 12
"""Validation looks at so many panels, painted from held pictures."""


class Trainer(trainer.Trainer):
    """Networks that describe edges and judge pairs."""

    def gather(self, training: Sequence[NDArray[np.uint8]]) -> None:
        """Give the pictures to a painter."""
        recipe = self.recipe
        if recipe.piece != recipe.networks.size:
            raise InputError(
                f"The networks look at tiles of {recipe.networks.size} px, but piece is "
                f"{recipe.piece}; leave size out."
            )
        self.painter = self._painter(training)

    def _painter(self, pictures: Sequence[NDArray[np.uint8]]) -> Painter:
        recipe = self.recipe
        return Painter(
            pictures, recipe.domain, self.device, grid=recipe.training.grid, size=recipe.piece
        )

    def build(self) -> None:
        """Make what is trained."""
        settings = self.recipe.training
        on_card = self.device.type == "cuda"
        self.network = TileNetwork(self.recipe.networks).to(self.device)
        self.half = settings.half and on_card
        if settings.compiled and on_card:
            self.network.describer.compile()
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(),
            settings.rate,
            betas=(0.9, 0.98),
            weight_decay=DECAY,
            fused=on_card,
        )
        self.parts = {"network": self.network, "optimizer": self.optimizer}

    def learn(self, chance: np.random.Generator, rate: float) -> Tensor:
        """Take one step."""
        settings = self.recipe.training
        with torch.no_grad():
            panels = self.painter.panels(settings.pictures, chance)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        told = losses(self.network, panels, settings.candidates, self.half)
        total = told[0] + told[1]
        torch.autograd.backward(total)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self.optimizer.step()
        return total.detach()

    def validate(self, limit: int | None = None) -> dict[str, float]:
        """Return Top-1 on panels painted from held pictures, upright and turned."""
        painter = self._painter(self.held)
        chance = np.random.default_rng((self.recipe.seed, 2**31))
        found: list[tuple[float, float]] = []
        grid = self.recipe.training.grid
        for _ in range(PANELS if limit is None else limit):
            panel = painter.panels(1, chance)[0].flatten(0, 1)
            scores = table(self.network, panel)
            found.append((top1(scores, grid, upright=True), top1(scores, grid, upright=False)))
        upright, turned = np.mean(found, axis=0)
        return {"upright": round(float(upright), 4), "turned": round(float(turned), 4)}

    def model(self, facts: dict[str, Any]) -> TileModel:
        """Return what has been learnt."""
        recipe = self.recipe
        return TileModel(
            name=recipe.name,
            form=recipe.networks,
            weights=tile_export.weights(self.network),
            count=recipe.count,
            slack=recipe.slack,
            facts=facts,
        )
