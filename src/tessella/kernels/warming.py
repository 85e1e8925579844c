"""Compiling the genetic solver's kernels before they are needed, on several processes at once.

numba compiles one kernel at a time in a process. A first run would wait for all of them, one after
the other, so here each processor compiles a share, in a hurry (see ``hurry``), into the folder that
later runs read. What a share leaves out is compiled when it is called.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.kernels import annealing, border, breeding, buddies, exchange, ranking, tables
from tessella.kernels.arguments import described
from tessella.kernels.crossover import Rules, make_bags
from tessella.kernels.growth import Guide, make_ratings, nobody
from tessella.kernels.machine import path_of
from tessella.kernels.nucleus import make_nucleus
from tessella.watch import Shared, Watcher

Call = tuple[Any, tuple[Any, ...]]
"""A kernel, and arguments of the types that it is called with; it is not called with them."""

SHARES = ("growth", "moves", "crossover", "tables")
"""Kernels that have much in common are compiled together; those that take longest come first."""


def _zeros(kind: type, axes: int) -> NDArray[Any]:
    return np.zeros((1,) * axes, kind)


def calls(share: str) -> list[Call]:
    """Return the kernels of a share, each with arguments of the right types."""
    floats, table = _zeros(np.float32, 1), _zeros(np.float32, 2)
    ints, grid, sums = _zeros(np.int32, 1), _zeros(np.int32, 2), _zeros(np.float64, 1)
    longs = _zeros(np.int64, 1)
    scores = tables.Tables(longs, ints, floats, ints, floats, table, 1)
    crowd = breeding.make_population(1, 1)
    nucleus = make_nucleus(1, (1, 1), either_way=False)
    grown = Guide(0.0, 0.0, 0.0, 1, 1), nucleus, make_ratings(1), crowd
    rules = Rules(1, longs, 1, 1), 0.0, nucleus, make_bags(1), crowd
    reach = annealing.Reach(1, 1, 0.0, 0.0)
    marks = _zeros(np.uint8, 1)
    return {
        "growth": [
            (breeding.sow, (scores, ints, nobody(1), *grown, 1, 1)),
            (breeding.breed_guided, (scores, crowd, sums, *grown, 1, 1, 1, 1, 0.0)),
        ],
        "crossover": [
            (breeding.breed, (scores, ints, crowd, sums, *rules, 1, 1, 1, 1, 0.0)),
            (breeding.unfold, (ints, nucleus)),
            (breeding.lay, (scores, nucleus, crowd, grid, grid, 1)),
        ],
        "moves": [
            (
                annealing.move_segments,
                (scores, 0.0, *(grid,) * 4, 0.0, marks, 1, reach, 0.0, 1, 1, 1),
            ),
        ],
        "tables": [
            (buddies.best_buddies, (scores,)),
            (tables.look_up_all, (scores, grid, floats)),
            (tables.symmetrise, (table, 1, 1, 1)),
            (tables.permute, (table, longs, longs, table)),
            (ranking.keep_better, (table, ints, ints, 1, floats, floats, grid, table)),
            (border.settle, (_zeros(np.float64, 2), table)),
            (exchange.exchange_blocks, (scores, grid, grid, 1)),
        ],
    }[share]


def is_cold() -> bool:
    """Say whether machine code is lacking for a kernel of any share."""
    return any(
        not path_of(kernel, described(given)[0]).exists()
        for share in SHARES
        for kernel, given in calls(share)
    )


def compile_shares(shares: tuple[str, ...], done: Callable[[], None]) -> None:
    """Compile all kernels of `shares`, calling `done` after each one; for a process of its own."""
    from tessella.kernels.building import build_ahead
    from tessella.kernels.hurry import hurry

    hurry()
    with _uncollected():
        for share in shares:
            for kernel, given in calls(share):
                build_ahead(kernel, described(given)[0], given)
                done()


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let no garbage be collected: there is little, and looking for it costs a tenth."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def warm(watch: Watcher, processes: int) -> None:
    """Have `processes` others compile what is lacking; say so to `watch`.

    What they cannot do is left to be compiled when it is called.
    """
    if not is_cold():
        return
    watch = Shared(watch)
    watch.stage("compiling, only this once", sum(len(calls(share)) for share in SHARES))
    count = max(1, min(processes, len(SHARES)))
    others = [_started(SHARES[k::count]) for k in range(count)]
    readers = [threading.Thread(target=_read, args=(one, watch), daemon=True) for one in others]
    try:
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
    finally:
        for one in others:
            one.kill()
            one.wait()


def _started(shares: tuple[str, ...]) -> subprocess.Popen[bytes]:
    """Start another process that compiles `shares` and writes a line for every kernel."""
    home = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        [sys.executable, "-m", __name__, *shares],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    )


def _read(process: subprocess.Popen[bytes], watch: Watcher) -> None:
    assert process.stdout is not None
    with process.stdout as lines:
        for _ in lines:
            watch.advance()


if __name__ == "__main__":
    compile_shares(tuple(sys.argv[1:]), lambda: print(flush=True))
