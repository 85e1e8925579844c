"""Options that several commands share, and how their text is read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tessella import bounds
from tessella.errors import InputError
from tessella.puzzle import Shape

if TYPE_CHECKING:
    from tessella.measuring import Keep
    from tessella.panels import Panels

PuzzlePath = Annotated[
    Path,
    typer.Argument(
        metavar="PUZZLE",
        help="A folder of pieces, with or without puzzle.json, or one scrambled picture.",
    ),
]
PuzzlePaths = Annotated[
    list[Path],
    typer.Argument(
        metavar="PUZZLE...",
        help="A folder of pieces, with or without puzzle.json, or one scrambled picture; with "
        "--kind scans or photographs, one or more.",
    ),
]
Collected = Annotated[
    str | None,
    typer.Option(
        "--kind", metavar="strips|tiles", help="Collect such pieces from the pictures first."
    ),
]
Out = Annotated[Path, typer.Argument(metavar="OUT", help="Folder to write.")]
Piece = Annotated[
    str | None,
    typer.Option("--piece", metavar="P|HxW|auto", help="Piece size in pixels, or auto."),
]
Upright = Annotated[
    bool | None,
    typer.Option("--upright/--turned", help="Whether the pieces lie upright or turned any way."),
]
Grid = Annotated[
    str | None,
    typer.Option("--shape", metavar="RxC|unknown", help="Rows and columns of the answer."),
]
Grids = Annotated[
    list[str] | None,
    typer.Option(
        "--shape",
        metavar="RxC|unknown",
        help="Rows and columns of the answer; with --panels repeatable, one for each panel.",
    ),
]
Sorted = Annotated[
    str | None,
    typer.Option(
        "--panels",
        metavar="N|unknown",
        help="How many pictures the pieces come from, so many sheets at most; some may be missing, "
        "others left over.",
    ),
]
Resize = Annotated[
    int | None,
    typer.Option("--resize", metavar="P", help="Bring every piece of a folder to P x P pixels."),
]
Worn = Annotated[
    str,
    typer.Option(
        "--worn",
        metavar="T|auto",
        help="Pixels at every side that show nothing of the picture, or auto to find them.",
    ),
]
MeasureName = Annotated[
    str, typer.Option("--measure", metavar="NAME", help="How pairs of edges are compared.")
]
UsualMeasure = Annotated[
    str,
    typer.Option(
        "--measure",
        metavar="NAME|auto",
        help="How pairs of edges are compared; auto asks the pieces (strips: ink or shreds).",
    ),
]
UsualSolver = Annotated[
    str | None,
    typer.Option(
        "--solver",
        metavar="NAME",
        help="How the pieces are arranged: genetic by default; strips path.",
    ),
]
WishesFile = Annotated[
    Path | None,
    typer.Option("--wishes", metavar="FILE", help="What the answer must hold to, JSON or CSV."),
]
Begin = Annotated[
    Path | None,
    typer.Option(
        "--from", metavar="ARRANGEMENT.json", help="An answer to better instead of beginning anew."
    ),
]
Runs = Annotated[
    int,
    typer.Option(
        "--runs",
        min=1,
        help="Independent runs; the best by fitness wins, by worth where cells may stay empty.",
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="T", help="Stop after T seconds with the best so far."),
]
Model = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="Model of a learned measure.")
]
Device = Annotated[
    str, typer.Option("--device", metavar="auto|cpu|cuda", help="Where a learned measure runs.")
]
Shortlist = Annotated[
    str | None,
    typer.Option(
        "--shortlist",
        metavar="K|all",
        help="Candidates an edge keeps: 64 by default, or as many as a model says.",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A setting of solver or measure; repeatable."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same answer.")]
Threads = Annotated[
    int | None, typer.Option("--threads", min=1, help="How many threads to use; all by default.")
]
Pages = Annotated[
    str | None, typer.Option("--pages", metavar="N|unknown", help="Pages, for strips alone.")
]
ExecutorName = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="local|dask",
        help="Who measures a very large puzzle and completes pictures.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="How many processes; by default this one alone."),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="ADDRESS", help="A dask scheduler whose workers see OUT as well."
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue unfinished work in OUT.")]
Force = Annotated[bool, typer.Option("--force", help="Replace what an earlier run left in OUT.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")]


def read_piece(text: str | None) -> Shape | Literal["auto"] | None:
    """Read ``28``, ``28x40`` (height x width) or ``auto``."""
    if text is None:
        return None
    if text == "auto":
        return "auto"
    sides = _numbers(text)
    if len(sides) not in (1, 2):
        raise InputError(f"--piece must be P, HxW or auto, such as 28 or 28x40; got {text!r}.")
    return sides[0], sides[-1]


def read_shape(text: str | None) -> Shape | Literal["unknown"] | None:
    """Read ``18x24`` (rows x columns) or ``unknown``."""
    if text is None:
        return None
    if text == "unknown":
        return "unknown"
    sides = _numbers(text)
    if len(sides) != 2:
        raise InputError(f"--shape must be RxC or unknown, such as 18x24; got {text!r}.")
    return sides[0], sides[1]


def read_shapes(
    given: Sequence[str] | None, panels: str | None
) -> tuple[Shape | Literal["unknown"] | None, Panels | None]:
    """Read ``--shape`` and ``--panels``: the shape of the one sheet, or what the panels are."""
    from tessella.panels import Panels

    values = [read_shape(text) for text in given or ()]
    if panels is None:
        if len(values) > 1:
            raise InputError(
                f"--shape was given {len(values)} times; several shapes need --panels N or unknown."
            )
        return (values[0] if values else None), None
    if len(values) > 1 and "unknown" in values:
        raise InputError("--shape unknown stands alone; give the shapes that are known.")
    count = None if panels == "unknown" else _panels(panels)
    shapes = tuple(shape for shape in values if shape is not None and shape != "unknown")
    return ("unknown" if values else None), Panels(count, shapes)


def _panels(text: str) -> int:
    numbers = _numbers(text)
    if len(numbers) != 1 or not 1 <= numbers[0] <= bounds.PANELS:
        raise InputError(
            f"--panels must be a number from 1 to {bounds.PANELS}, or unknown; got {text!r}."
        )
    return numbers[0]


def read_block(text: str | None) -> Shape | None:
    """Read ``6x6`` (rows x columns)."""
    if text is None:
        return None
    sides = _numbers(text)
    if len(sides) != 2:
        raise InputError(f"--block must be RxC, such as 6x6; got {text!r}.")
    return sides[0], sides[1]


def _numbers(text: str) -> list[int]:
    """Read whole numbers of at most 9 digits with an x between them; nothing if it is not that."""
    parts = text.lower().split("x")
    fine = all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts)
    return [int(part) for part in parts] if fine else []


def read_worn(text: str) -> int | None:
    """Read ``4``, or ``auto``, which is None."""
    if text == "auto":
        return None
    numbers = _numbers(text)
    if len(numbers) != 1 or numbers[0] > bounds.PIECE_SIDE:
        raise InputError(
            f"--worn must be a number of pixels from 0 to {bounds.PIECE_SIDE}, or auto; "
            f"got {text!r}."
        )
    return numbers[0]


def read_shortlist(text: str | None) -> Keep:
    """Read ``64`` or ``all``, which is None; what was not given is the usual number."""
    if text is None or text == "all":
        return "usual" if text is None else None
    numbers = _numbers(text)
    if len(numbers) != 1 or not 1 <= numbers[0] <= bounds.CANDIDATES:
        raise InputError(
            f"--shortlist must be a number from 1 to {bounds.CANDIDATES}, or all; got {text!r}."
        )
    return numbers[0]


def read_pages(text: str | None) -> int | None:
    """Read ``8`` or ``unknown``, which is None, as is what was not given."""
    if text is None or text == "unknown":
        return None
    numbers = _numbers(text)
    if len(numbers) != 1 or not 1 <= numbers[0] <= bounds.PAGES:
        raise InputError(
            f"--pages must be a number from 1 to {bounds.PAGES}, or unknown; got {text!r}."
        )
    return numbers[0]


def read_settings(given: Sequence[str] | None) -> dict[str, Any]:
    """Read KEY=VALUE pairs."""
    settings: dict[str, Any] = {}
    for text in given or ():
        key, sign, value = text.partition("=")
        if not sign or not key:
            raise InputError(f"--set must be KEY=VALUE, such as population=100; got {text!r}.")
        if key in settings:
            raise InputError(f"--set {key} was given twice; give it once.")
        settings[key] = value
    return settings


def with_model(
    settings: dict[str, Any], measure: str, model: str | None, device: str
) -> dict[str, Any]:
    """Add what ``--model`` and ``--device`` say; only learned measures have such settings."""
    from tessella import registry

    valid = registry.settings(registry.find("measure", measure))
    if device not in ("auto", "cpu", "cuda"):
        raise InputError(f"--device must be auto, cpu or cuda; got {device!r}.")
    if model is not None and "model" not in valid:
        raise InputError(f"Measure {measure} is not learned and has no models; leave --model out.")
    if device == "cuda" and "device" not in valid:
        raise InputError(f"Measure {measure} runs on the CPU alone; leave --device cuda out.")
    if model is not None and "model" in settings:
        raise InputError("The model was given twice, by --model and by --set; give it once.")
    if device != "auto" and "device" in settings:
        raise InputError("The device was given twice, by --device and by --set; give it once.")
    added = {"model": model} if model is not None else {}
    chosen = {"device": device} if "device" in valid else {}
    return {**chosen, **settings, **added}


def record(context: typer.Context, **resolved: Any) -> dict[str, Any]:
    """Return every option of a call for the record; `resolved` are those that were left open."""
    return {name: _plain(value) for name, value in {**context.params, **resolved}.items()}


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it: paths as text."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, Path) else value
