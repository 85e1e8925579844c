"""Write something down about a piece, a join or a sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State

LONGEST = 4000
_ABOUT = re.compile(r"(piece|sheet):([0-9]{1,9})|join:([0-9]{1,9})-([0-9]{1,9})")


@dataclass(frozen=True)
class Note:
    """Note something.

    Attributes
    ----------
    about : "piece:3", "join:12-33" (two edges, the smaller first) or "sheet:0"
    text : what; an empty text takes the note away
    """

    about: str
    text: str

    @property
    def records(self) -> bool:
        """Whether it is an event though nothing changes: it was written down again."""
        return True

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        del facts
        subject = _ABOUT.fullmatch(self.about)
        if subject is None:
            raise Refused('A note is about "piece:3", "join:12-33" or "sheet:0".')
        if subject[1] == "piece":
            state.check_piece(int(subject[2]))
        elif subject[1] == "sheet":
            state.check_sheet(int(subject[2]))
        else:
            state.check_piece(int(subject[3]) // 4)
            state.check_piece(int(subject[4]) // 4)
        if len(self.text) > LONGEST:
            raise Refused(f"A note has at most {LONGEST} characters; got {len(self.text)}.")
        return [state.change("note", self.about, self.text or None)]
