"""Compare what ``tessella collect`` finds in rendered photographs with the truth.

    python scripts/check_photographs.py --count 200 --seed 11 --each --kept figures.jsonl

With --kept every photograph's figures are kept in a file, and a run that was stopped goes on there.
A tile is found where a piece overlaps it by more than
half; a piece that overlaps none is invented. The corner error is the largest distance of a tile's
four corners from the truth, in sides.
"""

from __future__ import annotations

import argparse
import json
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
        turned = [np.linalg.norm(np.roll(quad, k, 0) - true, axis=1).max() for k in range(4)]
        errors.append(float(min(turned)) / side)
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


def line(name: str, rows: list[dict[str, object]]) -> str:
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


def read_kept(path: Path | None) -> dict[tuple[int, int], dict[str, object]]:
    """Return the figures of earlier photographs by seed and number."""
    if path is None or not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {(row["seed"], row["number"]): row for row in rows}


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--skip", type=int, default=0, help="how many photographs to leave out")
    parser.add_argument("--each", action="store_true", help="also a line for each photograph")
    parser.add_argument("--kept", type=Path, help="a file of figures to go on with")
    asked = parser.parse_args()
    by_table = defaultdict(list)
    kept = read_kept(asked.kept)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.skip, asked.count):
            path = Path(folder) / f"photo_{number + 1:04d}.jpg"
            row = kept.get((asked.seed, number))
            if row is None:
                drawn = write_photograph(path, asked.seed, number)
                row = {"seed": asked.seed, "number": number, "table": drawn.table}
                row |= check(path, drawn.corners)
                path.unlink()
                if asked.kept is not None:
                    with asked.kept.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
            by_table[row["table"]].append(row)
            if asked.each:
                print(line(path.stem, [row]), flush=True)
    for table, rows in by_table.items():
        print(line(table, rows))
    print(line("all", [row for rows in by_table.values() for row in rows]))


if __name__ == "__main__":
    main()
