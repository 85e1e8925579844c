"""Answer a question of the studio about two edges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.acts._verdicts import FORBIDDEN, JOINED, verdict
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State, pair

SAID = {"yes": JOINED, "no": FORBIDDEN, "unsure": None}


@dataclass(frozen=True)
class Reply:
    """Say whether two edges belong together; they are not asked about again.

    Attributes
    ----------
    first, second : the edges, 4 * piece + side
    said : "yes" joins them, "no" forbids it, "unsure" does neither
    instead : after "no", the edge that belongs to `first`
    neither : after "no", further edges that do not belong to `first`
    """

    first: int
    second: int
    said: str
    instead: int | None = None
    neither: tuple[int, ...] = ()

    @property
    def records(self) -> bool:
        """Whether it is an event though nothing changes: who goes back means this very answer."""
        return True

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        if self.said not in SAID:
            raise Refused(f"A reply is {', '.join(SAID)}; got {self.said!r}.")
        if self.instead is not None and (self.said != "no" or self.instead == self.second):
            raise Refused("Another edge can be named only where these two do not belong together.")
        if self.neither and self.said != "no":
            raise Refused("Others can be ruled out only where these two do not belong together.")
        edges = self.first, self.second
        verdicts = [
            verdict(state, facts, edges, SAID[self.said]),
            state.change("asked", pair(*edges), self.said),
        ]
        verdicts += [verdict(state, facts, (self.first, e), FORBIDDEN) for e in self.neither]
        if self.instead is not None:
            verdicts.append(verdict(state, facts, (self.first, self.instead), JOINED))
        return verdicts
