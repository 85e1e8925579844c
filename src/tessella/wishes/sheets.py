"""What wishes say of sheets: which pieces they name, which are of one sheet, and which are not."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from tessella.belonging import Belonging
from tessella.wishes.groups import Known


def named(known: Known) -> set[int]:
    """Return the pieces about whose sheet something is wished."""
    wishes = known.wishes
    several = {piece for pieces in (*wishes.together, *wishes.apart) for piece in pieces}
    joined = {e // 4 for pair in wishes.joined for e in pair}
    return several | joined | on_panels(known)


def on_panels(known: Known) -> set[int]:
    """Return the pieces that a number or a name has on a panel."""
    marked = {code.piece for code in known.wishes.codes if code.panel is not None}
    return marked | {fixed.piece for fixed in known.wishes.fixed}


def belonging(known: Known) -> Belonging:
    """Return which pieces are of one sheet, and which are not, as far as wishes say so."""
    name = np.full(known.facts.pieces, -1, np.intp)
    numbers: dict[Hashable, int] = {}
    for piece in sorted(named(known)):
        first = known.sheets.seen(piece)[0]
        name[piece] = numbers.setdefault(first, len(numbers))
    differ = set()
    for things in known.wishes.different():
        firsts = {known.sheets.seen(thing)[0] for thing in things} & numbers.keys()
        some = sorted(numbers[first] for first in firsts)
        differ |= {(one, two) for k, one in enumerate(some) for two in some[k + 1 :]}
    pairs = np.array(sorted(differ), np.intp).reshape(-1, 2)
    return Belonging(name, pairs, np.unique(name[np.array(sorted(on_panels(known)), np.intp)]))
