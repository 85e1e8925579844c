"""What ``tessella solve`` is told of the answer: ``--panels``, ``--wishes`` and ``--from``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tessella.panels import Panels
    from tessella.puzzle import Puzzle
    from tessella.searching import Searching
    from tessella.solving import Solver


def searching(
    puzzle: Puzzle,
    solver: Solver,
    panels: Panels | None,
    wishes: Path | None,
    begin: Path | None,
) -> Searching:
    """Return what is known, read and checked, before anything is measured."""
    from tessella.api import check_panels
    from tessella.beginning import read_beginning
    from tessella.searching import check_known
    from tessella.wishes.files import read_wishes

    known: Searching = {
        "panels": check_panels(puzzle, solver, panels),
        "wishes": None if wishes is None else read_wishes(wishes, puzzle, panels),
        "begin": None if begin is None else read_beginning(begin, puzzle),
    }
    check_known(puzzle, solver, known["wishes"], known["begin"], known["panels"])
    return known
