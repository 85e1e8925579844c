"""``tessella solve``: from a puzzle to a folder with the answer."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tessella.cli import choosing, collecting, options, wishing
from tessella.cli.stopping import stopping
from tessella.cli.summary import summary
from tessella.console import progress
from tessella.usual import AUTO, PIECES, Usual

if TYPE_CHECKING:
    from tessella.api import Prepared
    from tessella.executors import Executor
    from tessella.measuring import Keep
    from tessella.plan import Plan
    from tessella.puzzle import Puzzle
    from tessella.result import Result
    from tessella.searching import Searching
    from tessella.watch import Watcher
    from tessella.workshop import Workshop


@dataclass(frozen=True)
class Options:
    """What a call was given; see the command's help."""

    context: typer.Context
    puzzle: list[Path]
    out: Path
    kind: str | None
    piece: str | None
    upright: bool | None
    shape: list[str] | None
    panels: str | None
    resize: int | None
    worn: str
    pages: str | None
    measure: str
    model: str | None
    shortlist: str | None
    solver: str | None
    setting: list[str] | None
    wishes: Path | None
    begin: Path | None
    runs: int
    seconds: float | None
    seed: int
    threads: int | None
    device: str
    executor: str
    workers: int | None
    scheduler: str | None
    resume: bool
    force: bool
    quiet: bool

    def recorded_shape(self) -> str | list[str] | None:
        """Return what was said of shapes for the record: the one, or all."""
        shapes = self.shape or None
        return shapes[0] if shapes and len(shapes) == 1 else shapes

    def plan(self, usual: Usual) -> Plan:
        """Return what works: what was named, else what is usual."""
        from tessella.plan import make_plan

        by = usual.measure if self.measure == AUTO else self.measure
        settings = options.read_settings(self.setting)
        all_settings = options.with_model(settings, by, self.model, self.device)
        return make_plan(by, self.solver or usual.solver, all_settings)


