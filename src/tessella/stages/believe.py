"""Flat regions of a very large puzzle laid anew, by what neighbours believe of each other.

What merging is sure of and lies together is kept. In the cells around it any other piece may lie;
which one is told by belief propagation (`tessella.kernels.beliefs`) with every pair of these pieces
measured again (`tessella.stages.balancing`). Cells speak one diagonal after the other, to and
fro, so that what is known in one corner reaches the other in one sweep. Pieces that are wanted in
several cells become less likely in all of them. Then segments are moved by the same measure.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tessella.arrangement import Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.kernels.beliefs import FREE, OUTSIDE, Chances, Said, believe
from tessella.solving import Job
from tessella.stages.balancing import balanced, odds_from
from tessella.stages.move import FAR, Move
from tessella.stages.stage import Answer
from tessella.threads import chunks
from tessella.watch import Generation

_TOLD = 128
"""How many labels a cell tells at most."""

_SHYEST = 8.0
"""Bound of a piece's wish, a logarithm."""

_RAREST = 1e-3

_DEALT = 1000
"""How many pieces that no cell claims are dealt out at a time."""


_AFTERWARDS = replace(FAR, heat=0.5, portions=16)


@dataclass(frozen=True)
class Believe:
    """Chosen on flat regions of three photographs of train/ (docs/experiments/beliefs.md).

    Attributes
    ----------
    large : sure joins that hold so many pieces together are kept ...
    away : ... but for pieces so near to where it is not sure
    most : more pieces are not laid anew: a table of so many takes 0.4 GB, and there are several
    sweeps : how often all cells speak
    reading : after so many sweeps beliefs are read, in the second half; before, they are too vague
    sharpness : exponents of how much likelier one label is than others, in the first sweep and in
        the last
    sharper : after so many sweeps the exponent rises
    damping : how much of what was said before stays
    shyness : how much less a piece is wanted for being wanted twice as often; an exponent
    moves : which follow, by the same measure
    """

    name: str = "believe"
    large: int = 200
    away: int = 2
    most: int = 10_000
    sweeps: int = 200
    reading: int = 25
    sharpness: tuple[float, float] = (0.8, 1.3)
    sharper: int = 10
    damping: float = 0.3
    shyness: float = 0.5
    moves: Move = _AFTERWARDS

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return the answer with its doubtful regions laid anew, if by every pair it is likelier.

        By the lists it may be less fit: in flat regions they know too little to tell.
        """
        remeasure = job.evidence.remeasure
        if not answer.open or answer.merged is None or remeasure is None:
            return answer
        assert answer.arrangement is not None
        sheet = answer.arrangement.sheets[0]
        free = self.doubtful(sheet, answer.merged.firm)
        if not 0 < free.sum() <= self.most:
            return answer
        near = balanced(sheet, free, remeasure, job.threads, job.stop)
        if near is None:
            return replace(answer, stopped=True)
        laid = self.moves.moved(self.propagated(answer, near, free, job), near, job)
        assert laid.arrangement is not None
        if near.fitness(laid.arrangement) > near.fitness(answer.arrangement):
            return laid
        return replace(answer, stopped=laid.stopped)

    def doubtful(self, sheet: Sheet, firm: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Say which cells are to be laid anew, ``(R, C)``."""
        piece = sheet.piece
        count = len(firm) // 4
        e, f = sheet.joins().T
        held = firm[e] == f
        ones = np.ones(held.sum())
        joined = coo_array((ones, (e[held] // 4, f[held] // 4)), shape=(count, count))
        _, group = connected_components(joined)
        size = np.bincount(group)
        unsure = (piece < 0) | (size[group[piece]] < self.large)
        if unsure.all():  # Nothing to hold on to.
            return np.zeros_like(unsure)
        near = np.asarray(binary_dilation(unsure & (piece >= 0), iterations=self.away))
        return near & (piece >= 0)

    def propagated(
        self, answer: Answer, near: Compatibility, free: NDArray[np.bool_], job: Job
    ) -> Answer:
        """Return what the `free` cells believe to hold; beliefs waver, the fittest counts."""
        assert answer.arrangement is not None
        sheet = answer.arrangement.sheets[0]
        region = _Region(sheet.piece, free, near, self)
        history = list(answer.history)
        best, shown, stagnant = -np.inf, answer.arrangement, 0
        with ThreadPoolExecutor(job.threads) as pool:
            for sweep in range(self.sweeps):
                if job.stop():
                    break
                region.sweep(sweep, pool, job.threads)
                if (sweep + 1) % self.reading:
                    continue
                stagnant, snapshot = stagnant + 1, None
                if sweep >= self.sweeps // 2:
                    read = Arrangement((Sheet(region.read(), sheet.turns.copy()),))
                    fitness = near.fitness(read)
                    if fitness > best:
                        best, shown, snapshot, stagnant = fitness, read, read, 0
                history.append(job.compatibility.fitness(shown))
                generation = Generation(0, len(history) - 1, history[-1], stagnant, snapshot)
                job.watch.generation(generation)
        return replace(answer, arrangement=shown, history=tuple(history), stopped=job.stop())


class _Region:
    """The free cells, and what they have told each other."""

    def __init__(
        self,
        piece: NDArray[np.int32],
        free: NDArray[np.bool_],
        near: Compatibility,
        by: Believe,
    ) -> None:
        self.piece = piece
        self.near = near
        self.by = by
        labels = np.sort(piece[free])
        count = len(labels)
        name = np.full(near.pieces, count, np.int32)
        name[labels] = np.arange(count)
        tables = near.tables
        odds = odds_from(tables.value, count, by.sharpness[0])
        self.chances = Chances(tables.start, name[tables.known >> 2], odds, labels)
        fixed = np.full((piece.shape[0] + 2, piece.shape[1] + 2), OUTSIDE, np.int32)
        fixed[1:-1, 1:-1] = np.where(free, FREE, np.where(piece >= 0, piece, OUTSIDE))
        self.wide = fixed.shape[1]
        self.cells = np.flatnonzero(fixed.ravel() == FREE)
        lists = (fixed.size, 5)
        self.said = Said(
            fixed.ravel(),
            np.array([1, -self.wide, -1, self.wide]),
            np.zeros(lists, np.int32),
            np.zeros((*lists, _TOLD), np.int32),
            np.zeros((*lists, _TOLD), np.float32),
        )
        row, col = np.divmod(self.cells, self.wide)
        falling, rising = (self._lines(key) for key in (row + col, row - col))
        self.orders = falling, falling[::-1], rising, rising[::-1]
        self.wanted = np.zeros(count)

    def _lines(self, key: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Return the cells of every diagonal; no two of one are neighbours."""
        order = np.argsort(key, kind="stable")
        return np.split(self.cells[order], np.flatnonzero(np.diff(key[order])) + 1)

    def sweep(self, number: int, pool: ThreadPoolExecutor, threads: int) -> None:
        """Let all cells speak, diagonal by diagonal; then see who is wanted too often."""
        by = self.by
        if number and number % by.sharper == 0:
            first, last = by.sharpness
            exponent = first + (last - first) * number / by.sweeps
            odds = odds_from(self.near.tables.value, len(self.chances.piece), exponent)
            self.chances = self.chances._replace(weight=odds)
        wanted = np.exp(self.wanted).astype(np.float32)

        def speak(cells: NDArray[np.int64]) -> None:
            believe(self.chances, self.said, cells, wanted, by.damping)

        for line in self.orders[number % len(self.orders)]:
            list(pool.map(speak, np.array_split(line, min(2 * threads, len(line)))))
        label, chance = self._beliefs()
        often = np.bincount(label.ravel(), chance.ravel(), minlength=len(wanted))
        often += (len(self.cells) - chance.sum()) * wanted / wanted.sum()
        self.wanted -= by.shyness * np.log(np.maximum(often, _RAREST))
        np.clip(self.wanted, -_SHYEST, _SHYEST, out=self.wanted)

    def _beliefs(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return what the free cells believe to hold: labels and chances, ``(cells, K)``."""
        said = self.said
        held = np.arange(_TOLD) < said.count[self.cells, 4, None]
        chance = np.where(held, said.chance[self.cells, 4], 0).astype(np.float64)
        return said.label[self.cells, 4], chance

    def read(self) -> NDArray[np.int32]:
        """Return the pieces in all cells: the likeliest first, each once, then what is left."""
        label, chance = self._beliefs()
        held = np.full(len(self.cells), -1)
        used = np.zeros(len(self.chances.piece), np.bool_)
        cell, k = np.nonzero(chance)
        for i in np.argsort(-chance[cell, k], kind="stable"):
            one = label[cell[i], k[i]]
            if held[cell[i]] < 0 and not used[one]:
                held[cell[i]] = one
                used[one] = True
        self._fill(held, np.flatnonzero(~used))
        piece = self.piece.copy()
        row, col = np.divmod(self.cells, self.wide)
        piece[row - 1, col - 1] = self.chances.piece[held]
        return piece

    def _fill(self, held: NDArray[np.int64], left: NDArray[np.int64]) -> None:
        """Deal the labels that are `left` out to the cells that hold none, as well as possible."""
        gaps = np.flatnonzero(held < 0)
        for some in chunks(len(gaps), _DEALT):
            self._deal(held, gaps[some], left[some])

    def _deal(
        self, held: NDArray[np.int64], gaps: NDArray[np.int64], left: NDArray[np.int64]
    ) -> None:
        """Deal as many labels out to as many cells."""
        names = self.chances.piece
        lies = self.said.fixed.copy()
        lies[self.cells] = np.where(held < 0, FREE, names[held])
        fit = np.zeros((len(gaps), len(left)))
        for side, step in enumerate(self.said.step):
            beyond = lies[self.cells[gaps] + step]
            some = np.flatnonzero(beyond >= 0)
            pairs = np.empty((len(some), len(left), 2), np.int32)
            pairs[..., 0] = 4 * beyond[some, None] + (side + 2) % 4
            pairs[..., 1] = 4 * names[left] + side
            fit[some] += self.near.of(pairs.reshape(-1, 2)).reshape(len(some), len(left))
        row, col = linear_sum_assignment(-fit)
        held[gaps[row]] = left[col]
