"""MGC in torch, for hard negatives and for training beside it; `tessella.measures.mgc` explains."""

from __future__ import annotations

import torch
from torch import Tensor


def mgc(right: Tensor, left: Tensor) -> Tensor:
    """Return the scores ``-log(1 + d)`` of all pairs of a view, ``(B, A, M)``.

    Parameters
    ----------
    right : the last two columns of left pieces, the outer one first, ``(B, A, rows, 2, 3)``
    left : the first two columns of right pieces, the outer one first, ``(B, M, rows, 2, 3)``
    """
    foretold, shown = _statistics(right.double() - 128)
    expected, met = _statistics(left.double() - 128)
    distance = torch.cat([foretold, shown], -1) @ torch.cat([met, expected], -1).transpose(1, 2)
    return -torch.log1p(distance.clamp_min(0)).float()


def _statistics(columns: Tensor) -> tuple[Tensor, Tensor]:
    near = columns[..., 0, :]  # (B, A, rows, 3)
    gradient = near - columns[..., 1, :]
    count = gradient.shape[2] + 9
    mean = gradient.sum(2, keepdim=True) / count
    dummies = 2 + 2 * torch.eye(3, dtype=near.dtype, device=near.device)  # Of Gallagher's nine.
    scatter = gradient.transpose(2, 3) @ gradient + dummies
    covariance = (scatter - count * mean.transpose(2, 3) @ mean) / (count - 1)
    inverse = torch.linalg.inv(covariance)
    ahead = near + gradient.mean(2, keepdim=True)
    weighted = ahead @ inverse
    constant = (weighted * ahead).sum((2, 3))[..., None]
    outer = near.transpose(2, 3) @ near
    foretold = torch.cat([inverse.flatten(2), -2 * weighted.flatten(2), constant], -1)
    shown = torch.cat([outer.flatten(2), near.flatten(2), torch.ones_like(constant)], -1)
    return foretold, shown
