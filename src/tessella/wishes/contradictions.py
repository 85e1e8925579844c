"""Contradictions between wishes, told in one sentence that names them.

Which wishes are to blame is found by leaving others out: the smallest set, in the sense that
without any one of them the others could be met (U. Junker, "QuickXplain", AAAI 2004).
"""

from __future__ import annotations

from collections.abc import Sequence

from tessella.errors import InputError
from tessella.wishes.facts import Facts
from tessella.wishes.groups import Clash, Known, gather
from tessella.wishes.wish import Wish, Wishes, in_words


def check_wishes(wishes: Wishes, facts: Facts) -> Known:
    """Return what `wishes` amount to; raise, naming the culprits, unless they can be met together.

    Not everything that cannot be met is a contradiction in itself: whether groups of pieces find
    room beside each other shows when they are laid.
    """
    wishes.fits(facts.pieces)
    try:
        return gather(wishes, facts)
    except Clash as clash:
        to_blame = culprits(wishes, facts)
        reason = str(_why(wishes.only(to_blame), facts) or clash)
        raise InputError(sentence(to_blame, reason, wishes.names)) from None


def culprits(wishes: Wishes, facts: Facts) -> list[Wish]:
    """Return wishes that cannot be met together, though all but any one of them could."""
    every = list(wishes.each())

    def clash(some: Sequence[Wish]) -> bool:
        return _why(wishes.only(some), facts) is not None

    def search(given: list[Wish], fresh: bool, among: list[Wish]) -> list[Wish]:
        if fresh and clash(given):
            return []
        if len(among) == 1:
            return among
        half = len(among) // 2
        first, second = among[:half], among[half:]
        later = search([*given, *first], bool(first), second)
        return [*search([*given, *later], bool(later), first), *later]

    return search([], False, every)


def sentence(to_blame: Sequence[Wish], reason: str, names: Sequence[str]) -> str:
    """Say what is wrong with wishes, the first few of them."""
    words = [in_words(wish, names) for wish in to_blame]
    if len(words) == 1:
        return f"This wish cannot be met: {words[0]}, but {reason or 'that cannot be'}."
    few = words if len(words) <= 4 else [words[0], f"{len(words) - 2} more like it", words[-1]]
    since = f" ({reason})" if reason else ""
    return (
        f"These wishes contradict each other: {', and '.join(few[:-1])}, but {few[-1]}{since}; "
        "change one of them."
    )


def _why(wishes: Wishes, facts: Facts) -> Clash | None:
    try:
        gather(wishes, facts)
    except Clash as clash:
        return clash
    return None
