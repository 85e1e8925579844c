"""Flat regions of a very large puzzle laid anew, by what neighbours believe of each other.

What merging is sure of and lies together is kept. In the cells around it any other piece may lie;
which one is told by belief propagation (`tessella.kernels.beliefs`) with every pair of these pieces
measured again: lists of the best candidates say too little where hundreds fit almost as well. The
chance that a piece lies beside another is proportional to a power of their distance, scaled so that
every piece has one neighbour on either side (R. Sinkhorn, Annals of Mathematical Statistics 35,
1964). Pieces that are wanted in several cells become less likely in all of them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tessella.arrangement import Arrangement, Sheet
from tessella.compatibility import Compatibility, ScoresPairs
from tessella.edges import BOTTOM, LEFT, RIGHT, TOP
from tessella.kernels.assignment import assign
from tessella.kernels.beliefs import FREE, ONE, OUTSIDE, Chances, Said, believe
from tessella.solving import Solution
from tessella.stop import Stop
from tessella.threads import spread
from tessella.watch import Generation, Watcher

_LARGE = 200
"""Sure joins that hold so many pieces together are kept."""

_AWAY = 2
"""Pieces so near to where it is not sure are not kept."""

_MOST = 10_000
"""More pieces are not laid anew: four tables of so many take 0.8 GB."""

_POWER = 5.0
"""A pair's chance falls with this power of its distance."""

_BALANCING = 10
"""How often chances are scaled."""

_DOUBT = 1.0
_DAMPING = 0.3
_TOLD = 32
"""How many labels a cell tells at most."""

_SWEEPS = 300
_READING = 25
"""After so many sweeps beliefs are read."""

_SHYNESS = 0.5
"""How much less a piece is wanted for being wanted twice as often; an exponent."""

_SHYEST, _BOLDEST = 8.0, 1.0
"""Bounds of a piece's wish, a logarithm. Pieces that nobody has heard of yet stay modest."""

_RAREST = 1e-3
_TINY = np.float32(1e-30)


def believed(
    found: Solution,
    compatibility: Compatibility,
    firm: NDArray[np.int32],
    *,
    threads: int,
    stop: Stop,
    watch: Watcher,
) -> Solution:
    """Return `found` with its doubtful regions laid anew, if that is fitter.

    Parameters
    ----------
    firm : the edge that lies against every edge in a firm join, -1 where none does, ``(4N,)``
    """
    if compatibility.closer is None or found.stopped:
        return found
    sheet = found.arrangement.sheets[0]
    free = _doubtful(sheet.piece, firm)
    if not 0 < free.sum() <= _MOST:
        return found
    region = _Region(sheet.piece, free, compatibility.closer, threads)
    before = fitness = compatibility.fitness(found.arrangement)
    arrangement = found.arrangement
    for sweep in range(1, _SWEEPS + 1):
        if stop():
            break
        region.sweep()
        if sweep % _READING == 0:  # Beliefs waver, so the last reading need not be the best.
            read = Arrangement((Sheet(region.read(), sheet.turns.copy()),))
            now = compatibility.fitness(read)
            if now > fitness:
                arrangement, fitness = read, now
    if arrangement is found.arrangement:
        return replace(found, stopped=stop())
    best = found.history[-1] + fitness - before
    number = len(found.history)
    watch.generation(Generation(0, number, best, best, 0, arrangement))
    return replace(
        found,
        arrangement=arrangement,
        fitness=fitness,
        history=(*found.history, best),
        stopped=stop(),
    )


