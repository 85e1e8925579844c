"""How often each measure ranks the true neighbour first, before and after post-processing.

    python speed/top1.py --data DIR [--suites NAME...] [--measures NAME...] [--turned] [--erode T]
                          [--set KEY=VALUE...]

DIR is the folder above the suites' folders. Every picture is cut from its top-left corner and
shuffled; Top-1 in per cent, mean over the pictures of a suite; a tie among m counts 1/m.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from tessella import metrics, registry
from tessella.adjust.minmax import Minmax
from tessella.imaging.cut import cut
from tessella.imaging.read import SUFFIXES, read_image
from tessella.measuring import measure

SUITES = ("mit_432", "mcgill_540", "pomeranz_805")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder above the suites")
    parser.add_argument("--suites", nargs="+", default=SUITES)
    parser.add_argument("--measures", nargs="+", default=registry.names("measure"))
    parser.add_argument("--piece", type=int, default=28)
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--erode", type=int, default=0)
    parser.add_argument("--set", nargs="+", default=[], metavar="KEY=VALUE", help="of measures")
    options = parser.parse_args()
    given = dict(item.split("=", 1) for item in options.set)
    print("| suite | measure | before | after | CPU s a picture |\n|---|---|---|---|---|")
    for suite in options.suites:
        files = sorted(f for f in (options.data / suite).iterdir() if f.suffix.lower() in SUFFIXES)
        cuts = [
            cut(read_image(f), options.piece, turned=options.turned, erode=options.erode)
            for f in files
        ]
        for name in options.measures:
            by = registry.make("measure", name, given)
            found = []
            start = time.process_time()
            for puzzle, truth in cuts:
                scores = measure(puzzle, by)
                told = scores, Minmax().adjust(scores)
                found.append([100 * metrics.top(t, truth, 1)[0] for t in told])
            spent = (time.process_time() - start) / len(cuts)
            before, after = np.mean(found, axis=0)
            print(f"| {suite} | {name} | {before:.1f} | {after:.1f} | {spent:.2f} |", flush=True)


if __name__ == "__main__":
    main()
