"""A move of a segment: a piece is brought to where it fits, and what hangs on it comes along.

In flat regions an evolution ends with whole segments in each other's place, and neither a single
piece can leave without a loss. Here a move begins with
one piece that fits beside another better than the piece that lies there. The two change places;
then, the most profitable first, neighbours of the piece follow it by the same shift and turn, each
changing places with what lies where it goes. The move ends when nothing has been gained for a
while, and is taken back to its best moment (so Kernighan and Lin, Bell System Technical Journal 49,
1970, let a run of exchanges pass through losses).

Where `zero` is not 0, a join is worth its compatibility less that, so it may be worth less than
none: a piece may then leave its cell empty, and go to an empty one.

An arrangement is one array here: 4 * piece + turns of every cell, -1 where it is empty, row by row
with a rim of empty cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.heap import drop_first, push
from tessella.kernels.jit import compiled, inlined
from tessella.kernels.tables import Tables, find

Memory = tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.int64],
]
"""What a move writes down as it goes, made once: since, was and taken by cells, ``(cells,)``, then
key and item of the pieces that may follow, and the log of what was done."""

BETTER = 1e-6
"""Less is no gain."""


@inlined
def facing(laid_here: int, direction: int) -> int:
    """Return the edge that a piece, 4 * piece + turns, has in `direction`."""
    return (laid_here & ~3) + ((direction - laid_here) & 3)


@inlined
def join(
    start: NDArray[np.int64],
    known: NDArray[np.int32],
    value: NDArray[np.float32],
    dense: NDArray[np.float32],
    upright: int,
    zero: float,
    laid: NDArray[np.int32],
    cell: int,
    beyond: int,
    direction: int,
) -> float:
    """Return what the join of `cell` with the cell `beyond` it is worth; 0 if one is empty."""
    x, y = laid[cell], laid[beyond]
    if x < 0 or y < 0:
        return 0.0
    e, f = facing(x, direction), facing(y, direction + 2)
    return float(find(start, known, value, dense, upright, e, f)) - zero


@inlined
def around(
    start: NDArray[np.int64],
    known: NDArray[np.int32],
    value: NDArray[np.float32],
    dense: NDArray[np.float32],
    upright: int,
    zero: float,
    laid: NDArray[np.int32],
    step: NDArray[np.int64],
    cell: int,
    but: int,
) -> float:
    """Return the sum over the joins of `cell`, except that with the cell `but`."""
    total = 0.0
    for direction in range(4):
        beyond = cell + step[direction]
        if beyond != but:
            total += join(start, known, value, dense, upright, zero, laid, cell, beyond, direction)
    return total


@inlined
def recall(
    start: NDArray[np.int64],
    known: NDArray[np.int32],
    value: NDArray[np.float32],
    dense: NDArray[np.float32],
    upright: int,
    zero: float,
    laid: NDArray[np.int32],
    step: NDArray[np.int64],
    have: NDArray[np.float32],
    since: NDArray[np.int64],
    number: int,
    cell: int,
    but: int,
) -> float:
    """Return the same as `around`, from `have` where move `number` has changed nothing."""
    total = 0.0
    untouched = since[cell] != number
    for direction in range(4):
        beyond = cell + step[direction]
        if beyond == but:
            continue
        if untouched and since[beyond] != number:
            total += have[cell, direction]
        else:
            total += join(start, known, value, dense, upright, zero, laid, cell, beyond, direction)
    return total


@compiled
def refresh(
    tables: Tables,
    zero: float,
    laid: NDArray[np.int32],
    step: NDArray[np.int64],
    have: NDArray[np.float32],
    cell: int,
) -> None:
    """Look the joins of `cell` up, and write them to its row of `have` and to its neighbours'."""
    start, known, value = tables.start, tables.known, tables.value
    dense, upright = tables.dense, tables.upright
    for direction in range(4):
        beyond = cell + step[direction]
        now = join(start, known, value, dense, upright, zero, laid, cell, beyond, direction)
        have[cell, direction] = now
        have[beyond, (direction + 2) & 3] = now


