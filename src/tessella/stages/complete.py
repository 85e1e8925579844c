"""Sheets completed: what is of one picture on one sheet, and in its place where that is found.

Uniting leaves apart what nothing holds together: skies, water, walls. Their pieces do not know
their places, but they know their picture (`tessella.stages.kinship`). So what is akin passes
through the ordinary stages as if it were all of one picture; and if what comes out is nearly a full
rectangle that breaks hardly anything sure (`tessella.odds.sure`), it takes the place of all its
fragments. If it is not, they lie on one sheet, apart from each other. Two knots of which neither is
a full rectangle are one picture if together they are. A picture with holes stays as it was. Blank
pieces, which any picture may have, fill what is left (`tessella.stages.spare`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.checkpoint import State
from tessella.puzzle import Shape
from tessella.snapshots import pack, unpack
from tessella.solving import Job
from tessella.stages.frame import FEWEST, Frame, Framing, Stages, largest
from tessella.stages.kinship import Bonds, Knot, kin
from tessella.stages.laying import Fragment, fragment_of, has_holes, laid_apart, trimmed
from tessella.stages.spare import Adopted, Picture, adopted, filled
from tessella.stages.stage import Answer
from tessella.watch import Apart

_NONE = np.empty(0, np.intp)
_BONDS = Bonds()


@dataclass(frozen=True)
class Complete:
    """When a sheet is whole; chosen on photographs (docs/experiments/odds.md).

    Attributes
    ----------
    stages : what one picture goes through
    bonds : what fragments must have in common to lie on one sheet
    spare : the share of a rectangle that may be empty, and of pieces that may lie outside of it;
        if fewer do than `stray`, these belong elsewhere
    broken : the share of what is sure that a rectangle may break
    """

    stages: Stages
    name: str = "complete"
    bonds: Bonds = _BONDS
    spare: float = 0.15
    stray: float = 0.06
    broken: float = 0.07

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return the answer with every sheet completed that can be."""
        odds = job.evidence.odds
        if not answer.open or job.panels is None or odds is None:
            return answer
        assert answer.arrangement is not None
        sheets = answer.arrangement.sheets
        told = job.belonging
        closed = [is_closed(s) and (told is None or told.closed(s.piece)) for s in sheets]
        shut = [sheet for sheet, whole in zip(sheets, closed, strict=True) if whole]
        pictures: list[Picture] = [(Knot.on(sheet), sheet) for sheet in shut]
        blank = job.evidence.blank
        akin = kin(sheets, odds, self.bonds, closed, blank >= 0, _open(job, len(shut)), told)
        takes = adopted(akin, sheets, blank)
        lying = Lying(sheets)
        for several in self._side_by_side(Completing(self, job, akin.knots, lying, takes)):
            pictures += several
        laid: list[Sheet] = []
        for knot, whole in filled(pictures, akin.spare, blank, lambda shape: fits(shape, job)):
            laid += _laid(knot, whole, lying, job)
        arrangement = Arrangement(tuple(laid) or sheets)
        history = (*answer.history, job.compatibility.fitness(arrangement))
        return replace(answer, arrangement=arrangement, history=history, stopped=job.stop())

    def _side_by_side(self, work: Completing) -> Iterator[list[Picture]]:
        """Yield the pictures of every knot; as many are searched at a time as there are threads."""
        job = work.job
        part = replace(work, job=replace(job, watch=Apart(job.watch)))
        # Every search may use all threads: the last of them is often a hard one, alone.
        found = job.workshop.done(self.name, part, job.threads, together=job.threads, stop=job.stop)
        done = {number: _unpacked(held) for number, held in found}
        for number in range(len(work.knots)):  # Whatever is not done is small, or too late.
            yield done[number] if number in done else part.pictures(number)

    def pictures(self, knot: Knot, lying: Lying, job: Job, takes: Adopted) -> list[Picture]:
        """Return a knot, or the knots in it that are pictures, each with its rectangle."""
        if not knot.firm:
            pictures = [e for part in knot.parts for e in self.pictures(part, lying, job, takes)]
            if job.stop() or any(self._is_full(one) for _, one in pictures):
                return pictures
            whole = self._whole(knot, lying, job, takes)
            return [whole] if self._is_full(whole[1]) else pictures
        return [self._whole(knot, lying, job, takes)]

    def _is_full(self, sheet: Sheet | None) -> bool:
        """Say whether there is a rectangle that lacks next to nothing."""
        return sheet is not None and float((sheet.piece < 0).mean()) <= self.stray

    def _whole(self, knot: Knot, lying: Lying, job: Job, takes: Adopted) -> Picture:
        """Return a knot with what it adopted, and the rectangle that they make, if they do."""
        mine = np.concatenate([knot.pieces, *(takes.get(k, _NONE) for k in knot.seeds)])
        whole = Knot(np.sort(mine), knot.seeds)
        parts = lying.parts(knot)
        if job.stop() or knot.size < FEWEST or any(map(has_holes, parts)):
            return whole, None
        evidence = job.evidence.part(whole.pieces, job.threads)
        part = replace(job, evidence=evidence, belonging=None)
        sheet = self._rectangle(np.isin(whole.pieces, knot.pieces), largest(parts), part)
        if sheet is None:
            return whole, None
        named = np.where(sheet.piece >= 0, whole.pieces[sheet.piece], EMPTY).astype(np.int32)
        return whole, Sheet(named, sheet.turns)

    def _rectangle(self, own: NDArray[np.bool_], core: Sheet, part: Job) -> Sheet | None:
        """Return the rectangle that the pieces of `part` make, None where they do not.

        Parameters
        ----------
        own : marks those without which a row or a column at its border is none
        core : the largest fragment, which it has room for
        """
        framing = Framing(Frame(self.stages, broken=self.broken), part)
        told = framing.told()
        if told is not None:
            return told.sheets[0]
        if framing.large:  # So many hardly ever make a rectangle by chance.
            likely = framing.likely(core, bool(own.all()))
            if likely is not None and fits(likely.sheets[0].shape, part):
                return likely.sheets[0]
        full = framing.fitter(framing.free(), core if own.all() else None)
        if full is not None and fits(full.sheets[0].shape, part):
            return full.sheets[0]
        if framing.large and self._lying(framing.free(), own, framing) is None:
            return None
        return self._lying(framing.free(late=True), own, framing)

    def _lying(self, free: Arrangement, own: NDArray[np.bool_], framing: Framing) -> Sheet | None:
        """Return the rectangle in which an answer of no known shape lies, None if it is none."""
        sheet = trimmed(free.sheets[0], own)
        laid = sheet.piece[sheet.piece >= 0]
        outside = int(own.sum() - own[laid].sum())
        lacking = max(sheet.piece.size - len(laid), outside) / len(own)
        if lacking > self.spare or not fits(sheet.shape, framing.job):
            return None
        if framing.sure.speaks_against(free, self.broken):
            return None
        if lacking > self.stray and fits(free.sheets[0].shape, framing.job):
            return free.sheets[0]
        return sheet


