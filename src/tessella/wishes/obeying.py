"""The one way in which solvers hold to wishes, and better an answer that they are given.

A solver searches by evidence that goes with the wishes; its answer is laid anew so that all of them
hold; and where the solver can better an answer, it does so with the pieces of groups held still,
and by evidence that holds together what was sure in that answer.
What cannot be met is never answered: one sentence says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.errors import InputError
from tessella.odds import Odds
from tessella.panels import may_have_holes
from tessella.solving import Job, Solution
from tessella.stages.complete import is_closed
from tessella.stages.laying import fragment_of
from tessella.watch import Onward
from tessella.wishes.aligning import blocks
from tessella.wishes.checking import broken
from tessella.wishes.contradictions import check_wishes
from tessella.wishes.facts import Facts
from tessella.wishes.groups import Known
from tessella.wishes.guiding import guided
from tessella.wishes.honouring import holds, laid_anew
from tessella.wishes.settling import settled
from tessella.wishes.sheets import belonging
from tessella.wishes.wish import Wishes

_MANY = 2
"""Where an answer breaks so many wishes, a search from nothing is made besides."""

Search = Callable[[Job], Solution]
Better = Callable[[Arrangement, Job, tuple[int, ...]], Solution]
"""Given an answer, a job and pieces that stay where they are: a better answer."""


def obeyed(
    job: Job, search: Search, better: Better | None = None, anew: Search | None = None
) -> Solution:
    """Return what `search` finds, changed so that the job's wishes hold.

    Parameters
    ----------
    better : makes an answer better that need not be found from nothing; where there is none, a job
        with `begin` must not be given
    anew : searches quickly from nothing; asked besides where an answer to begin with breaks several
        wishes
    """
    if not job.wishes and job.begin is None:
        return search(job)
    known = check_wishes(job.wishes or Wishes(), Facts.of_job(job))
    easy = replace(job, wishes=None, begin=None)
    odds = job.evidence.informed(known.wishes) if job.wishes else None
    if job.wishes:
        told = None if job.panels is None else belonging(known)
        easy = replace(easy, evidence=guided(job.evidence, known), belonging=told)
        if job.begin is not None and anew is not None and odds is not None:
            easy = replace(easy, evidence=settled(easy.evidence, job.begin, odds))
    if job.begin is None:
        solution = search(easy)
    else:
        assert better is not None
        solution = Solution(job.begin, 0.0)
    held = tuple(piece for group in blocks(known) for piece in group.pieces)
    laid = laid_anew(solution.arrangement, known, easy.compatibility, seed=job.seed, odds=odds)
    done = _done(laid, solution.arrangement, job)
    if better is not None and len(done) < len(laid.placed()):
        moved = better(laid, _onward(easy, solution), tuple({*held, *done}))
        laid = _better(laid, moved.arrangement, known, easy, odds)
        first, solution = solution.arrangement, _both(solution, moved)
        if job.begin is not None and anew is not None and _several(job.begin, known):
            found = anew(_onward(easy, solution))
            laid, solution = (
                _better(laid, found.arrangement, known, easy, odds),
                _both(solution, found),
            )
        elif job.begin is not None and held:
            # A group that is laid first and held then may be held where it does not belong; what is
            # joined attracts, so pieces may find each other by themselves.
            free = better(first, _onward(easy, solution), done)
            laid, solution = (
                _better(laid, free.arrangement, known, easy, odds),
                _both(solution, free),
            )
    return replace(solution, arrangement=laid, fitness=job.compatibility.fitness(laid))


def _done(laid: Arrangement, before: Arrangement, job: Job) -> tuple[int, ...]:
    """Return the pieces of sheets as wishes found them, of which nothing remains to be bettered.

    Several pictures were sorted and completed by more than worth: moves by worth alone would take
    flat parts of them apart again. Of an answer to begin with, only pictures that are whole are
    taken to be so.
    """
    if job.panels is None:
        return ()
    every = [sheet for sheet in laid.sheets if job.begin is None or is_closed(sheet)]
    same = [sheet for sheet in every if any(map(partial(_alike, sheet), before.sheets))]
    return tuple(piece for sheet in same for piece in sheet.piece[sheet.piece != EMPTY].tolist())


def _alike(one: Sheet, other: Sheet) -> bool:
    """Say whether two sheets hold the same, wherever it lies on them."""
    held = [fragment_of(sheet) for sheet in (one, other) if (sheet.piece != EMPTY).any()]
    pairs = [(each.piece, each.cell, each.turns) for each in held]
    return len(pairs) == 2 and all(map(np.array_equal, *pairs))


def _onward(job: Job, before: Solution) -> Job:
    """Return `job` with a watcher for whom it goes on where `before` ended."""
    return replace(job, watch=Onward(job.watch, len(before.history)))


def _both(one: Solution, other: Solution) -> Solution:
    """Return a solution whose history is that of two searches, one after the other."""
    history = (*one.history, *other.history)
    return replace(one, history=history, stopped=one.stopped or other.stopped)


def _several(begin: Arrangement, known: Known) -> bool:
    """Say whether an answer breaks so many wishes that it is no place to begin at."""
    lost = broken(begin, known.wishes, known.exact)
    return sum(1 for _ in islice(lost, _MANY)) == _MANY


def _better(
    laid: Arrangement, moved: Arrangement, known: Known, job: Job, odds: Odds | None
) -> Arrangement:
    """Return the better of two answers; the second is laid anew where it breaks a wish.

    Where there may be holes or several sheets, the better one is that which is worth more.
    """
    compatibility = job.compatibility
    holes = may_have_holes(compatibility.pieces, job.shape, job.panels)
    worth = job.evidence.worth if holes else None
    if not holds(moved, known):
        try:
            moved = laid_anew(moved, known, compatibility, seed=job.seed, odds=odds)
        except InputError:  # The first answer holds, so nothing is lost.
            return laid
    value = compatibility.fitness if worth is None else worth.of
    return moved if value(moved) > value(laid) else laid
