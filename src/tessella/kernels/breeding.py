"""One generation of the genetic algorithm, in portions that threads can share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.chance import below, seeded, unit
from tessella.kernels.crossover import Bags, Parent, Rules, cross, express
from tessella.kernels.growth import Guide, Ratings, good_start, grow, grow_on
from tessella.kernels.jit import compiled
from tessella.kernels.nucleus import COLS, KNOWN, Nucleus, clear, middle, put
from tessella.kernels.tables import Tables


class Population(NamedTuple):
    """Chromosomes.

    Attributes
    ----------
    neighbor : adjacencies, int32 ``(P, 4N)``
    score : mean compatibility of every piece with its neighbours, float32 ``(P, N)``
    fitness : sum of compatibilities over all joins, float64 ``(P,)``
    mean : fitness divided by the number of joins, float64 ``(P,)``
    """

    neighbor: NDArray[np.int32]
    score: NDArray[np.float32]
    fitness: NDArray[np.float64]
    mean: NDArray[np.float64]


def make_population(size: int, pieces: int) -> Population:
    """Allocate a population."""
    return Population(
        neighbor=np.full((size, 4 * pieces), -1, np.int32),
        score=np.zeros((size, pieces), np.float32),
        fitness=np.zeros(size, np.float64),
        mean=np.zeros(size, np.float64),
    )


@compiled
def record(tables: Tables, nucleus: Nucleus, population: Population, place: int) -> None:
    """Write the grown nucleus into the population."""
    fitness, joins = express(tables, nucleus, population.neighbor[place], population.score[place])
    population.fitness[place] = fitness
    population.mean[place] = fitness / max(joins, 1)


@compiled
def scatter(
    tables: Tables,
    nucleus: Nucleus,
    population: Population,
    quarter_turns: int,
    seed: int,
    first: int,
    last: int,
) -> None:
    """Fill places `first` to `last` with random arrangements.

    Parameters
    ----------
    quarter_turns : 1 for upright pieces, 2 for turned rectangles, 4 for turned squares
    """
    grid, where, step, box = nucleus.grid, nucleus.where, nucleus.step, nucleus.box
    pieces = len(where)
    order = np.arange(pieces)
    state = np.zeros(1, np.uint64)
    for place in range(first, last):
        state[0] = seeded(seed, 0, place)
        cols = box[COLS]
        if not box[KNOWN]:  # wide or high in turn, so that neither is all there is to breed from
            cols = int(np.sqrt(pieces)) + (place + 1) % 2
        order[:] = np.arange(pieces)  # afresh, so that the split over threads does not matter
        for i in range(pieces - 1, 0, -1):
            j = below(state, i + 1)
            order[i], order[j] = order[j], order[i]
        clear(grid, where, box)
        for i in range(pieces):
            turns = below(state, quarter_turns) * (4 // quarter_turns)
            put(grid, where, step, box, order[i], turns, i // cols * step[4] + i % cols)
        record(tables, nucleus, population, place)


@compiled
def lay(
    tables: Tables,
    nucleus: Nucleus,
    population: Population,
    piece: NDArray[np.int32],
    turns: NDArray[np.int32],
    place: int,
) -> None:
    """Write an arrangement ``(R, C)``, -1 where a cell is empty, into the population."""
    grid, where, step, box = nucleus.grid, nucleus.where, nucleus.step, nucleus.box
    clear(grid, where, box)
    for r in range(piece.shape[0]):
        for c in range(piece.shape[1]):
            if piece[r, c] >= 0:
                put(grid, where, step, box, piece[r, c], turns[r, c], r * step[4] + c)
    record(tables, nucleus, population, place)


@compiled
def spin(wheel: NDArray[np.float64], state: NDArray[np.uint64]) -> int:
    """Return a place drawn by roulette; `wheel` holds the running sum of weights, ``(P,)``."""
    place = np.searchsorted(wheel, unit(state) * wheel[-1], side="right")
    return min(int(place), len(wheel) - 1)


@compiled
def parent(population: Population, place: int, alpha0: float) -> Parent:
    """Return a chromosome as a parent; alpha = max(alpha0, C_mean)."""
    alpha = max(alpha0, population.mean[place])
    return Parent(population.neighbor[place], population.score[place], alpha)


@compiled
def parents(
    population: Population, wheel: NDArray[np.float64], state: NDArray[np.uint64]
) -> tuple[int, int]:
    """Draw two chromosomes by roulette, different if a few tries find such, the fitter first."""
    a = spin(wheel, state)
    b = spin(wheel, state)
    for _ in range(8):
        if b != a:
            break
        b = spin(wheel, state)
    if population.fitness[b] > population.fitness[a]:
        a, b = b, a
    return a, b


@compiled
def by_phases(place: int, mix: float) -> bool:
    """Say whether the child at `place` is of the share `mix` that the paper's crossover makes."""
    return int(place * mix) != int((place - 1) * mix)


