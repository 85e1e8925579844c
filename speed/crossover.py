"""How many crossovers a second the paper's genetic algorithm makes, and how that grows with size.

    python speed/crossover.py [--sizes 18x24 23x35 50x66 123x185] [--threads 1 2] [--runs R]
                              [--generations G]

Puzzles are upright, 28 px, cut from four pictures of scikit-image scaled to the size asked for;
`mgc` with min-max, candidate lists alone. Three tables:

- whole runs of `rika` from random starts to their end, on the first size;
- wall and CPU time of a crossover, and divided by the number of pieces, over the first five
  generations (random parents) and the last five of at most G (parents that agree);
- the compiled crossover against its plain twin, on 8 x 10 pieces.

CPU time counts all threads; on a machine that others use it is the steadier figure.
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from skimage import data, transform

from tessella.adjust.minmax import Minmax
from tessella.compatibility import Compatibility
from tessella.evidence import Evidence
from tessella.evolution.breeders import PhaseBreeder
from tessella.imaging.cut import cut
from tessella.kernels.breeding import make_population, parent, parents
from tessella.kernels.buddies import best_buddies
from tessella.kernels.chance import seeded
from tessella.kernels.specification import cross_plain
from tessella.measures.mgc import Mgc
from tessella.measuring import measure
from tessella.solvers.rika import Rika
from tessella.solving import Job, Solution
from tessella.truth import Truth
from tessella.watch import Generation, Silent

Shape = tuple[int, int]
PIECE = 28
PAPER = Rika()
CHILDREN = PAPER.population - PAPER.elitism


class Clock(NamedTuple):
    """Wall and CPU seconds."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Clock:
        """Return the time now."""
        return cls(time.perf_counter(), time.process_time())

    def since(self, start: Clock) -> Clock:
        """Return the time passed."""
        return Clock(self.wall - start.wall, self.cpu - start.cpu)


class Timer(Silent):
    """Notes when each generation was done, and asks for a stop after `most`."""

    def __init__(self, most: int | None) -> None:
        self.most = most
        self.number = 0
        self.done: list[Clock] = []

    def generation(self, generation: Generation) -> None:
        """Note the time."""
        self.number = generation.number
        self.done.append(Clock.now())

    def stop(self) -> bool:
        """Whether enough generations were bred."""
        return self.most is not None and self.number >= self.most

    def a_crossover(self, first: int, last: int) -> Clock:
        """Return the seconds of one crossover, mean over some generations."""
        spent = self.done[last].since(self.done[first])
        return Clock(*(s / (last - first) / CHILDREN for s in spent))


