"""Training the measure `shreds`: pages are shredded while it goes on, each in its own manner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tessella.errors import InputError
from tessella.learning import shred_export, trainer
from tessella.learning.shred_loss import losses
from tessella.learning.shred_network import ShredNetwork
from tessella.learning.shredder import Shredder
from tessella.networks.shred_form import BLOCK, STEP
from tessella.networks.shred_model import ShredModel

CLIP = 2.0
"""The longest step that one batch's gradient asks for."""

DECAY = 0.02
"""AdamW's decay of weights."""

WINDOWS = 48
"""Validation looks at so many windows, cut from held pages."""


class Trainer(trainer.Trainer):
    """A network that describes sides of strips."""

    def gather(self, training: Sequence[NDArray[np.uint8]]) -> None:
        """Give the pages to a shredder."""
        recipe = self.recipe
        if recipe.piece != recipe.sides.size:
            raise InputError(
                f"The network looks at {recipe.sides.size} columns of a side, but piece is "
                f"{recipe.piece}; leave size out."
            )
        self.shredder = self._shredder(training)

    def _shredder(self, pages: Sequence[NDArray[np.uint8]]) -> Shredder:
        recipe = self.recipe
        return Shredder(
            pages,
            recipe.shredding,
            self.device,
            strips=recipe.training.grid,
            rows=BLOCK * STEP,
            columns=recipe.piece,
        )

    def build(self) -> None:
        """Make what is trained."""
        settings = self.recipe.training
        on_card = self.device.type == "cuda"
        self.network = ShredNetwork(self.recipe.sides).to(self.device)
        self.half = settings.half and on_card
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
        with torch.no_grad():
            ink, gone = self.shredder.windows(self.recipe.training.pictures, chance)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        values = losses(self.network, ink, gone, self.half)
        torch.autograd.backward(values[0])
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self.optimizer.step()
        return values[0].detach()

    @torch.no_grad()
    def validate(self, limit: int | None = None) -> dict[str, float]:
        """Return Top-1 and what is known of nobody on windows of held pages."""
        shredder = self._shredder(self.held)
        chance = np.random.default_rng((self.recipe.seed, 2**31))
        self.network.eval()
        values = [
            losses(self.network, *shredder.windows(1, chance), self.half)
            for _ in range(WINDOWS if limit is None else limit)
        ]
        self.network.train()
        loss, top1, nobody = torch.stack(values).mean(0).tolist()
        return {"loss": round(loss, 4), "top1": round(top1, 4), "nobody": round(nobody, 4)}

    def model(self, facts: dict[str, Any]) -> ShredModel:
        """Return what has been learnt."""
        recipe = self.recipe
        weights = shred_export.weights(self.network)
        return ShredModel(name=recipe.name, form=recipe.sides, weights=weights, facts=facts)
