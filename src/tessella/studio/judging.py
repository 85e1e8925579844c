"""What the studio knows of joins: how sure they are, what to ask, what fits where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella import confidence
from tessella.compatibility import Compatibility
from tessella.confidence import Join
from tessella.odds import Odds
from tessella.questions import Question, worthwhile
from tessella.studio.acts._verdicts import FORBIDDEN
from tessella.studio.laying import Laid
from tessella.studio.state import STEPS, TRAY, Spot, State, pair

RIVALS = 4


@dataclass(frozen=True, eq=False)
class Judged:
    """The joins of what lies on the sheets, as sure as the measured pairs make them.

    Attributes
    ----------
    version : of the project
    laid : what lies there
    joins : with their confidence; sheets, rows and columns are those of `laid`
    fit : the mean compatibility of every piece with its neighbours
    odds : of the measured pairs, as far as what was said leaves them
    """

    version: int
    laid: Laid
    joins: tuple[Join, ...]
    fit: dict[int, float]
    odds: Odds | None = None

    def to_json(self) -> dict[str, Any]:
        """Return everything in columns, cells counted as the project counts them."""
        origins = self.laid.origins
        where = [origins[join.sheet] for join in self.joins]
        return {
            "version": self.version,
            "sheet": [at[0] for at in where],
            "row": [join.row + at[1] for join, at in zip(self.joins, where, strict=True)],
            "col": [join.col + at[2] for join, at in zip(self.joins, where, strict=True)],
            "down": [join.down for join in self.joins],
            "first": [join.edges[0] for join in self.joins],
            "second": [join.edges[1] for join in self.joins],
            "confidence": [round(join.confidence, 4) for join in self.joins],
            "fit": {str(piece): round(value, 4) for piece, value in self.fit.items()},
        }


def nothing(version: int) -> Judged:
    """Return what is known before anything was measured."""
    return Judged(version, Laid(None, ()), (), {})


def judged(
    version: int,
    laid: Laid,
    compatibility: Compatibility,
    odds: Odds | None = None,
    joined: Iterable[tuple[int, int]] = (),
) -> Judged:
    """Judge everything that lies on a sheet; who is `joined` is certain."""
    arrangement = laid.arrangement
    if arrangement is None:
        return Judged(version, laid, (), {})
    fit: dict[int, float] = {}
    for sheet in arrangement.sheets:
        mean = confidence.local_fitness(compatibility, sheet)
        known = (sheet.piece >= 0) & (mean == mean)
        fit.update(zip(sheet.piece[known].tolist(), mean[known].tolist(), strict=True))
    joins = confidence.judge(arrangement, compatibility, odds, joined)
    return Judged(version, laid, joins, fit, odds)


def questions(
    state: State, seen: Judged, compatibility: Compatibility, count: int
) -> list[dict[str, Any]]:
    """Return the joins that a person should look at first, each with its rivals."""
    open_ = [
        join
        for join in seen.joins
        if pair(*join.edges) not in state.tables["asked"]
        and pair(*join.edges) not in state.tables["join"]
        and not all(state.locked(edge // 4) for edge in join.edges)
    ]
    joins = worthwhile(seen.joins, seen.odds, count, open_)
    return [_asked(question, seen.laid, compatibility) for question in joins]


def _asked(question: Question, laid: Laid, compatibility: Compatibility) -> dict[str, Any]:
    """Return a question: its first edge is the one whose partner is wanted."""
    join, first = question.join, question.edge
    second = join.edges[join.edges[0] == first]
    sheet, top, left = laid.origins[join.sheet]
    return {
        "first": first,
        "second": second,
        "sheet": sheet,
        "row": join.row + top,
        "col": join.col + left,
        "down": join.down,
        "confidence": round(join.confidence, 4),
        "rivals": [
            [
                {"edge": edge, "score": round(float(score), 4)}
                for edge, score in zip(rivals, compatibility.of(pairs), strict=True)
            ]
            for rivals, pairs in _rivals(question, second, compatibility)
        ],
    }


def _rivals(
    question: Question, second: int, compatibility: Compatibility
) -> Iterator[tuple[list[int], NDArray[np.int32]]]:
    """Yield who else could lie against the first edge, and against the second; and these pairs."""
    ranked = [e for e, _ in _candidates(compatibility, second) if e != question.edge][:RIVALS]
    shown = list(question.partners[1:])
    if not shown:  # Nobody knows the odds.
        every = _candidates(compatibility, question.edge)
        shown = [e for e, _ in every if e != second][:RIVALS]
    for edge, rivals in ((question.edge, shown), (second, ranked)):
        pairs = [(edge, rival) for rival in rivals]
        yield rivals, np.array(pairs, np.int32).reshape(-1, 2)


def _candidates(compatibility: Compatibility, edge: int) -> Iterable[tuple[int, float]]:
    """Return the listed partners of an edge, the best first."""
    first, end = compatibility.start[edge : edge + 2].tolist()
    partner = compatibility.partner[first:end].tolist()
    return zip(partner, compatibility.score[first:end].tolist(), strict=True)


def fitting(
    state: State, compatibility: Compatibility, cell: tuple[int, int, int], count: int
) -> list[dict[str, Any]]:
    """Return which pieces fit a cell best, judged by all its neighbours."""
    sheet, row, col = cell
    total: dict[tuple[int, int], float] = defaultdict(float)
    neighbours = 0
    for direction, (down, right) in enumerate(STEPS):
        other = state.cells.get((sheet, row + down, col + right))
        if other is None:
            continue
        neighbours += 1
        # The neighbour's side that faces the cell, and the candidate's that faces back.
        edge = 4 * other + (direction + 2 - state.spot(other).turns) % 4
        for partner, score in _candidates(compatibility, edge):
            total[partner // 4, (direction - partner) % 4] += score
    here = state.cells.get(cell)
    ranked = sorted(total.items(), key=lambda each: (-each[1], each[0]))
    fit = (
        {
            "piece": piece,
            "turns": turns,
            "score": round(score / neighbours, 4),
            "placed": state.spot(piece).sheet != TRAY,
            "locked": state.locked(piece),
        }
        for (piece, turns), score in ranked
        if piece != here and _allowed(state, piece, Spot(*cell, turns))
    )
    return list(islice(fit, count))


def _allowed(state: State, piece: int, spot: Spot) -> bool:
    """Whether nothing that a person said speaks against a piece lying so."""
    if f"{piece}:{spot.sheet}:{spot.row}:{spot.col}" in state.tables["bar"]:
        return False
    said = state.tables["join"]
    for direction, (down, right) in enumerate(STEPS):
        mine = 4 * piece + (direction - spot.turns) % 4
        other = state.cells.get((spot.sheet, spot.row + down, spot.col + right))
        if other is None or other == piece:
            continue
        theirs = 4 * other + (direction + 2 - state.spot(other).turns) % 4
        if said.get(pair(mine, theirs)) == FORBIDDEN:
            return False
    return True


def places(
    state: State, compatibility: Compatibility, piece: int, count: int
) -> list[dict[str, Any]]:
    """Return in which empty cells a piece fits best."""
    total: dict[tuple[int, int, int, int], float] = defaultdict(float)
    for side in range(4):
        mine = 4 * piece + side
        for partner, score in _candidates(compatibility, mine):
            spot = state.spot(partner // 4)
            if spot.sheet == TRAY or partner // 4 == piece:
                continue
            faces = (partner + spot.turns) % 4
            down, right = STEPS[faces]
            cell = (spot.sheet, spot.row + down, spot.col + right)
            if state.cells.get(cell) is None:
                total[(*cell, (faces + 2 - side) % 4)] += score
    ranked = sorted(total.items(), key=lambda each: (-each[1], each[0]))
    fit = (
        {"sheet": sheet, "row": row, "col": col, "turns": turns, "score": round(score, 4)}
        for (sheet, row, col, turns), score in ranked
        if _allowed(state, piece, Spot(sheet, row, col, turns))
    )
    return list(islice(fit, count))
