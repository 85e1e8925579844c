"""``tessella rank``: how often a measure ranks the true neighbour first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tessella.cli import options
from tessella.console import progress
from tessella.errors import InputError

if TYPE_CHECKING:
    from tessella.compatibility import Compatibility
    from tessella.scores import Scores
    from tessella.truth import Truth

PLACES = (1, 5, 10, 20)


def rank(
    puzzle: options.PuzzlePath,
    truth: Annotated[Path, typer.Argument(metavar="TRUTH.json", help="What cut wrote.")],
    measure: options.MeasureName,
    model: options.Model = None,
    piece: options.Piece = None,
    upright: options.Upright = None,
    shortlist: options.Shortlist = None,
    setting: options.Settings = None,
    threads: options.Threads = None,
    device: options.Device = "auto",
    quiet: options.Quiet = False,
) -> None:
    """Say how often a measure ranks the true neighbour high.

    Prints one JSON object with Top-1, 5, 10 and 20 before and after post-processing. Top-i is the
    fraction of edges with a true neighbour whose neighbour is among the i best candidates; ties
    share. Post-processing is the per-edge min-max, made symmetric. Of a learned measure it also
    says which model it was, and recall: the fraction of those edges whose neighbour was scored.

    Example: tessella rank photo-cut/puzzle photo-cut/truth.json --measure mgc
    """
    from tessella import registry
    from tessella.cli.truths import read_truth
    from tessella.imaging.folder import read_puzzle
    from tessella.measuring import Learned
    from tessella.measuring import measure as ask
    from tessella.recall import recall

    settings = options.with_model(options.read_settings(setting), measure, model, device)
    by = registry.make("measure", measure, settings)
    keep = options.read_shortlist(shortlist)
    known = read_truth(truth)
    with progress(quiet=quiet) as watch:
        asked = read_puzzle(puzzle, piece=options.read_piece(piece), upright=upright, watch=watch)
        if known.truth.pieces != len(asked):
            raise InputError(
                f"{truth} is about {known.truth.pieces} pieces, but {puzzle} has {len(asked)}; "
                "give the truth of the same puzzle."
            )
        if sorted(known.names) == sorted(asked.names) and known.names != asked.names:
            raise InputError(
                f"{truth} lists the pieces of {puzzle} in another order; give both the same one."
            )
        told = {"measure": measure}
        if isinstance(by, Learned):
            by = by.suited(asked)
            told |= {key: getattr(by, key) for key in ("model", "device") if hasattr(by, key)}
        scores = ask(asked, by, keep=keep, threads=threads, watch=watch)
    before = _places(scores, known.truth)
    after = _places(registry.make("adjustment", "minmax").adjust(scores, threads), known.truth)
    found = {"recall": recall(scores, known.truth)} if isinstance(by, Learned) else {}
    typer.echo(json.dumps({**told, **found, "before": before, "after": after}))


def _places(told: Scores | Compatibility, truth: Truth) -> dict[str, float]:
    from tessella.metrics import top

    fractions = top(told, truth, max(PLACES))
    return {f"top{place}": float(fractions[place - 1]) for place in PLACES}
