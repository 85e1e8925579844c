"""Asking a measure block by block: what of a large puzzle lies in the memory at once is bounded.

Some edges are compared with all that they may join, a tile of the table at a time, and the best of
every edge are kept. A tile is made by one matrix product that fits the processor's cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tessella.checkpoint import State
from tessella.kernels.ranking import keep_better
from tessella.threads import chunks, spread

if TYPE_CHECKING:
    from tessella.measuring import Measure

EDGES = 4096
"""Edges of a block: of 100,000 turned pieces it takes half a minute on one core."""

ROWS, COLUMNS = 512, 2048
"""Of a tile: of those tried from 32 x all to 2048 x 512 the quickest with `mgc`, by a little."""


@dataclass(frozen=True, eq=False)
class Asking:
    """Edges that face right, and those that they may join: a `tessella.workshop.Job`.

    Attributes
    ----------
    by : compares them
    which : edges that face right, ``(A,)``
    against : edges that face left, ``(B,)``
    right, left : what the measure says of each, one row an edge
    keep : how many candidates of an edge are listed
    rows, columns : of a tile; `columns` 0: all of them
    """

    by: Measure
    which: NDArray[np.int32]
    against: NDArray[np.int32]
    right: NDArray[Any]
    left: NDArray[Any]
    keep: int
    rows: int = ROWS
    columns: int = COLUMNS

    @property
    def blocks(self) -> int:
        """How many blocks of `EDGES` edges there are."""
        return len(chunks(len(self.which), EDGES))

    def of(self, number: int) -> NDArray[np.int32]:
        """Return the edges of a block."""
        return self.which[chunks(len(self.which), EDGES)[number]]

    def do(self, number: int, threads: int | None) -> State:
        """Return ``lo``, ``hi``, ``partner`` and ``score`` of a block's edges; see `Scores`."""
        block = chunks(len(self.which), EDGES)[number]
        count, k = block.stop - block.start, self.keep
        lo, hi = np.full(count, np.inf, np.float32), np.full(count, -np.inf, np.float32)
        column = np.full((count, k), -1, np.int32)
        value = np.full((count, k), -np.inf, np.float32)
        own, others = self.which[block] // 4, self.against // 4
        right = self.right[block]

        def fill(part: slice) -> None:
            best = own[part], lo[part], hi[part], column[part], value[part]
            for some in chunks(len(self.left), self.columns or max(1, len(self.left))):
                raw = np.ascontiguousarray(self.by.raw(right[part], self.left[some]), np.float32)
                keep_better(raw, best[0], others[some], some.start, *best[1:])

        for _ in spread(fill, chunks(count, self.rows), threads):
            pass
        return self._scored(lo, hi, column, value)

    def _scored(
        self,
        lo: NDArray[np.float32],
        hi: NDArray[np.float32],
        column: NDArray[np.int32],
        value: NDArray[np.float32],
    ) -> State:
        score = self.by.score
        some, listed = lo <= hi, column >= 0  # False for a puzzle's only piece.
        return {
            "lo": np.where(some, score(np.where(some, lo, 0)), np.inf).astype(np.float32),
            "hi": np.where(some, score(np.where(some, hi, 0)), -np.inf).astype(np.float32),
            "partner": np.where(listed, self.against[column], -1).astype(np.int32),
            "score": np.where(listed, score(np.where(listed, value, 0)), -np.inf).astype(
                np.float32
            ),
        }