def solve(
    context: typer.Context,
    puzzle: options.PuzzlePaths,
    out: options.Out,
    kind: options.Collected = None,
    piece: options.Piece = None,
    upright: options.Upright = None,
    shape: options.Grids = None,
    panels: options.Sorted = None,
    resize: options.Resize = None,
    worn: options.Worn = "auto",
    pages: options.Pages = None,
    measure: options.UsualMeasure = AUTO,
    model: options.Model = None,
    shortlist: options.Shortlist = None,
    solver: options.UsualSolver = None,
    setting: options.Settings = None,
    wishes: options.WishesFile = None,
    begin: options.Begin = None,
    runs: options.Runs = 1,
    seconds: options.Seconds = None,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    device: options.Device = "auto",
    executor: options.ExecutorName = "local",
    workers: options.Workers = None,
    scheduler: options.Scheduler = None,
    resume: options.Resume = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Put a puzzle back together.

    Writes arrangement.json, assembled.png, placement.csv, run.json and report.html into OUT.
    puzzle.json says what is known about the pieces; options override it. A folder without it is
    taken as turned and of unknown shape. Ctrl-C stops the search and keeps the best so far; work
    that was cut off can be continued with --resume. "tessella list" names measures and solvers;
    without --measure, what the pieces show decides, and a line says how.

    Example: tessella solve photo-cut/puzzle solved

    Pieces of several pictures are sorted into a sheet each with --panels; pieces may then be
    missing, and a piece that belongs nowhere is left over.

    Example: tessella solve mixed-cut/puzzle sorted --panels 2 --shape 12x16 --shape 6x8

    Strips of paper are laid in one row, which is cut into pages; --pages says into how many, or
    that nobody knows, and that a folder without puzzle.json holds strips. OUT then has pages.pdf
    too, and the usual measure and solver are ink (shreds after a shredder) and path.

    --wishes names a file of what is known, JSON or CSV: tiles that are fixed, joins that are or are
    not so, what is written on tiles' backs. Every answer holds to it. --from betters an answer
    instead of beginning anew.

    Scans of shreds or photographs of loose tiles are collected first where --kind says so; OUT
    then holds the pieces and a contact sheet too.

    Example: tessella solve scan1.jpg scan2.jpg solved --kind strips

    Example: tessella solve tiles solved --shape 12x16 --runs 5 --seconds 60

    Example: tessella solve letter-cut/puzzle solved --pages unknown
    """
    _solve(Options(**locals()))


def _solve(given: Options) -> None:
    """Read, plan, measure; then search and write."""
    from tessella import api, executors
    from tessella.claim import checkpoint_of, claimed, forget
    from tessella.imaging.folder import is_strips, read_puzzle
    from tessella.kernels.warming import warm
    from tessella.output import SOLVED
    from tessella.threads import available
    from tessella.workshop import Workshop

    count = options.read_pages(given.pages)
    # What cannot be strips is planned at once: a wrong option is told before anything is read.
    only = collecting.only(given.puzzle, given.kind)
    strips = given.kind == "strips" or is_strips(only) or given.pages is not None
    named = given.measure != AUTO or not (given.model or given.setting)
    plan = given.plan(PIECES) if named and not strips else None
    api.check_limits(given.runs, given.seconds, given.seed, given.threads)
    executors.check(given.executor, given.workers, given.scheduler)
    size = options.read_piece(given.piece)
    grid, panels = options.read_shapes(given.shape, given.panels)
    keep, frame = options.read_shortlist(given.shortlist), options.read_worn(given.worn)
    with (
        claimed(given.out, SOLVED, force=given.force, resume=given.resume),
        progress(quiet=given.quiet, runs=given.runs) as watch,
        collecting.collected(given.puzzle, given.kind, watch) as collected,
    ):
        began = time.monotonic()
        puzzle = read_puzzle(
            collected.puzzle,
            piece=size,
            upright=given.upright,
            shape=grid,
            resize=given.resize,
            strips=given.pages is not None,
            pages=count,
            watch=watch,
        )
        reading = time.monotonic() - began
        if (given.solver or puzzle.usual.solver) == PIECES.solver:
            warm(watch, given.threads or available())  # Choosing a measure needs kernels, too.
        began = time.monotonic()
        puzzle = choosing.framed(puzzle, frame, quiet=given.quiet)
        if plan is None or given.measure == AUTO:
            settings = options.read_settings(given.setting)
            usual = choosing.usual(
                puzzle, given.model, given.threads, settings, keep, quiet=given.quiet
            )
            plan = given.plan(usual if given.measure == AUTO else puzzle.usual)
        known = wishing.searching(puzzle, plan.solver, panels, given.wishes, given.begin)
        reading += time.monotonic() - began
        if given.force and not given.resume:
            forget(given.out)
        with executors.started(
            given.executor, workers=given.workers, scheduler=given.scheduler, threads=given.threads
        ) as executor:
            workshop = Workshop(checkpoint_of(given.out).resolve() / "blocks", executor=executor)
            prepared = _prepared(given, puzzle, plan, keep, watch, workshop)
            result = _search(given, prepared, known, reading, collected, watch, executor)
        if not result.stopped:
            workshop.close()
    if not given.quiet:
        typer.echo(summary(puzzle, result, given.out))


def _prepared(
    given: Options, puzzle: Puzzle, plan: Plan, keep: Keep, watch: Watcher, workshop: Workshop
) -> Prepared:
    """Measure, by whoever is asked to; blocks of a very large puzzle are kept until all is done."""
    from tessella import api

    return api.prepare(
        puzzle,
        plan,
        keep=keep,
        seed=given.seed,
        threads=given.threads,
        watch=watch,
        workshop=workshop,
    )


def _search(
    given: Options,
    prepared: Prepared,
    known: Searching,
    reading: float,
    collected: collecting.Collected,
    watch: Watcher,
    executor: Executor | None,
) -> Result:
    """Search, cut strips into pages, write everything; Ctrl-C ends the search alone."""
    from tessella import api
    from tessella.claim import checkpoint_of, staged
    from tessella.output import SOLVED, write_files

    with stopping() as stop:
        result = api.search(
            prepared,
            runs=given.runs,
            seconds=given.seconds,
            threads=given.threads,
            watch=watch,
            stop=stop,
            checkpoint=checkpoint_of(given.out).resolve(),
            panels=known["panels"],
            wishes=known["wishes"],
            begin=known["begin"],
            executor=executor,
        )
        result = prepared.puzzle.layout.paged(result, known["wishes"])
        total = reading + result.seconds["total"]
        times = {"reading": reading, **result.seconds, "total": total}
        result = replace(result, seconds=times)
        watch.stage("writing", 0)
        with staged(given.out, SOLVED) as stage:
            collected.deliver(stage)
            parts = prepared.plan.to_json()
            named = {kind: parts[kind]["name"] for kind in ("measure", "solver")}
            facts = {
                "command": options.record(given.context, **named, shape=given.recorded_shape())
            }
            title = _title(given.puzzle[0])
            write_files(stage, prepared.puzzle, result, title=title, facts=facts)
    return result


def _title(puzzle: Path) -> str:
    """Return what to call the report: what ``cut`` names ``puzzle`` is known by its parent."""
    path = puzzle.resolve()
    name = path.parent.name if path.name == "puzzle" else path.name
    return f"{name}, reassembled by tessella" if name else "Reassembled by tessella"
