"""A small network that looks at chunks on both sides of a seam, beside ink; for strips alone.

Rika et al., "A Generic Hybrid Framework for 2D Visual Reconstruction", subsection Shredded
Documents: a strip pair's score is the sum over its chunks of what GrayNet says. Three things are
ours. The network learnt to rank candidates of one side, so its scores hold much that one chunk
says alone; that is taken out with white paper w in place of the other,

    s(a, b) = t(a, b) - t(a, w) - t(w, b) + t(w, w)

which leaves exactly nothing where either chunk is blank. Of every pair of chunks with ink, `EVEN`
is subtracted: where a join is as likely as not. And `ink`, which knows what ink against paper
means, is added; where it sees no hope, the network is not asked but taken to say what it says of
strangers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tessella import edges, models
from tessella.documents.chunks import Chunks, chunks_of
from tessella.documents.strips import PAPER, colourless
from tessella.errors import InputError
from tessella.measures.dlcm import Dlcm
from tessella.measures.ink import Ink
from tessella.measuring import measure
from tessella.models import choice
from tessella.networks import scoring
from tessella.networks.model import Model
from tessella.puzzle import Puzzle
from tessella.shortlist import both_ways, look_up, present
from tessella.watch import SILENT, Watcher

EVEN = 14.0
"""What the network says of a pair of chunks that may as well be joined as not."""

STRANGERS = 9.0
"""What it says on average of a pair of chunks that are not joined."""


@dataclass(frozen=True)
class Graynet:
    """Ink, in pixels, plus what the network sees in chunks; 0 where nothing is known.

    Attributes
    ----------
    model : a shipped model's name or the path of an .npz file; None takes the one for strips
    count : candidates of every side about which the network is asked, 0 for all; ``--shortlist``
        says how many are listed, and asks about those alone
    slack : of those, whoever comes this close to the best by `ink`, in pixels; ``inf`` for any
    weight : of the network beside `ink`
    """

    model: str | None = None
    count: int = 16
    slack: float = 100.0
    weight: float = 0.1

    def __post_init__(self) -> None:
        if self.count < 0:
            raise InputError(f"Setting count must be 0 or more; got {self.count}.")
        if not self.slack >= 0:
            raise InputError(f"Setting slack must be 0 or more; got {self.slack}.")
        if not 0 <= self.weight < math.inf:
            raise InputError(f"Setting weight must be 0 or more; got {self.weight}.")
        if self.model is not None:
            choice.check_gray(models.find(self.model))

    @property
    def distance(self) -> bool:
        """Scores are evidence, not distances."""
        return False

    def usual(self) -> int | None:
        """Say that all candidates are scored: by ink alone where the network is not asked."""
        return None

    def fingerprint(self) -> str:
        """Return a digest of the model's weights."""
        return Dlcm(self.model).fingerprint()

    def suited(self, puzzle: Puzzle) -> Graynet:
        """Return the measure with its model named."""
        model = choice.choose_gray() if self.model is None else models.find(self.model)
        if not puzzle.flat:
            raise InputError("The measure graynet is for strips; use --measure dlcm for pieces.")
        if puzzle.piece_size[0] < model.piece:
            raise InputError(
                f"Strips of {puzzle.piece_size[0]} px are lower than one chunk of {model.piece} "
                "px; use --measure ink."
            )
        return replace(self, model=self.model or model.name)

    def scorer(self, puzzle: Puzzle) -> Chunkwise:
        """Return who scores pairs of `puzzle`."""
        assert self.model is not None, "suited() names the model"
        return Chunkwise(models.find(self.model), puzzle, self.count, self.slack, self.weight)


