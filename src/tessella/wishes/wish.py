"""Wishes: what a person knows of an answer before it is found. All of them are hard."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.errors import InputError, shown

MOST = 2**31 - 1
"""Numbers of pieces, rows, columns and sheets are at most so large."""

SIDES = ("right", "top", "left", "bottom")

Pair = tuple[int, int]


@dataclass(frozen=True)
class Fixed:
    """A piece in a cell, turned so; everything counts from 0.

    Where the shape of the answer is unknown, only the differences of rows and columns between the
    pieces that are fixed on one sheet count.
    """

    piece: int
    sheet: int
    row: int
    col: int
    turns: int = 0


@dataclass(frozen=True)
class Barred:
    """A piece that does not lie in a cell."""

    piece: int
    sheet: int
    row: int
    col: int


@dataclass(frozen=True)
class Code:
    """What is written on a tile's back, as far as it can be read.

    Attributes
    ----------
    row, col : where the piece lies on its sheet, counted as `Fixed` counts
    panel : pieces with one name lie on one sheet, pieces with different names on different ones
    """

    piece: int
    row: int | None = None
    col: int | None = None
    panel: str | None = None


@dataclass(frozen=True)
class Wish:
    """One wish by itself: the name of its field in `Wishes`, and what stands there."""

    kind: str
    value: Any


@dataclass(frozen=True)
class Wishes:
    """What a person knows; edge 4 i + s is side s of piece i.

    Attributes
    ----------
    fixed : pieces in cells
    joined, forbidden : pairs of edges that lie, or do not lie, against each other
    barred : pieces that do not lie in a cell
    together, apart : pieces that lie on one sheet; pieces of which no two lie on one sheet
    upright : pieces whose turns are known, and those turns
    codes : what is written on tiles' backs
    names : what to call the pieces when talking to people; () calls them by their numbers
    """

    fixed: tuple[Fixed, ...] = ()
    joined: tuple[Pair, ...] = ()
    forbidden: tuple[Pair, ...] = ()
    barred: tuple[Barred, ...] = ()
    together: tuple[tuple[int, ...], ...] = ()
    apart: tuple[tuple[int, ...], ...] = ()
    upright: tuple[Pair, ...] = ()
    codes: tuple[Code, ...] = ()
    names: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        for kind in KINDS:
            object.__setattr__(self, kind, tuple(getattr(self, kind)))
        for kind in ("joined", "forbidden", "together", "apart", "upright"):
            object.__setattr__(self, kind, tuple(tuple(each) for each in getattr(self, kind)))
        for wish in self.each():
            _check(wish)

    def __bool__(self) -> bool:
        return any(getattr(self, kind) for kind in KINDS)

    def each(self) -> Iterator[Wish]:
        """Yield every wish by itself."""
        for kind in KINDS:
            for value in getattr(self, kind):
                yield Wish(kind, value)

    @property
    def located(self) -> tuple[Fixed | Code, ...]:
        """Those that may tell a row or a column."""
        return (*self.fixed, *self.codes)

    def numbered(self) -> Iterator[tuple[Wish, int]]:
        """Yield every wish that has a piece on a sheet called by a number, and that number."""
        for fixed in self.fixed:
            yield Wish("fixed", fixed), fixed.sheet
        for code in self.codes:
            if code.panel and is_number(code.panel):
                yield Wish("codes", code), int(code.panel) - 1

    def different(self) -> list[list[Hashable]]:
        """Return lists of pieces, sheets and panels no two of which are one sheet."""
        numbers = dict.fromkeys(("sheet", number) for _, number in self.numbered())
        panels = dict.fromkeys(("panel", code.panel) for code in self.codes if code.panel)
        return [list(numbers), list(panels), *(list[Hashable](p) for p in self.apart)]

    def only(self, wishes: Iterable[Wish]) -> Wishes:
        """Return these of the wishes alone."""
        kept: dict[str, list[Any]] = {kind: [] for kind in KINDS}
        for wish in wishes:
            kept[wish.kind].append(wish.value)
        return Wishes(**{kind: tuple(kept[kind]) for kind in KINDS}, names=self.names)

    def and_also(self, other: Wishes) -> Wishes:
        """Return these wishes and those of `other`, each once."""
        both = {k: tuple(dict.fromkeys((*getattr(self, k), *getattr(other, k)))) for k in KINDS}
        return Wishes(**both, names=self.names or other.names)

    def called(self, names: Sequence[str]) -> Wishes:
        """Return the same wishes of pieces that people call by `names`."""
        return replace(self, names=tuple(names))

    def relabelled(self, order: NDArray[Any]) -> Wishes:
        """Return the same wishes with piece i called ``order[i]``."""
        new = [int(i) for i in order]

        def edges(pair: Pair) -> Pair:
            e, f = pair
            return 4 * new[e // 4] + e % 4, 4 * new[f // 4] + f % 4

        names = [""] * len(self.names)
        for old, name in enumerate(self.names):
            names[new[old]] = name
        return Wishes(
            fixed=tuple(replace(w, piece=new[w.piece]) for w in self.fixed),
            joined=tuple(edges(pair) for pair in self.joined),
            forbidden=tuple(edges(pair) for pair in self.forbidden),
            barred=tuple(replace(w, piece=new[w.piece]) for w in self.barred),
            together=tuple(tuple(new[i] for i in pieces) for pieces in self.together),
            apart=tuple(tuple(new[i] for i in pieces) for pieces in self.apart),
            upright=tuple((new[i], turns) for i, turns in self.upright),
            codes=tuple(replace(w, piece=new[w.piece]) for w in self.codes),
            names=tuple(names),
        )

    def fits(self, pieces: int) -> None:
        """Raise unless every piece that is named is one of `pieces`."""
        for wish in self.each():
            for piece in pieces_of(wish):
                if piece >= pieces:
                    raise InputError(
                        f"A wish names piece {piece}, but the puzzle has {pieces} pieces "
                        f"(0 to {pieces - 1})."
                    )

    def forbids(self, pairs: NDArray[Any]) -> NDArray[np.bool_]:
        """Say of every pair of edges ``(J, 2)`` whether it is forbidden, ``(J,)``."""
        if not self.forbidden:
            return np.zeros(len(pairs), np.bool_)
        both = np.sort(np.asarray(pairs, np.int64), axis=1)
        forbidden = np.sort(np.array(self.forbidden, np.int64), axis=1)
        return np.isin(
            both[:, 0] * (MOST + 1) + both[:, 1], forbidden[:, 0] * (MOST + 1) + forbidden[:, 1]
        )


def is_number(panel: str) -> bool:
    """Say whether a panel's name is the number of a sheet, counted from 1."""
    return panel.isascii() and panel.isdigit() and panel[0] != "0" and len(panel) < 7


