"""``tessella cut``: pictures become a puzzle and its truth; so do pages cut into strips."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tessella.bounds import check_seed
from tessella.cli import options
from tessella.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tessella.documents.strips import Strips
    from tessella.puzzle import Puzzle, Shape
    from tessella.truth import Truth


@dataclass(frozen=True)
class Options:
    """What a call was given; see the command's help."""

    files: list[Path]
    out: Path
    piece: str | None
    simulate: str | None
    strips: int | None
    dpi: int | None
    turned: bool
    erode: int
    missing: float
    block: str | None
    foreign: int
    foreign_from: list[Path] | None
    seed: int
    force: bool

    @property
    def lossy(self) -> bool:
        """Whether pieces are to be taken out or put among the others."""
        return bool(self.missing or self.block or self.foreign or self.foreign_from)


def cut(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="PNG, JPEG, TIFF or WebP, one or more; with --strips also PDF.",
        ),
    ],
    out: options.Out,
    piece: Annotated[
        str | None,
        typer.Option("--piece", metavar="P|HxW", help="Piece size in pixels; 28 by default."),
    ] = None,
    simulate: Annotated[
        str | None,
        typer.Option("--simulate", metavar="azulejo", help="Make a worn tile panel of it first."),
    ] = None,
    strips: Annotated[
        int | None,
        typer.Option("--strips", metavar="N", help="Cut every page into N vertical strips."),
    ] = None,
    dpi: Annotated[
        int | None,
        typer.Option("--dpi", metavar="D", help="Pixels an inch of pages; PDF files: 500."),
    ] = None,
    turned: Annotated[bool, typer.Option("--turned", help="Turn the pieces at random.")] = False,
    erode: Annotated[
        int, typer.Option("--erode", min=0, metavar="T", help="Wear T pixels off every side.")
    ] = 0,
    missing: Annotated[
        float,
        typer.Option(
            "--missing", metavar="F", help="Take out a share F of every picture's pieces."
        ),
    ] = 0.0,
    block: Annotated[
        str | None,
        typer.Option("--block", metavar="RxC", help="Take a block of R x C pieces out of each."),
    ] = None,
    foreign: Annotated[
        int,
        typer.Option("--foreign", metavar="N", help="Put N pieces of other pictures among them."),
    ] = 0,
    foreign_from: Annotated[
        list[Path] | None,
        typer.Option(
            "--foreign-from",
            metavar="FILE",
            help="A picture to take foreign pieces from; repeatable. The demo's by default.",
        ),
    ] = None,
    seed: options.Seed = 0,
    force: options.Force = False,
) -> None:
    """Cut pictures into shuffled pieces, or pages into strips.

    Writes OUT/puzzle, and OUT/truth.json to judge answers by. What is left over at the right and
    at the bottom is dropped. Pieces of several pictures are shuffled together, and so are strips
    of all pages; --turned turns strips upside down at random.

    Example: tessella cut photo.jpg photo-cut --piece 28 --turned

    Example: tessella cut a.jpg b.jpg c.jpg mixed-cut --missing 0.1 --foreign 20

    Example: tessella cut letter.pdf letter-cut --strips 85 --dpi 500

    Example: tessella cut painting.jpg panel-cut --simulate azulejo --turned
    """
    _cut(Options(**locals()))


def _cut(given: Options) -> None:
    from tessella.claim import claimed, staged
    from tessella.files import write_json
    from tessella.imaging.folder import write_puzzle
    from tessella.output import CUT

    pieces = given.piece is not None or given.erode or given.simulate is not None
    if given.strips is not None and pieces:
        raise InputError(
            "--strips cuts pages, not pieces; leave --piece, --erode and --simulate out."
        )
    if given.strips is not None and given.lossy:
        raise InputError(
            "--missing, --block and --foreign are for pictures cut into pieces; leave them out "
            "with --strips."
        )
    check_seed(given.seed)
    size = _piece_size(given.piece, given.simulate)
    with claimed(given.out, CUT, force=given.force):
        puzzle: Puzzle
        if given.strips is not None:
            puzzle, truth, summary = _strips(given, given.strips)
        else:
            puzzle, truth, summary = _pieces(given, size)
        with staged(given.out, CUT) as stage:
            names = write_puzzle(stage / "puzzle", puzzle)
            write_json(stage / "truth.json", truth.to_json(names))
    typer.echo(f"{summary} in {given.out / 'puzzle'}.")


