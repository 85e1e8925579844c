"""Puzzles of random scores, and wishes that a random arrangement of them meets."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tessella.arrangement import Arrangement
from tessella.compatibility import from_dense
from tessella.placement import places
from tessella.wishes import Barred, Code, Fixed, Wishes


def noise(pieces, upright, square, rng, row=False):
    """Return compatibilities at random; `row`: only left and right sides join."""
    e = np.arange(4 * pieces)[:, None]
    f = 4 * np.arange(pieces) + (e + 2) % 4 if upright else np.arange(4 * pieces)
    allowed = (e // 4 != f // 4) & (upright | square | ((e - f) % 2 == 0))
    if row:
        allowed &= (e % 2 == 0) & (f % 2 == 0)
    table = np.where(allowed, rng.uniform(0, 1, allowed.shape), -np.inf).astype(np.float32)
    return from_dense(pieces, upright, square, table, 6)


def laid(pieces, shape, upright, square, rng):
    """Return an arrangement of all pieces at random."""
    cells = np.full(shape[0] * shape[1], -1)
    cells[rng.permutation(len(cells))[:pieces]] = rng.permutation(pieces)
    step = 4 if upright else 1 if square else 2
    turns = rng.choice(np.arange(0, 4, step), shape)
    return Arrangement.single(cells.reshape(shape), turns)


def met_by(arrangement, rng, most=3):
    """Return wishes of all kinds that one sheet can meet, all of which `arrangement` meets."""
    every = list(places(arrangement))
    joins = arrangement.joins().tolist()
    rows, cols = arrangement.sheets[0].shape

    def some(from_):
        count = int(rng.integers(0, most + 1))
        return [from_[i] for i in rng.permutation(len(from_))[:count]]

    edges = [4 * at.piece + side for at in every for side in range(4)]
    pairs = [(e, f) for e in edges for f in edges if e // 4 < f // 4]
    have = {frozenset(join) for join in joins}
    not_joined = [pair for pair in pairs if frozenset(pair) not in have]
    barred = []
    for at in some(every):
        row, col = int(rng.integers(rows)), int(rng.integers(cols))
        if (row, col) != (at.row, at.col):
            barred.append(Barred(at.piece, 0, row, col))
    codes = [
        Code(at.piece, at.row if k != 1 else None, at.col if k else None, "A" if k else None)
        for at in some(every)
        for k in [int(rng.integers(3))]
    ]
    together = [tuple(at.piece for at in every)] if len(every) > 1 and rng.integers(2) else []
    return Wishes(
        fixed=tuple(Fixed(at.piece, 0, at.row, at.col, at.turns) for at in some(every)),
        joined=tuple((e, f) for e, f in some(joins)),
        forbidden=tuple(some(not_joined)),
        barred=tuple(barred),
        together=tuple(together),
        upright=tuple((at.piece, at.turns) for at in some(every)),
        codes=tuple(codes),
    )


@pytest.fixture(scope="session")
def draw():
    """Return what makes puzzles and wishes at random."""
    return SimpleNamespace(noise=noise, laid=laid, met_by=met_by)
