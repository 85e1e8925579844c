"""``tessella solve``: from a puzzle to a folder with the answer."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tessella.cli import options, strips
from tessella.cli.stopping import stopping
from tessella.cli.summary import summary
from tessella.console import progress
from tessella.plan import MEASURE, SOLVER

if TYPE_CHECKING:
    from tessella.plan import Plan


def solve(
    context: typer.Context,
    puzzle: options.PuzzlePath,
    out: options.Out,
    piece: options.Piece = None,
    upright: options.Upright = None,
    shape: options.Grid = None,
    resize: options.Resize = None,
    pages: options.Pages = None,
    measure: options.MeasureName = MEASURE,
    model: options.Model = None,
    shortlist: options.Shortlist = None,
    solver: options.SolverName = SOLVER,
    setting: options.Settings = None,
    runs: options.Runs = 1,
    seconds: options.Seconds = None,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    device: options.Device = "auto",
    resume: options.Resume = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Put a puzzle back together.

    Writes arrangement.json, assembled.png, placement.csv, run.json and report.html into OUT.
    puzzle.json says what is known about the pieces; options override it. A folder without it is
    taken as turned and of unknown shape. Ctrl-C stops the search and keeps the best so far; work
    that was cut off can be continued with --resume. "tessella list" names measures and solvers.

    Example: tessella solve photo-cut/puzzle solved

    Strips of paper are laid in one row, which is cut into pages; --pages says into how many, or
    that nobody knows, and that a folder without puzzle.json holds strips. OUT then has pages.pdf
    too, and the usual measure and solver are ink (contour for shreds) and path.

    Example: tessella solve tiles solved --shape 12x16 --runs 5 --seconds 60

    Example: tessella solve letter-cut/puzzle solved --pages unknown
    """
    from tessella import api
    from tessella.imaging.folder import is_strips, read_puzzle
    from tessella.kernels.jit import load_without_blas
    from tessella.kernels.warming import warm
    from tessella.output import SOLVED, checkpoint_of, claimed, forget, staged, write_files
    from tessella.plan import make_plan
    from tessella.solvers.genetic import Genetic
    from tessella.threads import available

    def planned(usual: strips.Usual | None) -> Plan:
        named = strips.chosen(context, usual, measure, solver)
        settings = options.with_model(options.read_settings(setting), named[0], model, device)
        return make_plan(*named, settings)

    count = strips.read_pages(pages)
    told = is_strips(puzzle)
    plan = None if told or pages is not None else planned(None)
    api.check_limits(runs, seconds, seed, threads)
    size, grid = options.read_piece(piece), options.read_shape(shape)
    keep = options.read_shortlist(shortlist)
    with (
        claimed(out, SOLVED, force=force, resume=resume),
        progress(quiet=quiet, runs=runs) as watch,
    ):
        began = time.monotonic()
        given = read_puzzle(
            puzzle,
            piece=size,
            upright=upright,
            shape=grid,
            resize=resize,
            strips=pages is not None and not told,
            watch=watch,
        )
        plan = plan or planned(strips.usual(given, count))
        reading = time.monotonic() - began
        load_without_blas()
        if isinstance(plan.solver, Genetic):
            warm(watch, threads or available())
        prepared = api.prepare(given, plan, keep=keep, seed=seed, threads=threads, watch=watch)
        if force and not resume:
            forget(out)
        with stopping() as stop:
            result = api.search(
                prepared,
                runs=runs,
                seconds=seconds,
                threads=threads,
                watch=watch,
                stop=stop,
                checkpoint=checkpoint_of(out),
            )
            result = strips.paged(given, result, count)
            total = reading + result.seconds["total"]
            times = {"reading": reading, **result.seconds, "total": total}
            result = replace(result, seconds=times)
            watch.stage("writing", 0)
            with staged(out, SOLVED) as stage:
                facts = {"command": options.record(context)}
                write_files(stage, given, result, title=_title(puzzle), facts=facts)
    if not quiet:
        typer.echo(summary(given, result, out))


def _title(puzzle: Path) -> str:
    """Return what to call the report: what ``cut`` names ``puzzle`` is known by its parent."""
    path = puzzle.resolve()
    name = path.parent.name if path.name == "puzzle" else path.name
    return f"{name}, reassembled by tessella" if name else "Reassembled by tessella"
