"""Make an empty sheet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State

NAME_MAX = 200
SHEETS_MAX = 10_000


@dataclass(frozen=True)
class NewSheet:
    """Make an empty sheet beside the others.

    Attributes
    ----------
    name : what to call it
    """

    name: str = ""

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        del facts
        if len(self.name) > NAME_MAX:
            raise Refused(f"A sheet's name has at most {NAME_MAX} characters.")
        number = state.sheets()[-1] + 1
        if len(state.sheets()) >= SHEETS_MAX:
            raise Refused(f"A project has at most {SHEETS_MAX} sheets.")
        return [state.change("sheet", number, {"name": self.name})]
