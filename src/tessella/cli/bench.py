"""``tessella bench``: run a suite, write records and tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tessella.errors import InputError

if TYPE_CHECKING:
    from tessella.bench import odds
    from tessella.bench.paper.session import Paper
    from tessella.bench.session import Wish

PAPER = "paper"
ODDS = "odds"
_SHARED = {"suite", "data", "out", "only", "device", "threads", "jobs", "executor", "scheduler"}
_TAKES = {
    PAPER: {*_SHARED, "quick"},
    ODDS: {
        *_SHARED,
        *("measure", "solver", "on", "simulate", "piece"),
        *("limit", "runs", "seed", "model", "setting"),
        *("missing", "foreign", "mixed"),
    },
}

Suite = Annotated[
    str,
    typer.Argument(help="A suite, any folder of pictures in --data, or: ablation, odds, paper."),
]
Data = Annotated[
    Path, typer.Option(help="The folder above the suite's folder; with paper, above bench.")
]
Out = Annotated[Path, typer.Option(help="Where records and tables go; earlier ones are kept.")]
MeasureName = Annotated[str | None, typer.Option(help="The compatibility measure (default: mgc).")]
SolverName = Annotated[
    str | None,
    typer.Option(help="The solver (default: genetic); none ranks the measure alone."),
]
On = Annotated[str | None, typer.Option(help="With ablation and odds: the suite to run it on.")]
Ours = Annotated[
    bool,
    typer.Option("--ours", help="With ablation: leave out a stage of genetic, not of the paper's."),
]
Mixed = Annotated[
    int,
    typer.Option(help="With ablation --ours and odds: so many pictures in one puzzle."),
]
Missing = Annotated[
    float,
    typer.Option(metavar="F", help="With odds: take out a share F of every picture's pieces."),
]
Foreign = Annotated[
    int, typer.Option(metavar="N", help="With odds: put in N pieces of the picture that is next.")
]
Turned = Annotated[bool, typer.Option("--turned", help="Turn the pieces (Type-2).")]
Shape = Annotated[str, typer.Option(help="known or unknown.")]
Erode = Annotated[int, typer.Option(help="Pixels that every side of a piece loses.")]
Piece = Annotated[
    int | None,
    typer.Option(help="Side of a piece in pixels (default: 28; 50 with --simulate azulejo)."),
]
Simulate = Annotated[
    str | None,
    typer.Option(help="azulejo: make worn blue-and-white tile panels of the pictures."),
]
Limit = Annotated[int | None, typer.Option(help="Take only the first K pictures.")]
Runs = Annotated[int, typer.Option(help="Independent runs of every picture.")]
Seed = Annotated[int, typer.Option(help="Seed of the first run; the next has one more.")]
Device = Annotated[str, typer.Option(help="auto, cpu or cuda.")]
Model = Annotated[
    str | None, typer.Option(help="Model of a learned measure (default: by the puzzle).")
]
Setting = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting; repeatable.")
]
Threads = Annotated[
    int | None, typer.Option(help="Threads of one picture (default: cores / jobs).")
]
Jobs = Annotated[int, typer.Option(help="Pictures at a time, a process each.")]
ExecutorName = Annotated[
    str, typer.Option("--executor", metavar="local|dask", help="Who reconstructs the pictures.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="A dask scheduler; else --jobs workers on this machine."),
]
Top = Annotated[bool, typer.Option("--top", help="Record Top-i of the measure too.")]
PerPicture = Annotated[
    bool, typer.Option("--per-picture", help="Print a row for every picture too.")
]
Quick = Annotated[
    bool, typer.Option("--quick", help="With paper: a small part of it, in a few minutes.")
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help="With paper and odds: only tables or rows with this in their names; repeatable.",
    ),
]


@dataclass(frozen=True)
class Options:
    """What a call was given; see the command's help."""

    context: typer.Context
    suite: str
    data: Path
    out: Path
    measure: str | None
    solver: str | None
    on: str | None
    ours: bool
    mixed: int
    missing: float
    foreign: int
    turned: bool
    shape: str
    erode: int
    piece: int | None
    simulate: str | None
    limit: int | None
    runs: int
    seed: int
    device: str
    model: str | None
    setting: list[str] | None
    threads: int | None
    jobs: int
    executor: str
    scheduler: str | None
    top: bool
    per_picture: bool
    quick: bool
    only: list[str] | None

    def paper(self) -> Paper:
        """Return what ``bench paper`` is asked for; raise if an option is none of its own."""
        from tessella.bench.paper.session import Paper

        if self.suite != PAPER:
            raise InputError(
                "--quick belongs to bench paper, --only to bench paper and odds; use --limit and "
                "--runs with a suite."
            )
        self._check_taken()
        only = tuple(self.only or ())
        return Paper(self.data, self.out, self.quick, self.device, self.threads, self.jobs, only)

    def odds(self) -> odds.Wish:
        """Return what ``bench odds`` is asked for; raise if an option is none of its own."""
        from tessella.bench.odds import Wish

        self._check_taken()
        if self.on is None:
            raise InputError("bench odds needs a suite to run on; add --on SUITE.")
        return Wish(
            data=self.data,
            out=self.out,
            on=self.on,
            measure=self.measure,
            solver=self.solver,
            simulate=self.simulate,
            piece=self._piece(),
            limit=self.limit,
            runs=self.runs,
            seed=self.seed,
            device=self.device,
            model=self.model,
            settings=tuple(self.setting or ()),
            threads=self.threads,
            jobs=self.jobs,
            missing=self.missing,
            foreign=self.foreign,
            mixed=self.mixed,
            only=tuple(self.only or ()),
        )

    def _check_taken(self) -> None:
        """Raise if an option was given that the command chooses itself."""
        for name in self.context.params:
            source = self.context.get_parameter_source(name)
            if name not in _TAKES[self.suite] and source is not None and source.name != "DEFAULT":
                flag = "set" if name == "setting" else name.replace("_", "-")
                raise InputError(f"bench {self.suite} chooses --{flag} itself; leave it out.")

    def wish(self) -> Wish:
        """Return what a suite, or the ablation on one, is asked for."""
        from tessella.bench.session import Wish

        if self.missing or self.foreign:
            raise InputError(
                "--missing and --foreign belong to bench odds; name the suite by --on there."
            )
        suite, on = self._named()
        return Wish(
            name=suite,
            data=self.data,
            out=self.out,
            measure=self.measure,
            solver=self.solver,
            on=on,
            ours=self.ours,
            mixed=self.mixed,
            turned=self.turned,
            shape=self.shape,
            erode=self.erode,
            piece=self._piece(),
            limit=self.limit,
            runs=self.runs,
            seed=self.seed,
            device=self.device,
            model=self.model,
            settings=tuple(self.setting or ()),
            threads=self.threads,
            jobs=self.jobs,
            top=self.top,
            per_picture=self.per_picture,
        )

    def _piece(self) -> int:
        usual = 28 if self.simulate is None else 50
        return usual if self.piece is None else self.piece

    def _named(self) -> tuple[str, str | None]:
        """Return suite and ``--on`` by the names that their simulation has."""
        from tessella.bench.suites import simulated

        if self.simulate is not None and self.on is not None:
            return self.suite, simulated(self.on, self.simulate)
        if self.simulate is not None and self.suite != "ablation":
            return simulated(self.suite, self.simulate), self.on
        return self.suite, self.on


