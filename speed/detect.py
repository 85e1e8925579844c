"""How often the piece size of a scrambled picture is found, refused or mistaken, and how fast.

    python speed/detect.py --data DIR [--suites NAME...] [--pieces P...] [--unscrambled]

DIR is the folder above the suites' folders; every picture of every suite is cut, shuffled upright
and drawn as one scrambled picture, once for every piece size.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.imaging.detect import piece_size
from tessella.imaging.read import SUFFIXES, read_image
from tessella.imaging.render import scrambled

SUITES = ("mit_432", "mcgill_540", "pomeranz_805")
PIECES = (28, 32, 48, 64)
OUTCOMES = ("right", "refused", "wrong")


def outcome(picture: NDArray[np.uint8], true: tuple[int, int] | None) -> str:
    try:
        return "right" if piece_size(picture) == true else "wrong"
    except InputError:
        return "refused"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder above the suites")
    parser.add_argument("--suites", nargs="+", default=SUITES)
    parser.add_argument("--pieces", nargs="+", type=int, default=PIECES)
    parser.add_argument("--unscrambled", action="store_true", help="also ask about whole pictures")
    asked = parser.parse_args()
    total = dict.fromkeys(OUTCOMES, 0)
    seconds, pixels = 0.0, 0
    print(f"{'suite':<14}{'piece':>6}" + "".join(f"{name:>9}" for name in OUTCOMES))
    for suite in asked.suites:
        files = sorted(p for p in (asked.data / suite).iterdir() if p.suffix.lower() in SUFFIXES)
        images = [read_image(path) for path in files]
        for side in (*asked.pieces, *([None] if asked.unscrambled else [])):
            counts = dict.fromkeys(OUTCOMES, 0)
            for seed, image in enumerate(images):
                given = image if side is None else scrambled(cut(image, side, seed=seed)[0])
                began = time.process_time()
                counts[outcome(given, None if side is None else (side, side))] += 1
                seconds += time.process_time() - began
                pixels += given.shape[0] * given.shape[1]
            print(f"{suite:<14}{side or 'whole':>6}" + "".join(f"{n:>9}" for n in counts.values()))
            if side is not None:
                total = {name: total[name] + counts[name] for name in OUTCOMES}
    print(f"{'all scrambled':<20}" + "".join(f"{n:>9}" for n in total.values()))
    print(f"{1e6 * seconds / pixels:.3f} CPU s a megapixel")


if __name__ == "__main__":
    main()
