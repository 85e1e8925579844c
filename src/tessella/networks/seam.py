"""Scoring pairs exactly, at the price of what both pieces have a part in.

A column of features that lies further from the seam than the layers see depends on one piece
alone. So everything that one piece decides is computed once for every edge (`Sides`): its part of
the first two (or last two) pair columns of every convolution, the column that shares a pooling
window with them, and its own part of the final sum. For a pair only the pair columns are left, two
to five at every layer (`tessella.networks.architecture.Level`). Nothing is approximated: scores
are those of `tessella.networks.specification`, up to rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.kernels import seam as kernel
from tessella.networks.architecture import Level
from tessella.networks.model import Subnetwork
from tessella.threads import chunks, spread

Floats = NDArray[np.float32]

_BLOCK_BYTES = 2**19
"""Size of the largest array of a block of pairs: it should stay in the processor's cache."""

_SHARE = 32
"""Blocks that a thread takes at a time."""


@dataclass(frozen=True)
class Step:
    """A convolution, and the pooling behind it if there is one.

    Attributes
    ----------
    weights : the kernel as a matrix, ``(3 C, 3 C')``
    before, after : what it is given, and what it makes of it before pooling
    pooled : what pooling leaves; None where there is none
    """

    weights: Floats
    before: Level
    after: Level
    pooled: Level | None

    @property
    def odd(self) -> int:
        """1 where the first pair column shares a window with the column before it."""
        return self.after.lo % 2 if self.pooled else 0

    @property
    def ragged(self) -> bool:
        """Whether the last pair column shares a window with the column behind it."""
        return self.pooled is not None and self.after.hi % 2 == 1


@dataclass(frozen=True, eq=False)
class Sides:
    """What a sub-network needs to know of edges that face one way.

    Attributes
    ----------
    parts : of every step, what the piece gives to two pair columns, ``(A, R, 2, C)``
    held : of every step, the own column in a mixed pooling window, pooled over rows,
        ``(A, R', C)``; empty where there is none
    number : the own part of the score, ``(A,)``
    """

    parts: tuple[Floats, ...]
    held: tuple[Floats, ...]
    number: Floats


