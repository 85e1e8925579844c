"""From a puzzle to a judged answer.

`solve` is one call. It is `make_plan` (what works), `prepare` (measure all pairs of edges) and
`search` (run the solver, judge the answer), which can be called one by one, and for strips
`tessella.paginate` (cut their row into pages). `prepare` is `measure` and `adjust`, for who
compares several plans that share a measure; all of them take and give the same types.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from tessella import bounds, metrics, shuffle
from tessella.arrangement import Arrangement
from tessella.compatibility import Compatibility
from tessella.confidence import judge
from tessella.evidence import Evidence
from tessella.executors import Executor
from tessella.identity import measure_key, search_key
from tessella.measured import Measured
from tessella.measuring import Keep, Learned, Measure, kept
from tessella.measuring import measure as ask
from tessella.panels import Panels
from tessella.plan import Plan, make_plan
from tessella.puzzle import Puzzle
from tessella.recall import Estimate, estimated
from tessella.result import Result
from tessella.runs import Ledger, Run, best, compared_by, name_of, perform
from tessella.searching import Searching, check_known
from tessella.solving import Job, Solver, covered
from tessella.stop import Stop, after, either, never
from tessella.threads import available
from tessella.truth import Truth, edge_classes
from tessella.watch import SILENT, Generation, Watcher
from tessella.wishes import Wishes
from tessella.wishes.files import wishes_to_json
from tessella.workshop import ALONE, Workshop


@dataclass(frozen=True, eq=False)
class Prepared:
    """A puzzle whose pairs of edges are measured: all that a solver needs.

    Attributes
    ----------
    puzzle : as it was given
    plan : what measured it, and what will solve it
    evidence : of the pieces in random order, as solvers see them
    order : piece k of `evidence` is piece ``order[k]`` of `puzzle`, int32 ``(N,)``
    keep : how many candidates of an edge were asked for; None: all
    seed : as given to `prepare`
    began : when, by `time.monotonic`
    seconds : wall time of every stage
    """

    puzzle: Puzzle
    plan: Plan
    evidence: Evidence
    order: NDArray[np.int32]
    keep: int | None
    seed: int
    began: float
    seconds: Mapping[str, float]

    @property
    def compatibility(self) -> Compatibility:
        """By which answers are judged."""
        return self.evidence.compatibility

    @property
    def inverse(self) -> NDArray[np.int32]:
        """Piece k of `puzzle` is piece ``inverse[k]`` of `evidence`, ``(N,)``."""
        return np.argsort(self.order).astype(np.int32)

    def wished(self, wishes: Wishes | None) -> Wishes | None:
        """Return what `wishes` say of the pieces of `evidence`, as the solver takes it."""
        if wishes is None:
            return None
        known = self.puzzle.layout.searched(wishes).called(self.puzzle.names)
        return known.relabelled(self.inverse)


def solve(
    puzzle: Puzzle,
    *,
    measure: str | Measure | Learned | None = None,
    solver: str | Solver | None = None,
    settings: Mapping[str, Any] | None = None,
    keep: Keep = "usual",
    seed: int = 0,
    threads: int | None = None,
    watch: Watcher = SILENT,
    workshop: Workshop = ALONE,
    **searching: Unpack[Searching],
) -> Result:
    """Put `puzzle` back together; strips of paper on pages.

    Parameters
    ----------
    measure, solver : names (see ``tessella list``) or objects; None takes what is usual for such a
        puzzle
    settings : of solver, measure and adjustment; see `tessella.plan.make_plan`
    keep : how many of the best candidates of an edge to list, None lists all; a learned measure
        scores as many that a cheaper one proposes. Left out, the measure decides.
    seed : of the order in which pieces are looked at, and of the solver; the same seed gives the
        same answer, whatever `threads` is (a time limit excepted)
    threads : how many to use; all that this process may use when None
    watch : is told how far the work has come
    workshop : who measures blocks of a very large puzzle, and completes the pictures of a mixture
        (`tessella.workshop`)
    searching : how long, how often, and what is known; see `tessella.searching`
    """
    plan = make_plan(measure, solver, settings, puzzle=puzzle)
    check_limits(searching.get("runs", 1), searching.get("seconds"), seed, threads)
    wishes, begin = searching.get("wishes"), searching.get("begin")
    panels = check_panels(puzzle, plan.solver, searching.get("panels"))
    check_known(puzzle, plan.solver, wishes, begin, panels)
    prepared = prepare(
        puzzle, plan, keep=keep, seed=seed, threads=threads, watch=watch, workshop=workshop
    )
    result = search(prepared, threads=threads, watch=watch, executor=workshop.executor, **searching)
    if not result.stopped:  # Else the same call goes on with the blocks that are done.
        workshop.close()
    return puzzle.layout.paged(result, wishes)


def prepare(
    puzzle: Puzzle,
    plan: Plan,
    *,
    keep: Keep = "usual",
    seed: int = 0,
    threads: int | None = None,
    watch: Watcher = SILENT,
    workshop: Workshop = ALONE,
) -> Prepared:
    """Measure `puzzle`, its pieces in random order so that the order of files cannot help."""
    measured = measure(
        puzzle,
        plan.measure,
        keep=keep,
        seed=seed,
        threads=threads,
        watch=watch,
        workshop=workshop,
    )
    return adjust(measured, plan, threads=threads)


def measure(
    puzzle: Puzzle,
    by: Measure | Learned,
    *,
    keep: Keep = "usual",
    seed: int = 0,
    shuffled: bool = False,
    threads: int | None = None,
    watch: Watcher = SILENT,
    workshop: Workshop = ALONE,
) -> Measured:
    """Score all pairs of edges of `puzzle`: the first half of `prepare`.

    Parameters
    ----------
    shuffled : the pieces are in random order already and stay in it
    """
    check_limits(1, None, seed, threads)
    by = by.suited(puzzle) if isinstance(by, Learned) else by
    keep = kept(by, keep)
    bounds.check_candidates(keep)
    began = time.monotonic()
    if shuffled:
        seen, order = puzzle, np.arange(len(puzzle), dtype=np.int32)
    else:
        seen, order = shuffle.permuted(puzzle, seed)
    if workshop.folder is not None:
        workshop = replace(workshop, key=measure_key(puzzle, by, keep, seed))
    scores = ask(seen, by, keep=keep, threads=threads, watch=watch, workshop=workshop)
    took = time.monotonic() - began
    return Measured(puzzle, by, scores, seen, order, keep, seed, began, took)


def adjust(measured: Measured, plan: Plan, *, threads: int | None = None) -> Prepared:
    """Make ready for the solver of `plan` what its measure said: the second half of `prepare`."""
    began = time.monotonic()
    evidence = measured.adjusted(plan.adjustment, threads)
    return Prepared(
        puzzle=measured.puzzle,
        plan=replace(plan, measure=measured.measure),
        evidence=evidence,
        order=measured.order,
        keep=measured.keep,
        seed=measured.seed,
        began=measured.began,
        seconds={"measuring": measured.seconds, "adjusting": time.monotonic() - began},
    )


def search(
    prepared: Prepared,
    *,
    runs: int = 1,
    seconds: float | None = None,
    threads: int | None = None,
    watch: Watcher = SILENT,
    stop: Stop = never,
    checkpoint: Path | None = None,
    panels: Panels | None = None,
    wishes: Wishes | None = None,
    begin: Arrangement | None = None,
    executor: Executor | None = None,
) -> Result:
    """Run the plan's solver on what is prepared, and judge its answer; see `tessella.searching`.

    `seconds` count from the beginning of `prepare`. Of strips, the row holds to what wishes say of
    a row; pages to the others (`puzzle.layout.paged`). Pictures of a mixture are completed by
    `executor`; None: in this process.
    """
    check_limits(runs, seconds, prepared.seed, threads)
    panels = check_panels(prepared.puzzle, prepared.plan.solver, panels)
    all_wishes = check_known(prepared.puzzle, prepared.plan.solver, wishes, begin, panels)
    started = time.monotonic()
    if seconds is not None:
        stop = either(stop, after(prepared.began + seconds - started))
    ledger = None
    if checkpoint is not None:
        ledger = Ledger(checkpoint, _key(prepared, wishes, begin, panels))
    if ledger:
        ledger.open()
    done = perform(
        prepared.plan.solver,
        Job(
            prepared.evidence,
            prepared.puzzle.shape if panels is None else None,
            seed=prepared.seed,
            threads=threads or available(),
            stop=stop,
            watch=watch,
            panels=panels,
            wishes=prepared.wished(wishes),
            begin=None if begin is None else shuffle.restore(begin, prepared.inverse),
            workshop=Workshop(executor=executor),
        ),
        runs=runs,
        ledger=ledger,
    )
    stopped = len(done) < runs or any(run.solution.stopped for run in done)
    if ledger and not stopped:
        ledger.close(runs)
    chosen: dict[str, Any] = {
        "keep": prepared.keep,
        "runs": runs,
        "seed": prepared.seed,
        "seconds": seconds,
    }
    if wishes:
        chosen["wishes"] = wishes_to_json(wishes)
    if panels is not None:
        chosen["panels"] = panels.to_json()
    took = {**prepared.seconds, "solving": time.monotonic() - started}
    worth = compared_by(prepared.plan.solver, prepared.evidence, prepared.puzzle.shape, panels)
    worths = () if worth is None else tuple(worth.of(run.solution.arrangement) for run in done)
    return _result(prepared, done, worths, stopped, chosen, took, all_wishes)


def _result(
    prepared: Prepared,
    done: list[Run],
    worths: tuple[float, ...],
    stopped: bool,
    chosen: dict[str, Any],
    seconds: dict[str, float],
    wishes: Wishes | None,
) -> Result:
    """Choose a run, bring it back to the order of the puzzle as it was given, and judge it."""
    solved = time.monotonic()
    run = best(done, worths)
    order, worth = prepared.order, prepared.evidence.worth
    arrangement = shuffle.restore(run.solution.arrangement, order)
    if not chosen.get("wishes"):  # Which number a sheet has may be wished.
        arrangement = arrangement.largest_first()
    compatibility = prepared.compatibility.relabelled(np.asarray(order, np.intp))
    odds = prepared.evidence.informed(prepared.wished(wishes))
    odds = None if odds is None else odds.relabelled(np.asarray(order, np.intp))
    joins = judge(arrangement, compatibility, odds, wishes.joined if wishes else ())
    ended = time.monotonic()
    return Result(
        arrangement=arrangement,
        fitness=run.solution.fitness,
        odds=odds,
        recall=_recall(prepared, compatibility, arrangement),
        worth=None if worth is None else worth.of(run.solution.arrangement),
        compatibility=compatibility,
        joins=joins,
        runs=tuple(each.solution.fitness for each in done),
        worths=worths,
        history=tuple(each.solution.history for each in done),
        evolution=tuple(_restored(generation, order) for generation in run.evolution),
        stopped=stopped,
        settings={**prepared.plan.to_json(), **chosen},
        seconds={**seconds, "judging": ended - solved, "total": ended - prepared.began},
    )


def _recall(
    prepared: Prepared, compatibility: Compatibility, arrangement: Arrangement
) -> Estimate | None:
    """Return how good a learned measure's shortlist seems to have been."""
    if not isinstance(prepared.plan.measure, Learned):
        return None
    return estimated(compatibility, arrangement.joins(), prepared.keep)


