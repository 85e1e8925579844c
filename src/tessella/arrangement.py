"""An arrangement: which piece lies in which cell, turned how; one or more sheets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from tessella.edges import BOTTOM, LEFT, RIGHT, TOP
from tessella.errors import FormatError, InputError

VERSION = 1
EMPTY = -1

LIE_MAX = 100_000
"""Pixels that a strip's gap or shift may have."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """One grid of cells.

    Attributes
    ----------
    piece : which piece lies in the cell, -1 where none, int32 ``(rows, cols)``
    turns : counter-clockwise quarter turns to apply to it, int8 ``(rows, cols)``, 0 where empty
    gap : pixels between a strip and the one before it, less than 0 where they overlap, int32
        ``(rows, cols)``; None where nobody looked
    shift : pixels by which a strip is to be moved down, int32 ``(rows, cols)``, likewise
    """

    piece: NDArray[np.int32]
    turns: NDArray[np.int8]
    gap: NDArray[np.int32] | None = None
    shift: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        piece = np.array(self.piece, np.int32)
        turns = np.array(self.turns, np.int8)
        if piece.ndim != 2 or piece.size == 0 or piece.shape != turns.shape:
            raise InputError(
                f"A sheet needs two grids of one shape; got {piece.shape} and {turns.shape}."
            )
        if piece.min() < EMPTY or turns.min() < 0 or turns.max() > 3:
            raise InputError("A sheet's pieces are -1 or more and its turns 0 to 3.")
        turns[piece == EMPTY] = 0
        piece.setflags(write=False)
        turns.setflags(write=False)
        object.__setattr__(self, "piece", piece)
        object.__setattr__(self, "turns", turns)
        for name in ("gap", "shift"):
            self._check_lie(name)

    def _check_lie(self, name: str) -> None:
        given = getattr(self, name)
        if given is None:
            return
        lie = np.array(given, np.int32)
        if lie.shape != self.piece.shape or np.abs(lie).max() > LIE_MAX:
            raise InputError(
                f"A sheet's {name} needs one number of at most {LIE_MAX} px for every cell."
            )
        lie[self.piece == EMPTY] = 0
        lie.setflags(write=False)
        object.__setattr__(self, name, lie)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return int(self.piece.shape[0]), int(self.piece.shape[1])

    def edges_facing(self, direction: int) -> NDArray[np.int32]:
        """Return every cell's edge that faces `direction`, -1 where empty, ``(rows, cols)``."""
        edge = 4 * self.piece + (direction - self.turns.astype(np.int32)) % 4
        return np.where(self.piece == EMPTY, EMPTY, edge).astype(np.int32)

    def joins(self) -> NDArray[np.int32]:
        """Return every pair of edges that lie against each other, ``(J, 2)``.

        The first edge of a pair faces right or down; pairs are in reading order, the horizontal
        ones first.
        """
        across = np.stack([self.edges_facing(RIGHT)[:, :-1], self.edges_facing(LEFT)[:, 1:]], -1)
        down = np.stack([self.edges_facing(BOTTOM)[:-1], self.edges_facing(TOP)[1:]], -1)
        pairs = np.concatenate([across.reshape(-1, 2), down.reshape(-1, 2)])
        return pairs[(pairs >= 0).all(axis=1)]

    def turned(self, times: int) -> Sheet:
        """Return this sheet turned counter-clockwise as a whole."""
        piece = np.rot90(self.piece, times)
        turns = (np.rot90(self.turns, times) + times) % 4
        return Sheet(piece, turns)


