"""Which wishes an arrangement breaks, in sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from tessella.arrangement import EMPTY, Arrangement
from tessella.placement import Place, places
from tessella.puzzle import Shape
from tessella.wishes.wish import Barred, Code, Fixed, Wish, Wishes, in_words, pieces_of

Exact = bool | frozenset[int]
"""Whether cells count as they are on all sheets, or on none, or the numbers of those where."""


def check(
    arrangement: Arrangement,
    wishes: Wishes,
    *,
    shape: Shape | None = None,
    frames: Sequence[Shape] = (),
) -> tuple[str, ...]:
    """Say in a sentence each which wishes `arrangement` breaks.

    Parameters
    ----------
    shape : rows and columns of the answer where they are known: then cells are those of the sheet;
        None: of fixed pieces and codes only differences count
    frames : shapes of the sheets that wishes call 0, 1, ...: there cells count as well
    """
    exact: Exact = shape is not None or frozenset(range(len(frames)))
    return tuple(
        f"It is not so that {in_words(wish, wishes.names)}."
        for wish in broken(arrangement, wishes, exact)
    )


def broken(arrangement: Arrangement, wishes: Wishes, exact: Exact) -> Iterator[Wish]:
    """Yield the wishes that `arrangement` breaks; `exact`: cells count as they are."""
    at = {place.piece: place for place in places(arrangement)}
    yield from _broken_joins(arrangement, wishes)
    yield from _broken_sheets(at, wishes)
    for piece, turns in wishes.upright:
        if piece in at and at[piece].turns != turns:
            yield Wish("upright", (piece, turns))
    yield from _broken_cells(arrangement, at, wishes, exact)


def _broken_joins(arrangement: Arrangement, wishes: Wishes) -> Iterator[Wish]:
    joins = arrangement.joins()
    have = {frozenset(pair) for pair in joins.tolist()} if wishes.joined else set()
    for pair in wishes.joined:
        if frozenset(pair) not in have:
            yield Wish("joined", pair)
    found = {frozenset(pair) for pair in joins[wishes.forbids(joins)].tolist()}
    for pair in wishes.forbidden:
        if frozenset(pair) in found:
            yield Wish("forbidden", pair)


def _broken_sheets(at: dict[int, Place], wishes: Wishes) -> Iterator[Wish]:
    for pieces in wishes.together:
        if len({at[p].sheet if p in at else (p,) for p in pieces}) > 1:
            yield Wish("together", pieces)
    for pieces in wishes.apart:
        lying = [at[piece].sheet for piece in pieces if piece in at]
        if len(set(lying)) < len(lying):
            yield Wish("apart", pieces)
    sheet_of: dict[object, int] = {}
    name_of: dict[tuple[str, int], object] = {}
    panels = [("panel", code.panel, Wish("codes", code)) for code in wishes.codes if code.panel]
    numbers = [("number", number, wish) for wish, number in wishes.numbered()]
    for kind, name, wish in [*numbers, *panels]:
        place = at.get(wish.value.piece)
        if place is None or (
            sheet_of.setdefault((kind, name), place.sheet) != place.sheet
            or name_of.setdefault((kind, place.sheet), name) != name
        ):
            yield wish


def _broken_cells(
    arrangement: Arrangement, at: dict[int, Place], wishes: Wishes, exact: Exact
) -> Iterator[Wish]:
    """Yield broken wishes about rows, columns and turns of cells."""
    shifts = frames(at, wishes, exact)
    for fixed in wishes.fixed:
        place = at.get(fixed.piece)
        if place is not None and not _lies(place, fixed, shifts[place.sheet]):
            yield Wish("fixed", fixed)
    for code in wishes.codes:
        place = at.get(code.piece)
        if place is not None and not _marked(place, code, shifts[place.sheet]):
            yield Wish("codes", code)
    called = calls(at, wishes) if wishes.barred else {}
    for barred in wishes.barred:
        sheet = sheet_called(barred, called)
        if sheet is not None and sheet < len(arrangement.sheets) and barred.piece in at:
            place, (down, across) = at[barred.piece], shifts[sheet]
            if (place.sheet, place.row, place.col) == (
                sheet, barred.row + down, barred.col + across,
            ):  # fmt: skip
                yield Wish("barred", barred)


def frames(at: dict[int, Place], wishes: Wishes, exact: Exact) -> defaultdict[int, tuple[int, int]]:
    """Return by how many rows and columns wishes are shifted on every sheet.

    Where cells do not count as they are, the first piece of a sheet of which a row or a column is
    known says so.
    """
    rows: dict[int, int] = {}
    cols: dict[int, int] = {}
    if exact is not True:
        called = calls(at, wishes)
        for wish in wishes.located:
            place = at.get(wish.piece)
            if place is None or (exact and called.get(place.sheet) in exact):
                continue
            if wish.row is not None:
                rows.setdefault(place.sheet, place.row - wish.row)
            if wish.col is not None:
                cols.setdefault(place.sheet, place.col - wish.col)
    shifts: defaultdict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    shifts |= {s: (rows.get(s, 0), cols.get(s, 0)) for s in {*rows, *cols}}
    return shifts


def calls(at: dict[int, Place], wishes: Wishes) -> dict[int, int]:
    """Return by what numbers wishes call sheets."""
    numbered = ((pieces_of(wish)[0], number) for wish, number in wishes.numbered())
    return {at[piece].sheet: number for piece, number in numbered if piece in at}


def sheet_called(barred: Barred, called: dict[int, int]) -> int | None:
    """Return the sheet that a number stands for: the one so called, else the one so counted.

    None where that one is called otherwise.
    """
    same = (sheet for sheet, number in called.items() if number == barred.sheet)
    return next(same, None if barred.sheet in called else barred.sheet)


def _lies(place: Place, fixed: Fixed, shift: tuple[int, int]) -> bool:
    where = fixed.row + shift[0], fixed.col + shift[1]
    return (place.row, place.col) == where and place.turns == fixed.turns


def _marked(place: Place, code: Code, shift: tuple[int, int]) -> bool:
    row = code.row is None or place.row == code.row + shift[0]
    return row and (code.col is None or place.col == code.col + shift[1])


def misfits(arrangement: Arrangement, shapes: tuple[Shape | None, ...]) -> bool:
    """Say whether a sheet is larger than every shape that it may have."""
    return not all(
        any(
            shape is None or (sheet.shape[0] <= shape[0] and sheet.shape[1] <= shape[1])
            for shape in shapes
        )
        for sheet in arrangement.sheets
        if np.any(sheet.piece != EMPTY)
    )