KINDS = ("fixed", "joined", "forbidden", "barred", "together", "apart", "upright", "codes")
"""The fields of `Wishes` that hold wishes."""


def pieces_of(wish: Wish) -> tuple[int, ...]:
    """Return the pieces that a wish is about."""
    value = wish.value
    if wish.kind in ("joined", "forbidden"):
        return value[0] // 4, value[1] // 4
    if wish.kind in ("together", "apart"):
        return tuple(value)
    return (value[0],) if wish.kind == "upright" else (value.piece,)


def _check(wish: Wish) -> None:
    """Raise unless a wish makes sense by itself."""
    kind, value = wish.kind, wish.value
    if kind in ("fixed", "barred"):
        numbers = [value.piece, value.sheet, value.row, value.col]
    elif kind == "codes":
        numbers = [value.piece, *(n for n in (value.row, value.col) if n is not None)]
        if len(numbers) == 1 and not value.panel:
            raise InputError("A code needs a row, a column or a panel; got none.")
    else:
        numbers = list(value)
    if not all(_whole(number) and 0 <= number <= MOST for number in numbers):
        raise InputError(
            f"Pieces, edges, sheets, rows and columns of wishes are whole numbers of 0 or more; "
            f"got {shown(value)}."
        )
    if kind in ("fixed", "upright"):
        turns = value.turns if kind == "fixed" else value[1]
        if not _whole(turns) or not 0 <= turns <= 3:
            raise InputError(f"The turns of a wish are 0 to 3; got {shown(turns)}.")
    if kind in ("joined", "forbidden") and (len(value) != 2 or value[0] // 4 == value[1] // 4):
        raise InputError(f"Two edges of different pieces can be {kind}; got {shown(value)}.")
    if kind in ("together", "apart") and (len(value) < 2 or len(set(value)) < len(value)):
        raise InputError(f"At least two different pieces lie {kind}; got {shown(value)}.")


def _whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def in_words(wish: Wish, names: Sequence[str] = ()) -> str:
    """Say a wish in words, as part of a sentence; people count from 1."""
    value = wish.value

    def piece(number: int) -> str:
        return shown(names[number]) if number < len(names) else f"piece {number}"

    def edge(number: int) -> str:
        return f"the {SIDES[number % 4]} side of {piece(number // 4)}"

    if wish.kind in ("joined", "forbidden"):
        verb = "lies" if wish.kind == "joined" else "does not lie"
        return f"{edge(value[0])} {verb} against {edge(value[1])}"
    if wish.kind == "upright":
        return f"{piece(value[0])} lies with {_turns(value[1])}"
    if wish.kind in ("together", "apart"):
        every = [piece(number) for number in value[:4]]
        more = [f"{len(value) - 4} more"] if len(value) > 4 else []
        where = "on one sheet" if wish.kind == "together" else "on different sheets"
        return f"{_listed([*every, *more])} lie {where}"
    if wish.kind == "codes":
        parts = [
            *([f"panel {shown(value.panel)}"] if value.panel else []),
            *([f"row {value.row + 1}"] if value.row is not None else []),
            *([f"column {value.col + 1}"] if value.col is not None else []),
        ]
        return f"{piece(value.piece)} is marked {', '.join(parts)}"
    sheet = f" of sheet {value.sheet + 1}" if value.sheet else ""
    where = f"in row {value.row + 1}, column {value.col + 1}{sheet}"
    if wish.kind == "barred":
        return f"{piece(value.piece)} does not lie {where}"
    return f"{piece(value.piece)} is fixed {where} with {_turns(value.turns)}"


def _turns(number: int) -> str:
    return f"{number} turn{'' if number == 1 else 's'}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
