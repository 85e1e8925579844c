"""Two pieces change places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tessella.studio.acts._moving import moved
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State


@dataclass(frozen=True)
class Swap:
    """Two pieces change places; each keeps its own turns.

    Attributes
    ----------
    first, second : which
    """

    first: int
    second: int

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        state.check_free(self.first)
        state.check_free(self.second)
        if self.first == self.second:
            raise Refused(f"Piece {self.first} cannot change places with itself.")
        one, other = state.spot(self.first), state.spot(self.second)
        spots = {
            self.first: replace(other, turns=one.turns),
            self.second: replace(one, turns=other.turns),
        }
        return moved(state, facts, spots)