def bench(
    context: typer.Context,
    suite: Suite,
    data: Data,
    out: Out,
    measure: MeasureName = None,
    solver: SolverName = None,
    on: On = None,
    ours: Ours = False,
    mixed: Mixed = 1,
    missing: Missing = 0.0,
    foreign: Foreign = 0,
    turned: Turned = False,
    shape: Shape = "known",
    erode: Erode = 0,
    piece: Piece = None,
    simulate: Simulate = None,
    limit: Limit = None,
    runs: Runs = 5,
    seed: Seed = 1,
    device: Device = "auto",
    model: Model = None,
    setting: Setting = None,
    threads: Threads = None,
    jobs: Jobs = 1,
    executor: ExecutorName = "local",
    scheduler: Scheduler = None,
    top: Top = False,
    per_picture: PerPicture = False,
    quick: Quick = False,
    only: Only = None,
) -> None:
    """Reconstruct the pictures of a suite and compare with published figures.

    Every finished run is written to OUT/records.jsonl at once, so the same call goes on where an
    earlier one was stopped. OUT/table.md shows all that OUT holds.

    "bench paper" fills all tables of the paper and writes OUT/results.md.

    "bench odds" takes pieces out of the pictures of a suite, mixes pictures and puts strangers
    among their pieces, and writes OUT/odds.md: the lines that solvers of such puzzles are compared
    on, or one of your own by --missing, --foreign and --mixed.

    Example: tessella bench mit_432 --data pictures --out results --runs 5
    """
    _bench(Options(**locals()))


def _bench(given: Options) -> None:
    """Start who works, and do what the suite's name says."""
    from tessella.executors import LOCAL, started

    # Local jobs are processes of the benchmark's own, which hand over every run at once.
    count = None if given.executor == LOCAL else given.jobs
    with started(given.executor, workers=count, scheduler=given.scheduler) as executor:
        if executor is not None and given.threads is None:
            given = replace(given, threads=executor.threads)
        if given.suite == ODDS:
            from tessella.bench import odds

            odds.serve(given.odds(), executor)
        elif given.suite == PAPER or given.quick or given.only:
            from tessella.bench.paper import session as paper

            paper.serve(given.paper(), executor)
        else:
            from tessella.bench import session

            session.serve(given.wish(), executor)
