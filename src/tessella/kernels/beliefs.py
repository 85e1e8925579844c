"""Belief propagation: what lies in a cell, as far as its four neighbours can tell.

Every free cell tells each neighbour what it believes to hold itself, leaving out what that
neighbour has told it (J. Pearl, Probabilistic Reasoning in Intelligent Systems, 1988; for jigsaw
puzzles T. S. Cho, S. Avidan, W. T. Freeman, CVPR 2010). What a cell says is a short list of labels
with their chances; what is not on the list is shared by all labels alike (so labels are pruned by
N. Komodakis and G. Tziritas, IEEE Transactions on Image Processing 16, 2007).

Labels are the pieces that may lie in free cells. Cells are numbered row by row, with a rim.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled

OUTSIDE, FREE = -2, -1
"""What `Said.fixed` says of a cell that is not part of the picture, and of one that is free."""

_TELLING = 3e-4
"""Chances that are less are not told one by one."""


class Chances(NamedTuple):
    """How much likelier than any other a label is beside an edge; lists, as compatibilities are.

    Attributes
    ----------
    start : where the list of an edge begins, ``(4N + 1,)``
    label : which label; the number of labels, M, for a piece that is none
    weight : how much likelier it is
    piece : the piece that a label is, ``(M,)``
    """

    start: NDArray[np.int64]
    label: NDArray[np.int32]
    weight: NDArray[np.float32]
    piece: NDArray[np.int32]


class Said(NamedTuple):
    """What cells have told their neighbours, and believe themselves.

    Attributes
    ----------
    fixed : the piece that a cell holds for certain, or `FREE` or `OUTSIDE`, ``(cells,)``
    step : from a cell to its neighbours at right, top, left, bottom, ``(4,)``
    count : how many labels are told, ``(cells, 5)``: to the neighbours, and last the belief
    label, chance : which, and how likely they are, ``(cells, 5, K)``
    """

    fixed: NDArray[np.int32]
    step: NDArray[np.int64]
    count: NDArray[np.int32]
    label: NDArray[np.int32]
    chance: NDArray[np.float32]


@compiled
def hear(
    chances: Chances,
    side: int,
    pieces: NDArray[np.int32],
    chance: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    """Fill `out` ``(M + 1,)`` with how likely every label is beside what is told.

    Parameters
    ----------
    side : of the pieces that are told, where the label would lie
    pieces, chance : what is told
    out : the last entry is for pieces that are no labels, and means nothing
    """
    known = np.float32(0)
    for k in range(len(pieces)):
        known += chance[k]
    out[:] = np.float32(1) + max(np.float32(1) - known, np.float32(0))
    for k in range(len(pieces)):
        e = 4 * pieces[k] + side
        for t in range(chances.start[e], chances.start[e + 1]):
            out[chances.label[t]] += chance[k] * chances.weight[t]


@compiled
def summed(weight: NDArray[np.float32]) -> float:
    """Return the sum of `weight`, added up in eight rows, which processors can do at once."""
    rows = np.zeros(8, np.float32)
    whole = len(weight) // 8 * 8
    for j in range(0, whole, 8):
        for k in range(8):
            rows[k] += weight[j + k]
    total = 0.0
    for k in range(8):
        total += rows[k]
    for j in range(whole, len(weight)):
        total += weight[j]
    return total


@compiled
def tell(
    weight: NDArray[np.float32],
    damping: float,
    labels: NDArray[np.int32],
    chance: NDArray[np.float32],
    before: int,
    place: NDArray[np.int32],
) -> int:
    """Replace a list by the likeliest labels of `weight` ``(M,)``, mixed with what it said.

    Parameters
    ----------
    before : how many labels the list had
    place : all -1, and so again afterwards, ``(M,)``

    Returns
    -------
    how many labels the list has now
    """
    most = len(labels)
    total = summed(weight)
    least = np.float32(total * _TELLING)
    likely = 0
    for j in range(len(weight)):
        likely += weight[j] >= least
    chosen, value = np.empty(likely, np.int32), np.empty(likely, np.float32)
    likely = 0
    for j in range(len(weight)):
        if weight[j] >= least:
            chosen[likely], value[likely] = j, weight[j] / total
            likely += 1
    if likely > most:
        order = np.sort(np.argsort(-value, kind="mergesort")[:most])
        chosen, value = chosen[order], value[order]
    old_labels, old_chance = labels[:before].copy(), chance[:before].copy()
    now = len(chosen)
    fresh = np.float32(1 - damping if before else 1)
    for i in range(now):
        labels[i], chance[i] = chosen[i], fresh * value[i]
        place[chosen[i]] = i
    for k in range(before):
        was, stays = old_labels[k], np.float32(damping) * old_chance[k]
        if place[was] >= 0:
            chance[place[was]] += stays
        elif now < most and stays >= _TELLING:
            labels[now], chance[now] = was, stays
            now += 1
    for i in range(len(chosen)):
        place[chosen[i]] = -1
    return now


@compiled
def believe(
    chances: Chances,
    said: Said,
    cells: NDArray[np.int64],
    wanted: NDArray[np.float32],
    damping: float,
) -> None:
    """Let `cells`, of which no two are neighbours, hear their neighbours and tell them anew.

    Parameters
    ----------
    wanted : how much likelier than the others a label is by itself, ``(M,)``
    damping : how much of what was told before stays
    """
    labels = len(chances.piece)
    heard = np.empty((4, labels + 1), np.float32)
    weight = np.empty(labels, np.float32)
    place = np.full(labels, -1, np.int32)
    has = np.zeros(4, np.bool_)
    single, sure = np.empty(1, np.int32), np.ones(1, np.float32)
    for cell in cells:
        for direction in range(4):
            beyond = cell + said.step[direction]
            back = (direction + 2) & 3
            count = said.count[beyond, back]
            has[direction] = said.fixed[beyond] >= 0 or count > 0
            if said.fixed[beyond] >= 0:
                single[0] = said.fixed[beyond]
                hear(chances, back, single, sure, heard[direction])
            elif has[direction]:
                pieces = chances.piece[said.label[beyond, back, :count]]
                hear(chances, back, pieces, said.chance[beyond, back, :count], heard[direction])
        for to in range(5):
            if to < 4 and said.fixed[cell + said.step[to]] != FREE:
                continue
            some = False
            weight[:] = wanted
            for direction in range(4):
                if direction != to and has[direction]:
                    some = True
                    for j in range(labels):
                        weight[j] *= heard[direction, j]
            if some:
                said.count[cell, to] = tell(
                    weight,
                    damping if to < 4 else 0.0,
                    said.label[cell, to],
                    said.chance[cell, to],
                    said.count[cell, to],
                    place,
                )