def _piece_size(text: str | None, simulate: str | None) -> Shape:
    """Read the piece size; tiles are square and of 50 px unless told otherwise."""
    from tessella.imaging.azulejo import TILE

    usual = "28" if simulate is None else str(TILE)
    size = options.read_piece(usual if text is None else text)
    if size is None or size == "auto":
        raise InputError("--piece must be P or HxW, such as 28 or 28x40; got 'auto'.")
    if simulate is not None and size[0] != size[1]:
        raise InputError(f"Tiles are square; --piece must be P, such as 50; got {text!r}.")
    return size


def _pieces(given: Options, size: Shape) -> tuple[Puzzle, Truth, str]:
    """Cut pictures into grids; return also what to say about it."""
    from tessella.imaging.cut import cut_panels

    if given.dpi is not None:
        raise InputError("--dpi is for pages cut into strips; add --strips N or leave it out.")
    puzzle, truth = cut_panels(
        [_panel(given, file, size, number) for number, file in enumerate(given.files)],
        size,
        missing=given.missing,
        block=options.read_block(given.block),
        foreign=given.foreign,
        foreign_from=_strangers(given, size),
        turned=given.turned,
        erode=given.erode,
        seed=given.seed,
    )
    return puzzle, truth, _summary(truth)


def _panel(given: Options, file: Path, size: Shape, number: int) -> NDArray[np.uint8]:
    """Read a picture, and make a panel of it where asked for; panel k has a wear of its own."""
    from tessella.imaging.read import read_image

    image = read_image(file)
    if given.simulate is None:
        return image
    return _simulated(image, given.simulate, size[0], given.seed + number)


def _strangers(given: Options, size: Shape) -> list[NDArray[np.uint8]]:
    """Read the pictures that foreign pieces come from."""
    from tessella.pictures import demo_picture

    files = given.foreign_from or []
    if files and not given.foreign:
        raise InputError("--foreign-from needs to know how many pieces; add --foreign N.")
    if given.foreign and not files and given.simulate is None:
        return [demo_picture()]
    if given.foreign and not files:
        return [_simulated(demo_picture(), str(given.simulate), size[0], given.seed)]
    first = len(given.files)
    return [_panel(given, file, size, first + number) for number, file in enumerate(files)]


def _summary(truth: Truth) -> str:
    """Say how many pieces there are of how many pictures, and what was done to them."""
    sheets = truth.arrangement.sheets
    shapes = [f"{rows} rows x {cols} columns" for rows, cols in (s.shape for s in sheets)]
    some = ", ".join(shapes[:3]) + (f" and {len(shapes) - 3} more" if len(shapes) > 3 else "")
    lost = sum(s.piece.size for s in sheets) - len(truth.arrangement.placed())
    foreign = len(truth.foreign())
    besides = [f"{lost} missing"] if lost else []
    besides += [f"{foreign} of them foreign"] if foreign else []
    return ", ".join([f"{truth.pieces} pieces ({some})", *besides])


def _simulated(
    image: NDArray[np.uint8], simulation: str, tile: int, seed: int
) -> NDArray[np.uint8]:
    """Make a worn panel of as many whole tiles as fit into the picture."""
    from tessella.bench.suites import SIMULATIONS
    from tessella.errors import NameUnknown
    from tessella.imaging.azulejo import panel

    if simulation not in SIMULATIONS:
        raise NameUnknown("simulation", simulation, SIMULATIONS)
    rows, cols = (max(1, side // tile) for side in image.shape[:2])
    return panel(image, (rows, cols), tile, seed)


def _strips(given: Options, count: int) -> tuple[Strips, Truth, str]:
    """Cut pages into strips; return also what to say about it."""
    from tessella.documents.cut import cut_strips
    from tessella.documents.pages import read_pages

    pages = read_pages(given.files, given.dpi)
    names = [page.source for page in pages]
    greys = [page.grey for page in pages]
    puzzle, truth = cut_strips(greys, count, turned=given.turned, seed=given.seed, names=names)
    coloured = sum(page.coloured for page in pages)
    noted = f"; {coloured} pages had colours, which became greys" if coloured else ""
    return puzzle, truth, f"{len(puzzle)} strips of {len(pages)} pages{noted}"
