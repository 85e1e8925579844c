"""``tessella bench``: run a suite, write records and tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tessella.errors import InputError

PAPER = "paper"
_PAPER_TAKES = {"suite", "data", "out", "quick", "only", "device", "threads", "jobs"}


def bench(
    context: typer.Context,
    suite: Annotated[
        str, typer.Argument(help="A suite, any folder of pictures in --data, or: ablation, paper.")
    ],
    data: Annotated[
        Path, typer.Option(help="The folder above the suite's folder; with paper, above bench.")
    ],
    out: Annotated[Path, typer.Option(help="Where records and tables go; earlier ones are kept.")],
    measure: Annotated[
        str | None, typer.Option(help="The compatibility measure (default: mgc).")
    ] = None,
    solver: Annotated[
        str | None,
        typer.Option(help="The solver (default: genetic); none ranks the measure alone."),
    ] = None,
    on: Annotated[str | None, typer.Option(help="With ablation: the suite to run it on.")] = None,
    turned: Annotated[bool, typer.Option("--turned", help="Turn the pieces (Type-2).")] = False,
    shape: Annotated[str, typer.Option(help="known or unknown.")] = "known",
    erode: Annotated[int, typer.Option(help="Pixels that every side of a piece loses.")] = 0,
    piece: Annotated[
        int | None,
        typer.Option(help="Side of a piece in pixels (default: 28; 50 with --simulate azulejo)."),
    ] = None,
    simulate: Annotated[
        str | None,
        typer.Option(help="azulejo: make worn blue-and-white tile panels of the pictures."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Take only the first K pictures.")] = None,
    runs: Annotated[int, typer.Option(help="Independent runs of every picture.")] = 5,
    seed: Annotated[int, typer.Option(help="Seed of the first run; the next has one more.")] = 1,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    model: Annotated[
        str | None, typer.Option(help="Model of a learned measure (default: by the puzzle).")
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting; repeatable.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="Threads of one picture (default: cores / jobs).")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Pictures at a time, a process each.")] = 1,
    top: Annotated[bool, typer.Option("--top", help="Record Top-i of the measure too.")] = False,
    per_picture: Annotated[
        bool, typer.Option("--per-picture", help="Print a row for every picture too.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="With paper: a small part of it, in a few minutes.")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT",
            help="With paper: only tables or rows with this in their names; repeatable.",
        ),
    ] = None,
) -> None:
    """Reconstruct the pictures of a suite and compare with published figures.

    Every finished run is written to OUT/records.jsonl at once, so the same call goes on where an
    earlier one was stopped. OUT/table.md shows all that OUT holds.

    "bench paper" fills all tables of the paper and writes OUT/results.md.

    Example: tessella bench mit_432 --data pictures --out results --runs 5
    """
    if suite == PAPER or quick or only:
        _only(context, suite)
        from tessella.bench import paper

        paper.serve(paper.Paper(data, out, quick, device, threads, jobs, tuple(only or ())))
        return
    from tessella.bench.session import Wish, serve
    from tessella.bench.suites import simulated

    if simulate is not None and on is not None:
        on = simulated(on, simulate)
    elif simulate is not None and suite != "ablation":
        suite = simulated(suite, simulate)
    if piece is None:
        piece = 28 if simulate is None else 50
    serve(
        Wish(
            name=suite,
            data=data,
            out=out,
            measure=measure,
            solver=solver,
            on=on,
            turned=turned,
            shape=shape,
            erode=erode,
            piece=piece,
            limit=limit,
            runs=runs,
            seed=seed,
            device=device,
            model=model,
            settings=tuple(setting or ()),
            threads=threads,
            jobs=jobs,
            top=top,
            per_picture=per_picture,
        )
    )


def _only(context: typer.Context, suite: str) -> None:
    """Raise unless the options are those of ``bench paper``, and it is what was asked for."""
    if suite != PAPER:
        raise InputError(
            "--quick and --only belong to bench paper; use --limit and --runs with a suite."
        )
    for name in context.params:
        told = context.get_parameter_source(name)
        if name not in _PAPER_TAKES and told is not None and told.name != "DEFAULT":
            flag = "set" if name == "setting" else name.replace("_", "-")
            raise InputError(f"bench paper chooses --{flag} itself; leave it out.")
