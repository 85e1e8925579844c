"""Let pieces move again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.facts import Facts
from tessella.studio.state import Change, State


@dataclass(frozen=True)
class Unlock:
    """Unlock pieces.

    Attributes
    ----------
    pieces : which
    """

    pieces: tuple[int, ...]

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        del facts
        for piece in self.pieces:
            state.check_piece(piece)
        return [state.change("lock", piece, None) for piece in self.pieces]
