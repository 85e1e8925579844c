"""Training: batches in, a model out; killed and resumed, it ends as if undisturbed."""

from __future__ import annotations

import importlib
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path

import torch

from tessella.errors import InputError, OutputError
from tessella.files import replacing
from tessella.learning import pictures
from tessella.learning.recipe import Recipe
from tessella.learning.trainer import Learnt, Trainer
from tessella.watch import SILENT, Watcher

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
    trainer = _trainer(recipe)(recipe, found, shown, device)
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
        if begin is not None:
            trainer.begin(begin)
        (out / "log.jsonl").unlink(missing_ok=True)  # That of an earlier training.
    _run(trainer, out, checkpoint, seconds, watch)
    facts = {
        "recipe": recipe.to_json(),
        "pictures": len(found),
        "data": trainer.data,
        "validated with": told,
        "begun with": begin.stem if begin is not None else None,
        "steps": trainer.step,
        "seconds": round(trainer.seconds),
        "top1": trainer.validate(),
    }
    model = trainer.model(facts)
    model.save(out / f"{recipe.name}.npz")
    checkpoint.unlink(missing_ok=True)
    return model


def _trainer(recipe: Recipe) -> type[Trainer]:
    """Return the trainer of the recipe's kind: the class of the module of that name."""
    made: type[Trainer] = importlib.import_module(f"tessella.learning.{recipe.kind}").Trainer
    return made


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
