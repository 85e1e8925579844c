"""How often each measure, proposing candidates, lists the true neighbour, up to identical pieces.

    python speed/recall.py --data DIR [--suites NAME...] [--measures NAME...] [--turned]
                           [--keep K...] [--slack S...] [--set KEY=VALUE...]

DIR is the folder above the suites' folders. Every picture is cut from its top-left corner and
shuffled. Recall in per cent, mean over the pictures of a suite: "lists" counts an edge's own
list, "either" a pair that either edge lists, as a shortlist does; "pairs" is how many pairs an edge
the latter are. With a slack, of the K best the first few count and whoever comes so close to the
best.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from tessella import registry
from tessella.imaging.cut import cut
from tessella.imaging.read import SUFFIXES, read_image
from tessella.measuring import measure
from tessella.recall import recall
from tessella.scores import Scores
from tessella.shortlist import both_ways, near_best
from tessella.truth import Truth

SUITES = ("mit_432", "mcgill_540", "pomeranz_805")


def judged(scores: Scores, truth: Truth, keep: int, slack: float) -> tuple[float, float, float]:
    """Return recall of the lists, recall of pairs listed either way, and those pairs an edge."""
    short = replace(scores, partner=scores.partner[:, :keep], score=scores.score[:, :keep])
    short = replace(short, partner=near_best(short, slack))
    pairs = both_ways(short.partner)
    partner, kinds = truth.partners(), truth.edge_class
    listed = np.unique(pairs[:, 0].astype(np.int64) * len(partner) + kinds[pairs[:, 1]])
    which = np.flatnonzero(partner >= 0)
    either = np.isin(which * len(partner) + kinds[partner[which]], listed)
    return 100 * recall(short, truth), 100 * float(either.mean()), len(pairs) / len(partner)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder above the suites")
    parser.add_argument("--suites", nargs="+", default=SUITES)
    parser.add_argument("--measures", nargs="+", default=("mgc", "embedding"))
    parser.add_argument("--piece", type=int, default=28)
    parser.add_argument("--every", type=int, default=1, help="take every so many-th picture")
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--keep", nargs="+", type=int, default=[32])
    parser.add_argument("--slack", nargs="+", type=float, default=[math.inf])
    parser.add_argument("--threads", type=int)
    parser.add_argument("--set", nargs="+", default=[], metavar="KEY=VALUE", help="where it is one")
    options = parser.parse_args()
    given = dict(item.split("=", 1) for item in options.set)
    print("| suite | measure | K | slack | lists | either | pairs | CPU s a picture |")
    print("|---|---|---|---|---|---|---|---|")
    for suite in options.suites:
        files = sorted(f for f in (options.data / suite).iterdir() if f.suffix.lower() in SUFFIXES)
        files = files[:: options.every]
        for name in options.measures:
            valid = registry.settings(registry.find("measure", name))
            by = registry.make("measure", name, {k: v for k, v in given.items() if k in valid})
            found = []
            start = time.process_time()
            for file in files:
                puzzle, truth = cut(read_image(file), options.piece, turned=options.turned)
                asked = {"keep": max(options.keep), "dense": False, "threads": options.threads}
                scores = measure(puzzle, by, **asked)
                for keep in options.keep:
                    found += [judged(scores, truth, keep, slack) for slack in options.slack]
            spent = (time.process_time() - start) / len(files)
            mean = np.reshape(found, (len(files), len(options.keep), -1, 3)).mean(axis=0)
            for keep, rows in zip(options.keep, mean, strict=True):
                for slack, (lists, either, pairs) in zip(options.slack, rows, strict=True):
                    told = f"{lists:.2f} | {either:.2f} | {pairs:.1f} | {spent:.2f}"
                    print(f"| {suite} | {name} | {keep} | {slack} | {told} |", flush=True)


if __name__ == "__main__":
    main()
