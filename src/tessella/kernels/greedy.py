"""Greedy growth of a kernel of placed pieces, most confident placement first.

Every cell beside the kernel is rated: which unplaced piece fits all of its neighbours best, and
how sure that is. A rating rests on few pieces (the best two for the cell, and the rivals of the
cell for the best one), so it is renewed only when one of them changes; the answer is the one that
rating every open cell before every placement would give, as `grow_plain` does.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.board import (
    ACROSS,
    DOWN,
    OPEN,
    PLACED,
    Board,
    Rules,
    close,
    edges_around,
    first_left,
    fits,
    has_room,
    place,
)
from tessella.kernels.jit import compiled
from tessella.kernels.tables import Tables, look_up


@compiled
def best_buddies(tables: Tables) -> NDArray[np.int32]:
    """Return every edge's best buddy, ``(4N,)``: each is the other's single best; -1 for none."""
    edges = len(tables.start) - 1
    favourite = np.full(edges, -1, np.int32)
    for e in range(edges):
        k = tables.start[e]
        listed = tables.start[e + 1] - k
        if listed == 1 or (listed > 1 and tables.score[k] > tables.score[k + 1]):
            favourite[e] = tables.partner[k]
    buddy = np.full(edges, -1, np.int32)
    for e in range(edges):
        if favourite[e] >= 0 and favourite[favourite[e]] == e:
            buddy[e] = favourite[e]
    return buddy


@compiled
def first_piece(rules: Rules) -> int:
    """Return the piece to start with, in the most distinctive region.

    It has the most best buddies, then the most best buddies that have four themselves, then the
    greatest sum of compatibilities with its best buddies.
    """
    buddy = rules.buddy
    pieces = len(rules.rank)
    count = np.zeros(pieces, np.int64)
    for e in range(4 * pieces):
        count[e >> 2] += buddy[e] >= 0
    chosen, best_degree, best_sum = 0, -1, 0.0
    for p in range(pieces):
        degree, total = 5 * count[p], 0.0
        for e in range(4 * p, 4 * p + 4):
            if buddy[e] >= 0:
                degree += count[buddy[e] >> 2] == 4
                total += rules.tables.score[rules.tables.start[e]]
        earlier = rules.rank[p] < rules.rank[chosen]
        if (degree, total) > (best_degree, best_sum) or (
            (degree, total) == (best_degree, best_sum) and earlier
        ):
            chosen, best_degree, best_sum = p, degree, total
    return chosen


@compiled
def grow(rules: Rules, board: Board, until: int) -> None:
    """Place pieces until `until` lie, or the kernel comes close to the rim of the board."""
    height, width = board.piece.shape
    if board.tally[PLACED] == 0 and until > 0:
        place(rules, board, height // 2, width // 2, first_piece(rules), 0)
    while board.tally[PLACED] < until and has_room(board):
        renew(rules, board)
        i = most_confident(rules, board)
        piece = board.best[i] if board.best[i] >= 0 else first_left(rules, board)
        place(rules, board, board.row[i], board.col[i], piece, board.best_turns[i])


@compiled
def renew(rules: Rules, board: Board) -> None:
    """Rate the open cells whose rating no longer holds; close those the shape rules out."""
    i = 0
    while i < board.tally[OPEN]:
        if not fits(rules, board.tally, board.row[i], board.col[i]):
            close(board, i)
            continue
        stale = board.rated[i] < 0
        for p in board.rests_on[i]:
            stale |= p >= 0 and board.changed[p] > board.rated[i]
        if stale:
            rate(rules, board, i)
        i += 1


@compiled
def most_confident(rules: Rules, board: Board) -> int:
    """Return the open cell to fill: best buddies first, then by confidence, then by rank."""
    chosen = 0
    for i in range(1, board.tally[OPEN]):
        if board.buddies[i] != board.buddies[chosen]:
            better = board.buddies[i] > board.buddies[chosen]
        elif board.confidence[i] != board.confidence[chosen]:
            better = board.confidence[i] > board.confidence[chosen]
        elif board.best[i] != board.best[chosen]:
            better = rules.rank[board.best[i]] < rules.rank[board.best[chosen]]
        else:
            better = (board.row[i], board.col[i]) < (board.row[chosen], board.col[chosen])
        if better:
            chosen = i
    return chosen


@compiled
def rate(rules: Rules, board: Board, i: int) -> None:
    """Find what open cell `i` would take, and how sure that is.

    A piece scores the sum of its compatibilities with all neighbours of the cell. Confidence is
    that sum less what could have been instead: the mean of the sum that the second-best piece
    has here, and of the sum that the piece's sides could have elsewhere.
    """
    around = edges_around(board, board.row[i], board.col[i])
    piece, turns, total = two_best(rules, board, around)
    board.rated[i] = board.tally[PLACED]
    board.best[i], board.best_turns[i] = piece[0], turns[0]
    board.buddies[i], board.confidence[i] = 0, -np.inf
    board.rests_on[i] = -1
    if piece[0] < 0:
        return
    board.rests_on[i, 0], board.rests_on[i, 1] = piece[0], piece[1]
    elsewhere = 0.0
    for side in range(4):
        if around[side] >= 0:
            f = 4 * piece[0] + (side - turns[0]) % 4
            if rules.buddy[f] == around[side]:
                board.buddies[i] = 1
            k = rival(rules.tables, board.joined, f, around[side])
            if k >= 0:
                elsewhere += float(rules.tables.score[k])
                board.rests_on[i, 2 + side] = rules.tables.partner[k] >> 2
    board.confidence[i] = total[0] - (total[1] + elsewhere) / 2


@compiled
def rival(tables: Tables, joined: NDArray[np.bool_], f: int, e: int) -> int:
    """Return where the best listed partner of edge `f` stands that is free and not `e`, or -1."""
    for k in range(tables.start[f], tables.start[f + 1]):
        g = tables.partner[k]
        if g != e and not joined[g]:
            return k
    return -1


@compiled
def two_best(
    rules: Rules, board: Board, around: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Return the two unplaced pieces, their turns and sums, that suit a cell best; -1 for none.

    Candidates are what any neighbour lists; if that leaves fewer than two and the table is dense,
    every piece is one.
    """
    tables = rules.tables
    piece, turns, total = np.full(2, -1, np.int32), np.zeros(2, np.int32), np.zeros(2)
    single = (around >= 0).sum() == 1
    for side in range(4):
        e = around[side]
        if e < 0:
            continue
        for k in range(tables.start[e], tables.start[e + 1]):
            if single and piece[1] >= 0 and tables.score[k] < total[1]:
                break
            f = tables.partner[k]
            if not board.placed[f >> 2]:
                t = (side - f) % 4
                consider(rules.rank, piece, turns, total, f >> 2, t, fit(tables, around, f >> 2, t))
    if piece[1] < 0 and len(tables.dense) > 0:
        for p in range(len(rules.rank)):
            if not board.placed[p]:
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


