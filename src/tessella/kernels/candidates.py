"""Candidates for a free cell beside a nucleus: the two pieces that suit its neighbours best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.board import Rules
from tessella.kernels.jit import compiled
from tessella.kernels.tables import Tables, look_up


@compiled
def two_best(
    rules: Rules, placed: NDArray[np.bool_], around: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Return the two unplaced pieces, their turns and sums, that suit a cell best; -1 for none.

    Candidates are what any neighbour lists; if that leaves fewer than two and the table is dense,
    every piece is one.
    """
    tables = rules.tables
    piece, turns, total = np.full(2, -1, np.int32), np.zeros(2, np.int32), np.zeros(2)
    neighbours = 0
    for e in around:
        neighbours += e >= 0
    for side in range(4):
        e = around[side]
        if e < 0:
            continue
        for k in range(tables.start[e], tables.start[e + 1]):
            if neighbours == 1 and piece[1] >= 0 and tables.score[k] < total[1]:
                break
            f = tables.partner[k]
            if not placed[f >> 2]:
                t = (side - f) % 4
                consider(rules.rank, piece, turns, total, f >> 2, t, fit(tables, around, f >> 2, t))
    if piece[1] < 0 and len(tables.dense) > 0:
        for p in range(len(rules.rank)):
            if not placed[p]:
                for t in range(0, 4, rules.turn_step):
                    consider(rules.rank, piece, turns, total, p, t, fit(tables, around, p, t))
    return piece, turns, total


@compiled
def fit(tables: Tables, around: NDArray[np.int32], piece: int, turns: int) -> float:
    """Return the sum of compatibilities of a piece with the edges around a cell."""
    total = 0.0
    for side in range(4):
        if around[side] >= 0:
            total += float(look_up(tables, around[side], 4 * piece + (side - turns) % 4))
    return total


@compiled
def consider(
    rank: NDArray[np.int32],
    piece: NDArray[np.int32],
    turns: NDArray[np.int32],
    total: NDArray[np.float64],
    p: int,
    t: int,
    score: float,
) -> None:
    """Keep piece `p` at `t` turns if it is one of the two best; each stands at its best turn."""
    for nth in range(2):
        q = piece[nth]
        if score == total[nth] and q >= 0:
            better = t < turns[nth] if p == q else rank[p] < rank[q]
        else:
            better = q < 0 or score > total[nth]
        if better:
            if nth == 0 and p != q:
                piece[1], turns[1], total[1] = piece[0], turns[0], total[0]
            piece[nth], turns[nth], total[nth] = p, t, score
            return
        if p == q:
            return
