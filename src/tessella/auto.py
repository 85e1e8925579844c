"""Auto: which measure suits a puzzle, and why, from what its pieces show.

Where what pieces show goes on from one to the next (`tessella.continuity`), `mgc` finds it in no
time. Where sides are worn or joints lie between, the measure for tiles, which looks at whole
pieces, finds more; where photographs lost a frame that a model of `dlcm` knows, that model does.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tessella import continuity, models
from tessella.measuring import Keep, Scorer, kept
from tessella.puzzle import Puzzle
from tessella.watch import SILENT

if TYPE_CHECKING:
    from tessella.measures.tiles import Tiles

CLEAN = continuity.BY
"""The measure for pieces whose sides go on from one to the other."""

TILES = "tiles"
"""The measure for tiles, which looks at whole pieces."""

WORN = "dlcm"
"""The measure for pieces with a worn frame that one of its models was trained for."""

MOST_SECONDS = 300.0
"""A learned measure that takes longer is not chosen unasked."""

MANY = 2500
"""Of more pieces the time is estimated first: asking `mgc` about all pairs takes long itself."""

_TRIED_TILES, _TRIED_PAIRS = 4, 256

_TRIED_PIECES = 6
"""Of a puzzle with a worn frame: 24 edges, that `dlcm` is asked about."""

_HEARD = 2.5
"""Companions are asked about at most so many times the root of an edge's candidates: 1.1 to
2.3 on real panels (docs/experiments, tiles)."""


@dataclass(frozen=True)
class Choice:
    """A measure's name, and the reason in words."""

    measure: str
    why: str


def choose(
    puzzle: Puzzle, threads: int | None = None, tiles: Tiles | None = None, keep: Keep = "usual"
) -> Choice:
    """Return the measure that suits square or oblong pieces; strips have their own.

    Parameters
    ----------
    tiles, keep : how the measure for tiles would be asked, and how many candidates of an edge it
        would list, for the time that it takes; None: as it is by itself
    """
    if not puzzle.square:
        return Choice(CLEAN, "the pieces are not square, and learned measures need that")
    if not models.names(TILES):
        return Choice(CLEAN, "no model for tiles is there")
    if len(puzzle) > MANY and (slow := _slow(puzzle, threads, tiles, keep)):
        return slow
    share = continuity.share(puzzle, threads)
    finding = f"{100 * share:.0f} % of the edges have a mutual best partner by {CLEAN}"
    besides = ""
    if puzzle.eroded and share >= continuity.CLEAN_INSIDE and _known_frame(puzzle):
        took = worn_seconds(puzzle, threads)
        if took <= MOST_SECONDS:
            return Choice(WORN, f"{finding} inside a worn frame of {puzzle.eroded} px")
        besides = f"; {WORN} would take {_minutes(took)} here, --measure {WORN} insists"
    if share >= continuity.CLEAN:
        why = "sides go on from piece to piece, where networks find hardly more"
        return Choice(CLEAN, f"{finding}: {why}{besides}")
    wanted = Choice(TILES, f"only {finding}: sides are worn, or joints lie between{besides}")
    return _slow(puzzle, threads, tiles, keep) or wanted


def _slow(puzzle: Puzzle, threads: int | None, tiles: Tiles | None, keep: Keep) -> Choice | None:
    """Return what is taken instead where the measure for tiles takes too long here."""
    took = seconds(puzzle, threads, tiles, keep)
    if took <= MOST_SECONDS:
        return None
    return Choice(
        CLEAN,
        f"the measure for tiles would take {_minutes(took)} here; --measure {TILES} insists",
    )


def _minutes(seconds: float) -> str:
    return f"about {max(1, round(seconds / 60)):,} minutes"


def _known_frame(puzzle: Puzzle) -> bool:
    """Say whether a model of `dlcm` was trained for the puzzle's frame."""
    from tessella.models.choice import fits, gray

    return any(fits(model, puzzle) for model in models.every() if not gray(model))


