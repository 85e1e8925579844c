"""Losses on the scores of an anchor's candidates, the true one first."""

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
