"""``tessella collect``: from scans and photographs to a folder of pieces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tessella.bounds import check_seed
from tessella.cli import options
from tessella.console import progress
from tessella.errors import InputError

if TYPE_CHECKING:
    from tessella.collect.piece import Point
    from tessella.collect.settings import Settings

Pictures = Annotated[
    list[Path],
    typer.Argument(metavar="PICTURE...", help="Scans or photographs: PNG, JPEG, TIFF or WebP."),
]
KindName = Annotated[
    str, typer.Option("--kind", metavar="tiles|strips|panel|auto", help="What the pictures show.")
]
Dpi = Annotated[
    int | None, typer.Option("--dpi", metavar="D", help="Pixels an inch of the pieces.")
]
TileMm = Annotated[
    float | None, typer.Option("--tile-mm", metavar="M", help="Side of a tile in millimetres.")
]
MarkerMm = Annotated[
    float | None,
    typer.Option("--marker-mm", metavar="M", help="Side of a marker's black frame in millimetres."),
]
Inset = Annotated[
    float,
    typer.Option("--inset", metavar="F", help="Part of a tile's side to crop at every side."),
]
BedColour = Annotated[
    str, typer.Option("--bed", metavar="COLOUR|auto", help="Colour that the pieces lie on.")
]
Corners = Annotated[
    list[str] | None,
    typer.Option("--corners", metavar="X,Y", help="A corner of the panel; four times."),
]


@dataclass(frozen=True)
class Options:
    """What a call was given; see the command's help."""

    pictures: list[Path]
    out: Path
    kind: str
    dpi: int | None
    tile_mm: float | None
    marker_mm: float | None
    inset: float
    bed: str
    shape: str | None
    corners: list[str] | None
    seed: int
    force: bool
    quiet: bool

    def settings(self) -> Settings:
        """Return how to collect; raise if an option makes no sense."""
        from tessella.collect.settings import Settings

        grid = options.read_shape(self.shape)
        if grid == "unknown":
            raise InputError("--shape must be RxC, such as 6x8; a panel to cut has a known shape.")
        corners = read_corners(self.corners)
        return Settings(
            self.kind,
            self.dpi,
            self.tile_mm,
            self.inset,
            self.bed,
            grid,
            corners,
            self.marker_mm,
        )


def collect(
    pictures: Pictures,
    out: options.Out,
    kind: KindName = "auto",
    dpi: Dpi = None,
    tile_mm: TileMm = None,
    marker_mm: MarkerMm = None,
    inset: Inset = 0.0,
    bed: BedColour = "auto",
    shape: options.Grid = None,
    corners: Corners = None,
    seed: options.Seed = 0,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Make pieces from scans of shreds or photographs of loose tiles.

    Writes OUT/puzzle, which solve takes, contact.png to check them by, and collect.json. What is
    not sure is marked with a question mark on the contact sheet and told in collect.json.

    Example: tessella collect scan1.jpg scan2.jpg shreds --kind strips

    Example: tessella collect table.jpg tiles --kind tiles --tile-mm 140

    A panel photographed as a whole is made straight and cut; OUT then has truth.json too.

    Example: tessella collect wall.jpg panel --kind panel --shape 6x8 --corners 102,80
    --corners 1830,95 --corners 1822,1405 --corners 96,1390
    """
    _collect(Options(**locals()))


def _collect(given: Options) -> None:
    """Find the pieces, or cut the panel; then write."""
    from tessella.claim import claimed, staged
    from tessella.collect import collection, writing
    from tessella.output import COLLECTED

    check_seed(given.seed)
    settings = given.settings()
    out = given.out
    with claimed(out, COLLECTED, force=given.force), progress(quiet=given.quiet) as watch:
        if given.kind == "panel":
            from tessella.collect.panel import write_panel

            with staged(out, COLLECTED) as stage:
                said = write_panel(stage, given.pictures, settings, given.seed)
        else:
            collected = collection.collect(given.pictures, settings, watch)
            watch.stage("writing", 0)
            with staged(out, COLLECTED) as stage:
                writing.write_collection(stage, collected)
            said = " ".join(
                (f"{writing.headline(collected)} in {out / 'puzzle'}.", *collected.notes)
            )
    if not given.quiet:
        typer.echo(said)


def read_corners(given: list[str] | None) -> tuple[Point, ...]:
    """Read ``102,80`` or ``102.5,80``, any number of times."""
    corners = []
    for text in given or ():
        for part in text.split():
            try:
                x, y = (float(number) for number in part.split(","))
            except ValueError:
                raise InputError(
                    f"--corners must be X,Y in pixels, such as 102,80; got {part!r}."
                ) from None
            if not (abs(x) < 1e6 and abs(y) < 1e6):
                raise InputError(f"--corners must lie near the picture; got {part!r}.")
            corners.append((x, y))
    return tuple(corners)
