"""Compare what ``tessella collect`` finds in rendered photographs with the truth.

    python scripts/check_photographs.py --count 200 --seed 2

A tile is found where a piece overlaps it by more than
half; a piece that overlaps none is invented. The corner error is the largest distance of a tile's
four corners from the truth, in sides.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from tessella.collect.quad import filled_quad
from tessella.collect.source import read_source
from tessella.collect.tiles import find_tiles
from tessella.errors import InputError

sys.path.insert(0, str(Path(__file__).parent))
from render_photographs import write_photograph

GOOD = 0.01  # of a side


def check(path: Path, corners: np.ndarray) -> dict[str, object]:
    """Return the figures of one photograph."""
    began = time.monotonic()
    try:
        pieces = find_tiles(read_source(path)).pieces
    except InputError as problem:
        print(problem)
        pieces = ()
    took = time.monotonic() - began
    errors, doubted, found = [], [], set()
    invented = invented_sure = 0
    centres = corners.mean(axis=1)
    for piece in pieces:
        quad = np.array(piece.outline)
        nearest = int(np.linalg.norm(centres - quad.mean(axis=0), axis=1).argmin())
        true = corners[nearest]
        side = float(np.linalg.norm(np.roll(true, 1, 0) - true, axis=1).mean())
        if nearest in found or not overlaps(quad, true):
            invented += 1
            invented_sure += not piece.doubts
            continue
        found.add(nearest)
        errors.append(
            min(np.linalg.norm(np.roll(quad, k, 0) - true, axis=1).max() for k in range(4)) / side
        )
        doubted.append(bool(piece.doubts))
    return {
        "tiles": len(corners),
        "found": len(found),
        "invented": invented,
        "invented_sure": invented_sure,
        "errors": errors,
        "doubted": doubted,
        "seconds": took,
    }


def overlaps(one: np.ndarray, two: np.ndarray) -> bool:
    """Whether two quadrilaterals share more than half of their joint area."""
    low = np.minimum(one.min(axis=0), two.min(axis=0))
    high = np.maximum(one.max(axis=0), two.max(axis=0)) - low
    size = (int(high[1]) + 2, int(high[0]) + 2)
    if max(size) > 5000:
        return False
    masks = [filled_quad(each - low, size) for each in (one, two)]
    return bool((masks[0] & masks[1]).sum() > 0.5 * (masks[0] | masks[1]).sum())


def told(name: str, rows: list[dict[str, object]]) -> str:
    """Return one line of figures."""
    tiles, found = (sum(row[key] for row in rows) for key in ("tiles", "found"))
    errors = np.array([error for row in rows for error in row["errors"]] or [1.0])
    doubted = np.array([doubt for row in rows for doubt in row["doubted"]] or [True], bool)
    good = errors <= GOOD
    return (
        f"{name:<10} photos {len(rows):>3}  tiles {tiles:>4}  found {100 * found / tiles:6.2f} %  "
        f"corners within 1 %: {100 * good.mean():6.2f} %  95th percentile "
        f"{100 * np.percentile(errors, 95):.2f} %  flagged {doubted.sum():>3}  "
        f"wrong and not flagged {int((~good & ~doubted).sum()):>3}  "
        f"right and flagged {int((good & doubted).sum()):>3}  "
        f"invented {sum(row['invented'] for row in rows)} "
        f"(not flagged {sum(row['invented_sure'] for row in rows)})  "
        f"{np.median([row['seconds'] for row in rows]):.1f} s a photo"
    )


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--skip", type=int, default=0, help="how many photographs to leave out")
    parser.add_argument("--each", action="store_true", help="also a line for each photograph")
    asked = parser.parse_args()
    by_table = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.skip, asked.count):
            path = Path(folder) / f"photo_{number + 1:04d}.jpg"
            drawn = write_photograph(path, asked.seed, number)
            row = check(path, drawn.corners)
            by_table[drawn.table].append(row)
            if asked.each:
                print(told(path.stem, [row]), flush=True)
            path.unlink()
    for table, rows in by_table.items():
        print(told(table, rows))
    print(told("all", [row for rows in by_table.values() for row in rows]))


if __name__ == "__main__":
    main()
