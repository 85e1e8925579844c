"""Call a sheet something."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.acts.new_sheet import NAME_MAX
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State


@dataclass(frozen=True)
class NameSheet:
    """Give a sheet a name.

    Attributes
    ----------
    sheet : which
    name : what to call it
    """

    sheet: int
    name: str

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        del facts
        state.check_sheet(self.sheet)
        if len(self.name) > NAME_MAX:
            raise Refused(f"A sheet's name has at most {NAME_MAX} characters.")
        return [state.change("sheet", self.sheet, {"name": self.name})]
