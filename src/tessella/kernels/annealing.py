"""Moving segments until nothing more is gained, and beyond: a search that can leave its traps.

`tessella.kernels.moving` says what a move is. Where no move gains, one that loses little is made
all the same, and its pieces held where they came to lie until everything around has moved as it
likes; then they are let go. What has gained by then stays, and now and then what has lost a little;
all else is taken back (an iterated local search: Lourenço, Martin and Stützle, 2003). The best
arrangement on the way is the answer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.chance import below, seeded, unit
from tessella.kernels.jit import compiled
from tessella.kernels.moving import BETTER, Memory, carry, facing, refresh, take_back
from tessella.kernels.rim import fold, unfold
from tessella.kernels.tables import Tables

_TINY = 1e-12
_UNCHANGED = -2
_BLIND = 64
"""So many random looks at an arrangement that find no better piece, and a try is given up."""

_MOVES = 200
"""Moves that one try costs at most, on average; where all is in doubt, tries have many."""


class Reach(NamedTuple):
    """How far moves go.

    Attributes
    ----------
    depth : how many candidates of an edge are tried
    wait : after how many pieces without a gain a move ends
    loss : how far below its best moment a move may fall
    near : what a move that is made all the same may lose at first
    """

    depth: int
    wait: int
    loss: float
    near: float


@compiled
def settle(
    tables: Tables,
    zero: float,
    laid: NDArray[np.int32],
    lies: NDArray[np.int32],
    step: NDArray[np.int64],
    held: NDArray[np.uint8],
    have: NDArray[np.float32],
    memory: Memory,
    quarter_turns: int,
    reach: Reach,
    number: int,
    queue: NDArray[np.int64],
    waiting: NDArray[np.uint8],
    ahead: int,
    journal: NDArray[np.int64],
    before: NDArray[np.int32],
    changed: int,
) -> tuple[float, int, int]:
    """Make every move that gains and begins beside a cell of `queue`, or beside one so changed.

    Parameters
    ----------
    have : the compatibility of every join, by cell and direction, kept up to date, ``(cells, 4)``
    queue, waiting : the cells to look at, and a mark on every one of them, ``(cells,)``
    ahead : how many they are
    journal, before : the cells changed, and what lay in them at first; `changed` are there already

    Returns
    -------
    gained, number, changed : the gain, the last move's number, the cells in the journal
    """
    start, partner, score = tables.start, tables.partner, tables.score
    log = memory[5]
    gained = 0.0
    first = 0
    while ahead > 0:
        cell = queue[first]
        first = (first + 1) % len(queue)
        ahead -= 1
        waiting[cell] = 0
        for direction in range(4):
            beyond = cell + step[direction]
            x = laid[cell]
            if x < 0 or not open_to(laid, step[3], beyond, zero):
                continue
            e = facing(x, direction)
            now = have[cell, direction]
            for k in range(start[e], min(start[e + 1], start[e] + reach.depth)):
                f = partner[k]
                if score[k] - zero <= now + BETTER:
                    break
                if held[f >> 2] or (laid[beyond] >= 0 and held[laid[beyond] >> 2]):
                    continue
                number += 1
                done, best, keep, _, _ = carry(
                    tables, zero, laid, lies, step, held, have, memory, quarter_turns,
                    number, f >> 2, beyond, (direction + 2 - f) & 3, reach.wait, reach.loss,
                )  # fmt: skip
                take_back(laid, lies, log, done, keep)
                if keep == 0:
                    continue
                gained += best
                changed, ahead = note(
                    tables, zero, step, log, keep, laid, have,
                    journal, before, changed, queue, waiting, first, ahead,
                )  # fmt: skip
                if laid[cell] != x:
                    break
                now = have[cell, direction]
            if laid[cell] != x:
                break
    return gained, number, changed


@compiled
def open_to(laid: NDArray[np.int32], wide: int, cell: int, zero: float) -> bool:
    """Say whether a piece may be brought to `cell`: an empty one only where joins may cost."""
    if laid[cell] >= 0:
        return True
    row, col = cell // wide, cell % wide
    return zero != 0 and 1 <= row <= len(laid) // wide - 2 and 1 <= col <= wide - 2


@compiled
def note(
    tables: Tables,
    zero: float,
    step: NDArray[np.int64],
    log: NDArray[np.int64],
    keep: int,
    laid: NDArray[np.int32],
    have: NDArray[np.float32],
    journal: NDArray[np.int64],
    before: NDArray[np.int32],
    changed: int,
    queue: NDArray[np.int64],
    waiting: NDArray[np.uint8],
    first: int,
    ahead: int,
) -> tuple[int, int]:
    """Enter what a move did in the journal, and its cells and their neighbours in the queue.

    The joins of these cells are looked up for `have`.
    """
    for i in range(keep):
        for side in range(2):
            cell = log[i, side]
            refresh(tables, zero, laid, step, have, cell)
            if before[cell] == _UNCHANGED:
                before[cell] = log[i, 2 + side]
                journal[changed] = cell
                changed += 1
            ahead = enter(step, cell, laid, queue, waiting, first, ahead)
    return changed, ahead


@compiled
def enter(
    step: NDArray[np.int64],
    cell: int,
    laid: NDArray[np.int32],
    queue: NDArray[np.int64],
    waiting: NDArray[np.uint8],
    first: int,
    ahead: int,
) -> int:
    """Put `cell` and its neighbours at the end of the queue; return its new length."""
    for direction in range(5):
        there = cell + (step[direction] if direction < 4 else 0)
        if laid[there] >= 0 and not waiting[there]:
            waiting[there] = 1
            queue[(first + ahead) % len(queue)] = there
            ahead += 1
    return ahead


@compiled
def wanted(
    tables: Tables,
    zero: float,
    laid: NDArray[np.int32],
    lies: NDArray[np.int32],
    step: NDArray[np.int64],
    held: NDArray[np.uint8],
    have: NDArray[np.float32],
    depth: int,
    state: NDArray[np.uint64],
) -> tuple[int, int, int]:
    """Draw a cell and an edge that fits beside it better than what lies there.

    Returns
    -------
    the edge, -1 if none came up; the cell to which its piece is wanted; the direction it lies in
    """
    start, partner, score = tables.start, tables.partner, tables.score
    for _ in range(_BLIND):
        cell, direction = lies[below(state, len(lies))], below(state, 4)
        beyond = cell + step[direction]
        if not open_to(laid, step[3], beyond, zero):
            continue
        if laid[beyond] >= 0 and held[laid[beyond] >> 2]:
            continue
        e = facing(laid[cell], direction)
        k = start[e] + below(state, depth)
        if k >= start[e + 1] or held[partner[k] >> 2]:
            continue
        if score[k] - zero > have[cell, direction] + BETTER:
            return partner[k], beyond, direction
    return -1, 0, 0


@compiled
def undo(
    tables: Tables,
    zero: float,
    laid: NDArray[np.int32],
    lies: NDArray[np.int32],
    step: NDArray[np.int64],
    have: NDArray[np.float32],
    journal: NDArray[np.int64],
    before: NDArray[np.int32],
    changed: int,
) -> None:
    """Lay everything that the journal names back to where it was."""
    for i in range(changed):
        cell = journal[i]
        laid[cell] = before[cell]
        if laid[cell] >= 0:
            lies[laid[cell] >> 2] = cell
    for i in range(changed):
        refresh(tables, zero, laid, step, have, journal[i])


@compiled
def venture(
    tables: Tables,
    zero: float,
    laid: NDArray[np.int32],
    lies: NDArray[np.int32],
    step: NDArray[np.int64],
    held: NDArray[np.uint8],
    have: NDArray[np.float32],
    memory: Memory,
    quarter_turns: int,
    reach: Reach,
    number: int,
    queue: NDArray[np.int64],
    waiting: NDArray[np.uint8],
    journal: NDArray[np.int64],
    before: NDArray[np.int32],
    segment: NDArray[np.int64],
    heat: float,
    state: NDArray[np.uint64],
) -> tuple[float, int]:
    """Make a move though it may lose, let everything around follow, and keep it if that pays.

    Parameters
    ----------
    segment : memory of the pieces that the move takes along

    Returns
    -------
    gain, number : the gain, 0 if all is as it was, and the last move's number
    """
    what, beyond, direction = wanted(tables, zero, laid, lies, step, held, have, reach.depth, state)
    if what < 0:
        return 0.0, number
    log = memory[5]
    number += 1
    done, gain, keep, peak, at_peak = carry(
        tables, zero, laid, lies, step, held, have, memory, quarter_turns,
        number, what >> 2, beyond, (direction + 2 - what) & 3, reach.wait, reach.loss,
    )  # fmt: skip
    if keep == 0 and at_peak > 0 and peak > -reach.near:
        gain, keep = peak, at_peak
    take_back(laid, lies, log, done, keep)
    if keep == 0:
        return 0.0, number
    changed, ahead = note(
        tables, zero, step, log, keep, laid, have, journal, before, 0, queue, waiting, 0, 0
    )
    for i in range(keep):
        segment[i] = laid[log[i, 1]] >> 2
        held[segment[i]] = 1
    gained, number, changed = settle(
        tables, zero, laid, lies, step, held, have, memory, quarter_turns, reach, number,
        queue, waiting, ahead, journal, before, changed,
    )  # fmt: skip
    gain += gained
    for i in range(keep):
        held[segment[i]] = 0
    ahead = 0
    for i in range(changed):
        ahead = enter(step, journal[i], laid, queue, waiting, 0, ahead)
    gained, number, changed = settle(
        tables, zero, laid, lies, step, held, have, memory, quarter_turns, reach, number,
        queue, waiting, ahead, journal, before, changed,
    )  # fmt: skip
    gain += gained
    stays = gain > BETTER or gain > heat * np.log(unit(state) + _TINY)
    if not stays:
        undo(tables, zero, laid, lies, step, have, journal, before, changed)
    for i in range(changed):
        before[journal[i]] = _UNCHANGED
    return gain if stays else 0.0, number


@compiled
def move_segments(
    tables: Tables,
    zero: float,
    piece: NDArray[np.int32],
    turns: NDArray[np.int32],
    best_piece: NDArray[np.int32],
    best_turns: NDArray[np.int32],
    behind: float,
    still: NDArray[np.uint8],
    quarter_turns: int,
    reach: Reach,
    heat: float,
    tries: int,
    seed: int,
    portion: int,
) -> tuple[float, float]:
    """Move segments of an arrangement wherever that gains, and `tries` of them all the same.

    Parameters
    ----------
    zero : what a join must exceed to be worth anything; unless it is 0, empty cells are used
    piece, turns : an arrangement, -1 where a cell is empty, changed in place, ``(R, C)``
    best_piece, best_turns : the best one so far, replaced by a better one, ``(R, C)``
    behind : how much fitter the best one is
    still : marks pieces that must stay where they lie, ``(N,)``
    quarter_turns : 1 for upright pieces, 2 for turned rectangles, 4 for turned squares
    heat : what has lost stays with a chance of exp(-loss / heat)
    tries : how many moves are made all the same, fewer where much else moves after them
    seed, portion : what is drawn depends on them

    Returns
    -------
    the change of fitness, and the greatest on the way, `behind` if the best one is still the same
    """
    rows, cols = piece.shape
    pieces = (len(tables.start) - 1) // 4
    wide = cols + 2
    step = np.array([1, -wide, -1, wide])
    cells = (rows + 2) * wide
    laid = np.full(cells, -1, np.int32)
    lies = np.zeros(pieces, np.int32)
    queue, waiting = np.zeros(cells, np.int64), np.zeros(cells, np.uint8)
    journal, before = np.zeros(cells, np.int64), np.full(cells, _UNCHANGED, np.int32)
    ahead = unfold(piece, turns, laid, lies, queue, waiting)
    memory = (
        np.zeros(cells, np.int64),
        np.zeros(cells, np.int32),
        np.zeros(cells, np.int64),
        np.empty(4 * pieces + 8),
        np.empty((4 * pieces + 8, 3), np.int64),
        np.empty((pieces, 4), np.int64),
    )
    held = still.copy()
    have = np.zeros((cells, 4), np.float32)
    for p in range(pieces):
        refresh(tables, zero, laid, step, have, lies[p])
    segment = np.zeros(pieces, np.int64)
    state = np.array([seeded(seed, portion, pieces)])
    total, number, _ = settle(
        tables, zero, laid, lies, step, held, have, memory, quarter_turns, reach, 0,
        queue, waiting, ahead, journal, before, 0,
    )  # fmt: skip
    before[:] = _UNCHANGED
    record, best_laid = total if total > behind + BETTER else behind, laid.copy()
    for _ in range(tries):
        if number > _MOVES * tries:
            break
        gain, number = venture(
            tables, zero, laid, lies, step, held, have, memory, quarter_turns, reach, number,
            queue, waiting, journal, before, segment, heat, state,
        )  # fmt: skip
        total += gain
        if total > record + BETTER:
            record = total
            for cell in range(len(laid)):
                best_laid[cell] = laid[cell]
    fold(laid, piece, turns)
    if record > behind:
        fold(best_laid, best_piece, best_turns)
    return total, record
