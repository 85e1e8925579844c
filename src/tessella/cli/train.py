"""``tessella train``: from a recipe and folders of pictures to a model."""

from __future__ import annotations

import importlib.util
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tessella.bounds import check_seconds
from tessella.cli import options
from tessella.console import note, progress
from tessella.errors import InputError, shown


@dataclass(frozen=True)
class Options:
    """What a call was given; see the command's help."""

    recipe: Path
    data: list[Path]
    out: Path
    held: Path | None
    begin: Path | None
    device: str
    resume: bool
    seconds: float | None
    quiet: bool

    def check(self) -> None:
        """Raise unless numbers and names are such as can be."""
        check_seconds(self.seconds)
        if self.device not in ("auto", "cpu", "cuda"):
            raise InputError(f"--device must be auto, cpu or cuda; got {shown(self.device)}.")

    def chosen_device(self) -> str:
        """Return where to train: on a GPU if there is one and it is not forbidden."""
        import torch

        present = torch.cuda.is_available()
        if self.device == "cuda" and not present:
            raise InputError("--device cuda was asked for, but torch finds no GPU; leave it out.")
        return "cuda" if self.device != "cpu" and present else "cpu"


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
    _train(Options(**locals()))


def _train(given: Options) -> None:
    if importlib.util.find_spec("torch") is None:
        raise InputError("Training needs torch; install it with: pip install 'tessella[learn]'.")
    given.check()
    from tessella.learning import recipe as recipes
    from tessella.learning.train import train as work

    device = given.chosen_device()
    asked = recipes.read(given.recipe)
    if not given.quiet:
        note(f"Training {asked.name} on {'a GPU' if device == 'cuda' else 'the CPU'}.")
    with progress(quiet=given.quiet) as watch:
        model = work(
            asked,
            given.data,
            given.out,
            held=given.held,
            begin=given.begin,
            device=device,
            resume=given.resume,
            seconds=math.inf if given.seconds is None else given.seconds,
            watch=watch,
        )
    facts = {
        "model": str(given.out / f"{asked.name}.npz"),
        "validated with": model.facts["validated with"],
    }
    typer.echo(json.dumps({**facts, **model.facts["top1"]}))
