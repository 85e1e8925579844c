"""The loss of the network for strips: the true partner among all sides of its page, or nobody."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from tessella.learning.shred_network import ShredNetwork

INK = 0.3
"""Pixels with more ink than this are print."""

LEAST = 0.004
"""A side with less than this share of print says nothing of its own."""

NEVER = -1e4


def partners(strips: int, device: torch.device) -> Tensor:
    """Return the side that every side was cut from, -1 of the outer two, ``(2 strips,)``.

    The right side of strip i is 2 i, its left side 2 i + 1.
    """
    side = torch.arange(2 * strips, device=device)
    other = torch.where(side % 2 == 0, side + 3, side - 3)
    return torch.where((other < 0) | (other >= 2 * strips), -1, other)


def losses(network: ShredNetwork, ink: Tensor, gone: Tensor, half: bool) -> Tensor:
    """Return the loss, Top-1 among the sides, and how often nobody was rightly told, ``(3,)``.

    Parameters
    ----------
    ink : of sides that face right, ``(B, N, 2, H, W)``
    gone : strips that are missing, ``(B, N)``
    """
    count, strips = gone.shape
    sides = 2 * strips
    with torch.autocast(ink.device.type, torch.bfloat16, enabled=half):
        left, right = network.describe(ink.flatten(0, 2))
    with torch.autocast(ink.device.type, enabled=False):
        table = network.table(
            *(part.reshape(count, sides, *part.shape[1:]) for part in (left, right))
        )
    own = torch.arange(sides, device=ink.device) // 2
    absent = gone.repeat_interleave(2, 1)  # (B, 2 N)
    table = table.masked_fill((own[:, None] == own[None]) | absent[:, None], NEVER)
    table = torch.cat([table, network.nobody.expand(count, sides, 1)], 2)
    other = partners(strips, ink.device)
    alone = (other < 0) | absent[:, other]
    target = torch.where(alone, sides, other)  # (B, 2 N)
    print_ = (ink > INK).float().mean((3, 4)).view(count, sides) > LEAST
    asked = (print_ | (print_[:, other] & ~alone)) & ~absent
    loss = functional.cross_entropy(table.flatten(0, 1), target.flatten(), reduction="none")
    loss = (loss.view(count, sides) * asked).sum() / asked.sum().clamp_min(1)
    with torch.no_grad():
        joined, free = asked & ~alone, asked & alone
        right_one = (table[..., :sides].argmax(2) == target) & joined
        nobody = (table.argmax(2) == sides) & free
        shares = [
            (hit.sum() / of.sum().clamp_min(1)) for hit, of in ((right_one, joined), (nobody, free))
        ]
    return torch.stack([loss, *shares])
