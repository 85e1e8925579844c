"""Training the measure `tiles`: panels are painted while it goes on, each with its own look."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tessella.errors import InputError
from tessella.learning import tile_export, tile_import, trainer
from tessella.learning.mixture import Mixture
from tessella.learning.tile_loss import losses, table, top1
from tessella.learning.tile_network import TileNetwork, facing, normalised
from tessella.networks.tile_model import TileModel

CLIP = 2.0
"""The longest step that one batch's gradient asks for."""

DECAY = 0.02
"""AdamW's decay of weights."""

PANELS = 12
"""Validation looks at so many panels of every sort, of held pictures."""


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
        self.mixture = Mixture(recipe, training, self.device)

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
            panels = self.mixture.panels(settings.pictures, chance)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        parts = losses(self.network, panels, settings.candidates, self.half)
        total = parts[0] + parts[1]
        torch.autograd.backward(total)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self.optimizer.step()
        return total.detach()

    def begin(self, path: Path) -> None:
        """Take over the weights of a model of the same form."""
        model = TileModel.load(path)
        if model.form != self.recipe.networks:
            raise InputError(f"{path} has networks of another form; the recipe must have the same.")
        chance = np.random.default_rng((self.recipe.seed, 2**31 + 1))
        panels = self.mixture.panels(self.recipe.training.pictures, chance)
        tiles = normalised(panels.flatten(1, 2).permute(0, 1, 4, 2, 3)).flatten(0, 1)
        tile_import.begin(self.network, model.weights, facing(tiles).flatten(0, 2))

    def validate(self, limit: int | None = None) -> dict[str, float]:
        """Return Top-1 on panels of held pictures, upright and turned, of every sort."""
        shares: dict[str, float] = {}
        for sort, maker in self.shown.makers.items():
            chance = np.random.default_rng((self.recipe.seed, 2**31))
            each = [self._top1(maker.panels(1, chance)[0]) for _ in range(limit or PANELS)]
            upright, turned = np.mean(each, axis=0)
            before = "" if sort == "painted" else f"{sort} "
            shares |= {f"{before}upright": round(float(upright), 4)}
            shares |= {f"{before}turned": round(float(turned), 4)}
        return shares

    @cached_property
    def shown(self) -> Mixture:
        """Panels of the held pictures."""
        return Mixture(self.recipe, self.held, self.device, held=True)

    def _top1(self, panel: Tensor) -> tuple[float, float]:
        scores, grid = table(self.network, panel.flatten(0, 1)), len(panel)
        return top1(scores, grid, upright=True), top1(scores, grid, upright=False)

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