@compiled
def worth_of_swap(
    start: NDArray[np.int64],
    known: NDArray[np.int32],
    value: NDArray[np.float32],
    dense: NDArray[np.float32],
    upright: int,
    zero: float,
    laid: NDArray[np.int32],
    step: NDArray[np.int64],
    have: NDArray[np.float32],
    since: NDArray[np.int64],
    number: int,
    quarter_turns: int,
    source: int,
    target: int,
    arrives: int,
) -> tuple[float, int]:
    """Return what is gained if `arrives` goes from `source` to `target`, and what then lies behind.

    Parameters
    ----------
    arrives : 4 * piece + turns, as the piece of `source` shall lie in `target`

    Returns
    -------
    gain : change of the fitness
    leaves : 4 * piece + turns of what lay in `target`, turned to fit `source` best
    """
    old, other = laid[source], laid[target]
    before = recall(
        start, known, value, dense, upright, zero, laid, step, have, since, number, target, -1
    )
    if source == target:
        laid[source] = arrives
        after = around(start, known, value, dense, upright, zero, laid, step, target, -1)
        laid[source] = old
        return after - before, arrives
    before += recall(
        start, known, value, dense, upright, zero, laid, step, have, since, number, source, target
    )
    laid[target] = arrives
    beside = False
    for direction in range(4):
        beside |= source + step[direction] == target
    best, leaves, fits = -np.inf, other, 0.0
    for turn in range(quarter_turns if other >= 0 else 1):
        alone = quarter_turns == 1 or other < 0
        there = other if alone else (other & ~3) + turn * 4 // quarter_turns
        laid[source] = there
        if beside or turn == 0:
            fits = around(start, known, value, dense, upright, zero, laid, step, target, -1)
        after = fits + around(start, known, value, dense, upright, zero, laid, step, source, target)
        if after > best:
            best, leaves = after, there
    laid[source], laid[target] = old, other
    return best - before, leaves


@inlined
def goal(cell: int, wide: int, turn: int, down: int, across: int) -> tuple[int, int]:
    """Return row and column to which a move takes `cell`: turned as a whole, then shifted."""
    row, col = cell // wide, cell % wide
    for _ in range(turn):
        row, col = -col, row
    return row + down, col + across


@inlined
def aim_of(cell: int, wide: int, high: int, turn: int, down: int, across: int) -> int:
    """Return the cell to which a move takes `cell`, -1 where that is off the board."""
    row, col = goal(cell, wide, turn, down, across)
    inside = 1 <= row <= high - 2 and 1 <= col <= wide - 2
    return row * wide + col if inside else -1


@inlined
def exchange(
    laid: NDArray[np.int32],
    lies: NDArray[np.int32],
    since: NDArray[np.int64],
    was: NDArray[np.int32],
    log: NDArray[np.int64],
    done: int,
    number: int,
    leaves: int,
    arrives: int,
) -> None:
    """Lay `leaves` and `arrives` into the two cells that `log` names, and note what lay there."""
    for side in range(2):
        there = log[done, side]
        log[done, 2 + side] = laid[there]
        if since[there] != number:
            since[there] = number
            was[there] = laid[there]
    source, aim = log[done, 0], log[done, 1]
    laid[source] = leaves
    if leaves >= 0:
        lies[leaves >> 2] = source
    laid[aim] = arrives
    lies[arrives >> 2] = aim


@inlined
def invite(
    tables: Tables,
    zero: float,
    laid: NDArray[np.int32],
    lies: NDArray[np.int32],
    step: NDArray[np.int64],
    have: NDArray[np.float32],
    memory: Memory,
    quarter_turns: int,
    number: int,
    cell: int,
    turn: int,
    down: int,
    across: int,
    size: int,
    done: int,
) -> int:
    """Let the neighbours of `cell` wait to follow it; return how many pieces then do."""
    since, was, taken, key, item, _ = memory
    wide = step[3]
    high = len(laid) // wide
    for direction in range(4):
        follower = cell + step[direction]
        moved = was[follower] if since[follower] == number else laid[follower]
        if taken[follower] == number or moved < 0 or size == len(key):
            continue
        aim = aim_of(follower, wide, high, turn, down, across)
        if aim < 0 or (laid[aim] < 0 and zero == 0):
            continue
        gain, leaves = worth_of_swap(
            tables.start, tables.known, tables.value, tables.dense, tables.upright, zero,
            laid, step, have, since, number,
            quarter_turns, lies[moved >> 2], aim, (moved & ~3) + ((moved + turn) & 3),
        )  # fmt: skip
        size = push(key, item, size, gain, follower, leaves, done)
    return size


