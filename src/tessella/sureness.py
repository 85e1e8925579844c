"""Sureness: from what speaks for a join to the chance that it is right.

Two logistic regressions, one after the other. The first goes by the witnesses of a join; the second
also by what the first made of the joins around it, since wrong joins lie together. Witnesses enter
bent: as sums of hinges, so that the first doubts may count more than the last. All numbers lie in
``sureness.json``, fitted by ``scripts/calibrate_confidence.py`` to answers whose truth was known
(docs/experiments/confidence.md).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella import witnesses
from tessella.arrangement import Arrangement
from tessella.odds import Odds
from tessella.witnesses import Floats, Row

FILE = Path(__file__).with_name("sureness.json")

MOST = 7.0
"""Logits are cut off here: nobody is surer than 999 in 1,000."""

_POWER = 8
"""What is 0.9 sure is built on by 0.43, what is 0.7 sure by 0.06."""

_FIRST_KNOTS: Mapping[str, tuple[float, ...]] = {
    "worth": (0, 2, 5, 8),
    "chance": (-3, 0, 3),
    "rivals": (-2, 0, 2),
    "rivals of the other": (-3, -1, 1),
    "best loop": (-2, 0, 3, 6),
    "worst loop": (-2, 0, 3, 6),
    "loops' sum": (0, 3, 6),
    "weaker piece": (0, 6, 15),
    "stronger piece": (5, 15),
    "margin": (-3, 0, 5, 12),
    "greater margin": (0, 8),
    "margin in all": (-5, 0, 5, 15),
    "greater margin in all": (0, 10),
    "near": (0, 3, 6),
    "wide": (0, 3, 6),
}
_SECOND_KNOTS = {name: (-1.0, 1.0, 3.0) for name in witnesses.SECOND if name != "loops"}
_ROW_KNOTS = {name: _FIRST_KNOTS[name] for name in ("worth", "chance", "rivals", "near")}

_SCALE = np.array([5, 3, 3, 3, 1, 5, 5, 5, 10, 10, 3, 10, 15, 10, 15, 4, 4, 4, 0.3, 0.3])
_AGAIN = np.full(len(witnesses.SECOND), 2.0)
"""What witnesses are divided by, so that all weights are of one size."""


@dataclass(frozen=True)
class Weights:
    """What the terms of every regression count.

    Attributes
    ----------
    first, second : of pieces in grids
    row : of strips, or pieces, that lie in one row
    facts : what they were fitted to; "measures" names those of which they have seen mistakes
        enough, "joins in one row" says how many `row` has seen
    """

    first: tuple[float, ...]
    second: tuple[float, ...]
    row: tuple[float, ...]
    facts: Mapping[str, Any]

    def save(self, path: Path = FILE) -> None:
        """Write all numbers, a regression a line."""
        kept = {name: [round(w, 4) for w in getattr(self, name)] for name in _PARTS}
        lines = [
            f"{json.dumps(k)}: {json.dumps(v)}"
            for k, v in (*kept.items(), ("facts", dict(self.facts)))
        ]
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path = FILE) -> Weights:
        """Read what `save` wrote."""
        held = json.loads(path.read_text(encoding="utf-8"))
        first, second, row = (tuple(held[name]) for name in _PARTS)
        return cls(first, second, row, held["facts"])


_PARTS = ("first", "second", "row")


@cache
def shipped() -> Weights:
    """Return the numbers that came with this version."""
    return Weights.load()


def checked(arrangement: Arrangement, odds: Odds | None, measure: str) -> bool:
    """Say whether confidence in joins of `arrangement` was fitted to answers whose truth was known.

    It was not where somebody only guessed how scores are to be read, nor for measures whose answers
    nobody looked at, nor yet for strips.
    """
    if odds is None or not odds.fitted or measure not in shipped().facts["measures"]:
        return False
    return not in_one_row(arrangement) or bool(shipped().facts.get("joins in one row"))


def first_terms(seen: Floats) -> Floats:
    """Return what the first regression weighs, given `witnesses.seen`, ``(J, T)``."""
    scaled = seen / _SCALE
    return _bent(scaled, witnesses.FIRST, _FIRST_KNOTS, _SCALE)


def second_terms(again: Floats, first: Floats) -> Floats:
    """Return what the second weighs, given `witnesses.again` and the terms of the first."""
    bent = _bent(again / _AGAIN, witnesses.SECOND, _SECOND_KNOTS, _AGAIN)
    return np.concatenate([bent, first[:, 1:]], axis=1)


def row_terms(seen: Floats) -> Floats:
    """Return what is weighed of joins in one row, which close no loops, ``(J, T)``."""
    return _bent(seen / _SCALE, witnesses.FIRST, _ROW_KNOTS, _SCALE)


def _bent(
    scaled: Floats, names: Sequence[str], knots: Mapping[str, Sequence[float]], scale: Floats
) -> Floats:
    """Return a constant, all columns, and their hinges."""
    columns = [np.ones(len(scaled)), *scaled.T]
    for at, name in enumerate(names):
        columns += [np.maximum(scaled[:, at] - k / scale[at], 0) for k in knots.get(name, ())]
    return np.stack(columns, axis=1)


def trusted(sure: Any) -> Any:
    """Return how far one may build on joins, by the chance that they are right.

    A mistake carries all that is built on it along, so this falls faster than the chance itself
    (docs/experiments/confidence.md).
    """
    return sure**_POWER


def chances(
    arrangement: Arrangement, odds: Odds, by: Weights | None = None
) -> list[tuple[Row, NDArray[np.float64]]]:
    """Return the joins of `arrangement` with the chance that each is right, ``(J,)``."""
    by = by or shipped()
    seen = witnesses.seen(arrangement, odds)
    rows = [row for row, _ in seen]
    if in_one_row(arrangement):
        logits = [row_terms(features) @ np.array(by.row) for _, features in seen]
    else:
        terms = [first_terms(features) for _, features in seen]
        begun = [np.clip(each @ np.array(by.first), -MOST, MOST) for each in terms]
        opinions = witnesses.again(arrangement, rows, begun)
        logits = [
            second_terms(again, first) @ np.array(by.second)
            for again, first in zip(opinions, terms, strict=True)
        ]
    sure = [1 / (1 + np.exp(-np.clip(each, -MOST, MOST))) for each in logits]
    return list(zip(rows, sure, strict=True))


def in_one_row(arrangement: Arrangement) -> bool:
    """Say whether every sheet is a single row or column, as strips lie."""
    return all(min(sheet.shape) == 1 for sheet in arrangement.sheets)
