"""Wishes on disk: JSON for programs, and CSV for who fills in a spreadsheet.

In JSON everything counts from 0, as in arrangement.json; in CSV rows, columns and numbers of panels
count from 1, as in placement.csv.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tessella.errors import FormatError, InputError, shown
from tessella.files import read_json
from tessella.panels import Panels
from tessella.puzzle import Puzzle
from tessella.wishes.names import Names
from tessella.wishes.spreadsheet import read_spreadsheet
from tessella.wishes.wish import KINDS, SIDES, Barred, Code, Fixed, Pair, Wishes

VERSION = 1


def read_wishes(path: Path | str, puzzle: Puzzle, panels: Panels | None = None) -> Wishes:
    """Read a file of wishes about `puzzle`; what its name ends in says of which kind it is.

    Parameters
    ----------
    panels : as they are told to `tessella.solve`: of several sheets, a locked row of a spreadsheet
        that names no panel says where its piece lies on whichever it is
    """
    path = Path(path)
    if path.suffix.lower() not in (".json", ".csv"):
        raise InputError(f"Wishes stand in a .json or a .csv file; got {shown(str(path))}.")
    names = Names(puzzle.names, path.name)
    if path.suffix.lower() == ".csv":
        sheets = puzzle.layout.known().with_panels(panels).sheets
        return read_spreadsheet(path, names, upright=puzzle.upright, several=sheets != 1)
    return wishes_from_json(read_json(path), names)


def wishes_to_json(wishes: Wishes, names: Sequence[str] = ()) -> dict[str, Any]:
    """Return the JSON form; pieces are called by `names` where there are any, else by numbers."""

    def piece(number: int) -> str | int:
        return names[number] if names else int(number)

    def edges(pairs: tuple[Pair, ...]) -> list[Any]:
        return [[[piece(e // 4), SIDES[e % 4]] for e in pair] for pair in pairs]

    def cell(wish: Fixed | Barred) -> dict[str, Any]:
        return {"piece": piece(wish.piece), "sheet": wish.sheet, "row": wish.row, "col": wish.col}

    def code(wish: Code) -> dict[str, Any]:
        known = {"row": wish.row, "col": wish.col, "panel": wish.panel}
        read = {key: value for key, value in known.items() if value is not None}
        return {"piece": piece(wish.piece), **read}

    value: dict[str, Any] = {
        "fixed": [{**cell(wish), "turns": wish.turns} for wish in wishes.fixed],
        "joined": edges(wishes.joined),
        "forbidden": edges(wishes.forbidden),
        "barred": [cell(wish) for wish in wishes.barred],
        "together": [[piece(i) for i in pieces] for pieces in wishes.together],
        "apart": [[piece(i) for i in pieces] for pieces in wishes.apart],
        "upright": [{"piece": piece(i), "turns": turns} for i, turns in wishes.upright],
        "codes": [code(wish) for wish in wishes.codes],
    }
    return {"version": VERSION, **{kind: each for kind, each in value.items() if each}}


def wishes_from_json(value: dict[str, Any], names: Names) -> Wishes:
    """Read the JSON form."""
    if value.get("version") != VERSION:
        raise FormatError(
            f"This version reads wishes of version {VERSION}; got {value.get('version')!r}."
        )
    unknown = set(value) - {"version", *KINDS}
    if unknown:
        raise FormatError(
            f"{names.file} has {shown(min(unknown))!r}, which is no kind of wish; they are "
            f"{', '.join(KINDS)}."
        )

    def edge(each: Any) -> int:
        if isinstance(each, int) and not isinstance(each, bool):
            return each
        side = each[1]
        return 4 * names.piece(each[0]) + (SIDES.index(side) if isinstance(side, str) else side)

    def pair(each: Any) -> Pair:
        one, other = each
        return edge(one), edge(other)

    def several(each: Any) -> tuple[int, ...]:
        return tuple(names.piece(piece) for piece in each)

    def made(kind: type) -> Callable[[Any], Any]:
        return lambda each: kind(**{**each, "piece": names.piece(each["piece"])})

    readers: dict[str, Callable[[Any], Any]] = {
        "fixed": made(Fixed),
        "joined": pair,
        "forbidden": pair,
        "barred": made(Barred),
        "together": several,
        "apart": several,
        "upright": lambda each: (names.piece(each["piece"]), each["turns"]),
        "codes": made(Code),
    }
    read: dict[str, tuple[Any, ...]] = {}
    for kind in KINDS:
        listed = value.get(kind, [])
        if not isinstance(listed, list):
            raise FormatError(f"{kind} in {names.file} must be a list; got {shown(listed)}.")
        read[kind] = tuple(_read(readers[kind], each, kind, names) for each in listed)
    try:
        return Wishes(**read, names=names.known)
    except FormatError:
        raise
    except InputError as problem:
        raise FormatError(f"{names.file} cannot be used: {problem}") from problem


def _read(reader: Callable[[Any], Any], each: Any, kind: str, names: Names) -> Any:
    try:
        return reader(each)
    except (TypeError, ValueError, KeyError, IndexError) as problem:
        raise FormatError(
            f"{names.file} has a wish under {kind} that cannot be read: {shown(each)}; "
            "docs/wishes.md shows what each looks like."
        ) from problem