def _restored(generation: Generation, order: NDArray[np.int32]) -> Generation:
    if generation.snapshot is None:
        return generation
    return replace(generation, snapshot=shuffle.restore(generation.snapshot, order))


def check_limits(runs: int, seconds: float | None, seed: int, threads: int | None) -> None:
    """Raise unless `solve` can work with these."""
    bounds.check_count("run", runs, bounds.RUNS)
    bounds.check_seconds(seconds)
    bounds.check_seed(seed)
    if threads is not None:
        bounds.check_count("thread", threads, bounds.THREADS)


def check_panels(puzzle: Puzzle, solver: Solver, panels: Panels | None) -> Panels | None:
    """Return what is known of the panels of `puzzle`; raise unless `solver` sorts such ones."""
    if panels is None:
        return None
    known = panels.known(puzzle)
    covered(solver).check_panels(name_of(solver), known)
    return known


def _key(
    prepared: Prepared,
    wishes: Wishes | None = None,
    begin: Arrangement | None = None,
    panels: Panels | None = None,
) -> str:
    """Return what tells this work from any other."""
    plan = prepared.plan
    measured = measure_key(prepared.puzzle, plan.measure, prepared.keep, prepared.seed)
    return search_key(measured, plan, wishes, begin, panels)


def score(
    answer: Result | Arrangement,
    truth: Truth,
    *,
    upright: bool | None = None,
    shape_known: bool | None = None,
    puzzle: Puzzle | None = None,
) -> metrics.Score:
    """Judge an answer against the truth.

    Parameters
    ----------
    puzzle : whose pieces tell which of them are pixel-identical; None: the truth knows
    upright : whether `direct` tries no whole turns; None: when the truth turns no piece
    shape_known : whether `direct` tries no shifts; None: when the sheets have their true shapes
    """
    arrangement = answer.arrangement if isinstance(answer, Result) else answer
    if upright is None:
        upright = not any(sheet.turns.any() for sheet in truth.arrangement.sheets)
    if shape_known is None:
        shape_known = _shapes(arrangement, upright) == _shapes(truth.arrangement, upright)
    if puzzle is not None:
        truth = replace(truth, edge_class=edge_classes(puzzle))
    return metrics.score(arrangement, truth, upright=upright, shape_known=shape_known)


def _shapes(arrangement: Arrangement, upright: bool) -> list[tuple[int, ...]]:
    """Return the sheets' shapes in an order of their own; turned ones count either way round."""
    return sorted(s.shape if upright else tuple(sorted(s.shape)) for s in arrangement.sheets)
