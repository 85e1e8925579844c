"""What a search is told besides what was measured: how long, how often, and what is known."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

from tessella.arrangement import Arrangement
from tessella.panels import Panels
from tessella.puzzle import Puzzle
from tessella.runs import name_of
from tessella.solving import Solver, covered
from tessella.stop import Stop
from tessella.wishes import Wishes
from tessella.wishes.contradictions import check_wishes


class Searching(TypedDict, total=False):
    """What `tessella.solve` hands on to `tessella.search`.

    Attributes
    ----------
    runs : independent runs, with seeds `seed`, `seed` + 1, ...; the best by fitness is the answer,
        or by worth where cells may stay empty and the solver goes by it
    seconds : stop after so long, measuring included, and answer with the best so far
    stop : asked between steps of the solver; once it says True, the best so far is the answer
    checkpoint : folder that keeps unfinished work; called again with the same arguments, `solve`
        takes it up and ends as if it had never been interrupted. Removed when all is done.
    panels : several sheets, with holes, and strangers left over; None: all pieces on one sheet
    wishes : what the answer must hold to
    begin : an answer of this puzzle to better instead of beginning anew
    """

    runs: int
    seconds: float | None
    stop: Stop
    checkpoint: Path | None
    panels: Panels | None
    wishes: Wishes | None
    begin: Arrangement | None


def check_known(
    puzzle: Puzzle,
    solver: Solver,
    wishes: Wishes | None,
    begin: Arrangement | None,
    panels: Panels | None,
) -> Wishes | None:
    """Raise unless wishes and a first answer are of `puzzle`, and `solver` can use them.

    Returns
    -------
    `wishes`, and all joins that follow from them
    """
    covered(solver).check_wishes(name_of(solver), wishes, begin)
    if begin is not None:
        begin.fits(len(puzzle))
    if not wishes:
        return wishes
    facts = puzzle.layout.known().with_panels(panels)
    known = check_wishes(wishes.called(puzzle.names), facts)
    return wishes.and_also(Wishes(joined=tuple(known.joins())))