@dataclass(frozen=True, eq=False)
class Lying:
    """What lies together already; every piece on one sheet, or on none."""

    sheets: Sequence[Sheet]

    @cached_property
    def _home(self) -> NDArray[np.intp]:
        """The sheet of every piece, -1 of what lies on none."""
        held = [sheet.piece[sheet.piece >= 0] for sheet in self.sheets]
        most = max((int(pieces.max(initial=-1)) for pieces in held), default=-1)
        home = np.full(most + 1, -1, np.intp)
        for number, pieces in enumerate(held):
            home[pieces] = number
        return home

    def parts(self, knot: Knot) -> list[Sheet]:
        """Return what of a knot lies on each sheet, where any does."""
        known = knot.pieces[knot.pieces < len(self._home)]
        numbers = np.unique(self._home[known])
        return [_held(self.sheets[number], knot) for number in numbers[numbers >= 0].tolist()]


def _held(sheet: Sheet, knot: Knot) -> Sheet:
    """Return what of a knot lies on a sheet, where it lies there."""
    mine = np.isin(sheet.piece, knot.pieces)
    return Sheet(np.where(mine, sheet.piece, EMPTY).astype(np.int32), sheet.turns)


@dataclass(frozen=True, eq=False)
class Completing:
    """Knots that are completed apart from each other, a `tessella.workshop.Job`.

    Attributes
    ----------
    knots : the largest first; a block each, those excepted that are no picture
    lying, takes : what lies together already, and what knots take besides
    """

    how: Complete
    job: Job
    knots: Sequence[Knot]
    lying: Lying
    takes: Adopted

    @property
    def blocks(self) -> int:
        """How many knots are large enough for a picture."""
        return sum(knot.size >= FEWEST for knot in self.knots)

    def portable(self) -> Completing:
        """Return the work without those who watch and stop it, who are in this process."""
        job = Job(self.job.evidence.portable(), seed=self.job.seed, panels=self.job.panels)
        return replace(self, job=job)

    def do(self, number: int, threads: int | None) -> State:
        """Return the pictures of a knot as named arrays."""
        job = replace(self.job, threads=threads or self.job.threads)
        return _packed(replace(self, job=job).pictures(number))

    def pictures(self, number: int) -> list[Picture]:
        """Return the pictures of a knot."""
        return self.how.pictures(self.knots[number], self.lying, self.job, self.takes)