@compiled
def breed(
    tables: Tables,
    buddy: NDArray[np.int32],
    population: Population,
    wheel: NDArray[np.float64],
    rules: Rules,
    alpha0: float,
    nucleus: Nucleus,
    bags: Bags,
    children: Population,
    seed: int,
    generation: int,
    first: int,
    last: int,
    mix: float,
) -> None:
    """Fill the share `mix` of places `first` to `last` of `children` by the paper's crossover.

    The random numbers depend on the seed, the generation and the place alone, so that any split
    over threads gives the same children.
    """
    state = np.zeros(1, np.uint64)
    for place in range(first, last):
        if not by_phases(place, mix):
            continue
        state[0] = seeded(seed, generation, place)
        a, b = parents(population, wheel, state)
        better, worse = parent(population, a, alpha0), parent(population, b, alpha0)
        cross(tables, buddy, better, worse, rules, state, nucleus, bags)
        record(tables, nucleus, children, place)


@compiled
def sow(
    tables: Tables,
    starts: NDArray[np.int32],
    none: Parent,
    guide: Guide,
    nucleus: Nucleus,
    ratings: Ratings,
    children: Population,
    seed: int,
    place: int,
) -> None:
    """Fill one place with a greedy arrangement that starts from one of `starts`."""
    state = np.zeros(1, np.uint64)
    state[0] = seeded(seed, 0, place)
    piece = starts[below(state, len(starts))]
    grow(tables, none, none, guide, piece, state, nucleus, ratings)
    record(tables, nucleus, children, place)


@compiled
def plant(
    tables: Tables,
    piece: NDArray[np.int64],
    cell: NDArray[np.int64],
    joins: Parent,
    guide: Guide,
    nucleus: Nucleus,
    ratings: Ratings,
    children: Population,
    seed: int,
    place: int,
) -> None:
    """Fill one place with what guided growth makes of a fragment.

    Parameters
    ----------
    piece, cell : of the fragment; rows and columns from 0, and turns, ``(M,)`` and ``(M, 3)``
    joins : what growth inherits
    """
    grid, where, step, box = nucleus.grid, nucleus.where, nucleus.step, nucleus.box
    state = np.zeros(1, np.uint64)
    state[0] = seeded(seed, 0, place)
    clear(grid, where, box)
    # In the middle, so that the box is reached first, whichever way the nucleus grows.
    top = (len(grid) // step[4] - cell[:, 0].max() - 1) // 2
    left = (step[4] - cell[:, 1].max() - 1) // 2
    for i in range(len(piece)):
        there = (top + cell[i, 0]) * step[4] + left + cell[i, 1]
        put(grid, where, step, box, piece[i], cell[i, 2], there)
    grow_on(tables, joins, joins, guide, piece, state, nucleus, ratings)
    record(tables, nucleus, children, place)


@compiled
def breed_guided(
    tables: Tables,
    population: Population,
    wheel: NDArray[np.float64],
    guide: Guide,
    nucleus: Nucleus,
    ratings: Ratings,
    children: Population,
    seed: int,
    generation: int,
    first: int,
    last: int,
    mix: float,
) -> None:
    """Fill by guided growth the places that `breed` leaves out."""
    state = np.zeros(1, np.uint64)
    for place in range(first, last):
        if by_phases(place, mix):
            continue
        state[0] = seeded(seed, generation, place)
        a, b = parents(population, wheel, state)
        better, worse = parent(population, a, 0.0), parent(population, b, 0.0)
        piece = good_start(population.score[a], state)
        grow(tables, better, worse, guide, piece, state, nucleus, ratings)
        record(tables, nucleus, children, place)


@compiled
def unfold(neighbor: NDArray[np.int32], nucleus: Nucleus) -> None:
    """Lay out a chromosome again from its adjacencies, starting with piece 0 unturned."""
    grid, where, step, box = nucleus.grid, nucleus.where, nucleus.step, nucleus.box
    pieces = len(where)
    clear(grid, where, box)
    queue = np.empty(pieces, np.int32)
    put(grid, where, step, box, 0, 0, middle(grid, step))
    queue[0] = 0
    filled = 1
    for head in range(pieces):
        if head >= filled:
            return
        p = queue[head]
        for direction in range(4):
            f = neighbor[4 * p + ((direction - where[p, 1]) & 3)]
            if f < 0 or where[f >> 2, 0] >= 0:
                continue
            turns = (direction + 2 - f) & 3
            put(grid, where, step, box, f >> 2, turns, where[p, 0] + step[direction])
            queue[filled] = f >> 2
            filled += 1
