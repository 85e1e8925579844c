"""Say that two edges belong together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.acts._verdicts import JOINED, verdict
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State


@dataclass(frozen=True)
class Join:
    """Join two edges, wherever their pieces lie now.

    Attributes
    ----------
    first, second : the edges, 4 * piece + side
    """

    first: int
    second: int

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        return [verdict(state, facts, (self.first, self.second), JOINED)]
