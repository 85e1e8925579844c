"""An answer with holes, or of several sheets, bettered by its worth.

Moves know one board on which every piece lies. All sheets are laid side by side on it, with room
around each, and behind them the pieces that are left over, each alone; afterwards the board is cut
at the same places again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tessella.arrangement import EMPTY, Arrangement, Sheet, unplaced
from tessella.solving import Job
from tessella.stages.move import Move
from tessella.stages.stage import Answer

_RIM = 2
"""Empty cells around a sheet whose shape is unknown."""


def bettered(answer: Answer, job: Job, move: Move) -> Answer:
    """Return `answer` with segments moved where that is worth something.

    Sheets of which every piece stays where it is take no others.
    """
    worth = job.evidence.worth
    assert worth is not None
    assert answer.arrangement is not None
    sheets = answer.arrangement.sheets
    stay = [bool(np.isin(sheet.piece, (EMPTY, *move.still)).all()) for sheet in sheets]
    if all(stay):
        return answer
    board = _Wide.of(answer.arrangement, stay, job)
    begun = replace(answer, arrangement=Arrangement((board.sheet,)))
    still = tuple(sheet for sheet, stays in zip(sheets, stay, strict=True) if stays)
    beside = job.compatibility.fitness(Arrangement(still)) if still else 0.0
    after = move.moved(begun, worth.compatibility, job, worth.zero, beside)
    assert after.arrangement is not None
    moved = iter(board.cut(after.arrangement.sheets[0]))
    now = (sheet if stays else next(moved) for sheet, stays in zip(sheets, stay, strict=True))
    return replace(after, arrangement=Arrangement(tuple(s for s in now if s is not None)))


@dataclass(frozen=True, eq=False)
class _Wide:
    """All sheets whose pieces may move on one board.

    Attributes
    ----------
    sheet : the board
    ends : the column behind each sheet; what lies further right is left over
    bounded : whether the board is the one sheet of known shape
    """

    sheet: Sheet
    ends: tuple[int, ...]
    bounded: bool

    @classmethod
    def of(cls, arrangement: Arrangement, stay: Sequence[bool], job: Job) -> _Wide:
        """Lay the sheets of `arrangement` side by side, but for those that `stay` as they are."""
        left = list(unplaced(arrangement, job.compatibility.pieces))
        if job.shape is not None and not left and len(arrangement.sheets) == 1:
            return cls._within(arrangement.sheets[0], job.shape)
        sheets = [s for s, stays in zip(arrangement.sheets, stay, strict=True) if not stays]
        rows = max(sheet.shape[0] for sheet in sheets) + 2 * _RIM
        widths = [sheet.shape[1] + 2 * _RIM for sheet in sheets]
        ends = np.cumsum(widths).tolist()
        apart = -(-rows // 2)  # so many pieces lie in a column, each alone
        piece = np.full((rows, ends[-1] + 2 * -(-len(left) // apart)), EMPTY, np.int32)
        turns = np.zeros(piece.shape, np.int8)
        for sheet, end in zip(sheets, ends, strict=True):
            first = end - sheet.shape[1] - _RIM
            window = np.s_[_RIM : _RIM + sheet.shape[0], first : first + sheet.shape[1]]
            piece[window], turns[window] = sheet.piece, sheet.turns
        for number, each in enumerate(left):
            piece[2 * (number % apart), ends[-1] + 2 * (number // apart) + 1] = each
        return cls(Sheet(piece, turns), tuple(ends), False)

    @classmethod
    def _within(cls, sheet: Sheet, shape: tuple[int, int]) -> _Wide:
        """Fill a sheet up to `shape`, which may be the other way round, with empty cells."""
        fits = all(have <= most for have, most in zip(sheet.shape, shape, strict=True))
        rows, cols = shape if fits else shape[::-1]
        room = ((0, max(0, rows - sheet.shape[0])), (0, max(0, cols - sheet.shape[1])))
        piece = np.pad(sheet.piece, room, constant_values=EMPTY)
        return cls(Sheet(piece, np.pad(sheet.turns, room)), (cols,), True)

    def cut(self, board: Sheet) -> list[Sheet | None]:
        """Return the sheets that `board` holds, each as large as what lies on it; None: nothing."""
        if self.bounded:
            return [board]
        parts = np.split(np.arange(board.shape[1]), self.ends)[: len(self.ends)]
        sheets: list[Sheet | None] = []
        for part in parts:
            piece, turns = board.piece[:, part], board.turns[:, part]
            rows, cols = np.nonzero(piece != EMPTY)
            if not len(rows):
                sheets.append(None)
                continue
            window = np.s_[rows.min() : rows.max() + 1, cols.min() : cols.max() + 1]
            sheets.append(Sheet(piece[window], turns[window]))
        return sheets
