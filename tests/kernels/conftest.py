"""What the tests of the genetic kernels share: random puzzles, parents and ways to look at them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from tessella.compatibility import Compatibility, from_dense, from_lists
from tessella.kernels.breeding import make_population, record, scatter
from tessella.kernels.crossover import Parent
from tessella.kernels.growth import Guide, grow, make_ratings, nobody
from tessella.kernels.nucleus import make_nucleus


@dataclass(frozen=True)
class Case:
    """A puzzle of random compatibilities and what bounds its arrangements."""

    told: Compatibility
    shape: tuple[int, int] | None

    @property
    def either_way(self):
        return not self.told.upright and self.told.square

    @property
    def quarter_turns(self):
        return 1 if self.told.upright else 4 if self.told.square else 2

    def nucleus(self):
        return make_nucleus(self.told.pieces, self.shape, either_way=self.either_way)

    def guide(self, **changed):
        usual = {"margin": 1.0, "inherit": 0.4, "noise": 0.05, "depth": 3}
        return Guide(**usual | changed, square=int(self.told.square))

    def population(self, seed=0):
        """Return two random chromosomes, then two grown greedily."""
        made = make_population(4, self.told.pieces)
        nucleus, ratings = self.nucleus(), make_ratings(self.told.pieces)
        scatter(self.told.tables, nucleus, made, self.quarter_turns, seed, 0, 2)
        none = nobody(self.told.pieces)
        for place in (2, 3):
            state = np.array([seed + place], np.uint64)
            grow(self.told.tables, none, none, self.guide(), 0, state, nucleus, ratings)
            record(self.told.tables, nucleus, made, place)
        return made

    def parent(self, place, alpha0=0.0, seed=0):
        made = self.population(seed)
        alpha = max(alpha0, float(made.mean[place]))
        return Parent(made.neighbor[place], made.score[place], alpha)


def noise(pieces, upright, square, keep, dense, rng, levels):
    """Return random compatibilities; few `levels` make many of them equal."""
    edges = np.arange(4 * pieces)
    e = edges[:, None]
    f = 4 * np.arange(pieces) + (e + 2) % 4 if upright else edges
    allowed = (e // 4 != f // 4) & (upright | square | ((e - f) % 2 == 0))
    table = np.floor(rng.uniform(0, 1, allowed.shape) * levels) / levels
    table = np.where(allowed, table, -np.inf).astype(np.float32)
    if dense:
        return from_dense(pieces, upright, square, table, keep)
    best = np.argsort(-table, axis=1, kind="stable")[:, :keep].astype(np.int32)
    kept = np.take_along_axis(table, best, axis=1)
    partner = 4 * best + (e + 2) % 4 if upright else best
    partner = np.where(np.isneginf(kept), -1, partner).astype(np.int32)
    return from_lists(pieces, upright, square, partner, np.maximum(kept, 0))


@pytest.fixture(scope="session")
def case():
    """Return a maker of random puzzles."""

    def make(shape, *, upright=True, square=True, known=True, keep=8, dense=False, seed=0, **more):
        pieces = more.get("pieces", shape[0] * shape[1])
        rng = np.random.default_rng(seed)
        told = noise(pieces, upright, square, keep, dense, rng, more.get("levels", 10**6))
        return Case(more.get("told", told), shape if known else None)

    return make


@pytest.fixture(scope="session")
def laid():
    """Return a reader of kernels: piece -> (row, col, turns), counted from the extent's corner."""

    def read(found):
        if not isinstance(found, dict):
            row, col = np.divmod(found.where[:, 0], int(found.step[4]))
            turns = found.where[:, 1]
            found = {p: (int(row[p]), int(col[p]), int(turns[p])) for p in range(len(row))}
        top = min(r for r, _, _ in found.values())
        left = min(c for _, c, _ in found.values())
        return {p: (r - top, c - left, t) for p, (r, c, t) in found.items()}

    return read


@pytest.fixture(scope="session")
def laid_out():
    """Return a maker of random arrangements: pieces, -1 where a cell is empty, and their turns."""

    def make(rows: int, cols: int, empty: int, upright: bool, seed: int):
        chance = np.random.default_rng(seed)
        piece = np.full(rows * cols, -1, np.int32)
        place = chance.permutation(rows * cols)[: rows * cols - empty]
        piece[place] = np.arange(len(place))
        turns = np.zeros_like(piece) if upright else chance.integers(0, 4, piece.shape, np.int32)
        return piece.reshape(rows, cols), np.where(piece < 0, 0, turns).reshape(rows, cols)

    return make


@pytest.fixture(scope="session")
def check_valid():
    """Return a check: each piece once, connected, turned as allowed, inside the box."""

    def check(case, where):
        cells = {(r, c) for r, c, _ in where.values()}
        assert sorted(where) == list(range(case.told.pieces))
        assert len(cells) == case.told.pieces
        assert connected(cells)
        step = 4 // case.quarter_turns
        assert all(t % step == 0 for _, _, t in where.values())
        if case.shape is not None:
            rows, cols = (1 + max(c) for c in zip(*cells, strict=True))
            boxes = [case.shape, case.shape[::-1]] if case.either_way else [case.shape]
            assert any(rows <= r and cols <= c for r, c in boxes)

    return check


def connected(cells):
    reached, left = set(), [next(iter(cells))]
    while left:
        r, c = left.pop()
        if (r, c) in cells and (r, c) not in reached:
            reached.add((r, c))
            left += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    return reached == cells
