"""An answer laid anew so that every wish holds, with as little change as can be.

The answer is turned and shifted so that most wishes hold already. Groups of pieces that wishes tie
together are laid as wholes, where most of their pieces lie or where they fit best. Everything else
stays where it is; what was covered fills the cells that became free, by compatibility.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.errors import InputError
from tessella.odds import Odds
from tessella.placement import places
from tessella.puzzle import Shape
from tessella.sorting import COUNTED, counted
from tessella.wishes.aligning import Boards, aligned
from tessella.wishes.boards import Board, Judge
from tessella.wishes.checking import broken, calls, misfits
from tessella.wishes.filling import Filler
from tessella.wishes.groups import Known
from tessella.wishes.laying import layouts
from tessella.wishes.wish import Wish, in_words

_LAYOUTS = 40
"""Ways to lay all groups that are tried."""

_AGAIN = 3
"""An answer of unknown shape may be laid anew so often: its first row and column may change."""


def laid_anew(
    arrangement: Arrangement,
    known: Known,
    compatibility: Compatibility,
    *,
    seed: int = 0,
    odds: Odds | None = None,
) -> Arrangement:
    """Return `arrangement` changed so that what is `known` holds; raise where no way is found.

    Parameters
    ----------
    odds : tell which joins are surest where wishes tear what holds together; None: nobody says
    """
    exact = known.exact is True
    missed: list[Wish] = []
    for shape in _shapes(arrangement, known):
        latest = arrangement
        for _ in range(1 if exact else _AGAIN):
            if holds(latest, known):
                return latest
            answers = _answers(
                aligned(latest, known, shape, odds), latest, compatibility, known, seed
            )
            for answer in islice(answers, _LAYOUTS):
                if holds(answer, known):
                    return answer
                missed = list(broken(answer, known.wishes, known.exact)) or missed
                latest = answer
    raise unmet(known, missed)


def holds(arrangement: Arrangement, known: Known) -> bool:
    """Say whether an answer is whole, fits the shape, and breaks no wish.

    Where some pieces may be left over, fragments may too: only what counts as a sheet is counted.
    """
    facts = known.facts
    sheets = len(arrangement.sheets) if facts.whole else len(counted(arrangement))
    few = facts.sheets is None or sheets <= facts.sheets
    whole = not facts.whole or len(arrangement.placed()) == facts.pieces
    return (
        few
        and whole
        and not misfits(arrangement, known.shapes)
        and not any(misfits(Arrangement((s,)), (f,)) for s, f in _framed(arrangement, known))
        and next(broken(arrangement, known.wishes, known.exact), None) is None
    )


def _framed(arrangement: Arrangement, known: Known) -> Iterator[tuple[Sheet, Shape]]:
    """Yield the sheets that are called by a number, and their shapes where these are known."""
    if known.frames:
        at = {place.piece: place for place in places(arrangement)}
        for sheet, number in calls(at, known.wishes).items():
            if number in known.frames:
                yield arrangement.sheets[sheet], known.frames[number]


def unmet(known: Known, missed: list[Wish]) -> InputError:
    """Return what to raise where wishes cannot be met though they do not contradict each other."""
    names = known.wishes.names
    such = f", such as that {in_words(missed[0], names)}" if missed else ""
    return InputError(
        f"No way was found to lay the pieces so that all wishes hold{such}; leave a wish out, or "
        "give a larger --shape."
    )


def _shapes(arrangement: Arrangement, known: Known) -> list[Shape | None]:
    """Return the shapes to try, that of the answer first."""
    first = arrangement.sheets[0].shape
    return sorted(known.shapes, key=lambda shape: shape is not None and shape != first)


def _answers(
    boards: Boards,
    arrangement: Arrangement,
    compatibility: Compatibility,
    known: Known,
    seed: int,
) -> Iterator[Arrangement]:
    """Yield answers that hold to most wishes, or all."""
    judge = Judge(compatibility, known.wishes)
    rng = np.random.default_rng(seed)
    patience = 60 + 4 * known.facts.pieces
    for laid in layouts(boards, known, judge):
        answer = _completed(laid, boards, known, judge, rng, patience, arrangement)
        if answer is not None:
            yield answer


def _completed(
    laid: list[Board],
    boards: Boards,
    known: Known,
    judge: Judge,
    rng: np.random.Generator,
    patience: int,
    before: Arrangement,
) -> Arrangement | None:
    """Return boards with all other pieces on them as an arrangement, None where one finds no cell.

    Where not every piece must lie somewhere, those that lay nowhere stay so.
    """
    lying = {int(p) for board in laid for p in board.piece.ravel() if p != EMPTY}
    complete = known.facts.whole
    every = range(known.facts.pieces) if complete else before.placed().tolist()
    left = [p for p in every if p not in lying]
    left += [p for p in boards.home if p not in lying and p not in left]
    filler = Filler(
        laid, boards.numbers, known, judge, boards.home, complete, islands=boards.islands
    )
    over = filler.fill(left)
    if over and complete:
        return None
    filler.mend(rng, patience)
    if known.facts.sheets is not None and not complete:
        _leave_over(laid, boards.home, known.facts.sheets)
    used = [k for k, board in enumerate(laid) if (board.piece != EMPTY).any()]
    order = _ordered(used, boards.numbers)
    return Arrangement(tuple(laid[k].sheet() for k in order))


def _leave_over(laid: list[Board], home: dict[int, int], sheets: int) -> None:
    """Clear what counts as a sheet beyond so many, but for pieces that wishes have there.

    Those with such pieces stay, and then those with most.
    """
    held = [int((board.piece != EMPTY).sum()) for board in laid]
    named = set(home.values())
    order = sorted(range(len(laid)), key=lambda k: (k not in named, -held[k]))
    for k in [k for k in order if held[k] >= COUNTED][sheets:]:
        board = laid[k]
        loose = ~board.held & ~np.isin(board.piece, list(home))
        board.piece[loose], board.turns[loose] = EMPTY, 0


def _ordered(used: list[int], numbers: list[int]) -> list[int]:
    """Return the boards in their order, each at the number that wishes call it if it can be."""
    order: list[int | None] = [None] * len(used)
    rest = []
    for k in used:
        if numbers[k] < len(order) and order[numbers[k]] is None:
            order[numbers[k]] = k
        else:
            rest.append(k)
    return [rest.pop(0) if k is None else k for k in order]
