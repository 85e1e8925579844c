"""Training: batches in, a model out; killed and resumed, it ends as if undisturbed."""

from __future__ import annotations

import importlib
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from tessella.claim import Kind, claimed
from tessella.errors import InputError
from tessella.files import replacing
from tessella.learning import pictures
from tessella.learning.calibrating import calibrated
from tessella.learning.recipe import Recipe
from tessella.learning.trainer import Learnt, Trainer
from tessella.odds.calibration import FACT
from tessella.provenance import provenance
from tessella.watch import SILENT, Watcher

CHECKPOINT = "checkpoint.pt"
LOG = "log.jsonl"
TRAINED = Kind(LOG, ("*.npz",), unfinished=CHECKPOINT, grows=True, shares=True)
"""A folder of models may hold several, and more."""

HELD = 12
"""Without pictures of its own, validation takes every so many-th of the training's."""

QUICK = 4
"""Held pictures that are looked at while training goes on."""


def train(
    recipe: Recipe,
    folders: Sequence[Path],
    out: Path,
    *,
    held: Path | None = None,
    begin: Path | None = None,
    device: str = "cpu",
    resume: bool = False,
    seconds: float = math.inf,
    watch: Watcher = SILENT,
) -> Learnt:
    """Train a model and write it to ``out/NAME.npz``.

    Parameters
    ----------
    folders : pictures to train with
    held : pictures to validate with; without, some of the training's are held back, or, of fewer
        than `HELD`, the same are looked at again
    begin : a model whose weights are taken over
    resume : go on from ``out/checkpoint.pt``
    seconds : end after so long if the recipe's steps take longer; the rate falls accordingly
    """
    with claimed(out, TRAINED, resume=resume):
        trainer, about = _begun(recipe, folders, held, device)
        if (out / CHECKPOINT).exists():
            state = torch.load(out / CHECKPOINT, map_location=device, weights_only=True)
            trainer.restore(state)
        else:
            if begin is not None:
                trainer.begin(begin)
            (out / LOG).unlink(missing_ok=True)  # That of an earlier training.
        _run(trainer, out, seconds, watch)
        facts = {
            "recipe": recipe.to_json(),
            **about,
            "data": trainer.data,
            "begun with": begin.stem if begin is not None else None,
            "steps": trainer.step,
            "seconds": round(trainer.seconds),
            "top1": trainer.validate(),
            "made with": provenance().to_json(),
        }
        file = out / f"{recipe.name}.npz"
        trainer.model(facts).save(file)
        read = calibrated(recipe, trainer.held, file)
        model = trainer.model(facts if read is None else {**facts, FACT: read.to_json()})
        model.save(file)
        (out / CHECKPOINT).unlink(missing_ok=True)
    return model


def _begun(
    recipe: Recipe, folders: Sequence[Path], held: Path | None, device: str
) -> tuple[Trainer, dict[str, Any]]:
    """Read the pictures; return who trains with them, and what a model tells about them."""
    trained_with = pictures.read(pictures.find(folders))
    if held is not None:
        shown, origin = pictures.read(pictures.find([held])), "pictures of their own"
    elif len(trained_with) >= HELD:
        shown, origin = trained_with[::HELD], f"every {HELD}th picture, held back"
        trained_with = [p for i, p in enumerate(trained_with) if i % HELD]
    else:
        shown, origin = trained_with, "the training pictures themselves"
    if recipe.augment.simulate:
        from tessella.learning.panels import simulate

        settings = {"grid": recipe.training.grid, "tile": recipe.piece}
        fewer = min(HELD, len(shown))
        shown = simulate(shown, fewer, seed=recipe.seed + 1_000_000, **settings)
        trained_with = simulate(trained_with, recipe.augment.panels, seed=recipe.seed, **settings)
    shown = [p for p in shown if min(p.shape[:2]) >= 2 * recipe.piece]
    trainer = _trainer(recipe)(recipe, trained_with, shown, device)
    if not shown:
        raise InputError(
            f"No picture to validate with shows 2 x 2 pieces of {recipe.piece} px; choose larger "
            "ones for --held."
        )
    return trainer, {"pictures": len(trained_with), "validated with": origin}


def _trainer(recipe: Recipe) -> type[Trainer]:
    """Return the trainer of the recipe's kind: the class of the module of that name."""
    made: type[Trainer] = importlib.import_module(f"tessella.learning.{recipe.kind}").Trainer
    return made


def _run(trainer: Trainer, out: Path, seconds: float, watch: Watcher) -> None:
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
        entry = {
            "step": trainer.step,
            "seconds": round(trainer.seconds, 1),
            "loss": round(float(trainer.losses) / (trainer.step - since), 4),
        }
        trainer.losses, since = 0.0, trainer.step
        with replacing(out / CHECKPOINT) as temporary:
            torch.save(trainer.state(), temporary)
        if done < 1:
            entry |= trainer.validate(limit=QUICK)
        with (out / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")
