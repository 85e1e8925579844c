"""Take back what was said about two edges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.acts._verdicts import verdict
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State, pair


@dataclass(frozen=True)
class Release:
    """Neither join nor forbid two edges any more; they may be asked about again.

    Attributes
    ----------
    first, second : the edges, 4 * piece + side
    """

    first: int
    second: int

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        edges = self.first, self.second
        return [verdict(state, facts, edges, None), state.change("asked", pair(*edges), None)]