@inlined
def yields(laid: NDArray[np.int32], held: NDArray[np.uint8], cell: int, zero: float) -> bool:
    """Say whether a piece may come to `cell`: what lies there may go, or nothing lies there."""
    if laid[cell] < 0:
        return zero != 0
    return held[laid[cell] >> 2] == 0


@compiled
def carry(
    tables: Tables,
    zero: float,
    laid: NDArray[np.int32],
    lies: NDArray[np.int32],
    step: NDArray[np.int64],
    held: NDArray[np.uint8],
    have: NDArray[np.float32],
    memory: Memory,
    quarter_turns: int,
    number: int,
    piece: int,
    target: int,
    turns: int,
    wait: int,
    loss: float,
) -> tuple[int, float, int, float, int]:
    """Bring `piece` to `target`, lying with `turns`, and let its neighbours follow.

    Parameters
    ----------
    laid, lies : the arrangement, changed, and the cell of every piece, kept up to date
    held : pieces that stay where they are, ``(N,)``
    have : the compatibility of every join before the move, by cell and direction, ``(cells, 4)``
    memory : of the cells, what is not marked `number` being out of date, of the pieces that may
        follow, and of what was done
    number : of this move, another for every one

    Returns
    -------
    done : how many exchanges `log` holds: two cells and what lay there before
    best, at_best : the greatest gain on the way, and after how many exchanges; 0 and 0 if none
    peak, at_peak : the same without the first exchange and those that lost
    """
    start, known, value = tables.start, tables.known, tables.value
    dense, upright = tables.dense, tables.upright
    since, was, taken, key, item, log = memory
    wide = step[3]
    high = len(laid) // wide
    turn = (turns - laid[lies[piece]]) & 3
    row, col = goal(lies[piece], wide, turn, 0, 0)
    down, across = target // wide - row, target % wide - col
    done = 0
    total, best, at_best, peak, at_peak = 0.0, 0.0, 0, -np.inf, 0
    size = push(key, item, 0, 0.0, lies[piece], 0, -1)
    while size > 0 and done < len(log):
        gain, cell, leaves, judged = key[0], item[0, 0], item[0, 1], item[0, 2]
        size = drop_first(key, item, size)
        aim = aim_of(cell, wide, high, turn, down, across)
        if taken[cell] == number or aim < 0:
            continue
        moved = was[cell] if since[cell] == number else laid[cell]
        if held[moved >> 2] or not yields(laid, held, aim, zero):
            continue
        source, arrives = lies[moved >> 2], (moved & ~3) + ((moved + turn) & 3)
        if judged != done:  # Something has moved since.
            hope = gain
            gain, leaves = worth_of_swap(
                start, known, value, dense, upright, zero,
                laid, step, have, since, number, quarter_turns, source, aim, arrives,
            )  # fmt: skip
            if done > 0 and size > 0 and gain < min(key[0], hope) - BETTER:
                size = push(key, item, size, gain, cell, leaves, done)
                continue
        taken[cell] = number
        log[done, 0], log[done, 1] = source, aim
        exchange(laid, lies, since, was, log, done, number, leaves, arrives)
        done += 1
        total += gain
        if total > best + BETTER:
            best, at_best = total, done
        if done > 1 and gain > 0 and total > peak:
            peak, at_peak = total, done
        if done - at_best > wait or total < best - loss:
            break
        size = invite(
            tables, zero, laid, lies, step, have, memory, quarter_turns,
            number, cell, turn, down, across, size, done,
        )  # fmt: skip
    return done, best, at_best, peak, at_peak


@compiled
def take_back(
    laid: NDArray[np.int32],
    lies: NDArray[np.int32],
    log: NDArray[np.int64],
    done: int,
    keep: int,
) -> None:
    """Undo exchanges of `log` until `keep` of `done` are left."""
    for i in range(done - 1, keep - 1, -1):
        for side in range(2):
            laid[log[i, side]] = log[i, 2 + side]
            if log[i, 2 + side] >= 0:
                lies[log[i, 2 + side] >> 2] = log[i, side]
