"""Recall of shortlists: how often the true neighbour is among the candidates that were scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.compatibility import Compatibility
from tessella.errors import InputError
from tessella.scores import Scores
from tessella.truth import Truth


@dataclass(frozen=True)
class Estimate:
    """How often the true neighbour seems to be among the candidates, where nobody knows the truth.

    Attributes
    ----------
    k : candidates that were proposed for every edge
    value : share of the answer's joins, an edge each way, that were on a list
    """

    k: int
    value: float

    def to_json(self) -> dict[str, Any]:
        """Return what ``run.json`` holds."""
        return {"k": self.k, "value": self.value, "how": "estimated by the answer's joins"}

    def __str__(self) -> str:
        return (
            f"{100 * self.value:.1f} % with {self.k} candidates proposed for every edge "
            "(estimated: so many of the answer's joins were listed)"
        )


def estimated(
    compatibility: Compatibility, pairs: NDArray[np.int32], k: int | None
) -> Estimate | None:
    """Estimate the recall of lists by the joins ``(J, 2)`` of an answer.

    None where there are none, or where all candidates were scored.
    """
    turns = 1 if compatibility.upright else 4 if compatibility.square else 2
    if k is None or k >= turns * (compatibility.pieces - 1) or not len(pairs):
        return None
    both = np.concatenate([pairs, pairs[:, ::-1]]).astype(np.int64)
    count = 4 * compatibility.pieces
    row = np.repeat(np.arange(count), np.diff(compatibility.start))
    code = np.sort(row * count + compatibility.partner)
    asked = both[:, 0] * count + both[:, 1]
    place = np.minimum(np.searchsorted(code, asked), max(0, len(code) - 1))
    hit = code[place] == asked if len(code) else np.zeros(len(asked), np.bool_)
    return Estimate(k, float(hit.mean()))


def recall(scores: Scores, truth: Truth) -> float:
    """Return the fraction of edges with a true neighbour that list it, up to identical.

    An edge of a piece that is pixel-identical to the neighbour counts as the neighbour: no measure
    could tell them apart.
    """
    partner = truth.partners()
    which = np.flatnonzero(partner >= 0)
    if len(which) == 0:
        raise InputError("Recall needs a truth with at least one join; this one has none.")
    listed = scores.partner[which]  # (E, K)
    kinds = np.where(listed >= 0, truth.edge_class[listed], -1)
    hit = kinds == truth.edge_class[partner[which]][:, None]
    return float(hit.any(axis=1).mean())
