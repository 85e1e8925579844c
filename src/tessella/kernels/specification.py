"""The crossover and guided growth in plain Python: what the compiled ones must do.

`cross_plain` and `grow_plain` are the specification of `tessella.kernels.crossover.cross` and
`tessella.kernels.growth.grow`. They draw the same random numbers in the same order, so from equal
parents and an equal random state they grow the same arrangement, piece by piece. A cell is
(row, col), the first piece lies in (0, 0), and an arrangement is a dict from piece to
(row, col, turns).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tessella.edges import side_facing, turns_to_face
from tessella.kernels.chance import below, draw, unit
from tessella.kernels.crossover import PHASES, Parent, Rules
from tessella.kernels.growth import NOBODY, Guide
from tessella.kernels.tables import Tables

T = TypeVar("T")
Cell = tuple[int, int]
Where = dict[int, tuple[int, int, int]]
Bags = dict[str, list[tuple[int, int]]]

_STEPS = ((0, 1), (-1, 0), (0, -1), (1, 0))
"""From a cell to its neighbour right, top, left, bottom."""


class PlainNucleus:
    """A partial arrangement, and the box that bounds it.

    Parameters
    ----------
    shape : rows and columns that bound the nucleus, or None
    either_way : whether the nucleus may lie on its side
    """

    def __init__(self, shape: tuple[int, int] | None, either_way: bool) -> None:
        self.where: Where = {}
        self.held: dict[Cell, int] = {}
        self.boxes = [] if shape is None else [shape, shape[::-1]] if either_way else [shape]
        self.top = self.bottom = self.left = self.right = 0

    def put(self, piece: int, turns: int, cell: Cell) -> None:
        """Place `piece` in an open cell."""
        self.where[piece] = (*cell, turns)
        self.held[cell] = piece
        self.top, self.bottom = min(self.top, cell[0]), max(self.bottom, cell[0])
        self.left, self.right = min(self.left, cell[1]), max(self.right, cell[1])

    def is_open(self, cell: Cell) -> bool:
        """Whether `cell` is empty and the nucleus still fits its box with a piece there."""
        rows = max(self.bottom, cell[0]) - min(self.top, cell[0]) + 1
        cols = max(self.right, cell[1]) - min(self.left, cell[1]) + 1
        fits = not self.boxes or any(rows <= r and cols <= c for r, c in self.boxes)
        return fits and cell not in self.held

    def direction(self, e: int) -> int:
        """Return where edge `e` of a placed piece faces."""
        return (e + self.where[e // 4][2]) % 4

    def cell_facing(self, e: int) -> Cell:
        """Return the cell that edge `e` of a placed piece faces."""
        row, col, _ = self.where[e // 4]
        return neighbor(row, col, self.direction(e))

    def join(self, e: int, f: int) -> int:
        """Lay edge `f` of an unused piece against edge `e` of the nucleus; return the piece."""
        turns = turns_to_face(f % 4, (self.direction(e) + 2) % 4)
        self.put(f // 4, turns, self.cell_facing(e))
        return f // 4

    def free_edges(self, piece: int) -> list[int]:
        """Return the edges of a placed piece that face an open cell."""
        return [e for e in range(4 * piece, 4 * piece + 4) if self.is_open(self.cell_facing(e))]

    def around(self, cell: Cell) -> list[tuple[int, int]]:
        """Return (nucleus edge, direction it lies in) of every occupied neighbour of `cell`."""
        edges = []
        for direction in range(4):
            q = self.held.get(neighbor(*cell, direction))
            if q is not None:
                side = side_facing((direction + 2) % 4, self.where[q][2])
                edges.append((4 * q + side, direction))
        return edges


def neighbor(row: int, col: int, direction: int) -> Cell:
    """Return the cell beside another."""
    down, across = _STEPS[direction]
    return row + down, col + across


def candidates(tables: Tables, e: int) -> list[int]:
    """Return the listed partners of `e`, best first."""
    return [int(f) for f in tables.partner[tables.start[e] : tables.start[e + 1]]]


def compatibility(tables: Tables, e: int, f: int) -> float:
    """Return C(e, f), 0 where it is not known."""
    if tables.dense.size:
        return float(tables.dense[e, f // 4 if tables.upright else f])
    listed = candidates(tables, e)
    return float(tables.score[tables.start[e] + listed.index(f)]) if f in listed else 0.0


def cross_plain(
    tables: Tables,
    buddy: NDArray[np.int32],
    better: Parent,
    worse: Parent,
    rules: Rules,
    state: NDArray[np.uint64],
    pieces: int,
    shape: tuple[int, int] | None,
    either_way: bool,
) -> Where:
    """Grow an arrangement of all pieces from two parents, by the paper's phases.

    See `tessella.kernels.crossover.cross`, and `PlainNucleus` for `shape` and `either_way`.
    """
    nucleus = PlainNucleus(shape, either_way)
    bags: Bags = {phase: [] for phase in PHASES[:4]}
    free: list[int] = []  # nucleus edges that faced an open cell when their piece was placed
    piece = below(state, pieces)
    nucleus.put(piece, 0, (0, 0))
    while True:
        for e in nucleus.free_edges(piece):
            free.append(e)
            for phase, f in proposals(buddy, better, worse, bool(rules.both), e):
                if f // 4 not in nucleus.where:
                    bags[phase].append((e, f))
        if len(nucleus.where) == pieces:
            return nucleus.where
        join = phases_1_to_3(nucleus, bags, rules, state)
        if join is None:
            join = phases_4_and_5(nucleus, free, tables, rules, state, pieces)
        piece = nucleus.join(*join)


def switched_on(rules: Rules, phase: str) -> bool:
    """Whether a phase takes part."""
    return bool(rules.phases >> PHASES.index(phase) & 1)


def proposals(
    buddy: NDArray[np.int32], better: Parent, worse: Parent, both: bool, e: int
) -> Iterator[tuple[str, int]]:
    """Yield (phase, edge to add) of all that phases 1.1 to 3 would lay against `e`."""
    a, b = int(better.neighbor[e]), int(worse.neighbor[e])
    if a >= 0 and scores_well(better, a, e, both):
        yield "1.1", a
    if b >= 0 and scores_well(worse, b, e, both):
        yield "1.2", b
    if a >= 0 and a == b:
        yield "2", a
    for f in dict.fromkeys((a, b)):
        if f >= 0 and buddy[e] == f:
            yield "3", f


def scores_well(parent: Parent, added: int, e: int, both: bool) -> bool:
    """Whether the added piece's score exceeds alpha; with `both`, the nucleus's piece's too."""
    asked = (added, e) if both else (added,)
    return all(float(parent.score[edge // 4]) > parent.alpha for edge in asked)


def phases_1_to_3(
    nucleus: PlainNucleus, bags: Bags, rules: Rules, state: NDArray[np.uint64]
) -> tuple[int, int] | None:
    """Return a random proposal of the first phase that has one, unless skipped; None if none has.

    One random word decides all four skips, 16 bits each: the mutation.
    """
    word = int(draw(state))
    for number, (phase, bag) in enumerate(bags.items()):
        skipped = (word >> 16 * number) % 65536 < rules.skip[number]
        if skipped or not switched_on(rules, phase):
            continue
        while bag:
            e, f = take(bag, below(state, len(bag)))
            if f // 4 not in nucleus.where and nucleus.is_open(nucleus.cell_facing(e)):
                return e, f
    return None


def take(bag: list[T], place: int) -> T:
    """Take an entry out of a bag; the last one moves into its place."""
    bag[place], bag[-1] = bag[-1], bag[place]
    return bag.pop()


def phases_4_and_5(
    nucleus: PlainNucleus,
    free: list[int],
    tables: Tables,
    rules: Rules,
    state: NDArray[np.uint64],
    pieces: int,
) -> tuple[int, int]:
    """Return a random free edge of the nucleus, and an unused piece's edge to lay against it."""
    place = below(state, len(free))
    while not nucleus.is_open(nucleus.cell_facing(free[place])):
        take(free, place)
        place = below(state, len(free))
    e = free[place]
    if rules.skip[4] > 0 and below(state, 65536) < rules.skip[4]:
        return e, phase_5(nucleus.where, bool(tables.upright), rules.square, state, pieces, e)
    unused = [f for f in candidates(tables, e) if f // 4 not in nucleus.where]
    if switched_on(rules, "4.1"):
        most = unused[:1] or unlisted(nucleus.where, tables, e)
        if most:
            return e, most[0]
    if switched_on(rules, "4.2") and len(unused) > 1:
        return e, unused[1]
    return e, phase_5(nucleus.where, bool(tables.upright), rules.square, state, pieces, e)


def unlisted(where: Where, tables: Tables, e: int) -> list[int]:
    """Return the most compatible edge of an unused piece by the dense table, if there is any."""
    columns = range(tables.dense.shape[1])
    edges = [4 * c + (e + 2) % 4 if tables.upright else c for c in columns]
    scores = {f: compatibility(tables, e, f) for f in edges if f // 4 not in where}
    best = max(scores, key=lambda f: scores[f], default=-1)
    return [best] if best >= 0 and scores[best] > 0 else []


def phase_5(
    where: Where, upright: bool, square: int, state: NDArray[np.uint64], pieces: int, e: int
) -> int:
    """Return a random admissible edge of a random unused piece."""
    piece = below(state, pieces)
    while piece in where:
        piece = (piece + 1) % pieces
    if upright:
        return 4 * piece + (e + 2) % 4
    return 4 * piece + (below(state, 4) if square else (e + 2 * below(state, 2)) % 4)


def grow_plain(
    tables: Tables,
    better: Parent,
    worse: Parent,
    guide: Guide,
    first: int,
    state: NDArray[np.uint64],
    pieces: int,
    shape: tuple[int, int] | None,
    either_way: bool,
) -> Where:
    """Grow an arrangement from piece `first`, always filling the cell with the greatest rating.

    See `tessella.kernels.growth.grow`. Between cells of exactly equal rating, which noise makes
    improbable, the choice is free.
    """
    nucleus = PlainNucleus(shape, either_way)
    rated: dict[Cell, tuple[float, int, int]] = {}  # rating, best piece (-1 for none), its turns

    def renew(cell: Cell) -> None:
        rating, piece, turns = rate_plain(nucleus, tables, better, worse, guide, cell)
        rated[cell] = rating + guide.noise * unit(state), piece, turns

    piece, turns, cell = first, 0, (0, 0)
    while True:
        nucleus.put(piece, turns, cell)
        rated.pop(cell, None)
        for direction in range(4):
            beside = neighbor(*cell, direction)
            if nucleus.is_open(beside):
                renew(beside)
        if len(nucleus.where) == pieces:
            return nucleus.where
        while True:
            cell = max(filter(nucleus.is_open, rated), key=lambda c: rated[c][0])
            _, piece, turns = rated[cell]
            if piece not in nucleus.where:
                break
            renew(cell)
        if piece < 0:
            e = nucleus.around(cell)[0][0]
            f = phase_5(nucleus.where, bool(tables.upright), guide.square, state, pieces, e)
            piece, turns = f // 4, turns_to_face(f % 4, (nucleus.direction(e) + 2) % 4)


def rate_plain(
    nucleus: PlainNucleus,
    tables: Tables,
    better: Parent,
    worse: Parent,
    guide: Guide,
    cell: Cell,
) -> tuple[float, int, int]:
    """Return an open cell's rating without noise, and its best piece and turns (-1 for none)."""
    around = nucleus.around(cell)
    worths: dict[tuple[int, int], float] = {}
    for e, direction in around:
        listed = [f for f in candidates(tables, e) if f // 4 not in nucleus.where]
        inherited = [int(better.neighbor[e]), int(worse.neighbor[e])]
        for f in inherited + listed[: guide.depth]:
            if f >= 0 and f // 4 not in nucleus.where:
                what = f // 4, turns_to_face(f % 4, direction)
                worths[what] = worth(tables, better, worse, guide, around, *what)
    if not worths:
        return NOBODY, -1, 0
    piece, turns = max(worths, key=lambda what: worths[what])
    best, second = sorted([*worths.values(), 0.0], reverse=True)[:2]
    return best + guide.margin * (best - second), piece, turns


def worth(
    tables: Tables,
    better: Parent,
    worse: Parent,
    guide: Guide,
    around: list[tuple[int, int]],
    piece: int,
    turns: int,
) -> float:
    """Return a piece's mean compatibility with all around a cell; inherited joins count more."""
    total = 0.0
    for e, direction in around:
        f = 4 * piece + side_facing(direction, turns)
        total += compatibility(tables, e, f)
        for parent in (better, worse):
            if parent.neighbor[e] == f:
                fit = guide.inherit * float(parent.score[piece])
                total += fit * float(parent.score[e // 4])
    return total / len(around)
