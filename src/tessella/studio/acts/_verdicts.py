"""What all acts share that say something about two edges."""

from __future__ import annotations

from tessella.edges import admissible
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State, pair, parted

JOINED, FORBIDDEN = "joined", "forbidden"
SIDES = "right", "top", "left", "bottom"


def verdict(state: State, facts: Facts, edges: tuple[int, int], word: str | None) -> Change:
    """Return the change that makes `word` the verdict about two edges; None takes it back."""
    first, second = edges
    for edge in edges:
        if not 0 <= edge < 4 * state.pieces:
            raise Refused(f"Edges are 0 to {4 * state.pieces - 1}; got {edge}.")
    if not admissible(first, second, upright=facts.upright, square=facts.square):
        raise Refused(
            f"{_side(first)} and {_side(second).lower()} can never lie against each other."
        )
    if word == JOINED:
        check_partners(state, first, second)
    return state.change("join", pair(first, second), word)


def _side(edge: int) -> str:
    """Return an edge in words: its side before the piece was turned."""
    return f"The {SIDES[edge % 4]} side of piece {edge // 4}"


def check_partners(state: State, first: int, second: int) -> None:
    """Raise if one of two edges is joined to another already."""
    _check_partner(state, first, second)
    _check_partner(state, second, first)


def _check_partner(state: State, edge: int, partner: int) -> None:
    """Raise if an edge is joined to another than `partner` already."""
    for key, word in state.tables["join"].items():
        if word == JOINED and edge in parted(key) and partner not in parted(key):
            other = next(e for e in parted(key) if e != edge)
            raise Refused(
                f"{_side(edge)} is joined to piece {other // 4} already, and cannot be joined to "
                f"piece {partner // 4} too; take that back first."
            )