@dataclass(frozen=True, eq=False)
class Engine:
    """One sub-network, ready to score."""

    sub: Subnetwork

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The convolutions in order."""
        layers, levels = self.sub.architecture.layers, self.sub.architecture.levels
        kernels = iter(self.sub.kernels)
        steps = []
        for i, layer in enumerate(layers):
            if layer == "pool":
                continue
            pooled = levels[i + 2] if layers[i + 1 : i + 2] == ("pool",) else None
            steps.append(Step(_matrix(next(kernels)), levels[i], levels[i + 1], pooled))
        return tuple(steps)

    @cached_property
    def head(self) -> Floats:
        """The linear layer, ``(R, width, C)``."""
        return np.ascontiguousarray(self.sub.head.transpose(1, 2, 0))

    @property
    def edge_bytes(self) -> int:
        """How much `Sides` keep of one edge."""
        floats = sum(2 * s.after.rows * s.after.channels for s in self.steps)
        return 4 * (floats + sum(s.pooled.rows * s.pooled.channels for s in self.steps if s.pooled))

    def sides(self, seen: Floats, direction: int, threads: int | None = None) -> Sides:
        """Describe pieces by what is seen of them near the seam.

        Parameters
        ----------
        seen : ``(A, rows, depth, planes)``, see `tessella.networks.view.seen`
        direction : `edges.RIGHT` for pieces at the left of a pair, `edges.LEFT` for the others
        """
        right = direction == edges.RIGHT
        count = len(seen)
        parts = tuple(
            np.empty((count, s.after.rows, 2, s.after.channels), np.float32) for s in self.steps
        )
        mixed = [s.odd if right else s.ragged for s in self.steps]
        held = tuple(
            np.empty((count if m else 0, s.after.rows // 2, s.after.channels), np.float32)
            for m, s in zip(mixed, self.steps, strict=True)
        )
        made = Sides(parts, held, np.empty(count, np.float32))
        run = _Own(self, right)
        self._spread(run, np.ascontiguousarray(seen), made, threads)
        return made

    def whole(self, pair: Floats, threads: int | None = None) -> Floats:
        """Score pairs ``(A, rows, 2 * depth, planes)`` by the plain pass.

        It rests on the same matrix products: what the factorisation saves is measured by it.
        """
        made = Sides((), (), np.empty(len(pair), np.float32))
        self._spread(_Own(self, None), np.ascontiguousarray(pair), made, threads)
        return made.number

    def _spread(self, run: _Own, seen: Floats, made: Sides, threads: int | None) -> None:
        def fill(part: slice) -> None:
            run.follow(seen, made, part)

        for _ in spread(fill, chunks(len(seen), _SHARE * run.block), threads):
            pass

    def pairs(
        self,
        left: Sides,
        right: Sides,
        which: NDArray[np.int64],
        out: Floats,
        threads: int | None = None,
    ) -> Iterator[int]:
        """Add the scores of pairs to `out` ``(M,)``; yields how many more are done.

        Parameters
        ----------
        which : rows of `left` and of `right`, ``(M, 2)``
        """
        size = self.block
        head = np.ascontiguousarray(self.head[:, self.steps[-1].after.lo : self.steps[-1].after.hi])

        def fill(part: slice) -> int:
            room = _Room(self, size)
            for block in chunks(part.stop - part.start, size):
                some = slice(part.start + block.start, part.start + block.stop)
                self._score(left, right, which[some], room, head, out[some])
            return int(part.stop - part.start)

        yield from spread(fill, chunks(len(which), _SHARE * size), threads)

    @cached_property
    def block(self) -> int:
        """How many pairs are worked on at a time."""
        afters = [step.after for step in self.steps]
        floats = max(3 * a.rows * _columns(a) * a.channels for a in afters)
        return max(1, _BLOCK_BYTES // (4 * floats))

    def _score(
        self,
        left: Sides,
        right: Sides,
        which: NDArray[np.int64],
        room: _Room,
        head: Floats,
        out: Floats,
    ) -> None:
        """Follow the pair columns of one block through the layers."""
        count = len(which)
        for i, step in enumerate(self.steps):
            product = room.products[i][:count]  # (B, R, n, 3, C')
            if i:
                given = room.unfolded[i - 1][:count]
                np.matmul(_flat(given), step.weights, out=_flat(product))
            parts = product, left.parts[i], right.parts[i], which
            if i == len(self.steps) - 1:
                kernel.finish(*parts, head, out)
            elif step.pooled is None:
                kernel.join(*parts, room.unfolded[i][:count])
            else:
                held = left.held[i], right.held[i]
                kernel.join_pooled(*parts, *held, step.odd, room.unfolded[i][:count])
        out += left.number[which[:, 0]] + right.number[which[:, 1]]


class _Room:
    """Working memory of one thread: blocks follow each other in the same arrays."""

    def __init__(self, engine: Engine, size: int) -> None:
        self.products, self.unfolded = [], []
        for step in engine.steps:
            after = step.after
            shape = (size, after.rows, _columns(step.before), 3, after.channels)
            self.products.append(np.empty(shape, np.float32))
            level = step.pooled or after
            shape = (size, level.rows, _columns(level), 3, level.channels)
            self.unfolded.append(np.empty(shape, np.float32))


class _Own:
    """Follows the columns that one piece decides alone through the layers; for whole pairs, all.

    Attributes
    ----------
    widths : columns that enter every step, and those that leave the last
    block : how many pieces are worked on at a time
    """

    def __init__(self, engine: Engine, right: bool | None) -> None:
        self.engine, self.right = engine, right
        levels = [step.before for step in engine.steps] + [engine.steps[-1].after]
        self.widths = [self._width(level) for level in levels]
        sizes = [
            12 * step.after.rows * width * max(step.before.channels, step.after.channels)
            for step, width in zip(engine.steps, self.widths, strict=False)
        ]
        self.block = max(1, _BLOCK_BYTES // max(sizes))

    def _width(self, level: Level) -> int:
        if self.right is None:
            return level.width
        return level.lo if self.right else level.width - level.hi

    def follow(self, seen: Floats, made: Sides, part: slice) -> None:
        """Describe the pieces of `part`, block by block, and store what pairs will need."""
        shapes = [
            (self.block, s.before.rows, width, 3)
            for s, width in zip(self.engine.steps, self.widths, strict=False)
        ]
        counts = [(s.before.channels, s.after.channels) for s in self.engine.steps]
        given = [np.empty((*s, c), np.float32) for s, (c, _) in zip(shapes, counts, strict=True)]
        products = [np.empty((*s, c), np.float32) for s, (_, c) in zip(shapes, counts, strict=True)]
        for start in range(part.start, part.stop, self.block):
            some = slice(start, min(start + self.block, part.stop))
            count = some.stop - some.start
            kernel.unfold(seen[some], given[0][:count])
            for i, step in enumerate(self.engine.steps):
                product = products[i][:count]
                np.matmul(_flat(given[i][:count]), step.weights, out=_flat(product))
                self._store(i, product, made, some)
                last = i + 1 == len(given)
                self._pass_on(i, product, made.number[some] if last else given[i + 1][:count])

    def _store(self, i: int, product: Floats, made: Sides, some: slice) -> None:
        """Keep what a step gives to the pair columns, and the column that pools with them."""
        if self.right is None:
            return
        inner = product.shape[2]
        kernel.spill(product, inner if self.right else 0, made.parts[i][some])
        if len(made.held[i]):
            kernel.hold(product, inner - 1 if self.right else 2, made.held[i][some])

    def _pass_on(self, i: int, product: Floats, out: Floats) -> None:
        """Hand the own columns to the next step, or weigh them in the end."""
        step = self.engine.steps[i]
        start = 2 if self.right is False else 1
        if out.ndim == 1:
            head = self.engine.head
            width = self.widths[-1]
            own = head[:, -width:] if self.right is False else head[:, :width]
            kernel.weigh(product, start, np.ascontiguousarray(own), out)
        elif step.pooled is None:
            kernel.carry(product, start, out)
        else:
            kernel.carry_pooled(product, start + (self.right is False and step.ragged), out)


def _columns(level: Level) -> int:
    return level.hi - level.lo


def _flat(values: Floats) -> Floats:
    """Return ``(A, R, n, 3, C)`` as the matrix ``(A R n, 3 C)``."""
    return values.reshape(-1, values.shape[3] * values.shape[4])


def _matrix(weights: Floats) -> Floats:
    """Return a kernel ``(C', C, 3, 3)`` as the matrix ``(3 C, 3 C')`` that `unfold` wants."""
    out, given = weights.shape[:2]
    return np.ascontiguousarray(weights.transpose(2, 1, 3, 0).reshape(3 * given, 3 * out))
