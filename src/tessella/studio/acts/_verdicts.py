"""What all acts share that say something about two edges."""

from __future__ import annotations

from tessella.edges import admissible
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State, pair, parted

JOINED, FORBIDDEN = "joined", "forbidden"


def verdict(state: State, facts: Facts, edges: tuple[int, int], word: str | None) -> Change:
    """Return the change that makes `word` the verdict about two edges; None takes it back."""
    first, second = edges
    for edge in edges:
        if not 0 <= edge < 4 * state.pieces:
            raise Refused(f"Edges are 0 to {4 * state.pieces - 1}; got {edge}.")
    if not admissible(first, second, upright=facts.upright, square=facts.square):
        raise Refused(f"The edges {first} and {second} can never lie against each other.")
    if word == JOINED:
        _check_partner(state, first, second)
        _check_partner(state, second, first)
    return state.change("join", pair(first, second), word)


def _check_partner(state: State, edge: int, partner: int) -> None:
    """Raise if an edge is joined to another than `partner` already."""
    for key, word in state.tables["join"].items():
        if word == JOINED and edge in parted(key) and partner not in parted(key):
            other = next(e for e in parted(key) if e != edge)
            raise Refused(
                f"Side {edge % 4} of piece {edge // 4} is joined to piece {other // 4} already, "
                f"and cannot be joined to piece {partner // 4} too; take that back first."
            )
