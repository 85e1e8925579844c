"""The crossover: a nucleus grows from one piece by the paper's phases.

Rika et al., "A Generic Hybrid Framework for 2D Visual Reconstruction", Section IV. A chromosome is
held as its adjacencies: ``neighbor[e]`` is the edge that lies against edge e, -1 where none does.
That says all about an arrangement except where it lies and how it is turned as a whole.

Every phase has a bag of proposals (nucleus edge, edge to add). Placing a piece adds the proposals
of its free sides; those that can no longer be carried out are dropped when drawn, so a crossover
costs a time proportional to the number of pieces.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.chance import below, draw
from tessella.kernels.jit import compiled
from tessella.kernels.nucleus import OPEN, PLACED, Nucleus, clear, middle, put
from tessella.kernels.tables import Tables, find

# Bits of `Rules.phases`, in the paper's order of preference.
PHASES = ("1.1", "1.2", "2", "3", "4.1", "4.2", "5")


class Rules(NamedTuple):
    """What a crossover follows.

    Attributes
    ----------
    phases : bit i set when phase ``PHASES[i]`` is on
    skip : chance of passing over phases 1.1, 1.2, 2 and 3 at a placement, in 1/65536; then the
        chance that a random piece takes the place of phase 4's, ``(5,)``
    both : 1 when phase 1 asks the score of the nucleus's piece as well as the added one's
    square : 1 when any two sides have the same length
    """

    phases: int
    skip: NDArray[np.int64]
    both: int
    square: int


class Parent(NamedTuple):
    """One chromosome: its adjacencies ``(4N,)``, the pieces' scores ``(N,)``, and alpha."""

    neighbor: NDArray[np.int32]
    score: NDArray[np.float32]
    alpha: float


class Bags(NamedTuple):
    """Proposals of phases 1.1 to 3, and the nucleus's free edges for phases 4 and 5.

    Attributes
    ----------
    held : the nucleus edge and the edge to add, int32 ``(4, 8N, 2)``
    frontier : nucleus edges that once faced an open cell, int32 ``(4N,)``
    filled : how many entries each bag and the frontier hold, int64 ``(5,)``
    walked : how far phase 4 has read each edge's candidates, int64 ``(4N,)``
    """

    held: NDArray[np.int32]
    frontier: NDArray[np.int32]
    filled: NDArray[np.int64]
    walked: NDArray[np.int64]


def make_bags(pieces: int) -> Bags:
    """Allocate empty bags."""
    return Bags(
        held=np.empty((4, 8 * pieces, 2), np.int32),
        frontier=np.empty(4 * pieces, np.int32),
        filled=np.zeros(5, np.int64),
        walked=np.zeros(4 * pieces, np.int64),
    )


@compiled
def cross(
    tables: Tables,
    buddy: NDArray[np.int32],
    better: Parent,
    worse: Parent,
    rules: Rules,
    state: NDArray[np.uint64],
    nucleus: Nucleus,
    bags: Bags,
) -> None:
    """Grow `nucleus` to an arrangement of all pieces from two parents.

    Parameters
    ----------
    buddy : the best buddy of every edge (mutually most compatible), or -1, ``(4N,)``
    better, worse : the parents, the fitter one first
    state : random state, ``(1,)``
    """
    start, partner, dense, upright = tables.start, tables.partner, tables.dense, tables.upright
    grid, where, step, box = nucleus.grid, nucleus.where, nucleus.step, nucleus.box
    held, frontier, count, walked = bags.held, bags.frontier, bags.filled, bags.walked
    a_neighbor, a_score, a_alpha = better.neighbor, better.score, better.alpha
    b_neighbor, b_score, b_alpha = worse.neighbor, worse.score, worse.alpha
    phases, skip, both, square = rules.phases, rules.skip, rules.both, rules.square
    pieces = len(where)
    clear(grid, where, box)
    count[:] = 0
    for e in range(len(walked)):
        walked[e] = start[e]
    piece = below(state, pieces)
    put(grid, where, step, box, piece, 0, middle(grid, step))
    while True:
        for side in range(4):
            e = 4 * piece + side
            if grid[where[piece, 0] + step[(side + where[piece, 1]) & 3]] != OPEN:
                continue
            frontier[count[4]] = e
            count[4] += 1
            a, b = a_neighbor[e], b_neighbor[e]
            if a >= 0 and where[a >> 2, 0] < 0:
                if a_score[a >> 2] > a_alpha and (both == 0 or a_score[piece] > a_alpha):
                    drop_in(held, count, 0, e, a)
                if a == b:
                    drop_in(held, count, 2, e, a)
                if buddy[e] == a:
                    drop_in(held, count, 3, e, a)
            if b >= 0 and where[b >> 2, 0] < 0:
                if b_score[b >> 2] > b_alpha and (both == 0 or b_score[piece] > b_alpha):
                    drop_in(held, count, 1, e, b)
                if buddy[e] == b and a != b:
                    drop_in(held, count, 3, e, b)
        if box[PLACED] == pieces:
            return
        e, f = proposed(phases, skip, state, grid, where, step, held, count)
        if e < 0:
            e = free_edge(grid, where, step, frontier, count, state)
            stray = skip[4] > 0 and below(state, 65536) < skip[4]
            if not stray and (phases >> 4) & 1:
                f = available(start, partner, dense, upright, where, walked, e, 0)
            if not stray and f < 0 and (phases >> 5) & 1:
                f = available(start, partner, dense, upright, where, walked, e, 1)
            if f < 0:
                f = any_edge(upright, square, state, where, e)
        piece = f >> 2
        direction = (e + where[e >> 2, 1]) & 3
        cell = where[e >> 2, 0] + step[direction]
        put(grid, where, step, box, piece, (direction + 2 - f) & 3, cell)


