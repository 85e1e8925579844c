"""The report, with every file that it links to: what ``tessella solve`` writes."""

from __future__ import annotations

import numpy as np

from tessella import confidence
from tessella.exports import Measured, Target
from tessella.puzzle import Puzzle


def write(target: Target) -> None:
    """Write report.html, assembled.png, placement.csv, arrangement.json and run.json."""
    from tessella.output import write_files
    from tessella.result import Result

    arrangement = target.arrangement
    measured = target.measured() if target.measured is not None else _measured(target.puzzle)
    compatibility, odds = measured
    fitness = compatibility.fitness(arrangement)
    result = Result(
        arrangement=arrangement,
        fitness=fitness,
        compatibility=compatibility,
        joins=confidence.judge(arrangement, compatibility, odds),
        runs=(fitness,),
        odds=odds,
    )
    write_files(target.folder, target.puzzle, result, facts={"exported": True})


def _measured(puzzle: Puzzle) -> Measured:
    """Measure all pairs as ``tessella solve`` does by default."""
    from tessella import api, auto
    from tessella.plan import make_plan
    from tessella.usual import PIECES

    measure = auto.choose(puzzle).measure if puzzle.usual is PIECES else None
    prepared = api.prepare(puzzle, make_plan(measure, puzzle=puzzle))
    order, odds = np.asarray(prepared.order, np.intp), prepared.evidence.odds
    compatibility = prepared.compatibility.relabelled(order)
    return compatibility, None if odds is None else odds.relabelled(order)
