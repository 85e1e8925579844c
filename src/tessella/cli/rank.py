"""``tessella rank``: how often a measure ranks the true neighbour first."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tessella.cli import options
from tessella.console import progress
from tessella.errors import InputError

if TYPE_CHECKING:
    from tessella.cli.truths import NamedTruth
    from tessella.compatibility import Compatibility
    from tessella.puzzle import Puzzle
    from tessella.scores import Scores
    from tessella.truth import Truth

PLACES = (1, 5, 10, 20)


@dataclass(frozen=True)
class Options:
    """What a call was given; see the command's help."""

    puzzle: Path
    truth: Path
    measure: str
    model: str | None
    piece: str | None
    upright: bool | None
    shortlist: str | None
    setting: list[str] | None
    threads: int | None
    device: str
    quiet: bool

    def settings(self) -> dict[str, Any]:
        """Return those of the measure."""
        settings = options.read_settings(self.setting)
        return options.with_model(settings, self.measure, self.model, self.device)

    def check(self, known: NamedTruth, asked: Puzzle) -> None:
        """Raise unless the truth is about this puzzle."""
        if known.truth.pieces != len(asked):
            raise InputError(
                f"{self.truth} is about {known.truth.pieces} pieces, but {self.puzzle} has "
                f"{len(asked)}; give the truth of the same puzzle."
            )
        if sorted(known.names) == sorted(asked.names) and known.names != asked.names:
            raise InputError(
                f"{self.truth} lists the pieces of {self.puzzle} in another order; give both the "
                "same one."
            )


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
    says which model it was, and recall: the fraction of those edges whose neighbour was among the
    k candidates that were proposed, or null for all, or was proposed the edge.

    Example: tessella rank photo-cut/puzzle photo-cut/truth.json --measure mgc
    """
    _rank(Options(**locals()))


def _rank(given: Options) -> None:
    from tessella import api, registry
    from tessella.cli.truths import read_truth
    from tessella.imaging.folder import read_puzzle
    from tessella.measuring import Learned
    from tessella.recall import recall

    by = registry.make("measure", given.measure, given.settings())
    keep = options.read_shortlist(given.shortlist)
    piece = options.read_piece(given.piece)
    known = read_truth(given.truth)
    with progress(quiet=given.quiet) as watch:
        asked = read_puzzle(given.puzzle, piece=piece, upright=given.upright, watch=watch)
        given.check(known, asked)
        measured = api.measure(
            asked, by, keep=keep, shuffled=True, threads=given.threads, watch=watch
        )
    facts, by = {"measure": given.measure}, measured.measure
    if isinstance(by, Learned):
        facts |= {key: getattr(by, key) for key in ("model", "device") if hasattr(by, key)}
    before = _places(measured.scores, known.truth)
    minmax = registry.make("adjustment", "minmax")
    after = _places(measured.adjusted(minmax, given.threads).compatibility, known.truth)
    recalled: dict[str, float | int | None] = {}
    if isinstance(by, Learned):
        recalled = {"recall": recall(measured.scores, known.truth), "k": measured.keep}
    typer.echo(json.dumps({**facts, **recalled, "before": before, "after": after}))


def _places(scores: Scores | Compatibility, truth: Truth) -> dict[str, float]:
    from tessella.metrics import top

    fractions = top(scores, truth, max(PLACES))
    return {f"top{place}": float(fractions[place - 1]) for place in PLACES}
