"""The network for sides of strips in torch; `tessella.networks.shred_form` says what it does."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from tessella.learning.tile_network import Block
from tessella.networks.shred_form import STEP, Form


class ShredNetwork(nn.Module):
    """Describes sides, and compares them at every slip."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form
        given = (STEP * STEP, *form.channels[:2])
        self.scales = nn.ModuleList(
            nn.Sequential(
                _unit(before, after, 3, stride=1 if i == 0 else 2),
                nn.ReLU(),
                *(Block(after, along=False) for _ in range(blocks)),
            )
            for i, (before, after, blocks) in enumerate(
                zip(given, form.channels, form.blocks, strict=True)
            )
        )
        self.reads = nn.ModuleList(
            _unit(channels * (form.size // 2 ** (i + 1)), form.width, 1)
            for i, channels in enumerate(form.channels)
        )
        self.along = nn.Sequential(*(Block(form.width, along=True) for _ in range(form.along)))
        self.asks = nn.Linear(form.width, form.vector + 1, bias=False)
        self.answers = nn.Linear(form.width, form.vector + 1, bias=False)
        for layer in (self.asks, self.answers):
            nn.init.zeros_(layer.weight[-1])  # What a side says alone begins with nothing.
        self.scale = nn.Parameter(torch.tensor(-4.5))
        self.slips = nn.Parameter(-0.1 * torch.arange(form.slips + 1.0))
        self.nobody = nn.Parameter(torch.ones(1))

    def rows(self, sides: Tensor) -> Tensor:
        """Return the features of sides ``(M, H, size)``, ``(M, H / 2, width)``."""
        values = functional.pixel_unshuffle(sides[:, None], STEP)
        values = values.contiguous(memory_format=torch.channels_last)
        total: Tensor | None = None
        for i, (scale, read) in enumerate(zip(self.scales, self.reads, strict=True)):
            values = scale(values)
            lines = values.permute(0, 1, 3, 2).flatten(1, 2)[..., None]  # (M, C columns, rows, 1)
            seen = read(lines).repeat_interleave(2**i, 2)
            total = seen if total is None else total + seen
        assert total is not None
        rows: Tensor = self.along(torch.relu(total))
        return rows[..., 0].transpose(1, 2)

    def describe(self, sides: Tensor) -> tuple[Tensor, Tensor]:
        """Describe sides ``(E, H, size)`` that face right, as the left and the right of a pair.

        Returns
        -------
        both ``(E, H / 2, 2 vector + 2)``, from top to bottom in the pair
        """
        count, height, size = sides.shape
        white = sides.new_zeros(1, height, size)
        rows = self.rows(torch.cat([sides, sides.flip(1), white])).float()
        rows = rows[:-1] - rows[-1:, height // STEP // 2][:, None]
        asks = rows[:count] @ self.asks.weight.T.float()
        answers = (rows[count:] @ self.answers.weight.T.float()).flip(1)
        alone = asks[..., -1:] + answers[..., -1:]
        ones = torch.ones_like(alone)
        asks, answers, scale = asks[..., :-1], answers[..., :-1], self.scale.exp()
        left = torch.cat([asks * scale, answers * scale, alone, ones], 2)
        right = torch.cat([answers, asks, ones, alone], 2).flip(1)
        return left, right

    def prior(self) -> Tensor:
        """Return the logarithms of the chances of every slip, from up to down."""
        return torch.log_softmax(torch.cat([self.slips.flip(0)[:-1], self.slips]), 0)

    def table(self, left: Tensor, right: Tensor) -> Tensor:
        """Score all pairs of sides ``(B, E, R, D)`` over all slips, ``(B, E, E)``."""
        count, sides, rows = left.shape[:3]
        most, prior = self.form.slips, self.prior()
        padded = functional.pad(right, (0, 0, most, most))
        flat = left.reshape(count, sides, -1)
        scores = [
            flat @ padded[:, :, s : s + rows].reshape(count, sides, -1).transpose(1, 2) + prior[s]
            for s in range(2 * most + 1)
        ]
        return torch.logsumexp(torch.stack(scores), 0)


def _unit(given: int, made: int, size: int, *, stride: int = 1) -> nn.Sequential:
    """Return a convolution and what normalises it."""
    layer = nn.Conv2d(given, made, size, stride, size // 2, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(made))
