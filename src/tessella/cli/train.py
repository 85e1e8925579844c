"""``tessella train``: from a recipe and folders of pictures to a model."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from typing import Annotated

import typer

from tessella.cli import options
from tessella.console import note, progress
from tessella.errors import InputError


def train(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE.toml", help="What to train, and how.")],
    data: Annotated[
        list[Path], typer.Option("--data", metavar="DIR", help="Pictures; may be given again.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder to write.")],
    held: Annotated[
        Path | None,
        typer.Option("--held", metavar="DIR", help="Pictures to validate with, never trained on."),
    ] = None,
    begin: Annotated[
        Path | None,
        typer.Option("--begin", metavar="MODEL.npz", help="Begin with this model's weights."),
    ] = None,
    device: options.Device = "auto",
    resume: options.Resume = False,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="T", help="End after T seconds, whatever the steps."),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Train a model of the learned measure.

    Writes OUT/NAME.npz, which --model takes, and OUT/log.jsonl with the loss and the Top-1 on held
    pictures. A killed training goes on with --resume from its last checkpoint. Needs torch: pip
    install 'tessella[learn]'.

    Example: tessella train recipes/photo-28.toml --data photos --out models/photo-28
    """
    if importlib.util.find_spec("torch") is None:
        raise InputError("Training needs torch; install it with: pip install 'tessella[learn]'.")
    if seconds is not None and seconds <= 0:
        raise InputError(f"--seconds must be more than 0; got {seconds}.")
    if device not in ("auto", "cpu", "cuda"):
        raise InputError(f"--device must be auto, cpu or cuda; got {device!r}.")
    import torch

    from tessella.learning import recipe as recipes
    from tessella.learning.train import train as work

    present = torch.cuda.is_available()
    if device == "cuda" and not present:
        raise InputError("--device cuda was asked for, but torch finds no GPU; leave it out.")
    chosen = "cuda" if device != "cpu" and present else "cpu"
    asked = recipes.read(recipe)
    if not quiet:
        note(f"Training {asked.name} on {'a GPU' if chosen == 'cuda' else 'the CPU'}.")
    with progress(quiet=quiet) as watch:
        model = work(
            asked,
            data,
            out,
            held=held,
            begin=begin,
            device=chosen,
            resume=resume,
            seconds=math.inf if seconds is None else seconds,
            watch=watch,
        )
    told = {
        "model": str(out / f"{asked.name}.npz"),
        "validated with": model.facts["validated with"],
    }
    typer.echo(json.dumps({**told, **model.facts["top1"]}))