def mosaic(shape: Shape) -> NDArray[np.uint8]:
    """Return four pictures side by side, with a little grain, as scaled pictures are smooth."""
    rows, cols = PIECE * shape[0], PIECE * shape[1]
    half = -(-rows // 2), -(-cols // 2)
    pictures = [data.astronaut(), data.coffee(), data.chelsea(), data.rocket()]
    a, b, c, d = (transform.resize(p, half, anti_aliasing=True) for p in pictures)
    whole = 255 * np.vstack([np.hstack([a, b]), np.hstack([c, d])])[:rows, :cols]
    grain = np.random.default_rng(0).normal(0, 2, whole.shape)
    return np.clip(np.rint(whole + grain), 0, 255).astype(np.uint8)


def told_of(shape: Shape) -> tuple[Compatibility, Truth]:
    puzzle, truth = cut(mosaic(shape), PIECE)
    return Minmax().adjust(measure(puzzle, Mgc(), dense=False)), truth


def run(
    told: Compatibility, shape: Shape, seed: int, threads: int, most: int | None = None
) -> tuple[Solution, Timer, Clock]:
    timer = Timer(most)
    start = Clock.now()
    job = Job(Evidence(told), shape, seed, threads, timer.stop, timer)
    found = PAPER.solve(job)
    return found, timer, Clock.now().since(start)


def whole_runs(told: Compatibility, truth: Truth, shape: Shape, threads: int, runs: int) -> None:
    """Print the crossovers a second of runs that end by themselves."""
    made, spent, fitness = 0, Clock(0, 0), 0.0
    for seed in range(1, runs + 1):
        found, timer, took = run(told, shape, seed, threads)
        made += CHILDREN * (len(timer.done) - 1)
        spent = Clock(spent.wall + took.wall, spent.cpu + took.cpu)
        fitness += found.fitness / runs
    share = 100 * fitness / told.fitness(truth.arrangement)
    print(
        f"{told.pieces:>8}{threads:>9}{made / runs / CHILDREN:>13.0f}{made / spent.wall:>16.0f}"
        f"{made / spent.cpu:>16.0f}{share:>18.2f}",
        flush=True,
    )


def curve(told: Compatibility, shape: Shape, threads: int, most: int) -> None:
    """Print the time of a crossover between random parents, and between those that agree."""
    _, timer, _ = run(told, shape, 1, threads, most)
    last = len(timer.done) - 1
    five = min(5, last)
    for name, first, end in (("first", 0, five), ("last", last - five, last)):
        one = timer.a_crossover(first, end)
        wall, cpu = (1e9 * s / told.pieces for s in one)
        print(
            f"{told.pieces:>8}{threads:>9}{name:>8}{first + 1:>5} -{end:>4}"
            f"{1e6 * one.wall:>14.0f}{1e6 * one.cpu:>14.0f}{wall:>14.1f}{cpu:>14.1f}",
            flush=True,
        )


def against_the_twin(shape: Shape = (8, 10), plain: int = 20) -> None:
    """Print how much faster the compiled crossover is than the plain one."""
    told, _ = told_of(shape)
    rules = PAPER.rules(told)
    breeder = PhaseBreeder(rules, PAPER.alpha0, told, shape, 1)
    size = 2000
    population, children = (make_population(size, told.pieces) for _ in range(2))
    breeder.begin(0, population, 1, 0, size)
    wheel = np.cumsum(population.fitness)
    breeder.breed(0, population, wheel, children, 1, 1, 0, 1)
    start = Clock.now()
    breeder.breed(0, population, wheel, children, 1, 1, 0, size)
    fast = Clock.now().since(start).cpu / size
    buddy = best_buddies(told.tables)
    start = Clock.now()
    for place in range(plain):
        state = np.array([seeded(1, 1, place)], np.uint64)
        a, b = parents(population, wheel, state)
        pair = parent(population, a, PAPER.alpha0), parent(population, b, PAPER.alpha0)
        cross_plain(told.tables, buddy, *pair, rules, state, told.pieces, shape, False)
    slow = Clock.now().since(start).cpu / plain
    print(f"{told.pieces} pieces, CPU time of a crossover: compiled {1e6 * fast:.1f} us, ", end="")
    print(f"plain twin {1e6 * slow:.0f} us, ratio {slow / fast:.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", nargs="+", default=["18x24", "23x35", "50x66", "123x185"])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--runs", type=int, default=5, help="whole runs of the first size")
    parser.add_argument("--generations", type=int, default=60, help="of a run for the curve")
    options = parser.parse_args()
    shapes = [(int(r), int(c)) for r, c in (size.split("x") for size in options.sizes)]
    against_the_twin()
    told, truth = told_of(shapes[0])
    run(told, shapes[0], 0, max(options.threads), 1)  # compiles, and warms up
    print(
        f"\nwhole runs\n{'pieces':>8}{'threads':>9}{'generations':>13}{'crossovers/s':>16}"
        f"{'per CPU second':>16}{'% of the truth':>18}"
    )
    for threads in options.threads:
        whole_runs(told, truth, shapes[0], threads, options.runs)
    print(
        f"\na crossover\n{'pieces':>8}{'threads':>9}{'':>8}{'generations':>11}{'us':>14}"
        f"{'CPU us':>14}{'ns a piece':>14}{'CPU ns':>14}"
    )
    for shape in shapes:
        told, _ = told_of(shape)
        for threads in options.threads:
            curve(told, shape, threads, options.generations)


if __name__ == "__main__":
    main()
