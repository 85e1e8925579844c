"""What ``--worn auto`` finds: frames of pictures that were worn, and of photographs of panels.

    python scripts/worn_frames.py [--pictures DIR] [--size P...] [--worn T...] [--enlarged P]
                                  [--tiles DIR] [--crop F...] [--only TEXT...]

The pictures of DIR are cut into pieces of P px that lose a frame of T px; with --enlarged pieces
are resampled to that size afterwards, as by a person who brings all to one. TILES holds
NAME_COLSxROWS_PITCH.png, panels that are cut every PITCH pixels (``speed/tiles.py``); every tile
loses the share F of its side on every side and keeps its size. Besides the width that was found,
the contrast of the outermost line against that inside is told: below 0.4 it is taken for empty.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from tessella.imaging.cut import cut
from tessella.imaging.read import SUFFIXES, read_image
from tessella.imaging.worn import find, profile
from tessella.puzzle import Puzzle

sys.path.insert(0, str(Path(__file__).parent.parent / "speed"))
from tiles import Photograph


def enlarged(puzzle: Puzzle, side: int) -> Puzzle:
    """Return pieces brought to another size, frames and all."""
    pieces = [
        Image.fromarray(p).resize((side, side), Image.Resampling.LANCZOS) for p in puzzle.pieces
    ]
    return replace(puzzle, pieces=np.stack([np.asarray(piece) for piece in pieces]))


def unframed(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle as somebody has it who does not know of its frames."""
    return replace(puzzle, eroded=0)


def pictures(folder: Path, size: int, worn: int, larger: int | None) -> str:
    """Return one line about all pictures of a folder."""
    found: Counter[int] = Counter()
    outermost = []
    for path in sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES):
        puzzle = unframed(cut(read_image(path), size, erode=worn)[0])
        puzzle = puzzle if larger is None else enlarged(puzzle, larger)
        found[find(puzzle)] += 1
        outermost.append(float(profile(puzzle)[0][0]))
    told = ", ".join(f"{width} px in {count}" for width, count in sorted(found.items()))
    brought = "" if larger is None else f", brought to {larger} px ({worn * larger / size:.1f} px)"
    return (
        f"{size} px, worn by {worn} px{brought}: {told} of {found.total()}; outermost line "
        f"{min(outermost):.2f} to {max(outermost):.2f}"
    )


def panels(folder: Path, crop: float, only: list[str]) -> list[str]:
    """Return a line about every panel of a folder."""
    lines = []
    for file in sorted(folder.glob("*.png")):
        photograph = Photograph(file)
        if only and not any(text in photograph.name for text in only):
            continue
        panel, side = photograph.panel(crop, None)
        puzzle, _ = cut(panel, side)
        lines.append(
            f"{photograph.name}, cropped by {100 * crop:g} %, {side} px: {find(puzzle)} px; "
            f"outermost line {profile(puzzle)[0][0]:.2f}"
        )
    return lines


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--size", type=int, nargs="+", default=[50, 64])
    parser.add_argument("--worn", type=int, nargs="+", default=[0, 2, 4, 6])
    parser.add_argument("--enlarged", type=int)
    parser.add_argument("--tiles", type=Path)
    parser.add_argument("--crop", type=float, nargs="+", default=[0.0, 0.02, 0.04])
    parser.add_argument("--only", nargs="+", default=[])
    asked = parser.parse_args()
    if asked.pictures is not None:
        for size in asked.size:
            for worn in asked.worn:
                print(pictures(asked.pictures, size, worn, asked.enlarged), flush=True)
    if asked.tiles is not None:
        for crop in asked.crop:
            print(*panels(asked.tiles, crop, asked.only), sep="\n", flush=True)


if __name__ == "__main__":
    main()