@dataclass(frozen=True, eq=False)
class Chunkwise:
    """A model that scores pairs of strips of one puzzle, chunk by chunk, beside ink."""

    model: Model
    puzzle: Puzzle
    count: int
    slack: float
    weight: float
    ink: Ink = field(default_factory=Ink)

    @property
    def title(self) -> str:
        """The model's name, and who stands beside it."""
        return f"{self.model.name} and ink"

    def proposer(self) -> Ink:
        """Return who proposes candidates."""
        return self.ink

    def score(
        self, pairs: NDArray[np.int32], threads: int | None, watch: Watcher
    ) -> NDArray[np.float32]:
        """Score pairs of edges ``(M, 2)``, the first facing right, ``(M,)``."""
        by_ink = look_up(self.puzzle, self.ink, pairs, threads)
        right, first = present(pairs[:, 0], 4 * len(self.puzzle))
        left, second = present(pairs[:, 1], 4 * len(self.puzzle))
        size = self.model.piece
        sides = (
            chunks_of(self.puzzle, right, edges.RIGHT, size),
            chunks_of(self.puzzle, left, edges.LEFT, size),
        )
        inked = [(~side.blank).astype(np.float32) for side in sides]  # (A, K), (B, K)
        shared = (inked[0] @ inked[1].T)[first, second]  # (M,) pairs of chunks with ink
        seen = np.float32(STRANGERS) * shared
        asked = self._asked(pairs, whole=len(pairs) == len(right) * len(left))
        which = np.stack([first, second], axis=1)[asked]
        watch.advance(len(pairs) - len(which))
        seen[asked] = self.look(*sides, which, threads, watch)
        return np.asarray(by_ink + np.float32(self.weight) * (seen - EVEN * shared), np.float32)

    def _asked(self, pairs: NDArray[np.int32], whole: bool) -> NDArray[np.bool_]:
        """Say about which pairs the network is asked, ``(M,)``.

        Whoever asks about some candidates alone has chosen already.
        """
        if not whole or not self.count:
            return np.ones(len(pairs), np.bool_)
        total = 4 * len(self.puzzle)
        return np.isin(pairs[:, 0].astype(np.int64) * total + pairs[:, 1], self.proposed)

    @cached_property
    def proposed(self) -> NDArray[np.int64]:
        """The pairs that ink proposes, either way, as ``4 N e + f``."""
        known = measure(self.puzzle, self.ink, keep=self.count, dense=False)
        near = known.score >= known.score[:, :1] - self.slack
        pairs = both_ways(np.where(near, known.partner, -1)).astype(np.int64)
        return np.asarray(pairs[:, 0] * 4 * len(self.puzzle) + pairs[:, 1])

    def look(
        self,
        right: Chunks,
        left: Chunks,
        which: NDArray[np.int64],
        threads: int | None = None,
        watch: Watcher = SILENT,
    ) -> NDArray[np.float32]:
        """Return the sum over chunks of what the network sees in pairs, less what one says alone.

        Parameters
        ----------
        which : row in `right`, row in `left`, ``(M, 2)``
        watch : is told every pair once
        """
        heights = right.blank.shape[1]
        parts = scoring.Parts(watch, heights)
        total = np.zeros(len(which), np.float32)
        for height in range(heights):
            blank = right.blank[which[:, 0], height] | left.blank[which[:, 1], height]
            some = np.flatnonzero(~blank)
            if len(some):
                rows, first = present(which[some, 0].astype(np.int32), len(right.blank))
                columns, second = present(which[some, 1].astype(np.int32), len(left.blank))
                total[some] += self._together(
                    right.picture[rows, height],
                    left.picture[columns, height],
                    np.stack([first, second], axis=1),
                    threads,
                )
            parts.advance(len(which))
        return total

    def _together(
        self,
        right: NDArray[np.uint8],
        left: NDArray[np.uint8],
        which: NDArray[np.int64],
        threads: int | None,
    ) -> NDArray[np.float32]:
        """Score pairs of chunks ``(A, P, P)`` and ``(B, P, P)`` against white paper, ``(M,)``."""
        a, b = len(right), len(left)
        paper = np.full((1, *right.shape[1:]), PAPER, np.uint8)
        alone = np.zeros((a + b + 1, 2), np.int64)  # every chunk beside paper, and paper itself
        alone[:, 0], alone[:, 1] = a, b
        alone[:a, 0], alone[a : a + b, 1] = np.arange(a), np.arange(b)
        scores = scoring.pairs(
            self.model,
            colourless(np.concatenate([right, paper])),
            colourless(np.concatenate([left, paper])),
            np.concatenate([which, alone]),
            0,
            threads=threads,
        )
        pair, one, other, none = np.split(scores, np.cumsum([len(which), a, b]))
        return np.asarray(pair - one[which[:, 0]] - other[which[:, 1]] + none[0], np.float32)
