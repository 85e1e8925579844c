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

ONE = 65535
"""The chance 1 in `Chances`."""

OUTSIDE, FREE = -2, -1
"""What `Said.fixed` says of a cell that is not part of the picture, and of one that is free."""

_TELLING = 2e-3
"""Chances that are less are not told one by one."""


class Chances(NamedTuple):
    """What a piece says of its neighbour, ``(M + F, M)`` each: M labels, F fixed pieces.

    Row i, column j is the chance, of `ONE`, that label j lies on the other side of the seam.

    Attributes
    ----------
    right, top, left, bottom : where piece i lies, seen from label j
    """

    right: NDArray[np.uint16]
    top: NDArray[np.uint16]
    left: NDArray[np.uint16]
    bottom: NDArray[np.uint16]


class Said(NamedTuple):
    """What cells have told their neighbours, and believe themselves.

    Attributes
    ----------
    fixed : the row in `Chances` of a cell's fixed piece, or `FREE` or `OUTSIDE`, ``(cells,)``
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
    rows: NDArray[np.uint16],
    labels: NDArray[np.int32],
    chance: NDArray[np.float32],
    doubt: float,
    out: NDArray[np.float32],
) -> None:
    """Fill `out` ``(M,)`` with how much likelier than usual every label is beside what is told.

    Parameters
    ----------
    rows : one table of `Chances`
    labels, chance : what is told, as rows of the table
    doubt : how likely every label is, whatever is told
    """
    count = rows.shape[1]
    known = np.float32(0)
    for k in range(len(labels)):
        known += chance[k]
    out[:] = np.float32(doubt) + max(np.float32(1) - known, np.float32(0))
    for k in range(len(labels)):
        row = rows[labels[k]]
        weight = np.float32(chance[k] * count / ONE)
        for j in range(count):
            out[j] += weight * np.float32(row[j])


@compiled
def tell(
    weight: NDArray[np.float32],
    damping: float,
    labels: NDArray[np.int32],
    chance: NDArray[np.float32],
    told: int,
) -> int:
    """Replace a list by the likeliest labels of `weight` ``(M,)``, mixed with what it said.

    Returns
    -------
    how many labels the list has now
    """
    most = len(labels)
    total = 0.0
    for j in range(len(weight)):
        total += weight[j]
    least = total * _TELLING
    found = 0
    for j in range(len(weight)):
        found += weight[j] >= least
    chosen, value = np.empty(found, np.int32), np.empty(found, np.float32)
    found = 0
    for j in range(len(weight)):
        if weight[j] >= least:
            chosen[found], value[found] = j, weight[j] / total
            found += 1
    order = np.argsort(-value, kind="mergesort")[:most]
    old_labels, old_chance = labels[:told].copy(), chance[:told].copy()
    now = len(order)
    for i in range(now):
        labels[i], chance[i] = chosen[order[i]], value[order[i]]
    if told == 0:
        return now
    new = now
    for i in range(new):
        chance[i] *= np.float32(1 - damping)
    for k in range(told):
        seen = False
        for i in range(new):
            if labels[i] == old_labels[k]:
                chance[i] += np.float32(damping) * old_chance[k]
                seen = True
                break
        if not seen and now < most and damping * old_chance[k] >= _TELLING:
            labels[now], chance[now] = old_labels[k], np.float32(damping) * old_chance[k]
            now += 1
    return now


@compiled
def believe(
    chances: Chances,
    said: Said,
    cells: NDArray[np.int64],
    wanted: NDArray[np.float32],
    doubt: float,
    damping: float,
) -> None:
    """Let `cells`, of which no two are neighbours, hear their neighbours and tell them anew.

    Parameters
    ----------
    wanted : how much likelier than the others a label is by itself, ``(M,)``
    doubt : how likely every label is beside any other, in units of what is usual
    damping : how much of what was told before stays
    """
    labels = chances.right.shape[1]
    heard = np.empty((4, labels), np.float32)
    weight = np.empty(labels, np.float32)
    has = np.zeros(4, np.bool_)
    single, sure = np.empty(1, np.int32), np.ones(1, np.float32)
    for cell in cells:
        for direction in range(4):
            beyond = cell + said.step[direction]
            back = (direction + 2) & 3
            if direction == 0:
                rows = chances.right
            elif direction == 1:
                rows = chances.top
            elif direction == 2:
                rows = chances.left
            else:
                rows = chances.bottom
            told = said.count[beyond, back]
            has[direction] = said.fixed[beyond] >= 0 or (said.fixed[beyond] == FREE and told > 0)
            if said.fixed[beyond] >= 0:
                single[0] = said.fixed[beyond]
                hear(rows, single, sure, doubt, heard[direction])
            elif has[direction]:
                hear(
                    rows,
                    said.label[beyond, back, :told],
                    said.chance[beyond, back, :told],
                    doubt,
                    heard[direction],
                )
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
                )