def worn_seconds(puzzle: Puzzle, threads: int | None = None) -> float:
    """Estimate how long `dlcm` takes here: its networks are asked about pairs of a few pieces."""
    from tessella.measures.dlcm import Dlcm
    from tessella.threads import available

    by = Dlcm().suited(puzzle)
    if by.device == "cuda" or len(puzzle) < _TRIED_PIECES:
        return 0.0  # Seconds, whatever they are.
    some = puzzle.reordered(np.arange(_TRIED_PIECES, dtype=np.int32))
    scorer = by.scorer(some)
    total, every = 4 * len(puzzle), (1 if puzzle.upright else 4) * (len(puzzle) - 1)
    listed = min(by.usual() or every, every)
    # A pair counts if either edge lists it.
    work = _estimate(scorer, some, total, min(every, 1.5 * listed))
    proposer = scorer.proposer()
    if isinstance(proposer, Scorer):  # It looks at all pairs.
        work += _estimate(proposer, some, total, every)
    return work / (threads or available())


def _estimate(scorer: Scorer, some: Puzzle, count: int, asked: float) -> float:
    """Return how long networks take for so many edges, each asked about with `asked` others.

    What they say of an edge is worked out once for all pairs, so that few pairs and many of the
    edges of `some` pieces tell both costs.
    """
    groups = some.groups()
    every = [(e, f) for g in groups for e in g.right for f in g.left if e // 4 != f // 4]
    pairs = np.array(sorted(every), np.int32)
    few = pairs[pairs[:, 1] // 4 == (pairs[:, 0] // 4 + 1) % len(some)]
    scorer.score(few[:4], 1, SILENT)  # What is slow the first time only.
    took = []
    for part in (few, pairs):
        began = time.process_time()
        scorer.score(part, 1, SILENT)
        took.append(time.process_time() - began)
    pair = max(0.0, took[1] - took[0]) / (len(pairs) - len(few))
    alone = max(0.0, took[0] - pair * len(few)) / (4 * len(some))
    return count * (alone + asked * pair)


def seconds(
    puzzle: Puzzle, threads: int | None = None, tiles: Tiles | None = None, keep: Keep = "usual"
) -> float:
    """Estimate how long the measure for tiles takes here: a few tiles and pairs are tried."""
    from tessella.measures._companions import networks
    from tessella.measures.tiles import MOST, Tiles
    from tessella.threads import available

    by = tiles or Tiles()
    some = puzzle.reordered(np.arange(min(_TRIED_TILES, len(puzzle)), dtype=np.int32))
    judge = by.scorer(some)
    side = judge.model.piece
    noise = np.random.default_rng(0).normal(size=(_TRIED_TILES, side, side, 3)).astype(np.float32)
    judge.engine.describe(noise[:1], 1)  # What is slow the first time only.
    began = time.process_time()
    rows = judge.engine.describe(noise, 1)
    described = (time.process_time() - began) / len(rows)
    parts = judge.engine.parts(rows)
    pairs = np.random.default_rng(0).integers(0, len(rows), (_TRIED_PAIRS, 2))
    began = time.process_time()
    judge.engine.judge(parts, parts, pairs, 1)
    judged = (time.process_time() - began) / _TRIED_PAIRS
    count, every = len(puzzle), (1 if puzzle.upright else 4) * (len(puzzle) - 1)
    listed = min(kept(by, keep) or every, every)
    asked = min(1.5 * listed, every)  # A pair counts if either edge lists it.
    work = 8 * count * described + 4 * count * asked * judged  # Described twice for every edge.
    if by.company and count <= MOST and len(some) == _TRIED_TILES:
        heard = min(asked, _HEARD * every**0.5)
        for network in networks():
            work += _estimate(network.scorer(some), some, 4 * count, heard)
    return work / (threads or available())