@dataclass(frozen=True, eq=False)
class Arrangement:
    """An answer to a puzzle: sheets whose cells hold each piece at most once."""

    sheets: tuple[Sheet, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "sheets", tuple(self.sheets))
        if not self.sheets:
            raise InputError("An arrangement needs at least one sheet; got none.")
        used = self.placed()
        if len(used) == 0:
            raise InputError("An arrangement needs at least one piece; every cell is empty.")
        twice = used[:-1][np.diff(used) == 0]
        if len(twice):
            raise InputError(
                f"Piece {int(twice[0])} lies in more than one cell of the arrangement."
            )

    @classmethod
    def single(
        cls, piece: NDArray[Any] | Sequence[Sequence[int]], turns: NDArray[Any] | None = None
    ) -> Arrangement:
        """Make an arrangement of one sheet; `turns` is all zero when not given."""
        cells = np.asarray(piece)
        return cls((Sheet(cells, np.zeros(cells.shape, np.int8) if turns is None else turns),))

    def placed(self) -> NDArray[np.int32]:
        """Return the pieces that lie somewhere, sorted, repeated if they lie twice."""
        every = np.concatenate([sheet.piece.ravel() for sheet in self.sheets])
        return np.sort(every[every != EMPTY])

    def joins(self) -> NDArray[np.int32]:
        """Return the joins of all sheets, ``(J, 2)``; see `Sheet.joins`."""
        return np.concatenate([sheet.joins() for sheet in self.sheets])

    def fits(self, pieces: int) -> None:
        """Raise unless every piece is one of `pieces`."""
        largest = int(self.placed()[-1])
        if largest >= pieces:
            raise InputError(
                f"The arrangement names piece {largest}, but the puzzle has {pieces} pieces "
                f"(0 to {pieces - 1})."
            )

    def largest_first(self) -> Arrangement:
        """Return the sheets in the order of their pieces, most first; equal ones stay in order."""
        counts = [int((sheet.piece != EMPTY).sum()) for sheet in self.sheets]
        order = sorted(range(len(counts)), key=lambda number: -counts[number])
        return Arrangement(tuple(self.sheets[number] for number in order))

    def same(self, other: Arrangement) -> bool:
        """Whether both hold the same cells."""
        return len(self.sheets) == len(other.sheets) and all(
            np.array_equal(a.piece, b.piece) and np.array_equal(a.turns, b.turns)
            for a, b in zip(self.sheets, other.sheets, strict=True)
        )

    def to_json(self, names: Sequence[str] = ()) -> dict[str, Any]:
        """Return the contract's JSON form; `names` ride along as ``pieces``."""
        value: dict[str, Any] = {"version": VERSION, "sheets": [_cells(s) for s in self.sheets]}
        if names:
            value["pieces"] = list(names)
        return value

    @classmethod
    def from_json(cls, value: dict[str, Any], pieces: int | None = None) -> Arrangement:
        """Read the contract's JSON form; `pieces` bounds the indices when given."""
        if value.get("version") != VERSION:
            raise FormatError(
                f"This version reads arrangements of version {VERSION}; "
                f"got {value.get('version')!r}."
            )
        sheets = value.get("sheets")
        if not isinstance(sheets, list) or not sheets:
            raise FormatError("An arrangement file needs a non-empty list `sheets`.")
        names = value.get("pieces")
        try:
            arrangement = cls(tuple(_sheet(s, number) for number, s in enumerate(sheets)))
            if pieces is None and isinstance(names, list):
                pieces = len(names)
            if pieces is not None:
                arrangement.fits(pieces)
        except FormatError:
            raise
        except InputError as problem:
            raise FormatError(str(problem)) from problem
        return arrangement


def _cells(sheet: Sheet) -> dict[str, Any]:
    def cell(place: tuple[int, int]) -> dict[str, int] | None:
        if sheet.piece[place] == EMPTY:
            return None
        entry = {"piece": int(sheet.piece[place]), "turns": int(sheet.turns[place])}
        for name, lie in (("gap", sheet.gap), ("shift", sheet.shift)):
            if lie is not None:
                entry[name] = int(lie[place])
        return entry

    rows, cols = sheet.shape
    cells = [[cell((row, col)) for col in range(cols)] for row in range(rows)]
    return {"rows": rows, "cols": cols, "cells": cells}


def _sheet(value: Any, number: int) -> Sheet:
    where = f"sheet {number} of the arrangement"
    if not isinstance(value, dict) or not isinstance(value.get("cells"), list):
        raise FormatError(f"{where.capitalize()} must be an object with rows, cols and cells.")
    rows, cols, cells = value.get("rows"), value.get("cols"), value["cells"]
    if not _whole(rows) or not _whole(cols) or rows < 1 or cols < 1:
        raise FormatError(f"{where.capitalize()} needs whole rows and cols of at least 1.")
    if len(cells) != rows or not all(isinstance(r, list) and len(r) == cols for r in cells):
        raise FormatError(f"{where.capitalize()} says {rows} x {cols}, but its cells differ.")
    flat = [_cell(cell, where) for row in cells for cell in row]
    piece, turns = zip(*flat, strict=True)
    lies = (_lie(name, cells, where) for name in ("gap", "shift"))
    return Sheet(np.reshape(piece, (rows, cols)), np.reshape(turns, (rows, cols)), *lies)


def _lie(name: str, cells: list[list[Any]], where: str) -> NDArray[np.int32] | None:
    """Return the gap or shift of every cell, None where no cell has one."""
    values = [[0 if cell is None else cell.get(name, 0) for cell in row] for row in cells]
    if not any(cell is not None and name in cell for row in cells for cell in row):
        return None
    for value in (value for row in values for value in row):
        if not _whole(value) or abs(value) > LIE_MAX:
            raise FormatError(
                f"A cell's {name} in {where} must be whole pixels, at most {LIE_MAX}; "
                f"got {value!r}."
            )
    return np.array(values, np.int32)


def _cell(value: Any, where: str) -> tuple[int, int]:
    if value is None:
        return EMPTY, 0
    piece, turns = (value.get("piece"), value.get("turns")) if isinstance(value, dict) else (0, 9)
    if not _whole(piece) or not _whole(turns) or not 0 <= turns <= 3 or not 0 <= piece < 2**31:
        raise FormatError(
            f"A cell of {where} must be null or {{piece: 0 or more, turns: 0 to 3}}; got {value!r}."
        )
    return piece, turns


def _whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def unplaced(arrangement: Arrangement, pieces: int) -> Iterable[int]:
    """Return the pieces, of `pieces`, that lie in no cell."""
    return sorted(set(range(pieces)) - set(arrangement.placed().tolist()))
