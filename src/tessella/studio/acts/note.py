"""Write something down about a piece, a join or a sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State, pair

LONGEST = 4000
_ABOUT = re.compile(r"(piece|sheet):([0-9]{1,9})|join:([0-9]{1,9})-([0-9]{1,9})")


@dataclass(frozen=True)
class Note:
    """Note something.

    Attributes
    ----------
    about : "piece:3", "join:12-33" (two edges, in any order) or "sheet:0"
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
        about = _subject(state, self.about)
        if len(self.text) > LONGEST:
            raise Refused(f"A note has at most {LONGEST} characters; got {len(self.text)}.")
        return [state.change("note", about, self.text or None)]


def _subject(state: State, about: str) -> str:
    """Return the one key of a subject, however its numbers were written; raise if there is none."""
    subject = _ABOUT.fullmatch(about)
    if subject is None:
        raise Refused('A note is about "piece:3", "join:12-33" or "sheet:0".')
    if subject[1] is None:
        edges = int(subject[3]), int(subject[4])
        for edge in edges:
            state.check_piece(edge // 4)
        return f"join:{pair(*edges)}"
    number = int(subject[2])
    if subject[1] == "piece":
        state.check_piece(number)
    else:
        state.check_sheet(number)
    return f"{subject[1]}:{number}"
