"""A puzzle: the pieces and what is known about how they lay. Never the truth."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.bounds import check_shape
from tessella.errors import InputError
from tessella.usual import PIECES, Usual

if TYPE_CHECKING:
    from tessella.arrangement import Sheet
    from tessella.layout import Layout

Shape = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Puzzle:
    """Pieces of one size, and what is known about them.

    Other kinds of puzzles derive from it and say what is different about them: nobody asks a
    puzzle for its type.

    Attributes
    ----------
    kind : "grid" or "strips", as ``puzzle.json`` calls it
    pieces : RGB pictures, uint8, ``(N, H, W, 3)``
    upright : True when no piece was turned (the literature's Type-1)
    shape : rows and columns of the answer, or None when unknown
    eroded : width of the worn black frame of every piece, in pixels
    names : what to call each piece when talking to people (file names); made up when not given
    notes : what a person should know about how the pieces were read
    known : what of every piece is picture, ``(N, H, W)``; None: all of it. The other pixels hold
        the nearest known colour, for measures; people are never shown them (`imaging.unknown`)
    """

    kind: ClassVar[str] = "grid"

    pieces: NDArray[np.uint8]
    upright: bool = True
    shape: Shape | None = None
    eroded: int = 0
    names: tuple[str, ...] = field(default=())
    notes: tuple[str, ...] = ()
    known: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        pieces = self.pieces
        if pieces.ndim != 4 or pieces.shape[3] != 3 or pieces.dtype != np.uint8:
            raise InputError(
                "A puzzle's pieces must be uint8 of shape (N, height, width, 3); "
                f"got {pieces.dtype} of shape {pieces.shape}."
            )
        if len(pieces) == 0:
            raise InputError("A puzzle needs at least one piece; got none.")
        self._check_eroded()
        self._check_shape()
        self._check_known()
        if not self.names:
            digits = len(str(len(pieces) - 1))
            made_up = tuple(f"{i:0{digits}d}" for i in range(len(pieces)))
            object.__setattr__(self, "names", made_up)
        if len(self.names) != len(pieces):
            raise InputError(f"{len(pieces)} pieces need as many names; got {len(self.names)}.")
        pieces.setflags(write=False)

    def _check_eroded(self) -> None:
        smallest = min(self.piece_size)
        if self.eroded < 0 or smallest - 2 * self.eroded < 2:
            raise InputError(
                f"Pieces of {self.piece_size[0]} x {self.piece_size[1]} px cannot have a worn "
                f"frame of {self.eroded} px: at least 2 px of picture must be left."
            )

    def _check_shape(self) -> None:
        if self.shape is not None:
            check_shape(*self.shape, len(self.pieces))

    def _check_known(self) -> None:
        known = self.known
        if known is None:
            return
        if known.dtype != np.bool_ or known.shape != self.pieces.shape[:3]:
            raise InputError(
                f"What is known of the pieces must be bool of shape {self.pieces.shape[:3]}; "
                f"got {known.dtype} of shape {known.shape}."
            )
        known.setflags(write=False)
        if known.all():
            object.__setattr__(self, "known", None)

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def piece_size(self) -> Shape:
        """Height and width of a piece in pixels."""
        return int(self.pieces.shape[1]), int(self.pieces.shape[2])

    def described(self) -> str:
        """Return how many pieces of which size these are, in words."""
        height, width = self.piece_size
        return f"{len(self)} pieces of {height} x {width} px"

    @property
    def square(self) -> bool:
        """Whether pieces are as high as wide, so that any two sides can meet."""
        return self.piece_size[0] == self.piece_size[1]

    @property
    def flat(self) -> bool:
        """Whether pieces meet at their right and left sides alone, and so lie in one row."""
        return False

    @property
    def ragged(self) -> bool:
        """Whether the sides of pieces run as their rims say, and not straight."""
        return False

    @property
    def usual(self) -> Usual:
        """The measure and the solver that work on such a puzzle when none is named."""
        return PIECES

    @property
    def layout(self) -> Layout:
        """How answers to this puzzle lie, are drawn, told and written."""
        from tessella.layout import GridLayout

        return GridLayout(self)

    def contents(self) -> tuple[NDArray[Any], ...]:
        """Return all arrays that a measure may look at: what tells this puzzle from another."""
        return (self.pieces,)

    def one(self, piece: int, turns: int = 0) -> NDArray[np.uint8]:
        """Return a piece's picture, turned counter-clockwise, ``(h, w, 3)``; strips are grey."""
        return np.rot90(self.pieces[piece], turns)

    def known_of(self, piece: int, turns: int = 0) -> NDArray[np.bool_] | None:
        """Return what of a piece is picture, turned as `one`, ``(h, w)``; None: all of it."""
        known = None if self.known is None else np.rot90(self.known[piece], turns)
        return None if known is None or known.all() else known

    def rim(self, piece: int, turns: int = 0) -> NDArray[np.int32]:
        """Return where a piece begins and ends in each of its rows, ``(2, h)``."""
        height, width = self.one(piece, turns).shape[:2]
        return np.repeat(np.array([[0], [width]], np.int32), height, axis=1)

    def places(self, sheet: Sheet) -> list[tuple[int, int, int, int]]:
        """Return piece, turns, top and left in pixels of all that lies on a sheet, as drawn."""
        height, width = self.piece_size
        return [
            (int(piece), int(sheet.turns[row, col]), row * height, col * width)
            for (row, col), piece in np.ndenumerate(sheet.piece)
            if piece >= 0
        ]

    def sized(self, shape: Shape | None, pages: int | None) -> Puzzle:
        """Return the puzzle with what is known of the whole by now: its shape; pages of strips."""
        del pages
        return replace(self, shape=shape)

    def groups(self) -> list[edges.Group]:
        """Return the admissible joins as groups of edges; see `edges.groups`."""
        return edges.groups(len(self), upright=self.upright, square=self.square)

    def reordered(self, order: NDArray[np.int32]) -> Puzzle:
        """Return the puzzle with piece ``order[k]`` in place k."""
        names = tuple(self.names[i] for i in order)
        known = None if self.known is None else self.known[order]
        return replace(self, pieces=self.pieces[order], names=names, known=known)

    def facing(self, which: NDArray[np.int32], direction: int) -> NDArray[np.uint8]:
        """Return the pieces of edges `which`, each turned so that its edge faces `direction`.

        All edges must have the same length. The result is ``(A, H, W, 3)`` with the height along
        the edge when `direction` is right or left.
        """
        side = which % 4
        present = np.unique(side)
        if not self.square and len({int(s) % 2 for s in present}) > 1:
            raise InputError("Edges of different lengths cannot be laid out together.")
        first = np.rot90(self.pieces[:1], edges.turns_to_face(int(side[0]), direction), (1, 2))
        out = np.empty((len(which), *first.shape[1:]), np.uint8)
        for s in present:
            chosen = side == s
            turned = np.rot90(self.pieces, edges.turns_to_face(int(s), direction), axes=(1, 2))
            out[chosen] = turned[which[chosen] // 4]
        return out
