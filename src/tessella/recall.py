"""Recall of shortlists: how often the true neighbour is among the candidates that were scored."""

from __future__ import annotations

import numpy as np

from tessella.errors import InputError
from tessella.scores import Scores
from tessella.truth import Truth


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
