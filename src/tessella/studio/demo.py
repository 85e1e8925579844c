"""The demo panel taken apart, as a project: ``python -m tessella.studio.demo FOLDER``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tessella.studio import intake
from tessella.studio.project import SUFFIX, is_project

NAME = "caravel"
PIECE = 56
SEED = 1


def make(folder: Path) -> Path:
    """Make the project within `folder`, unless it is there, and return where."""
    from tessella.imaging.cut import cut
    from tessella.imaging.folder import write_puzzle
    from tessella.pictures import demo_picture

    project = folder / f"{NAME}{SUFFIX}"
    if not is_project(project):
        with tempfile.TemporaryDirectory(prefix="tessella-") as place:
            puzzle, _ = cut(demo_picture(), PIECE, turned=True, seed=SEED)
            write_puzzle(Path(place) / "puzzle", puzzle)
            intake.run(intake.Order(str(Path(place) / "puzzle"), str(project), NAME))
    return project


if __name__ == "__main__":
    print(make(Path(sys.argv[1])))