def _doubtful(piece: NDArray[np.int32], firm: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Say which cells are to be laid anew, ``(R, C)``."""
    count = len(firm) // 4
    pairs = []
    for side, other, here, there in (
        (RIGHT, LEFT, piece[:, :-1], piece[:, 1:]),
        (BOTTOM, TOP, piece[:-1], piece[1:]),
    ):
        held = (here >= 0) & (there >= 0) & (firm[4 * here + side] == 4 * there + other)
        pairs.append(np.stack([here[held], there[held]]))
    e, f = np.concatenate(pairs, axis=1)
    _, group = connected_components(coo_array((np.ones(len(e)), (e, f)), shape=(count, count)))
    size = np.bincount(group)
    unsure = (piece < 0) | (size[group[piece]] < _LARGE)
    if unsure.all():  # Nothing to hold on to.
        return np.zeros_like(unsure)
    near = np.asarray(binary_dilation(unsure & (piece >= 0), iterations=_AWAY))
    return near & (piece >= 0)


class _Region:
    """The free cells, and what they have told each other."""

    def __init__(
        self,
        piece: NDArray[np.int32],
        free: NDArray[np.bool_],
        closer: ScoresPairs,
        threads: int,
    ) -> None:
        self.piece = piece
        self.threads = threads
        kept = (piece >= 0) & ~free
        border = kept & binary_dilation(free)
        self.labels = np.sort(piece[free])
        pieces = np.concatenate([self.labels, piece[border]])
        count = len(self.labels)
        self.chances = _chances(closer, pieces, count, threads)
        row = np.full(piece.max() + 1, -1, np.int32)
        row[pieces] = np.arange(len(pieces))
        fixed = np.full((piece.shape[0] + 2, piece.shape[1] + 2), OUTSIDE, np.int32)
        fixed[1:-1, 1:-1][free] = FREE
        fixed[1:-1, 1:-1][border] = row[piece[border]]
        self.wide = fixed.shape[1]
        self.cells = np.flatnonzero(fixed.ravel() == FREE)
        told = (fixed.size, 5)
        self.said = Said(
            fixed.ravel(),
            np.array([1, -self.wide, -1, self.wide]),
            np.zeros(told, np.int32),
            np.zeros((*told, _TOLD), np.int32),
            np.zeros((*told, _TOLD), np.float32),
        )
        even = (self.cells // self.wide + self.cells % self.wide) % 2 == 0
        self.halves = self.cells[even], self.cells[~even]
        self.wanted = np.zeros(count)

    def sweep(self) -> None:
        """Let every second cell speak, then the others; then see who is wanted too often."""
        wanted = np.exp(self.wanted).astype(np.float32)
        for half in self.halves:
            parts = np.array_split(half, 4 * self.threads)

            def hear(cells: NDArray[np.int64]) -> None:
                believe(self.chances, self.said, cells, wanted, _DOUBT, _DAMPING)

            for _ in spread(hear, parts, self.threads):
                pass
        label, chance = self._beliefs()
        count = len(self.labels)
        often = np.bincount(label.ravel(), chance.ravel(), minlength=count)
        often += (len(self.cells) - chance.sum()) / count
        self.wanted -= _SHYNESS * np.log(np.maximum(often, _RAREST))
        np.clip(self.wanted, -_SHYEST, _BOLDEST, out=self.wanted)

    def _beliefs(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return what the free cells believe to hold: labels and chances, ``(cells, K)``."""
        said = self.said
        told = np.arange(_TOLD) < said.count[self.cells, 4, None]
        chance = np.where(told, said.chance[self.cells, 4], 0).astype(np.float64)
        return said.label[self.cells, 4], chance

    def read(self) -> NDArray[np.int32]:
        """Return the pieces in all cells: the likeliest first, each once, then what is left."""
        label, chance = self._beliefs()
        held = np.full(len(self.cells), -1)
        used = np.zeros(len(self.labels), np.bool_)
        order = np.argsort(-chance, axis=None, kind="stable")
        for cell, k in zip(*np.unravel_index(order, chance.shape), strict=True):
            if chance[cell, k] <= 0:
                break
            if held[cell] < 0 and not used[label[cell, k]]:
                held[cell] = label[cell, k]
                used[label[cell, k]] = True
        self._fill(held, np.flatnonzero(~used))
        piece = self.piece.copy()
        piece[self.cells // self.wide - 1, self.cells % self.wide - 1] = self.labels[held]
        return piece

    def _fill(self, held: NDArray[np.int64], left: NDArray[np.int64]) -> None:
        """Deal the labels that are `left` out to the cells that hold none, as well as possible."""
        gaps = np.flatnonzero(held < 0)
        lies = self.said.fixed.copy()
        lies[self.cells] = held
        fit = np.zeros((len(gaps), len(left)))
        for table, step in zip(self.chances, self.said.step, strict=True):
            beyond = lies[self.cells[gaps] + step]
            some = np.flatnonzero(beyond >= 0)
            chance = table[beyond[some]][:, left] / ONE * len(self.labels)
            fit[some] += np.log(chance + _DOUBT)
        row_of = np.empty(len(gaps), np.int64)
        assign(-fit, len(gaps), row_of)
        held[gaps[row_of]] = left


def _chances(closer: ScoresPairs, pieces: NDArray[np.int32], count: int, threads: int) -> Chances:
    """Return what the first `count` of `pieces` and the others say of the first."""
    tables = []
    for side in (RIGHT, BOTTOM):
        score = closer(pieces, side, threads)
        tables += [_told(score, count), _told(score.T, count)]
        del score
    left, right, top, bottom = tables
    return Chances(right, top, left, bottom)


def _told(score: NDArray[np.float32], count: int) -> NDArray[np.uint16]:
    """Return the chances of the first `count` columns, given a row, in units of `ONE`."""
    weight = _POWER * score[:, :count]
    weight -= weight.max(axis=1, keepdims=True)
    np.exp(weight, out=weight)
    square = weight[:count]
    scale = np.ones(count, np.float32)
    for _ in range(_BALANCING):
        rows = np.float32(1) / np.maximum(square @ scale, _TINY)
        scale = np.asarray(np.float32(1) / np.maximum(rows @ square, _TINY), np.float32)
    weight *= scale
    weight *= ONE / np.maximum(weight.sum(axis=1, keepdims=True), _TINY)
    return np.ascontiguousarray(np.rint(np.minimum(weight, ONE))).astype(np.uint16)
