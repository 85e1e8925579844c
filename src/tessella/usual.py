"""What is usual: the measure and the solver that work when none is named."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Usual:
    """The names of a measure and of a solver."""

    measure: str
    solver: str


PIECES = Usual("mgc", "genetic")
"""For pieces of a picture, whatever their size."""

AUTO = "auto"
"""What ``--measure`` says to leave the choice to the pieces; see `tessella.auto`."""
