"""Twin networks give every edge one vector; products of vectors say how well edges fit.

After Rika et al., "TEN: Twin Embedding Networks for the Jigsaw Puzzle Problem with Eroded
Boundaries" (2022). N pieces need 8 N passes of a network, one for every edge and way of facing, and
all pairs are matrix products, so it looks at every pair; `tessella.networks.twins` explains. It can
also propose candidates to `dlcm`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tessella import edges, models
from tessella.errors import InputError
from tessella.imaging.resize import resized
from tessella.networks.embedding import KIND, Model
from tessella.odds.calibration import Calibration, calibration_in
from tessella.puzzle import Puzzle

GRAIN = np.float32(2.0**-10)
"""Scores are rounded to multiples of this: equal edges then tie exactly."""


@dataclass(frozen=True)
class Embedding:
    """Scores are natural logarithms of odds, as the networks see them.

    Attributes
    ----------
    model : a shipped model's name or the path of an .npz file; None takes the shipped one
    """

    networked: ClassVar[bool] = True

    model: str | None = None

    def __post_init__(self) -> None:
        if self.model is not None:
            find(self.model)

    @property
    def distance(self) -> bool:
        """Scores are no distances."""
        return False

    @property
    def calibration(self) -> Calibration:
        """How scores are read: what the model's training found."""
        return calibration_in(self._network().facts)

    def right(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float64]:
        """Return the vectors of pieces at the left of a pair, ``(A, D)``."""
        return self._vectors(pieces, eroded, edges.RIGHT)

    def left(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float64]:
        """Return the vectors of pieces at the right of a pair, ``(B, D)``."""
        return self._vectors(pieces, eroded, edges.LEFT)

    def raw(self, right: NDArray[np.float64], left: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the scores of all pairs, ``(A, B)``."""
        scores = self._network().scores(right, left)
        np.rint(scores / GRAIN, out=scores)
        scores *= GRAIN
        return scores

    def score(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        """Return the scores as they are."""
        return raw.astype(np.float32)

    def _vectors(
        self, pieces: NDArray[np.uint8], eroded: int, direction: int
    ) -> NDArray[np.float64]:
        model, puzzle = self._network(), Puzzle(pieces, eroded=eroded)
        if not puzzle.square:
            height, width = puzzle.piece_size
            raise InputError(
                f"Learned measures need square pieces; these have {height} x {width} px. "
                "Use --measure mgc."
            )
        seen = resized(puzzle, model.piece)
        low, high = model.eroded
        if not low <= seen.eroded <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            raise InputError(
                f"Model {model.name} was trained for worn frames of {wanted} px on pieces of "
                f"{model.piece} px; this puzzle's would have {seen.eroded} px there. Choose "
                "another --model, or --measure mgc."
            )
        return model.vectors(seen.pieces, seen.eroded, direction)

    def _network(self) -> Model:
        if self.model is not None:
            return find(self.model)
        shipped = models.names(KIND)
        if not shipped:
            raise InputError(
                "No model of embedding ships with this tessella; name a trained one with --model "
                "FILE.npz."
            )
        return find(shipped[0])


def find(name: str) -> Model:
    """Return the model `name`: a shipped one, or the path of an ``.npz`` file."""
    file = models.path(name, KIND)
    status = file.stat()
    return _load(file, status.st_mtime_ns, status.st_size)


@cache
def _load(file: Path, _changed: int, _size: int) -> Model:
    """Return the model in a file, read once as long as the file does not change."""
    return Model.load(file)
