"""``tessella demo``: the whole line on a picture that ships with the package."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from tessella.cli import options
from tessella.cli.stopping import stopping
from tessella.cli.summary import summary
from tessella.console import progress

PIECE = 28
SEED = 1


@dataclass(frozen=True)
class Options:
    """What a call was given; see the command's help."""

    out: Path
    threads: int | None
    force: bool
    quiet: bool


def demo(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder to write.")] = Path(
        "demo-result"
    ),
    threads: options.Threads = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Take a shipped picture apart and put it back together.

    It shows a painted tile panel, whose pieces are shuffled and turned.
    Writes the pieces (DIR/puzzle), the truth about them, the answer, its score and the report.

    Example: tessella demo --out demo-result
    """
    _demo(Options(**locals()))


def _demo(given: Options) -> None:
    """Cut, solve, judge, write."""
    from tessella import api
    from tessella.claim import claimed, staged
    from tessella.files import write_json
    from tessella.imaging.cut import cut
    from tessella.imaging.folder import write_puzzle
    from tessella.kernels.warming import warm
    from tessella.output import DEMO, write_files
    from tessella.pictures import demo_picture
    from tessella.plan import make_plan
    from tessella.threads import available

    out, threads = given.out, given.threads
    with claimed(out, DEMO, force=given.force), progress(quiet=given.quiet) as watch:
        plan = make_plan()
        warm(watch, threads or available())
        puzzle, truth = cut(demo_picture(), PIECE, turned=True, seed=SEED)
        prepared = api.prepare(puzzle, plan, seed=SEED, threads=threads, watch=watch)
        with stopping() as stop:
            result = api.search(prepared, threads=threads, watch=watch, stop=stop)
            score = api.score(result, truth)
            watch.stage("writing", 0)
            with staged(out, DEMO) as stage:
                names = write_puzzle(stage / "puzzle", puzzle)
                puzzle = replace(puzzle, names=names)
                write_json(stage / "truth.json", truth.to_json(names))
                write_json(stage / "score.json", score.to_json())
                write_files(stage, puzzle, result, title="The caravel, reassembled by tessella")
    if not given.quiet:
        typer.echo(f"{100 * score.neighbor:.1f} % of the true joins were found again")
        typer.echo(summary(puzzle, result, out))
