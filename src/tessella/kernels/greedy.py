"""Greedy growth of a nucleus of placed pieces, most confident placement first.

Every cell beside the nucleus is rated: which unplaced piece fits all of its neighbours best, and
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
    BEST,
    BUDDIES,
    COL,
    DOWN,
    OPEN,
    PLACED,
    PROP,
    PROPS,
    RATED,
    ROW,
    TURNS,
    Board,
    Rules,
    close,
    edges_around,
    fits,
    has_room,
    place,
)
from tessella.kernels.buddies import first_piece
from tessella.kernels.candidates import two_best
from tessella.kernels.jit import compiled
from tessella.kernels.tables import Tables, look_up


@compiled
def grow(rules: Rules, board: Board, until: int) -> None:
    """Place pieces until `until` lie, or the nucleus comes close to the rim of the board."""
    height, width = board.piece.shape
    if board.tally[PLACED] == 0 and until > 0:
        first = first_piece(rules.tables, rules.buddy, rules.rank)
        place(rules.box, board, height // 2, width // 2, first, 0)
    while board.tally[PLACED] < until and has_room(board.piece, board.tally):
        renew(rules, board)
        chosen = board.cell[most_confident(board.cell, board.confidence, board.tally, rules.rank)]
        piece = chosen[BEST] if chosen[BEST] >= 0 else first_left(rules.rank, board.placed)
        place(rules.box, board, chosen[ROW], chosen[COL], piece, chosen[TURNS])


@compiled
def first_left(rank: NDArray[np.int32], placed: NDArray[np.bool_]) -> int:
    """Return the unplaced piece of the lowest rank."""
    first = -1
    for p in range(len(rank)):
        if not placed[p] and (first < 0 or rank[p] < rank[first]):
            first = p
    return first


@compiled
def renew(rules: Rules, board: Board) -> None:
    """Rate the open cells whose rating no longer holds; close those the shape rules out."""
    i = 0
    while i < board.tally[OPEN]:
        cell = board.cell[i]
        if not fits(rules.box, board.tally, cell[ROW], cell[COL]):
            close(board.cell, board.confidence, board.slot, board.tally, i)
            continue
        stale = cell[RATED] < 0
        for k in range(PROP, PROP + cell[PROPS]):
            stale |= board.changed[cell[k]] > cell[RATED]
        if stale:
            board.confidence[i] = rate(rules, board, cell)
        i += 1


@compiled
def most_confident(
    cell: NDArray[np.int64],
    confidence: NDArray[np.float64],
    tally: NDArray[np.int64],
    rank: NDArray[np.int32],
) -> int:
    """Return the open cell to fill: best buddies first, then by confidence, then by rank."""
    chosen = 0
    for i in range(1, tally[OPEN]):
        mine, best = cell[i], cell[chosen]
        if mine[BUDDIES] != best[BUDDIES]:
            better = mine[BUDDIES] > best[BUDDIES]
        elif confidence[i] != confidence[chosen]:
            better = confidence[i] > confidence[chosen]
        elif mine[BEST] != best[BEST]:
            better = rank[mine[BEST]] < rank[best[BEST]]
        elif mine[ROW] != best[ROW]:
            better = mine[ROW] < best[ROW]
        else:
            better = mine[COL] < best[COL]
        if better:
            chosen = i
    return chosen


@compiled
def rate(rules: Rules, board: Board, cell: NDArray[np.int64]) -> float:
    """Find what an open cell would take, note it in `cell`, and return how sure that is.

    A piece scores the sum of its compatibilities with all neighbours of the cell. Confidence is
    that sum less what could have been instead (the mean of the sum that the second-best piece
    has here, and of the sum that the piece's sides could have elsewhere), plus what is foreseen.
    """
    around = edges_around(board.piece, board.turns, cell[ROW], cell[COL])
    piece, turns, total = two_best(rules, board.placed, around)
    cell[RATED] = board.tally[PLACED]
    cell[BEST], cell[TURNS] = piece[0], turns[0]
    cell[BUDDIES] = cell[PROPS] = 0
    if piece[0] < 0:
        return -np.inf
    rest_on(cell, piece[0])
    if piece[1] >= 0:
        rest_on(cell, piece[1])
    elsewhere = 0.0
    for side in range(4):
        if around[side] >= 0:
            f = 4 * piece[0] + (side - turns[0]) % 4
            elsewhere += best_other(rules.tables, board.joined, cell, f, around[side])
            cell[BUDDIES] |= rules.buddy[f] == around[side]
    confidence = total[0] - (total[1] + elsewhere) / 2
    return confidence + rules.foresight * foreseen(rules, board, cell, around)


@compiled
def rest_on(cell: NDArray[np.int64], piece: int) -> None:
    """Note that the rating of an open cell holds only until `piece` changes."""
    cell[PROP + cell[PROPS]] = piece
    cell[PROPS] += 1


@compiled
def foreseen(
    rules: Rules, board: Board, cell: NDArray[np.int64], around: NDArray[np.int32]
) -> float:
    """Return how well the best buddies of the piece for an open cell would suit the nucleus.

    They would come to lie in the free cells beside it. Where those touch the nucleus, a right
    piece's buddies fit, and a wrong one's do not: the sum, over these joins, of the compatibility
    less the mean of what both edges could have instead.
    """
    tables, joined = rules.tables, board.joined
    total = 0.0
    for side in range(4):
        g = rules.buddy[4 * cell[BEST] + (side - cell[TURNS]) % 4]
        if around[side] >= 0 or g < 0 or board.placed[g >> 2]:
            continue
        rest_on(cell, g >> 2)
        row, col = cell[ROW] + DOWN[side], cell[COL] + ACROSS[side]
        beside = edges_around(board.piece, board.turns, row, col)
        for s in range(4):
            if beside[s] >= 0:
                h = 4 * (g >> 2) + (s - (side + 2 - g)) % 4
                instead = best_other(tables, joined, cell, h, beside[s])
                instead += best_other(tables, joined, cell, beside[s], h)
                total += float(look_up(tables, beside[s], h)) - instead / 2
    return total


@compiled
def best_other(
    tables: Tables, joined: NDArray[np.bool_], cell: NDArray[np.int64], f: int, e: int
) -> float:
    """Return the best listed score of edge `f` with a free edge other than `e`, 0 for none.

    The rating of the open cell will rest on it.
    """
    for k in range(tables.start[f], tables.start[f + 1]):
        g = tables.partner[k]
        if g != e and not joined[g]:
            rest_on(cell, g >> 2)
            return float(tables.score[k])
    return 0.0


Cell = tuple[int, int]
Plain = dict[Cell, Cell]
"""Where pieces lie, plainly: (row, col) of a cell to (piece, turns)."""


def grow_plain(rules: Rules) -> Plain:
    """Return what `grow` builds in the end, written plainly; the first piece lies at (0, 0)."""
    nucleus: Plain = {(0, 0): (_first_plain(rules), 0)}
    while len(nucleus) < len(rules.rank):
        ratings = [rate_plain(rules, nucleus, cell) for cell in _open_plain(rules, nucleus)]
        _, _, _, cell, chosen = min(ratings)
        nucleus[cell] = chosen
    return nucleus


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


def _open_plain(rules: Rules, nucleus: Plain) -> set[Cell]:
    """Return the free cells beside the nucleus that the shape allows."""
    beside = {(r + DOWN[s], c + ACROSS[s]) for r, c in nucleus for s in range(4)} - set(nucleus)
    rows, cols, either = rules.box
    shapes = [(rows, cols)] + [(cols, rows)] * either

    def allowed(cell: Cell) -> bool:
        height, width = np.ptp([*nucleus, cell], axis=0) + 1
        return any(height <= h and width <= w for h, w in shapes)

    return {(int(r), int(c)) for r, c in beside if allowed((r, c))}


def rate_plain(rules: Rules, nucleus: Plain, cell: Cell) -> tuple[bool, float, int, Cell, Cell]:
    """Return what sorts the cell (not buddies, less confidence, rank), the cell, and its piece."""
    tables, rank = rules.tables, rules.rank
    around = _around_plain(nucleus, cell)
    used = {p for p, _ in nucleus.values()}

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
    elsewhere = _sum(_other_plain(tables, nucleus, f, e) for e, f in meets(*best))
    buddies = any(rules.buddy[e] == f for e, f in meets(*best))
    confidence = score(*best) - (second + elsewhere) / 2
    confidence += rules.foresight * _foreseen_plain(rules, nucleus, cell, best)
    return not buddies, -confidence, int(rank[best[0]]), cell, best


def _around_plain(nucleus: Plain, cell: Cell) -> dict[int, int]:
    """Return, by side, the edges that the neighbours of a cell show it."""
    shown = {}
    for side in range(4):
        there = cell[0] + int(DOWN[side]), cell[1] + int(ACROSS[side])
        if there in nucleus:
            piece, turns = nucleus[there]
            shown[side] = 4 * piece + (side + 2 - turns) % 4
    return shown


def _foreseen_plain(rules: Rules, nucleus: Plain, cell: Cell, best: Cell) -> float:
    """Return how well the best buddies of what a cell would take suit the nucleus."""
    tables, (piece, turns) = rules.tables, best
    used = {p for p, _ in nucleus.values()}
    total = 0.0
    for side in set(range(4)) - set(_around_plain(nucleus, cell)):
        g = int(rules.buddy[4 * piece + (side - turns) % 4])
        if g < 0 or g // 4 in used:
            continue
        there = cell[0] + int(DOWN[side]), cell[1] + int(ACROSS[side])
        for s, e in _around_plain(nucleus, there).items():
            h = g // 4 * 4 + (s - (side + 2 - g % 4)) % 4
            instead = _other_plain(tables, nucleus, h, e) + _other_plain(tables, nucleus, e, h)
            total += float(look_up(tables, e, h)) - instead / 2
    return total


def _other_plain(tables: Tables, nucleus: Plain, f: int, e: int) -> float:
    """Return the best listed score of `f` with an edge that is free and not `e`."""
    joined = {
        4 * piece + (side - turns) % 4
        for cell, (piece, turns) in nucleus.items()
        for side in _around_plain(nucleus, cell)
    }
    for k in range(tables.start[f], tables.start[f + 1]):
        if int(tables.partner[k]) not in joined | {e}:
            return float(tables.score[k])
    return 0.0
