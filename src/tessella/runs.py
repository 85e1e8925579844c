"""Independent runs of a solver: side by side; the best by fitness wins, or that of most worth."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tessella.checkpoint import Checkpoint
from tessella.errors import OutputError
from tessella.evidence import Evidence
from tessella.odds import Worth
from tessella.panels import Panels, may_have_holes
from tessella.puzzle import Shape
from tessella.snapshots import (
    SnapshotCheckpoint,
    Snapshots,
    pack,
    pack_generations,
    unpack,
    unpack_generations,
)
from tessella.solving import Job, Solution, Solver, covered
from tessella.watch import Generation, Shared
from tessella.workshop import Workshop


@dataclass(frozen=True)
class Run:
    """One run's answer and how it came about."""

    solution: Solution
    evolution: tuple[Generation, ...] = ()


@dataclass(frozen=True)
class Ledger:
    """A folder in which unfinished work is kept: finished runs, and the state of the current one.

    Attributes
    ----------
    folder : made when the first file is written
    key : what must be the same for work to be taken up: puzzle, settings, seed
    """

    folder: Path
    key: str

    def open(self) -> None:
        """Make the folder."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            reason = problem.strerror or problem
            raise OutputError(f"Cannot make the folder {self.folder}: {reason}.") from problem

    def state(self, number: int) -> Checkpoint:
        """Return where run `number` keeps its state while it goes on."""
        return Checkpoint(self.folder / f"run-{number:03d}-state.npz", self._key(number))

    def workshop(self, number: int, by: Workshop) -> Workshop:
        """Return `by` with a folder for what is finished of run `number` while it goes on."""
        return replace(by, folder=self._parts(number), key=self._key(number))

    def finished(self, number: int) -> Run | None:
        """Return run `number` if it was finished before."""
        state = self._result(number).load()
        if state is None:
            return None
        solution = Solution(
            unpack(state, "arrangement/"), float(state["fitness"]), tuple(state["history"].tolist())
        )
        return Run(solution, tuple(unpack_generations(state, "evolution/")))

    def finish(self, number: int, run: Run) -> None:
        """Keep a finished run and drop its state."""
        self._result(number).save(
            pack(run.solution.arrangement, "arrangement/")
            | pack_generations(list(run.evolution), "evolution/")
            | {
                "fitness": np.array(run.solution.fitness),
                "history": np.array(run.solution.history, np.float64),
            }
        )
        for left in self.folder.glob(f"run-{number:03d}-*"):
            _remove(left)

    def close(self, runs: int) -> None:
        """Remove everything: the work is done."""
        for number in range(runs):
            self._result(number).remove()
        for left in (*self.folder.glob("run-*"), *self.folder.glob(".run-*.part")):
            _remove(left)  # of a call with more runs, or of a kill while writing
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()

    def _result(self, number: int) -> Checkpoint:
        return Checkpoint(self.folder / f"run-{number:03d}.npz", self._key(number))

    def _parts(self, number: int) -> Path:
        return self.folder / f"run-{number:03d}-parts"

    def _key(self, number: int) -> str:
        return f"{self.key} {number}"


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def perform(solver: Solver, job: Job, *, runs: int = 1, ledger: Ledger | None = None) -> list[Run]:
    """Run `solver` on `job` with its seed, the next, ...; at least once, until it is stopped.

    Runs go on side by side, as many as there are threads, which they share out.

    Returns
    -------
    the runs in order, fewer than `runs` when stopped early
    """
    count, stop = job.threads, job.stop
    together = min(runs, count)
    left = runs % together  # of them share the threads in the last round
    shared = Shared(job.watch)
    failed = False

    def one(number: int) -> Run | None:
        nonlocal failed
        run = ledger.finished(number) if ledger else None
        if run is not None:
            return run
        if failed or (number and stop()):
            return None
        snapshots = Snapshots(number, shared)
        try:
            own = replace(
                job,
                seed=job.seed + number,
                threads=-(-count // (left if number >= runs - left else together)),
                stop=lambda: failed or stop(),
                watch=snapshots,
                checkpoint=SnapshotCheckpoint(ledger.state(number), snapshots) if ledger else None,
                workshop=ledger.workshop(number, job.workshop) if ledger else job.workshop,
            )
            covered(solver).check(name_of(solver), own)
            solution = solver.solve(own)
        except BaseException:
            failed = True
            raise
        run = Run(solution, snapshots.chosen())
        if ledger and not solution.stopped:
            ledger.finish(number, run)
        return run

    job.watch.stage("solving", 0)
    if together == 1:
        every = [one(number) for number in range(runs)]
    else:
        with ThreadPoolExecutor(together) as pool:
            try:
                every = list(pool.map(one, range(runs)))
            except BaseException:  # Ctrl-C too: leaving the pool waits for runs, which end soon.
                failed = True
                raise
    return [run for run in every if run is not None]


def name_of(solver: Solver) -> str:
    """Return what to call a solver: the name of its file."""
    return type(solver).__module__.rpartition(".")[2]


def compared_by(
    solver: Solver, evidence: Evidence, shape: Shape | None, panels: Panels | None
) -> Worth | None:
    """Return the worth by which runs are compared; None where it is by fitness.

    Fitness prefers whatever leaves no hole. So where cells may stay empty, a solver that can leave
    them so goes by worth, and so does who chooses among its runs.
    """
    holes = may_have_holes(evidence.compatibility.pieces, shape, panels)
    return evidence.worth if holes and covered(solver).panels else None


def best(runs: Sequence[Run], worths: Sequence[float] = ()) -> Run:
    """Return the run with the best fitness, or of most worth if told; the earliest of equals."""
    values = worths or [run.solution.fitness for run in runs]
    return runs[values.index(max(values))]
