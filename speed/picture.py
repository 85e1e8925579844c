"""What measuring one picture costs: seconds, processor seconds and memory of the whole process.

    python speed/picture.py IMAGE [--measure NAME] [--piece P] [--turned] [--threads T]

The picture is cut from its top-left corner, shuffled, measured and post-processed by `minmax`. A
measure's first run on a machine compiles its kernels as well.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

from tessella import registry
from tessella.adjust.minmax import Minmax
from tessella.imaging.cut import cut
from tessella.imaging.read import read_image
from tessella.measuring import measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("image", type=Path)
    parser.add_argument("--measure", default="mgc")
    parser.add_argument("--piece", type=int, default=28)
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    puzzle, _ = cut(read_image(options.image), options.piece, turned=options.turned)
    start = time.perf_counter()
    scores = measure(puzzle, registry.make("measure", options.measure), threads=options.threads)
    measured = time.perf_counter() - start
    Minmax().adjust(scores, options.threads)
    adjusted = time.perf_counter() - start - measured
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    kind = "turned" if options.turned else "upright"
    print(
        f"{options.measure}, {len(puzzle)} {kind} pieces: measured {measured:.1f} s, adjusted "
        f"{adjusted:.1f} s; process {time.process_time():.1f} CPU s, {memory:.2f} GiB at most"
    )


if __name__ == "__main__":
    main()
