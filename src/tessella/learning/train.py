"""Training: batches in, a model out; killed and resumed, it ends as if undisturbed."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tessella import edges
from tessella.errors import InputError, OutputError
from tessella.files import replacing
from tessella.learning import pictures
from tessella.learning.batches import Batch, draw
from tessella.learning.losses import loss
from tessella.learning.network import Network
from tessella.learning.recipe import Recipe, Training
from tessella.learning.validate import top1
from tessella.learning.view import seen
from tessella.networks.model import Model, Subnetwork
from tessella.watch import SILENT, Watcher

WARM_UP = 200
"""Steps in which the learning rate rises to its value."""

HELD = 12
"""Without pictures of its own, validation takes every so many-th of the training's."""


QUICK = 4
"""Held pictures that are looked at while training goes on."""


class Trainer:
    """The state of a training, and what changes it."""

    def __init__(
        self,
        recipe: Recipe,
        training: Sequence[NDArray[np.uint8]],
        held: Sequence[NDArray[np.uint8]],
        device: str,
    ) -> None:
        self.recipe, self.held = recipe, held
        self.device = torch.device(device)
        self.data = pictures.digest(training)
        self.step, self.seconds = 0, 0.0
        self.losses: float | Tensor = 0.0
        torch.manual_seed(recipe.seed)
        settings = recipe.training
        self.every = [Network(form, settings.dropout) for form in recipe.architectures]
        self.networks = nn.ModuleList(self.every).to(self.device)
        self.weight = nn.Parameter(torch.zeros((), device=self.device))
        self.summed = len(recipe.subnetworks)
        parameters = [*self.networks.parameters(), self.weight]
        self.optimizer = torch.optim.Adam(
            parameters, settings.rate, fused=self.device.type == "cuda"
        )
        self.tables = [_tabled(n, settings, self.device) for n in self.every]
        self.half = settings.half and self.device.type == "cuda"
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=self.half)
        side = settings.grid * recipe.piece
        aligned = recipe.piece if recipe.augment.simulate else None
        self.album = pictures.Album(training, side, recipe.augment, self.device, aligned=aligned)

    @property
    def beside(self) -> float:
        """The weight of `mgc` in the sum."""
        return float(self.weight.detach().exp()) if self.recipe.training.beside else 0.0

    def advance(self, done: float) -> None:
        """Take one step, at the share `done` of the training."""
        settings = self.recipe.training
        chance = np.random.default_rng((self.recipe.seed, self.step))
        batch = draw(self.album, self.recipe, chance)
        for group in self.optimizer.param_groups:
            group["lr"] = settings.rate * _factor(self.step, done, settings.schedule)
        self.optimizer.zero_grad(set_to_none=True)
        torch.manual_seed(self.recipe.seed + 1_000_003 * self.step)
        total = self._loss(batch)
        torch.autograd.backward(self.scaler.scale(total))
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.losses = self.losses + total.detach()
        self.step += 1

    def _loss(self, batch: Batch) -> Tensor:
        settings = self.recipe.training
        scores = [self._scores(i, batch) for i in range(len(self.every))]
        if settings.joint:
            total = torch.stack(scores[: self.summed]).sum(0)
            if settings.beside:
                total = total + self.weight.exp() * batch.beside
            scores = [total, *scores[self.summed :]]
        return torch.stack([loss(settings.loss, s, batch.same) for s in scores]).sum()

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
        told: dict[str, float] = {}
        for eroded in sorted(set(self.recipe.eroded)):
            found = top1(
                self.every,
                self.held[:limit],
                self.recipe.piece,
                eroded,
                count=self.summed,
                weight=self.beside,
                device=self.device,
            )
            mark = f"{eroded} px " if self.recipe.eroded[1] else ""
            told |= {f"{mark}{name}": round(value, 4) for name, value in found.items()}
        self.networks.train()
        return told

    def state(self) -> dict[str, Any]:
        """Return everything that a resumed training needs."""
        return {
            "recipe": json.dumps(self.recipe.to_json()),
            "data": self.data,
            "step": self.step,
            "seconds": self.seconds,
            "networks": self.networks.state_dict(),
            "weight": self.weight.detach().cpu(),
            "optimizer": self.optimizer.state_dict(),
            "scaler": self.scaler.state_dict(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from `state`; it must be of the same recipe and the same pictures."""
        if state["recipe"] != json.dumps(self.recipe.to_json()):
            raise InputError("The checkpoint is of another recipe; train into a new folder.")
        if state["data"] != self.data:
            raise InputError("The checkpoint is of other pictures; train into a new folder.")
        self.step, self.seconds = state["step"], state["seconds"]
        self.networks.load_state_dict(state["networks"])
        self.weight.data = state["weight"].to(self.device)
        self.optimizer.load_state_dict(state["optimizer"])
        self.scaler.load_state_dict(state["scaler"])

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


def _factor(step: int, done: float, schedule: str) -> float:
    """Return the learning rate of a step as a share of the recipe's."""
    rising = min(1.0, (step + 1) / WARM_UP)
    if schedule == "constant":
        return rising
    return rising * (0.5 + 0.5 * math.cos(math.pi * min(1.0, done)))


def _exported(network: Network) -> Subnetwork:
    def plain(tensor: Tensor) -> NDArray[np.float32]:
        return np.ascontiguousarray(tensor.detach().float().cpu().numpy())

    kernels = tuple(plain(kernel) for kernel in network.kernels)
    return Subnetwork(network.architecture, kernels, plain(network.head))


def train(
    recipe: Recipe,
    folders: Sequence[Path],
    out: Path,
    *,
    held: Path | None = None,
    device: str = "cpu",
    resume: bool = False,
    seconds: float = math.inf,
    watch: Watcher = SILENT,
) -> Model:
    """Train a model and write it to ``out/NAME.npz``.

    Parameters
    ----------
    folders : pictures to train with
    held : pictures to validate with; without, some of the training's are held back, or, of fewer
        than `HELD`, the same are looked at again
    resume : go on from ``out/checkpoint.pt``
    seconds : end after so long if the recipe's steps take longer; the rate falls accordingly
    """
    checkpoint = _checkpoint_of(out, resume)
    found = pictures.read(pictures.find(folders))
    if held is not None:
        shown, told = pictures.read(pictures.find([held])), "pictures of their own"
    elif len(found) >= HELD:
        shown, told = found[::HELD], f"every {HELD}th picture, held back"
        found = [p for i, p in enumerate(found) if i % HELD]
    else:
        shown, told = found, "the training pictures themselves"
    if recipe.augment.simulate:
        from tessella.learning.panels import simulate

        found, shown = simulate(recipe, found), simulate(recipe, shown, held=True)
    shown = [p for p in shown if min(p.shape[:2]) >= 2 * recipe.piece]
    trainer = Trainer(recipe, found, shown, device)
    if not shown:
        raise InputError(
            f"No picture to validate with shows 2 x 2 pieces of {recipe.piece} px; choose larger "
            "ones for --held."
        )
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise OutputError(f"Cannot write to {out}: {problem.strerror or problem}.") from problem
    if checkpoint.exists():
        trainer.restore(torch.load(checkpoint, map_location=device, weights_only=True))
    else:
        (out / "log.jsonl").unlink(missing_ok=True)  # That of an earlier training.
    _run(trainer, out, checkpoint, seconds, watch)
    facts = {
        "recipe": recipe.to_json(),
        "pictures": len(found),
        "data": trainer.data,
        "validated with": told,
        "steps": trainer.step,
        "seconds": round(trainer.seconds),
        "top1": trainer.validate(),
    }
    model = trainer.model(facts)
    model.save(out / f"{recipe.name}.npz")
    checkpoint.unlink(missing_ok=True)
    return model


def _checkpoint_of(out: Path, resume: bool) -> Path:
    """Return where a training keeps its state; raise before any work if `out` cannot be used."""
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out} is a file; name a folder to write to.")
    checkpoint = out / "checkpoint.pt"
    if checkpoint.exists() and not resume:
        raise InputError(f"{out} holds an unfinished training; add --resume or name another.")
    return checkpoint


def _run(trainer: Trainer, out: Path, checkpoint: Path, seconds: float, watch: Watcher) -> None:
    settings = trainer.recipe.training
    watch.stage(f"training {trainer.recipe.name}", settings.steps)
    watch.advance(trainer.step)
    began = time.monotonic() - trainer.seconds
    since = trainer.step
    done = trainer.step / settings.steps
    while done < 1:
        trainer.advance(done)
        watch.advance(1)
        trainer.seconds = time.monotonic() - began
        done = max(trainer.step / settings.steps, trainer.seconds / seconds)
        if trainer.step % settings.check and done < 1:
            continue
        told = {
            "step": trainer.step,
            "seconds": round(trainer.seconds, 1),
            "loss": round(float(trainer.losses) / (trainer.step - since), 4),
        }
        trainer.losses, since = 0.0, trainer.step
        with replacing(checkpoint) as temporary:
            torch.save(trainer.state(), temporary)
        if done < 1:
            told |= trainer.validate(limit=QUICK)
        with (out / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(told) + "\n")
