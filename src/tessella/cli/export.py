"""``tessella export``: an arrangement as files for other programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tessella.cli import options

Given = Annotated[Path, typer.Argument(metavar="ARRANGEMENT.json", help="What solve wrote.")]
Pieces = Annotated[
    Path, typer.Option("--pieces", metavar="FOLDER", help="The pieces, as solve was given them.")
]
Form = Annotated[
    str,
    typer.Option(
        "--as", metavar="NAME", help="png, tiff, deepzoom, ora, iiif, csv, json, pdf or report."
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="Where the files of iiif will be found."),
]


@dataclass(frozen=True)
class Options:
    """What the command was given; the command's help says what each is."""

    arrangement: Path
    out: Path
    pieces: Path
    form: str
    base_url: str | None


def export(
    arrangement: Given,
    out: options.Out,
    pieces: Pieces,
    form: Form = "png",
    base_url: BaseUrl = None,
) -> None:
    """Write an arrangement as files for other programs.

    png, tiff (with smaller copies inside, for viewers of large pictures) and pdf are pictures of
    the sheets; ora has a layer a piece, for GIMP and Krita; iiif is a Presentation 3 manifest with
    every piece painted on a canvas; csv and json are the lists that solve writes; report is its
    whole folder, joins judged anew. OUT must be new or empty.

    Example: tessella export solved/arrangement.json layers --pieces photo-cut/puzzle --as ora
    """
    _export(Options(**locals()))


def _export(given: Options) -> None:
    from tessella.arrangement import Arrangement
    from tessella.claim import Kind, claimed
    from tessella.errors import InputError
    from tessella.exports import BASE_URL, Target, find
    from tessella.files import read_json
    from tessella.imaging.folder import read_puzzle

    write = find(given.form)
    value = read_json(given.arrangement)
    puzzle = read_puzzle(given.pieces)
    arrangement = Arrangement.from_json(value, len(puzzle))
    named = value.get("pieces")
    if isinstance(named, list) and len(named) != len(puzzle):
        raise InputError(
            f"{given.arrangement} was made of {len(named)} pieces, but {given.pieces} holds "
            f"{len(puzzle)}; "
            "name the folder that was solved."
        )
    with claimed(given.out, Kind("nothing of ours")):
        write(Target(given.out, puzzle, arrangement, given.base_url or BASE_URL))
    names = ", ".join(sorted(path.name for path in given.out.iterdir()))
    typer.echo(f"{given.out} holds {names}")