@compiled
def drop_in(held: NDArray[np.int32], count: NDArray[np.int64], phase: int, e: int, f: int) -> None:
    """Add a proposal to the bag of phases 1.1, 1.2, 2 or 3 (0 to 3)."""
    held[phase, count[phase], 0] = e
    held[phase, count[phase], 1] = f
    count[phase] += 1


@compiled
def proposed(
    phases: int,
    skip: NDArray[np.int64],
    state: NDArray[np.uint64],
    grid: NDArray[np.int32],
    where: NDArray[np.int32],
    step: NDArray[np.int64],
    held: NDArray[np.int32],
    count: NDArray[np.int64],
) -> tuple[int, int]:
    """Return a random proposal of the first of phases 1.1 to 3 that has one, or (-1, -1)."""
    skips = draw(state)
    for phase in range(4):
        skipped = np.int64((skips >> np.uint64(16 * phase)) & np.uint64(0xFFFF)) < skip[phase]
        if skipped or not (phases >> phase) & 1:
            continue
        while count[phase] > 0:
            place = below(state, count[phase])
            e, f = held[phase, place, 0], held[phase, place, 1]
            count[phase] -= 1
            held[phase, place, 0] = held[phase, count[phase], 0]
            held[phase, place, 1] = held[phase, count[phase], 1]
            cell = where[e >> 2, 0] + step[(e + where[e >> 2, 1]) & 3]
            if where[f >> 2, 0] < 0 and grid[cell] == OPEN:
                return e, f
    return np.int32(-1), np.int32(-1)


@compiled
def free_edge(
    grid: NDArray[np.int32],
    where: NDArray[np.int32],
    step: NDArray[np.int64],
    frontier: NDArray[np.int32],
    count: NDArray[np.int64],
    state: NDArray[np.uint64],
) -> int:
    """Return a random nucleus edge that faces an open cell."""
    while True:
        place = below(state, count[4])
        e = frontier[place]
        if grid[where[e >> 2, 0] + step[(e + where[e >> 2, 1]) & 3]] == OPEN:
            return e
        count[4] -= 1
        frontier[place] = frontier[count[4]]


@compiled
def available(
    start: NDArray[np.int64],
    partner: NDArray[np.int32],
    dense: NDArray[np.float32],
    upright: int,
    where: NDArray[np.int32],
    walked: NDArray[np.int64],
    e: int,
    rank: int,
) -> int:
    """Return the most (rank 0) or second-most (1) compatible edge of an unused piece, or -1."""
    place = walked[e]
    end = start[e + 1]
    while place < end and where[partner[place] >> 2, 0] >= 0:
        place += 1
    walked[e] = place
    for _ in range(rank):
        place += 1
        while place < end and where[partner[place] >> 2, 0] >= 0:
            place += 1
    edge = np.int32(-1)
    if place < end:
        edge = partner[place]
    elif rank == 0 and dense.shape[0] > 0:
        best = np.float32(0)
        for c in range(dense.shape[1]):
            if dense[e, c] > best and where[c if upright else c >> 2, 0] < 0:
                best = dense[e, c]
                edge = np.int32(4 * c + ((e + 2) & 3) if upright else c)
    return edge


@compiled
def any_edge(
    upright: int, square: int, state: NDArray[np.uint64], where: NDArray[np.int32], e: int
) -> int:
    """Return a random admissible edge of a random unused piece."""
    pieces = len(where)
    piece = below(state, pieces)
    while where[piece, 0] >= 0:
        piece = piece + 1 if piece + 1 < pieces else 0
    side = (e + 2) & 3
    if not upright:
        side = below(state, 4) if square else (e + 2 * below(state, 2)) & 3
    return np.int32(4 * piece + side)


@compiled
def express(
    tables: Tables, nucleus: Nucleus, neighbor: NDArray[np.int32], score: NDArray[np.float32]
) -> tuple[float, int]:
    """Write a full nucleus as a chromosome; return its fitness and its number of joins.

    Parameters
    ----------
    neighbor : filled with the edge against every edge, or -1, ``(4N,)``
    score : filled with every piece's mean compatibility with its neighbours, ``(N,)``
    """
    start, known, value, dense = tables.start, tables.known, tables.value, tables.dense
    upright = tables.upright
    grid, where, step = nucleus.grid, nucleus.where, nucleus.step
    pieces = len(where)
    degree = np.zeros(pieces, np.int32)
    neighbor[:] = -1
    score[:] = 0
    fitness = 0.0
    joins = 0
    for p in range(pieces):
        for direction in (0, 3):
            q = grid[where[p, 0] + step[direction]] - 1
            if q < 0:
                continue
            e = 4 * p + ((direction - where[p, 1]) & 3)
            f = 4 * q + ((direction + 2 - where[q, 1]) & 3)
            c = find(start, known, value, dense, upright, e, f)
            neighbor[e] = f
            neighbor[f] = e
            fitness += c
            score[p] += c
            score[q] += c
            degree[p] += 1
            degree[q] += 1
            joins += 1
    for p in range(pieces):
        if degree[p] > 0:
            score[p] /= degree[p]
    return fitness, joins