def _packed(pictures: Sequence[Picture]) -> dict[str, NDArray[Any]]:
    packed: dict[str, NDArray[Any]] = {"count": np.array(len(pictures))}
    for number, (knot, whole) in enumerate(pictures):
        packed[f"{number}/pieces"] = knot.pieces
        packed[f"{number}/seeds"] = np.array(knot.seeds)
        if whole is not None:
            packed |= pack(Arrangement((whole,)), f"{number}/")
    return packed


def _unpacked(held: State) -> list[Picture]:
    pictures: list[Picture] = []
    for number in range(int(held["count"])):
        seeds = tuple(held[f"{number}/seeds"].tolist())
        sheets = unpack(held, f"{number}/").sheets if f"{number}/0/piece" in held else (None,)
        pictures.append((Knot(held[f"{number}/pieces"], seeds), sheets[0]))
    return pictures


def is_closed(sheet: Sheet) -> bool:
    """Say whether a sheet is a whole picture already."""
    return sheet.piece.size >= FEWEST and bool((sheet.piece >= 0).all())


def _open(job: Job, closed: int) -> int | None:
    """Return how many panels there are beside closed ones, None where nobody knows."""
    count = None if job.panels is None else job.panels.count
    return None if count is None else max(1, count - closed)


def fits(shape: Shape, job: Job) -> bool:
    """Say whether a panel may have `shape`."""
    panels = job.panels
    if panels is None or panels.count is None or panels.count > len(panels.shapes):
        return True
    ways = {shape} if job.compatibility.upright else {shape, (shape[1], shape[0])}
    return any(r <= rows and c <= cols for rows, cols in panels.shapes for r, c in ways)


def _laid(knot: Knot, whole: Sheet | None, lying: Lying, job: Job) -> list[Sheet]:
    """Return the sheet of a picture; what has no place on it lies apart.

    A piece that is akin to nobody is left over, and one for which there is no room.
    """
    parts = lying.parts(knot) if whole is None else [whole]
    fragments = sorted(map(fragment_of, parts), key=lambda each: -len(each.piece))
    held = [fragment.piece for fragment in fragments]
    alone = np.setdiff1d(knot.pieces, np.concatenate([np.empty(0, np.intp), *held]))
    if whole is not None and (whole.piece >= 0).all():
        return [whole]
    if knot.size < 2:
        return []
    none = np.zeros((len(alone), 2), np.int64)
    singles = Fragment(alone, none, none[:, 0]).singles()
    together = laid_apart([*fragments, *singles], 1)
    return [together] if fits(together.shape, job) else [each.sheet() for each in fragments]
