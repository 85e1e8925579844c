"""Take up a list of wishes: places, joins, bars and codes, all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tessella.studio.acts.bar import Bar
from tessella.studio.acts.code import Code
from tessella.studio.acts.forbid import Forbid
from tessella.studio.acts.join import Join
from tessella.studio.acts.lock import Lock
from tessella.studio.acts.new_sheet import NewSheet
from tessella.studio.acts.place import Place
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State

SHEETS_MAX = 1000


@dataclass(frozen=True)
class Wish:
    """Lay and lock pieces, join and forbid edges, bar pieces from cells, and note codes.

    Attributes
    ----------
    fixed : piece, sheet, row, col and turns of pieces that lie there
    joined, forbidden : two edges each
    barred : piece, sheet, row and col
    coded : piece, row and col of codes, -1 where one is not written
    panels : the panel of every code, empty where none is written
    """

    fixed: tuple[tuple[int, ...], ...] = ()
    joined: tuple[tuple[int, ...], ...] = ()
    forbidden: tuple[tuple[int, ...], ...] = ()
    barred: tuple[tuple[int, ...], ...] = ()
    coded: tuple[tuple[int, ...], ...] = ()
    panels: tuple[str, ...] = ()

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        self._check()
        after = State(state.pieces, state.tables)
        first: dict[tuple[str, str], Change] = {}
        for act in self._acts(after):
            made = list(act.changes(after, facts))
            after.apply(made)
            for change in made:
                key = change.table, change.key
                before = first[key].before if key in first else change.before
                first[key] = Change(*key, before, change.after)
        return first.values()

    def _check(self) -> None:
        lengths = ((self.fixed, 5), (self.joined, 2), (self.forbidden, 2), (self.barred, 4))
        for rows, length in (*lengths, (self.coded, 3)):
            if any(len(row) != length for row in rows):
                raise Refused(f"A wish of that kind has {length} numbers.")
        if len(self.panels) != len(self.coded):
            raise Refused("Every code needs a panel, or an empty text.")

    def _acts(self, after: State) -> Iterator[NewSheet | Place | Lock | Join | Forbid | Bar | Code]:
        """Yield the acts that do it; `after` is what was done so far."""
        most = max((row[1] for row in (*self.fixed, *self.barred)), default=0)
        if most > SHEETS_MAX:
            raise Refused(f"Wishes may name sheets up to {SHEETS_MAX}; got {most}.")
        while after.sheets()[-1] < most:
            yield NewSheet()
        for piece, sheet, row, col, turns in self.fixed:
            yield Place((piece,), sheet, (row,), (col,), (turns,))
        if self.fixed:
            yield Lock(tuple(row[0] for row in self.fixed))
        for one, other in self.joined:
            yield Join(one, other)
        for one, other in self.forbidden:
            yield Forbid(one, other)
        for piece, sheet, row, col in self.barred:
            yield Bar(piece, sheet, row, col)
        for (piece, row, col), panel in zip(self.coded, self.panels, strict=True):
            yield Code(piece, None if row < 0 else row, None if col < 0 else col, panel or None)
