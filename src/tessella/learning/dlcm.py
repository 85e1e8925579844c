"""Training the learned measure: sub-networks that look at both sides of a seam, and a scout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tessella import edges
from tessella.errors import InputError
from tessella.learning import trainer
from tessella.learning.batches import Batch, draw
from tessella.learning.losses import from_other_side, loss
from tessella.learning.network import Network
from tessella.learning.recipe import Training
from tessella.learning.validate import top1
from tessella.learning.view import seen
from tessella.networks.model import Model, Subnetwork


class Trainer(trainer.Trainer):
    """Networks that are trained on the same batches."""

    def build(self) -> None:
        """Make what is trained."""
        recipe = self.recipe
        settings = recipe.training
        self.every = [Network(form, settings.dropout) for form in recipe.architectures]
        self.networks = nn.ModuleList(self.every).to(self.device)
        self.weights = nn.ParameterList([torch.zeros((), device=self.device)])
        self.summed = len(recipe.subnetworks)
        parameters = [*self.networks.parameters(), *self.weights]
        self.optimizer = torch.optim.Adam(
            parameters, settings.rate, fused=self.device.type == "cuda"
        )
        self.tables = [_tabled(n, settings, self.device) for n in self.every]
        self.half = settings.half and self.device.type == "cuda"
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=self.half)
        self.parts = {
            "networks": self.networks,
            "weights": self.weights,
            "optimizer": self.optimizer,
            "scaler": self.scaler,
        }

    @property
    def beside(self) -> float:
        """The weight of `mgc` in the sum of the finished model."""
        settings = self.recipe.training
        return settings.trust * float(self.weights[0].detach().exp()) if settings.beside else 0.0

    def learn(self, chance: np.random.Generator, rate: float) -> Tensor:
        """Take one step."""
        batch = draw(self.album, self.recipe, chance)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        total = self._loss(batch)
        torch.autograd.backward(self.scaler.scale(total))
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return total.detach()

    def _loss(self, batch: Batch) -> Tensor:
        settings = self.recipe.training
        scores = [self._scores(i, batch) for i in range(len(self.every))]
        if settings.joint:
            total = torch.stack(scores[: self.summed]).sum(0)
            if settings.beside:
                total = total + self.weights[0].exp() * batch.beside
            scores = [total, *scores[self.summed :]]
        losses = [loss(settings.loss, s, batch.same) for s in scores]
        if settings.sides == 2:
            losses += [from_other_side(s, batch.which, batch.rim) for s in scores]
        return torch.stack(losses).sum()

    def _scores(self, number: int, batch: Batch) -> Tensor:
        form = self.every[number].architecture
        size = form.planes, form.rows, form.depth
        left = seen(batch.left, batch.eroded, *size, edges.RIGHT)
        right = seen(batch.right, batch.eroded, *size, edges.LEFT)
        with torch.autocast(self.device.type, torch.float16, enabled=self.half):
            return self.tables[number](left, right, batch.which)

    def validate(self, limit: int | None = None) -> dict[str, float]:
        """Return Top-1 on held pictures, at the narrowest and the widest worn frame."""
        self.networks.eval()
        shares: dict[str, float] = {}
        for eroded in sorted(set(self.recipe.eroded)):
            means = top1(
                self.every,
                self.held[:limit],
                self.recipe.piece,
                eroded,
                count=self.summed,
                weight=self.beside,
                device=self.device,
            )
            mark = f"{eroded} px " if self.recipe.eroded[1] else ""
            shares |= {f"{mark}{name}": round(value, 4) for name, value in means.items()}
        self.networks.train()
        return shares

    def begin(self, path: Path) -> None:
        """Take over the weights of a model of the same sub-networks and scout."""
        model = Model.load(path)
        given = model.subnetworks if model.scout is None else (*model.subnetworks, model.scout)
        if [sub.architecture for sub in given] != list(self.recipe.architectures):
            raise InputError(f"The sub-networks of {path} are not those of the recipe.")
        with torch.no_grad():
            for network, sub in zip(self.every, given, strict=True):
                for kernel, known in zip(network.kernels, sub.kernels, strict=True):
                    kernel.copy_(torch.from_numpy(known))
                network.head.copy_(torch.from_numpy(sub.head))
            if self.recipe.training.beside and "mgc" in model.beside:
                learnt = model.beside["mgc"] / self.recipe.training.trust
                self.weights[0].fill_(float(np.log(learnt)))

    def model(self, facts: dict[str, Any]) -> Model:
        """Return what has been learnt."""
        recipe = self.recipe
        made = [_exported(network) for network in self.every]
        beside = {"mgc": self.beside} if recipe.training.beside else {}
        return Model(
            name=recipe.name,
            piece=recipe.piece,
            eroded=recipe.eroded,
            subnetworks=tuple(made[: self.summed]),
            mirrored=recipe.mirrored,
            beside=beside,
            by=recipe.by,
            count=recipe.count,
            slack=recipe.slack,
            scout=made[-1] if recipe.scout else None,
            facts=facts,
        )


def _tabled(network: Network, settings: Training, device: torch.device) -> Callable[..., Tensor]:
    if settings.compiled and device.type == "cuda":
        return torch.compile(network.table, dynamic=False)
    return network.table


def _exported(network: Network) -> Subnetwork:
    def plain(tensor: Tensor) -> NDArray[np.float32]:
        return np.ascontiguousarray(tensor.detach().float().cpu().numpy())

    kernels = tuple(plain(kernel) for kernel in network.kernels)
    return Subnetwork(network.architecture, kernels, plain(network.head))
