"""Measure a large puzzle with more and more workers: seconds, speed-up, and the same lists or not.

    python scripts/speedup.py PICTURE... --pieces 22755 --executors local dask --workers 1 2 4 8 16

Every worker has one thread. With ``--kill SECONDS`` one worker is killed (SIGKILL) so long after
measuring began. Prints a line a case, and appends it as JSON to ``--results``. Last it says how
much longer than the first case the others take: what dask costs, on cores that do nothing else,

    python scripts/speedup.py PICTURE --workers 2 --times 3
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tessella import executors, registry
from tessella.imaging.grid import tiles
from tessella.imaging.read import read_image
from tessella.measuring import measure
from tessella.puzzle import Puzzle
from tessella.scores import Scores
from tessella.workshop import Workshop

Line = dict[str, Any]


def pieces_of(pictures: list[Path], side: int, count: int) -> np.ndarray:
    """Return so many pieces of the pictures in random order."""
    every = np.concatenate([tiles(read_image(path), (side, side))[0] for path in pictures])
    return every[np.random.default_rng(0).permutation(len(every))[:count]]


def digest(scores: Scores) -> str:
    """Return what tells these lists from others."""
    held = (scores.lo, scores.hi, scores.partner, scores.score)
    return hashlib.blake2b(b"".join(a.tobytes() for a in held), digest_size=8).hexdigest()


def children() -> list[int]:
    """Return the processes that this one started, and those that these did."""
    found, known = [], {os.getpid()}
    for _ in range(4):
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            if parent in known and int(folder.name) not in known:
                known.add(int(folder.name))
                found.append(int(folder.name))
    return found


def kill_one(after: float) -> None:
    """Kill the child that has worked most, `after` so many seconds."""
    time.sleep(after)

    def worked(process: int) -> int:
        try:
            return int((Path("/proc") / str(process) / "stat").read_text().split()[13])
        except (OSError, IndexError):
            return -1

    busiest = max(children(), key=worked)
    os.kill(busiest, signal.SIGKILL)
    print(f"killed {busiest}", flush=True)


def measured(puzzle: Puzzle, given: argparse.Namespace, name: str, workers: int) -> Line:
    """Measure `puzzle` once; return what is told of it."""
    by, before = registry.make("measure", given.measure), cpu_of_children()
    with (
        executors.started(name, workers=workers, threads=workers) as executor,
        tempfile.TemporaryDirectory() as folder,
    ):
        if executor is not None:  # Workers are there, and have imported what they need.
            ready = [executor.submit(time.sleep, 0.5) for _ in range(workers)]
            [each.result() for each in ready]
        if given.kill is not None:
            threading.Thread(target=kill_one, args=(given.kill,), daemon=True).start()
        began, own = time.monotonic(), time.process_time()
        workshop = Workshop(Path(folder), "speedup", executor)
        scores = measure(puzzle, by, dense=False, threads=1, workshop=workshop)
        took, own = time.monotonic() - began, time.process_time() - own
    return {
        "executor": name,
        "workers": workers,
        "pieces": len(puzzle),
        "turned": given.turned,
        "seconds": round(took, 2),
        "parent_cpu_s": round(own, 2),
        "workers_cpu_s": round(cpu_of_children() - before, 2),
        "lists": digest(scores),
        "killed": given.kill is not None,
    }


def cpu_of_children() -> float:
    """Return the processor time of all children that have ended, their start included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compared(lines: list[Line]) -> str:
    """Return by how much every case takes longer than the first, in medians, and its processors."""

    def median(case: tuple[object, object], of: Callable[[Line], float]) -> float:
        return statistics.median(
            of(line) for line in lines if (line["executor"], line["workers"]) == case
        )

    def wall(line: Line) -> float:
        return float(line["seconds"])

    def cpu(line: Line) -> float:
        return float(line["parent_cpu_s"] + line["workers_cpu_s"])

    first, *others = dict.fromkeys((line["executor"], line["workers"]) for line in lines)
    told = [
        f"{case[1]} {case[0]} against {first[1]} {first[0]}: "
        f"{100 * (median(case, wall) / median(first, wall) - 1):+.1f} % wall time, "
        f"{100 * (median(case, cpu) / median(first, cpu) - 1):+.1f} % processor time"
        for case in others
    ]
    same = len({line["lists"] for line in lines}) == 1
    return "\n".join([*told, "the same lists" if same else "OTHER LISTS"])


def main() -> None:
    """Measure with every executor and number of workers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path, nargs="+")
    parser.add_argument("--pieces", type=int, default=22755)
    parser.add_argument("--side", type=int, default=28)
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--measure", default="mgc")
    parser.add_argument("--executors", nargs="+", default=["local", "dask"])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    parser.add_argument("--times", type=int, default=1, help="every case so often, in turns")
    parser.add_argument("--kill", type=float)
    parser.add_argument("--results", type=Path)
    given = parser.parse_args()
    puzzle = Puzzle(pieces_of(given.pictures, given.side, given.pieces), upright=not given.turned)
    lines: list[Line] = []
    for _ in range(given.times):
        for name in given.executors:
            for workers in given.workers:
                line = measured(puzzle, given, name, workers)
                print(json.dumps(line), flush=True)
                if given.results:
                    with given.results.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(line) + "\n")
                lines.append(line)
    print(compared(lines))


if __name__ == "__main__":
    main()
