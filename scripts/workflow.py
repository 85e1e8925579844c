"""Make the pictures of docs/conservators.md: from photographs of loose tiles to the panel.

    python scripts/workflow.py FOLDER --docs docs/images

takes the caravel that comes with tessella as a panel of 6 x 8 tiles, lays them on a table in no
order and turned any way, a card with a marker among them, and renders two photographs of it into
FOLDER (`table_1.jpg`, `table_2.jpg`). It then runs the page's commands there. With --docs small
copies of what comes out are written, for the page.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from tessella.cli import main as tessella
from tessella.pictures import demo_picture

sys.path.insert(0, str(Path(__file__).parent))
from render_photographs import photograph

TILE = 112
TABLES = ("wood", "cloth")
WIDE = 800
COMMANDS = (
    "collect table_1.jpg table_2.jpg crate --kind tiles --marker-mm 84",
    "solve crate/puzzle panel --shape 6x8 --runs 3",
)

PICTURES = {
    "workflow_table.jpg": "table_1.jpg",
    "workflow_contact.jpg": "crate/contact.png",
    "workflow_answer.jpg": "panel/assembled.png",
}


def photographs(folder: Path, seed: int = 7) -> None:
    """Render the tiles on two tables."""
    picture = demo_picture().astype(np.float32) / 255
    rows, cols = (side // TILE for side in picture.shape[:2])
    cut = picture.reshape(rows, TILE, cols, TILE, 3).swapaxes(1, 2).reshape(-1, TILE, TILE, 3)
    order = np.random.default_rng(seed).permutation(len(cut))
    half = len(cut) // len(TABLES)
    for number, table in enumerate(TABLES):
        faces = [cut[k] for k in order[number * half : (number + 1) * half]]
        drawn = photograph(seed + number, table, faces=faces, cards=1)
        if len(drawn.corners) != len(faces):
            raise SystemExit(f"Only {len(drawn.corners)} of {len(faces)} tiles found room.")
        Image.fromarray(drawn.image).save(folder / f"table_{number + 1}.jpg", quality=92)


def perform(
    about: str,
    make: Callable[[Path], None],
    commands: Sequence[str],
    pictures: Mapping[str, str],
    wide: int,
) -> None:
    """Make what a page begins with, run its commands, and write small copies of what comes out.

    Parameters
    ----------
    about : what the script says of itself
    make : makes it in a folder
    pictures : the file of the folder that each picture of the page is a copy of, `wide` px wide
    """
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--docs", type=Path, help="a folder for small copies")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    docs = asked.docs.resolve() if asked.docs else None
    folder.mkdir(parents=True, exist_ok=True)
    make(folder)
    os.chdir(folder)
    for command in commands:
        print(f"$ tessella {command}", flush=True)
        if tessella(command.split()):
            raise SystemExit(1)
    for name, source in pictures.items() if docs is not None else ():
        with Image.open(folder / source) as whole:
            small = whole.convert("RGB")
        small.thumbnail((wide, 2 * wide), Image.Resampling.LANCZOS)
        small.save(docs / name, quality=74, optimize=True)


if __name__ == "__main__":
    perform(__doc__, photographs, COMMANDS, PICTURES, WIDE)
