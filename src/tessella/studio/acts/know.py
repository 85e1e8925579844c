"""Say what is known of the whole: its shape, its panels, whether pieces are missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.bounds import check_shape
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State


@dataclass(frozen=True)
class Know:
    """Say what is known of the whole, in place of what was said when the project was made.

    Attributes
    ----------
    rows, cols : of the answer; both or neither
    panels : how many panels or pages; 0: nobody knows
    missing : whether pieces may be missing
    """

    rows: int | None = None
    cols: int | None = None
    panels: int = 1
    missing: bool = False

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        del facts
        if (self.rows is None) != (self.cols is None):
            raise Refused("Give both rows and columns, or neither.")
        if self.rows is not None and self.cols is not None and not self.missing:
            check_shape(self.rows, self.cols, state.pieces)
        if not 0 <= self.panels <= state.pieces:
            raise Refused(f"There are 1 to {state.pieces} panels, 0 when nobody knows.")
        return [state.change("about", "known", vars(self))]
