"""The networks for tiles in torch; `tessella.networks.tile_form` says what they do."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from tessella.networks.tile_form import Form


class Block(nn.Module):
    """Two convolutions whose result is added to what they were given."""

    def __init__(self, channels: int, *, along: bool) -> None:
        super().__init__()
        self.first = _convolution(channels, channels, along=along)
        self.second = _convolution(channels, channels, along=along)
        norm = self.second[1]
        assert isinstance(norm, nn.BatchNorm2d)
        nn.init.zeros_(norm.weight)  # Begins as the identity.

    def forward(self, values: Tensor) -> Tensor:
        """Return what has the shape of `values`."""
        return torch.relu(values + self.second(torch.relu(self.first(values))))


def _convolution(given: int, made: int, *, stride: int = 1, along: bool = False) -> nn.Sequential:
    """Return a convolution over 3 x 3 pixels or 3 rows, and what normalises it."""
    size, padding = ((3, 1), (1, 0)) if along else ((3, 3), (1, 1))
    layer = nn.Conv2d(given, made, size, stride, padding, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(made))


class Describer(nn.Module):
    """Tiles whose edges face right become rows of features."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form
        given = (12, *form.channels[:2])
        self.scales = nn.ModuleList(
            nn.Sequential(
                _convolution(before, after, stride=1 if i == 0 else 2),
                nn.ReLU(),
                *(Block(after, along=False) for _ in range(blocks)),
            )
            for i, (before, after, blocks) in enumerate(
                zip(given, form.channels, form.blocks, strict=True)
            )
        )
        self.reads = nn.ModuleList(
            _convolution(channels * columns, form.width, along=True)
            for channels, columns in zip(form.channels, form.columns, strict=True)
        )
        self.along = nn.Sequential(*(Block(form.width, along=True) for _ in range(form.along)))

    def forward(self, tiles: Tensor) -> Tensor:
        """Describe tiles ``(M, 3, S, S)``, ``(M, S / 2, width)``."""
        values = functional.pixel_unshuffle(tiles, 2)
        values = values.contiguous(memory_format=torch.channels_last)
        total: Tensor | None = None
        for i, (scale, read, columns) in enumerate(
            zip(self.scales, self.reads, self.form.columns, strict=True)
        ):
            values = scale(values)
            near = values[..., -columns:]  # (M, C, rows, columns)
            lines = near.permute(0, 1, 3, 2).flatten(1, 2)[..., None]  # (M, C columns, rows, 1)
            seen = read(lines).repeat_interleave(2**i, 2)
            total = seen if total is None else total + seen
        assert total is not None
        rows: Tensor = self.along(torch.relu(total))
        return rows[..., 0].transpose(1, 2)


class TileNetwork(nn.Module):
    """Describes edges, proposes by products of vectors, judges pairs."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form
        self.describer = Describer(form)
        self.asks = nn.Linear(form.width, form.vector)
        self.answers = nn.Linear(form.width, form.vector)
        self.scale = nn.Parameter(torch.tensor(-4.0))
        self.shared = nn.Linear(form.width, form.pair)
        self.matched = nn.Linear(form.width, form.pair)
        self.first = nn.Conv1d(2 * form.pair, form.pair, 3, padding=1)
        self.second = nn.Conv1d(form.pair, form.pair, 3, padding=1)
        self.third = nn.Conv1d(form.pair, form.pair, 3, padding=1)
        self.verdict = nn.Linear(form.pair * (form.rows // 4), 1)
        nn.init.zeros_(self.verdict.weight)

    def vectors(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Return the vectors of edges ``(E, rows, width)`` as first and as second of a pair."""
        asks, answers = self.asks(rows).float(), self.answers(rows).float()
        first = torch.cat([asks, answers], 2).flatten(1)
        second = torch.cat([answers, asks], 2).flatten(1)
        return first * self.scale.exp(), second

    def parts(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Return what `judge` needs of edges ``(E, rows, width)``."""
        return self.shared(rows), self.matched(rows)

    def judge(self, one: tuple[Tensor, Tensor], other: tuple[Tensor, Tensor]) -> Tensor:
        """Judge pairs by the parts ``(M, rows, pair)`` of their edges, ``(M,)``."""
        joined = torch.relu(one[0] + other[0])
        values = torch.cat([joined, one[1] * other[1]], 2)
        values = _halved(_along(values, self.first))
        values = _halved(_along(values, self.second))
        values = torch.relu(_along(values, self.third))
        verdict: Tensor = self.verdict(values.transpose(1, 2).flatten(1))
        return verdict[:, 0].float()


def _along(values: Tensor, layer: nn.Conv1d) -> Tensor:
    """Convolve ``(M, rows, channels)`` over three rows as one matrix product."""
    padded = functional.pad(values, (0, 0, 1, 1))
    rows = values.shape[1]
    three = torch.cat([padded[:, i : i + rows] for i in range(3)], 2)
    return functional.linear(three, layer.weight.permute(0, 2, 1).flatten(1), layer.bias)


def _halved(values: Tensor) -> Tensor:
    """Cut ``(M, rows, channels)`` at zero and take the better of every two rows."""
    count, rows, channels = values.shape
    return torch.relu(values.view(count, rows // 2, 2, channels).amax(2))


def facing(tiles: Tensor) -> Tensor:
    """Return tiles with each side facing right, and upside down, ``(2, N, 4, 3, S, S)``.

    Side t is the one that faces right after t quarter turns: right, bottom, left, top.
    """
    turned = torch.stack([torch.rot90(tiles, t, (2, 3)) for t in range(4)], 1)
    return torch.stack([turned, turned.flip(3)])


def normalised(tiles: Tensor) -> Tensor:
    """Return panels of tiles ``(B, N, 3, S, S)`` about 0: each less its mean, by its spread."""
    mean = tiles.mean((1, 3, 4), keepdim=True)
    spread = (tiles - mean).square().mean((1, 2, 3, 4), keepdim=True).sqrt()
    return (tiles - mean) / spread.clamp_min(4)
