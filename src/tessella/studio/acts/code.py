"""Say what is written on a piece's back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import REACH, Change, State

LONGEST = 100


@dataclass(frozen=True)
class Code:
    """Say what is written on a piece's back; with nothing left in, it is taken back.

    Attributes
    ----------
    piece : which
    row, col : that it names, counted from 0
    panel : that it names
    """

    piece: int
    row: int | None = None
    col: int | None = None
    panel: str | None = None

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        del facts
        state.check_piece(self.piece)
        if any(each is not None and not 0 <= each <= REACH for each in (self.row, self.col)):
            raise Refused(f"A code's row and column are 0 to {REACH}.")
        if self.panel is not None and len(self.panel) > LONGEST:
            raise Refused(f"A panel's name has at most {LONGEST} characters.")
        value = {"row": self.row, "col": self.col, "panel": self.panel}
        known = {key: each for key, each in value.items() if each is not None}
        return [state.change("code", self.piece, known or None)]
