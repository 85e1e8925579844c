"""``tessella cut``: a picture becomes a puzzle and its truth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tessella.cli import options
from tessella.errors import InputError


def cut(
    image: Annotated[Path, typer.Argument(metavar="IMAGE", help="PNG, JPEG, TIFF or WebP.")],
    out: options.Out,
    piece: Annotated[
        str, typer.Option("--piece", metavar="P|HxW", help="Piece size in pixels.")
    ] = "28",
    turned: Annotated[bool, typer.Option("--turned", help="Turn the pieces at random.")] = False,
    erode: Annotated[
        int, typer.Option("--erode", min=0, metavar="T", help="Wear T pixels off every side.")
    ] = 0,
    seed: options.Seed = 0,
    force: options.Force = False,
) -> None:
    """Cut a picture into shuffled pieces.

    Writes OUT/puzzle, and OUT/truth.json to judge answers by. What is left over at the right and
    at the bottom is dropped.

    Example: tessella cut photo.jpg photo-cut --piece 28 --turned
    """
    from tessella.files import write_json
    from tessella.imaging import cut as cutting
    from tessella.imaging.folder import write_puzzle
    from tessella.imaging.read import read_image
    from tessella.output import CUT, claimed, staged

    size = options.read_piece(piece)
    if size is None or size == "auto":
        raise InputError("--piece must be P or HxW, such as 28 or 28x40; got 'auto'.")
    with claimed(out, CUT, force=force):
        puzzle, truth = cutting.cut(read_image(image), size, turned=turned, erode=erode, seed=seed)
        with staged(out, CUT) as stage:
            names = write_puzzle(stage / "puzzle", puzzle)
            write_json(stage / "truth.json", truth.to_json(names))
    rows, cols = puzzle.shape or (0, 0)
    typer.echo(f"{len(puzzle)} pieces ({rows} rows x {cols} columns) in {out / 'puzzle'}.")