Cell = tuple[int, int]
Plain = dict[Cell, Cell]
"""Where pieces lie, plainly: (row, col) of a cell to (piece, turns)."""


def grow_plain(rules: Rules) -> Plain:
    """Return what `grow` builds in the end, written plainly; the first piece lies at (0, 0)."""
    kernel: Plain = {(0, 0): (_first_plain(rules), 0)}
    while len(kernel) < len(rules.rank):
        ratings = [_rate_plain(rules, kernel, cell) for cell in _open_plain(rules, kernel)]
        _, _, _, cell, chosen = min(ratings)
        kernel[cell] = chosen
    return kernel


def _first_plain(rules: Rules) -> int:
    buddy, tables = rules.buddy.reshape(-1, 4), rules.tables
    count = (buddy >= 0).sum(axis=1)

    def distinct(p: int) -> tuple[int, int, float, int]:
        own = [(4 * p + s, int(f)) for s, f in enumerate(buddy[p]) if f >= 0]
        full = sum(int(count[f // 4] == 4) for _, f in own)
        return len(own), full, _sum(float(look_up(tables, *j)) for j in own), -int(rules.rank[p])

    return max(range(len(buddy)), key=distinct)


def _sum(values: Iterable[float]) -> float:
    """Add up in order, as compiled code does (the built-in sum carries its rounding along)."""
    total = 0.0
    for value in values:
        total += value
    return total


def _open_plain(rules: Rules, kernel: Plain) -> set[Cell]:
    """Return the free cells beside the kernel that the shape allows."""
    beside = {(r + DOWN[s], c + ACROSS[s]) for r, c in kernel for s in range(4)} - set(kernel)
    shapes = [(rules.rows, rules.cols)] + [(rules.cols, rules.rows)] * rules.either

    def allowed(cell: Cell) -> bool:
        rows, cols = zip(*kernel, cell, strict=True)
        height, width = np.ptp(rows) + 1, np.ptp(cols) + 1
        return any(height <= h and width <= w for h, w in shapes)

    return {(int(r), int(c)) for r, c in beside if allowed((r, c))}


def _rate_plain(rules: Rules, kernel: Plain, cell: Cell) -> tuple[bool, float, int, Cell, Cell]:
    """Return what sorts the cell (not buddies, less confidence, rank), the cell, and its piece."""
    tables, rank = rules.tables, rules.rank
    around = _around_plain(kernel, cell)
    used = {p for p, _ in kernel.values()}

    def meets(p: int, t: int) -> list[Cell]:
        return [(e, 4 * p + (side - t) % 4) for side, e in around.items()]

    def score(p: int, t: int) -> float:
        return _sum(float(look_up(tables, e, f)) for e, f in meets(p, t))

    options = {
        (int(f) // 4, (side - int(f)) % 4)
        for side, e in around.items()
        for f in tables.partner[tables.start[e] : tables.start[e + 1]]
    }
    options = {o for o in options if o[0] not in used}
    if len({p for p, _ in options}) < 2 and len(tables.dense):
        left = set(range(len(rank))) - used
        options = {(p, t) for p in left for t in range(0, 4, rules.turn_step)}
    if not options:
        return True, np.inf, 0, cell, (min(set(range(len(rank))) - used, key=rank.item), 0)
    ordered = sorted(options, key=lambda o: (-score(*o), rank[o[0]], o[1]))
    best = ordered[0]
    second = max((score(*o) for o in ordered if o[0] != best[0]), default=0.0)
    elsewhere = _sum(_elsewhere_plain(tables, kernel, e, f) for e, f in meets(*best))
    buddies = any(rules.buddy[e] == f for e, f in meets(*best))
    confidence = score(*best) - (second + elsewhere) / 2
    return not buddies, -confidence, int(rank[best[0]]), cell, best


def _around_plain(kernel: Plain, cell: Cell) -> dict[int, int]:
    """Return, by side, the edges that the neighbours of a cell show it."""
    shown = {}
    for side in range(4):
        there = cell[0] + int(DOWN[side]), cell[1] + int(ACROSS[side])
        if there in kernel:
            piece, turns = kernel[there]
            shown[side] = 4 * piece + (side + 2 - turns) % 4
    return shown


def _elsewhere_plain(tables: Tables, kernel: Plain, e: int, f: int) -> float:
    """Return the best listed compatibility of `f` with an edge that is free and not `e`."""
    joined = {
        4 * piece + (side - turns) % 4
        for cell, (piece, turns) in kernel.items()
        for side in _around_plain(kernel, cell)
    }
    for k in range(tables.start[f], tables.start[f + 1]):
        if int(tables.partner[k]) not in joined | {e}:
            return float(tables.score[k])
    return 0.0
