"""Who is heard beside the networks for tiles: networks of other training, and borders.

What they say counts as far as the puzzle itself bears it out (`tessella.company`), so that whoever
does not know such tiles does no harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tessella import models, registry
from tessella.company import Companion
from tessella.imaging.resize import frame_at, shown
from tessella.measures.dlcm import Networks
from tessella.puzzle import Puzzle
from tessella.shortlist import look_up
from tessella.watch import Watcher

BORDERS = "mgc"
"""Compares the colours that border on each other; costs next to nothing."""


@dataclass(frozen=True)
class Network:
    """A model of `dlcm`, and what it is told of the joints.

    Attributes
    ----------
    model : its name
    gap : so many pixels of the model's pieces are taken for lost at every side; a worn frame of
        the puzzle that is wider stands for itself
    widest : no wider frame was in its training
    """

    model: str
    gap: int
    widest: int

    def seen(self, puzzle: Puzzle) -> Puzzle:
        """Return what is inside the frames of `puzzle`, inside frames that the model knows."""
        size = models.find(self.model).piece
        gap = min(max(self.gap, frame_at(puzzle, size)), self.widest)
        pieces = np.zeros((len(puzzle), size, size, 3), np.uint8)
        inside = slice(gap, size - gap)
        pieces[:, inside, inside] = np.rint(shown(puzzle.pieces, puzzle.eroded, size - 2 * gap))
        return replace(puzzle, pieces=pieces, eroded=gap, known=None)

    def scorer(self, puzzle: Puzzle) -> Networks:
        """Return who scores pairs of `puzzle`: every pair once, the way up that it lies."""
        model = replace(models.find(self.model), mirrored=False, beside={})
        return Networks(model, self.seen(puzzle), "cpu")


NETWORKS = (Network("azulejo-50", gap=0, widest=0), Network("eroded-64", gap=2, widest=4))
"""Trained with simulated panels, and with photographs whose sides are worn."""


def networks() -> tuple[Network, ...]:
    """Return those of `NETWORKS` whose models are there."""
    shipped = models.names()
    return tuple(network for network in NETWORKS if network.model in shipped)


def companions(puzzle: Puzzle) -> Sequence[Companion]:
    """Return everybody who is heard of `puzzle`."""

    def borders(
        pairs: NDArray[np.int32], threads: int | None, watch: Watcher
    ) -> NDArray[np.float32]:
        scores = look_up(puzzle, registry.make("measure", BORDERS), pairs, threads)
        watch.advance(len(pairs))
        return scores

    return (*(network.scorer(puzzle).score for network in networks()), borders)
