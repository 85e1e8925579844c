"""Compare ways to list candidates of a large puzzle: seconds, and recall of the true neighbour.

    python scripts/candidates.py FOLDER... --pictures 20 --grid 85x59 --turned

All pairs by ``mgc``; and a search by vectors, with NumPy and with faiss. The vectors know what
`mgc` knows, but one metric for all edges: the colours of an edge and those that it foretells for
its neighbour, as the first few cosines along the edge, so that minus a distance is a product.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.fft import dct
from store import mixed

from tessella import edges, registry
from tessella.measuring import measure, rim
from tessella.puzzle import Puzzle
from tessella.recall import recall
from tessella.scores import Scores
from tessella.threads import chunks
from tessella.truth import Truth
from tessella.vectors import Searching

OPPONENT = np.array([[1, 1, 1], [2, 0, -2], [2, -4, 2]]) / np.sqrt([[3.0], [2.0], [6.0]])
"""Grey, red against blue, green against both; colours count twice."""

SCALE = 16.0


def sketch(puzzle: Puzzle, which: np.ndarray, direction: int, cosines: int) -> np.ndarray:
    """Return the vectors of edges, ``(A, 6 * cosines + 1)``."""
    along = dct(np.eye(puzzle.piece_size[0]), axis=0, norm="ortho")[:cosines]
    parts = []
    for some in chunks(len(which), 4096):
        seen = rim(puzzle.facing(which[some], direction), puzzle.eroded, direction) - 128.0
        near, slope = seen[:, :, 0], (seen[:, :, 0] - seen[:, :, 1]).mean(axis=1, keepdims=True)
        shown, said = (
            np.einsum("kh,ahc->akc", along, colours @ OPPONENT.T).reshape(len(near), -1) / SCALE
            for colours in (near, near + slope)
        )
        if direction == edges.RIGHT:
            parts.append(np.hstack([2 * said, 2 * shown, np.ones((len(near), 1))]))
        else:
            far = (shown**2).sum(axis=1) + (said**2).sum(axis=1)
            parts.append(np.hstack([shown, said, -far[:, None]]))
    return np.concatenate(parts).astype(np.float32)


def by_vectors(puzzle: Puzzle, like: Scores, keep: int, engine: str, cosines: int, threads: int):
    """Return the lists of a search by vectors, in the form of `like`."""
    partner = np.full((4 * len(puzzle), keep), -1, np.int32)
    for group in puzzle.groups():
        right, left = (
            sketch(puzzle, which, side, cosines)
            for which, side in ((group.right, edges.RIGHT), (group.left, edges.LEFT))
        )
        job = Searching(group.right, group.left, right, left, keep, engine)
        for number in range(job.blocks):
            partner[job.of(number)] = job.do(number, threads)["partner"]
    return replace(like, partner=partner, score=np.zeros(partner.shape, np.float32))


def timed(
    name: str, truth: Truth, work: Callable[[], Scores], at: tuple[int, ...]
) -> tuple[Scores, dict]:
    """Do `work`; return its lists, and seconds and recalls."""
    wall, cpu = time.monotonic(), time.process_time()
    found = work()
    line = {
        "by": name,
        "edges": 4 * truth.pieces,
        "seconds": round(time.monotonic() - wall, 1),
        "cpu_s": round(time.process_time() - cpu, 1),
        "peak_gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
    }
    for k in at:
        some = replace(found, partner=found.partner[:, :k], score=found.score[:, :k])
        line[f"recall@{k}"] = round(100 * recall(some, truth), 2)
    print(json.dumps(line), flush=True)
    return found, line


def main() -> None:
    """Compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--pictures", type=int, default=20)
    parser.add_argument("--names", default="*")
    parser.add_argument("--grid", default="85x59")
    parser.add_argument("--piece", type=int, default=28)
    parser.add_argument("--crops", type=int)
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--cosines", type=int, default=8)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--engines", nargs="+", default=["numpy", "faiss"])
    parser.set_defaults(foreign=0, missing=0.0, erode=0, seed=1)
    given = parser.parse_args()
    _, puzzle, truth = mixed(given)
    at, by = (1, 32, 64), registry.make("measure", "mgc")
    first, _ = timed(
        "mgc, all pairs",
        truth,
        lambda: measure(puzzle, by, keep=64, dense=False, threads=given.threads),
        at,
    )
    lists = []
    for engine in given.engines:
        found, _ = timed(
            f"vectors, {engine}",
            truth,
            lambda engine=engine: by_vectors(
                puzzle, first, 64, engine, given.cosines, given.threads
            ),
            at,
        )
        lists.append(found.partner)
    if len(lists) > 1:
        print("the same lists" if np.array_equal(*lists[:2]) else "OTHER LISTS")


if __name__ == "__main__":
    main()
