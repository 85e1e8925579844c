"""Panels: how many pictures lie in one folder of pieces, and what is known of their shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tessella import bounds
from tessella.arrangement import Arrangement
from tessella.errors import InputError, shown
from tessella.puzzle import Puzzle, Shape
from tessella.sorting import COUNTED, counted


def may_have_holes(pieces: int, shape: Shape | None, panels: Panels | None) -> bool:
    """Say whether cells may stay empty: not where so many pieces just fill their shape."""
    return panels is not None or shape is None or shape[0] * shape[1] > pieces


def fewer(settings: Mapping[str, Any], arrangement: Arrangement) -> tuple[str, ...]:
    """Say in a sentence that there are fewer sheets than panels were told; nothing if not.

    Parameters
    ----------
    settings : of an answer, as `tessella.Result` has them
    """
    count = settings.get("panels", {}).get("count")
    laid = len(counted(arrangement))
    if not isinstance(count, int) or laid >= count:
        return ()
    were, are = f"panel{'' if count == 1 else 's'}", "is" if laid == 1 else "are"
    return (f"{count} {were} told, but {laid} {are} found of {COUNTED} pieces or more.",)


@dataclass(frozen=True)
class Panels:
    """Several sheets are wanted, with holes where pieces are missing; strangers may be left over.

    Where `count` is told, no more sheets of 8 pieces and more come out of it, but perhaps fewer.

    Attributes
    ----------
    count : how many panels the pieces come from; None where nobody knows
    shapes : rows and columns of the panels whose shapes are known, at most `count`. All of them
        together may have fewer cells than there are pieces: some may be foreign.
    """

    count: int | None = None
    shapes: tuple[Shape, ...] = ()

    def __post_init__(self) -> None:
        if self.count is not None:
            bounds.check_count("panel", self.count, bounds.PANELS)
            if len(self.shapes) > self.count:
                raise InputError(
                    "There may be at most one --shape for every panel; got "
                    f"{len(self.shapes)} shapes for {self.count}."
                )
        for rows, cols in self.shapes:
            bounds.check_cells(rows, cols)

    def known(self, puzzle: Puzzle) -> Panels:
        """Return what is known of the panels of `puzzle`; raise where it cannot be.

        The shape that the puzzle tells is that of its one panel; several do not have one shape.
        """
        pieces = len(puzzle)
        if puzzle.flat:
            raise InputError("--panels is for pieces in a grid; strips lie on pages, use --pages.")
        if self.count is not None and self.count > pieces:
            raise InputError(
                f"{self.count} panels need at least as many pieces; there are {pieces}, so give "
                "fewer."
            )
        cells = sum(rows * cols for rows, cols in self.shapes)
        if cells > bounds.CELLS_A_PIECE * pieces:
            raise InputError(
                f"The shapes of all panels may have {bounds.CELLS_A_PIECE} cells for every piece; "
                f"{shown(cells)} cells are more for {pieces} pieces, so give smaller ones."
            )
        if self.count == 1 and not self.shapes and puzzle.shape is not None:
            return replace(self, shapes=(puzzle.shape,))
        return self

    def to_json(self) -> dict[str, Any]:
        """Return the form that ``run.json`` tells."""
        count = "unknown" if self.count is None else self.count
        return {"count": count, "shapes": [list(shape) for shape in self.shapes]}
