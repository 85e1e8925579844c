"""Losses on the scores of an anchor's candidates, the true one first, and from the other side."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

MARGIN = 1.0
"""The triplet loss's gamma (Section III-A)."""


def loss(kind: str, scores: Tensor, same: Tensor) -> Tensor:
    """Return the mean loss of scores ``(A, K)``; candidates that look the `same` do not count."""
    if kind == "listwise":
        target = torch.zeros(len(scores), dtype=torch.long, device=scores.device)
        return functional.cross_entropy(scores.masked_fill(same, -torch.inf), target)
    true, wrong = scores[:, :1], scores[:, 1:]
    counts = ~same[:, 1:]
    if kind == "bce":
        each = functional.softplus(-true) + functional.softplus(wrong)
    elif kind == "triplet":
        each = torch.relu(MARGIN - true + wrong)
    else:
        raise ValueError(kind)
    return (each * counts).sum() / counts.sum().clamp_min(1)


def from_other_side(scores: Tensor, which: Tensor, rim: Tensor) -> Tensor:
    """Return the mean cross-entropy of the true left partner of every true right one.

    The same pairs, asked the other way round: a right piece's candidates are the anchors that it
    was a candidate of. Asked from one side alone, a network may say of a pair what only one of the
    two says, and rank well all the same.

    Parameters
    ----------
    scores : of anchors beside their candidates, the true one first, ``(A, K)``
    which : the candidates, no two anchors with the same true one, ``(A, K)``
    rim : what tells the anchors' right sides apart, ``(A,)``; those that look the same as the true
        left partner do not count
    """
    anchors = torch.arange(len(scores), device=scores.device)
    owner = torch.full((int(which.max()) + 1,), -1, device=scores.device)
    owner[which[:, 0]] = anchors
    asking = owner[which]  # (A, K): whose true partner a candidate is, -1 for nobody's
    alike = (rim[asking] == rim[:, None]) & (asking != anchors[:, None])
    at, candidate = ((asking >= 0) & ~alike).nonzero(as_tuple=True)
    table = scores.new_full((len(scores), len(scores)), -torch.inf)
    table = table.index_put((asking[at, candidate], at), scores[at, candidate])
    return functional.cross_entropy(table, anchors)
