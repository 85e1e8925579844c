"""Auto: which measure suits a puzzle, and why, from what its pieces show.

Where what pieces show goes on from one to the next (`tessella.continuity`), `mgc` finds it in no
time. Where sides are worn or joints lie between, the measure for tiles, which looks at whole
pieces, finds more; where photographs lost a frame that a model of `dlcm` knows, that model does.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from tessella import continuity, models
from tessella.puzzle import Puzzle

CLEAN = continuity.BY
"""The measure for pieces whose sides go on from one to the other."""

TILES = "tiles"
"""The measure for tiles, which looks at whole pieces."""

WORN = "dlcm"
"""The measure for pieces with a worn frame that one of its models was trained for."""

MOST_SECONDS = 300.0
"""A learned measure that takes longer is not chosen unasked."""

MOST_WORN = 600
"""So many pieces with a worn frame are measured by `dlcm` unasked: minutes on two cores."""

MANY = 2500
"""Of more pieces the time is estimated first: asking `mgc` about all pairs takes long itself."""

_TRIED_TILES, _TRIED_PAIRS = 4, 256


@dataclass(frozen=True)
class Choice:
    """A measure's name, and the reason in words."""

    measure: str
    why: str


def choose(puzzle: Puzzle, threads: int | None = None) -> Choice:
    """Return the measure that suits square or oblong pieces; strips have their own."""
    if not puzzle.square:
        return Choice(CLEAN, "the pieces are not square, and learned measures need that")
    if not models.names(TILES):
        return Choice(CLEAN, "no model for tiles is there")
    if len(puzzle) > MANY and (slow := _slow(puzzle, threads)):
        return slow
    share = continuity.share(puzzle, threads)
    finding = f"{100 * share:.0f} % of the edges have a mutual best partner by {CLEAN}"
    if puzzle.eroded and share >= continuity.CLEAN_INSIDE and _known_frame(puzzle):
        return Choice(WORN, f"{finding} inside a worn frame of {puzzle.eroded} px")
    if share >= continuity.CLEAN:
        return Choice(CLEAN, f"{finding}: sides go on from piece to piece")
    wanted = Choice(TILES, f"only {finding}: sides are worn, or joints lie between")
    return _slow(puzzle, threads) or wanted


def _slow(puzzle: Puzzle, threads: int | None) -> Choice | None:
    """Return what is taken instead where the measure for tiles takes too long here."""
    took = seconds(puzzle, threads)
    if took <= MOST_SECONDS:
        return None
    return Choice(
        CLEAN,
        f"the measure for tiles would take about {took / 60:.0f} minutes here; "
        f"--measure {TILES} insists",
    )


def _known_frame(puzzle: Puzzle) -> bool:
    """Say whether a model of `dlcm` was trained for the puzzle's frame, and works in minutes."""
    from tessella.models.choice import fits, gray

    fitting = any(fits(model, puzzle) for model in models.every() if not gray(model))
    return fitting and len(puzzle) <= MOST_WORN


def seconds(puzzle: Puzzle, threads: int | None = None) -> float:
    """Estimate how long the measure for tiles takes here: a few tiles and pairs are tried."""
    from tessella.measures.tiles import Tiles
    from tessella.threads import available

    some = puzzle.reordered(np.arange(min(_TRIED_TILES, len(puzzle)), dtype=np.int32))
    judge = Tiles().scorer(some)
    side = judge.model.piece
    tiles = np.random.default_rng(0).normal(size=(_TRIED_TILES, side, side, 3)).astype(np.float32)
    judge.engine.describe(tiles[:1], 1)  # What is slow the first time only.
    began = time.monotonic()
    rows = judge.engine.describe(tiles, 1)
    described = (time.monotonic() - began) / len(rows)
    parts = judge.engine.parts(rows)
    pairs = np.random.default_rng(0).integers(0, len(rows), (_TRIED_PAIRS, 2))
    began = time.monotonic()
    judge.engine.judge(parts, parts, pairs, 1)
    judged = (time.monotonic() - began) / _TRIED_PAIRS
    count, usual = len(puzzle), Tiles().usual() or 4 * len(puzzle)
    # Twice for every edge; a pair counts if either edge lists it.
    work = 8 * count * described + 1.5 * 4 * count * min(usual, count) * judged
    return work / (threads or available())
