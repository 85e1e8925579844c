"""Mix photographs whose skies are white throughout, two at a time, and say how they come apart.

    python scripts/white_skies.py FOLDER... [--pairs 10] [--turned]

Photographs of 672 x 504 px and more are brightened until 6 % of their pieces, and not above 35 %,
look exactly like another; those that never do are left out. Each pair is solved as a puzzle of
which nobody knows how many pictures it holds. One line a pair, then the means.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np
from kinship import PIECE, middle
from numpy.typing import NDArray

import tessella
from tessella.imaging.cut import cut_panels
from tessella.imaging.read import SUFFIXES
from tessella.panels import Panels

GAINS = 1.0, 1.15, 1.3, 1.5, 1.75, 2.0
LEAST, MOST = 0.06, 0.35
"""Shares of pieces that look exactly like another."""


def alike(image: NDArray[np.uint8]) -> float:
    """Return the share of pieces that look exactly like another."""
    rows, cols = image.shape[0] // PIECE, image.shape[1] // PIECE
    pieces = image.reshape(rows, PIECE, cols, PIECE, 3).swapaxes(1, 2).reshape(rows * cols, -1)
    counts = Counter(piece.tobytes() for piece in pieces)
    return sum(count for count in counts.values() if count > 1) / len(pieces)


def overexposed(path: Path) -> NDArray[np.uint8] | None:
    """Return a photograph with enough of a white sky; None where there is no such light."""
    image = middle(path)
    if image is None:
        return None
    for gain in GAINS:
        brighter = np.clip(image * gain, 0, 255).astype(np.uint8)
        share = alike(brighter)
        if share >= LEAST:
            return brighter if share <= MOST else None
    return None


def main() -> None:
    """Solve pair after pair; print a line for each."""
    raw = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--turned", action="store_true")
    options = parser.parse_args()
    paths = [
        p for f in options.folders for p in sorted(f.iterdir()) if p.suffix.lower() in SUFFIXES
    ]
    every = [image for image in map(overexposed, paths) if image is not None]
    order = np.random.default_rng(0).permutation(len(every))
    rows = []
    for one, two in order[: 2 * options.pairs].reshape(-1, 2):
        puzzle, truth = cut_panels([every[one], every[two]], PIECE, turned=options.turned, seed=1)
        result = tessella.solve(puzzle, measure="mgc", panels=Panels(), seed=1)
        score = tessella.score(result, truth, upright=not options.turned)
        found = score.sorting
        assert found is not None
        right = found.sheets == found.sheets_true
        rows.append(
            (
                100 * score.neighbor_up_to_identical,
                found.false_join_count,
                right,
                100 * found.purity,
            )
        )
        neighbor, false, _, purity = rows[-1]
        told = f"neighbor {neighbor:.1f} %, false joins {false}, purity {purity:.1f} %"
        print(f"{told}, sheets {found.sheets} of {found.sheets_true}", flush=True)
    print("mean", np.mean(rows, axis=0).round(2).tolist())


if __name__ == "__main__":
    main()
