"""``tessella score``: an arrangement against the truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from tessella.errors import FormatError


def score(
    arrangement: Annotated[
        Path, typer.Argument(metavar="ARRANGEMENT.json", help="What solve wrote.")
    ],
    truth: Annotated[Path, typer.Argument(metavar="TRUTH.json", help="What cut wrote.")],
) -> None:
    """Judge an arrangement by the truth.

    Prints one JSON object. neighbor is the fraction of true joins found, false_joins that of found
    joins that are not true, direct that of pieces in their true cell. direct tries whole turns
    unless the truth turns no piece, and shifts unless the sheets have the shapes they have in the
    truth.

    Example: tessella score solved/arrangement.json photo-cut/truth.json
    """
    from tessella import api
    from tessella.arrangement import Arrangement
    from tessella.cli.truths import read_named, read_truth

    judge = read_truth(truth)
    found, names = read_named(arrangement, Arrangement.from_json)
    if names and judge.names and names != judge.names:
        raise FormatError(
            f"{arrangement} names other pieces than {truth}, or in another order; "
            "give the truth of the same puzzle."
        )
    typer.echo(json.dumps(api.score(found, judge.truth).to_json()))
