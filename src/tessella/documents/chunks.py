"""Strips as stacks of chunks: what a network that looks at small squares can score.

A strip pair's score is the sum over its chunks, a chunk of the left strip beside the chunk of the
right strip at the same height; what is left over at the bottom is ignored (the paper's subsection
on shredded documents). Two chunks that are both blank say nothing and are not asked about: any
score a network gave them would only be added to every pair alike, or wrongly favour margins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.documents.strips import INK, PAPER
from tessella.errors import InputError
from tessella.puzzle import Puzzle


@dataclass(frozen=True, eq=False)
class Chunks:
    """The chunks behind one side of some strips.

    Attributes
    ----------
    picture : ``(A, K, P, P)``, from the top; the seam is the last column of what faces right and
        the first of what faces left; white where a strip is narrower than a chunk
    blank : whether a chunk shows nothing but paper, ``(A, K)``
    """

    picture: NDArray[np.uint8]
    blank: NDArray[np.bool_]


def chunks_of(puzzle: Puzzle, which: NDArray[np.int32], direction: int, size: int = 50) -> Chunks:
    """Cut the strips of edges `which`, turned to face `direction`, into chunks of `size` px."""
    height, width = puzzle.piece_size
    if height < size:
        raise InputError(f"Strips of {height} px are lower than one chunk of {size} px.")
    seen = puzzle.facing(which, direction)[..., 0]  # (A, H, W)
    rows, across = height // size, min(size, width)
    cut = np.full((len(which), rows * size, size), PAPER, np.uint8)
    if direction == edges.RIGHT:
        cut[:, :, size - across :] = seen[:, : rows * size, width - across :]
    else:
        cut[:, :, :across] = seen[:, : rows * size, :across]
    picture = cut.reshape(len(which), rows, size, size)
    return Chunks(picture, np.asarray((picture >= INK).all(axis=(2, 3)), np.bool_))
