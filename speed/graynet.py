"""How many pairs of strips a second graynet scores, factorised at the seam and plainly.

    python speed/graynet.py FILE.pdf [--dpi 500] [--strips 85] [--sample 24] [--threads T]

All pairs of some strips of the first page. "plain" is the paper's way, on one pair of each strip:
the whole pass over every pair of chunks, on the same matrix products and threads. "graynet" asks
about chunks with ink alone, does once for a side what it can, and sets off white paper. Both are
taken in turn, several times, and the fastest counts. "all pairs" is what 8 such pages would take,
every strip beside every other.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tessella import edges, models
from tessella.documents.chunks import chunks_of
from tessella.documents.cut import cut_strips
from tessella.documents.pages import read_pages
from tessella.documents.strips import colourless
from tessella.measures.graynet import Graynet
from tessella.networks.seam import Engine
from tessella.networks.view import seen
from tessella.threads import available, chunks

ROUNDS = 3
PAGES = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--dpi", type=int, default=500)
    parser.add_argument("--strips", type=int, default=85)
    parser.add_argument("--sample", type=int, default=24)
    parser.add_argument("--threads", type=int, default=available())
    given = parser.parse_args()
    puzzle, _ = cut_strips([read_pages([given.file], given.dpi)[0].grey], given.strips)
    by = Graynet().suited(puzzle)
    scorer = by.scorer(puzzle)
    every = np.arange(len(puzzle), dtype=np.int32)
    right = chunks_of(puzzle, 4 * every, edges.RIGHT, scorer.model.piece)
    left = chunks_of(puzzle, 4 * every + 2, edges.LEFT, scorer.model.piece)
    some = np.random.default_rng(0).permutation(len(puzzle))[: given.sample]
    which = np.stack(np.meshgrid(some, some), axis=-1).reshape(-1, 2)  # (S S, 2)
    few = np.stack([some, np.roll(some, 1)], axis=1)  # (S, 2)
    model = models.find(by.model or "")
    engine = Engine(model.subnetworks[0])
    size = model.subnetworks[0].architecture.planes, model.rows, model.depth

    def plain() -> None:
        for part in chunks(len(few), 8):
            a, b = (side.picture[row] for side, row in zip((right, left), few[part].T, strict=True))
            views = [
                seen(colourless(c.reshape(-1, *c.shape[2:])), 0, *size, way)
                for c, way in ((a, edges.RIGHT), (b, edges.LEFT))
            ]
            engine.whole(np.concatenate(views, axis=2), given.threads)

    works = {"plain": plain, "graynet": lambda: scorer.look(right, left, which, given.threads)}
    works["graynet"]()  # compiles
    taken = [{name: seconds(work) for name, work in works.items()} for _ in range(ROUNDS)]
    best = {name: min(each[name] for each in taken) for name in works}
    total = PAGES * len(puzzle) * (PAGES * len(puzzle) - 1)
    for name, count in (("plain", len(few)), ("graynet", len(which))):
        rate = count / best[name]
        print(f"{name:8} {rate:8.1f} pairs of strips a second; all pairs {total / rate:8.0f} s")


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
