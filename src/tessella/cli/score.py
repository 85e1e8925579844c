"""``tessella score``: an arrangement against the truth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tessella.errors import FormatError

if TYPE_CHECKING:
    from tessella.cli.truths import NamedTruth
    from tessella.puzzle import Puzzle


@dataclass(frozen=True)
class Options:
    """What a call was given; see the command's help."""

    arrangement: Path
    truth: Path
    puzzle: Path | None


def score(
    arrangement: Annotated[
        Path, typer.Argument(metavar="ARRANGEMENT.json", help="What solve wrote.")
    ],
    truth: Annotated[Path, typer.Argument(metavar="TRUTH.json", help="What cut wrote.")],
    puzzle: Annotated[
        Path | None,
        typer.Option(
            "--puzzle",
            metavar="FOLDER",
            help="The pieces, to see which are identical; what cut wrote knows it.",
        ),
    ] = None,
) -> None:
    """Judge an arrangement by the truth.

    Prints one JSON object. neighbor is the fraction of true joins found, false_joins that of found
    joins that are not true, direct that of pieces in their true cell. direct tries whole turns
    unless the truth turns no piece, and shifts unless the sheets have the shapes they have in the
    truth. Where there are several sheets, holes or pieces on no sheet, it also says how the pieces
    were sorted: purity is the fraction that lies on the right sheet.

    Example: tessella score solved/arrangement.json photo-cut/truth.json
    """
    _score(Options(**locals()))


def _score(given: Options) -> None:
    """Read an answer and what is true, and print the verdict."""
    from tessella import api
    from tessella.arrangement import Arrangement
    from tessella.cli.truths import read_named, read_truth

    judge = read_truth(given.truth)
    answer, names = read_named(given.arrangement, Arrangement.from_json)
    if names and judge.names and names != judge.names:
        raise FormatError(
            f"{given.arrangement} names other pieces than {given.truth}, or in another order; "
            "give the truth of the same puzzle."
        )
    pieces = None if given.puzzle is None else _pieces(given.puzzle, judge, given.truth)
    typer.echo(json.dumps(api.score(answer, judge.truth, puzzle=pieces).to_json()))


def _pieces(folder: Path, judge: NamedTruth, truth: Path) -> Puzzle:
    """Read the pieces that `truth` is about."""
    from tessella.imaging.folder import read_puzzle

    puzzle = read_puzzle(folder)
    named = not judge.names or puzzle.names == judge.names
    if not named or len(puzzle) != judge.truth.pieces:
        raise FormatError(
            f"{folder} holds other pieces than {truth} is about; give the folder of that puzzle."
        )
    return puzzle
