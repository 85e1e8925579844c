"""A sub-network in torch: the plain pass, and the exact seam factorisation for training and GPUs.

`tessella.networks.specification` says what is computed. Tensors of features are ``(pairs, rows,
columns, channels)`` in memory, which the GPU's matrix units want.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from tessella.networks.architecture import Architecture, Level


@dataclass(frozen=True)
class Side:
    """What one piece contributes to the pairs it is in, for A pieces.

    Attributes
    ----------
    parts : to the two nearest pair columns of every convolution, ``(A, rows, 2, channels)``
    rims : its column in a pooling window that straddles, ``(A, rows, 1, channels)``, or None;
        one a pooling
    own : its part of the score, ``(A,)``
    """

    parts: tuple[Tensor, ...]
    rims: tuple[Tensor | None, ...]
    own: Tensor

    def take(self, which: Tensor | slice) -> Side:
        """Return the same of some of the pieces."""
        rims = tuple(None if rim is None else rim[which] for rim in self.rims)
        return Side(tuple(part[which] for part in self.parts), rims, self.own[which])


class Network(nn.Module):
    """One sub-network."""

    def __init__(self, architecture: Architecture, dropout: float = 0.0) -> None:
        super().__init__()
        self.architecture = architecture
        self.dropout = dropout
        kernels = [
            torch.randn(after, before, 3, 3) * (2 / (9 * before)) ** 0.5
            for before, after in architecture.kernels
        ]
        self.kernels = nn.ParameterList(kernels)
        last = architecture.levels[-1]
        size = last.channels * last.rows * (last.hi - last.lo)
        head = torch.randn(last.channels, last.rows, last.width) * size**-0.5
        self.head = nn.Parameter(0.3 * head)

    def forward(self, pair: Tensor) -> Tensor:
        """Score pairs ``(A, rows, 2 * depth, planes)`` the plain way, ``(A,)``."""
        values, count = pair, 0
        for layer in self.architecture.layers:
            if layer == "pool":
                values = _pool(values)
            else:
                values = self._active(_convolve(values, self.kernels[count], 1), count)
                count += 1
        return _weighed(values, self.head)

    def left(self, seen: Tensor) -> Side:
        """Describe the left pieces of pairs, ``(A, rows, depth, planes)``."""
        return self._side(seen, at_left=True)

    def right(self, seen: Tensor) -> Side:
        """Describe the right pieces of pairs, ``(B, rows, depth, planes)``."""
        return self._side(seen, at_left=False)

    def table(self, left: Tensor, right: Tensor, which: Tensor) -> Tensor:
        """Score left pieces as seen beside candidates among right ones, ``(A, K)``."""
        return self.pairs(self.left(left), self.right(right), which)

    def _side(self, seen: Tensor, *, at_left: bool) -> Side:
        values, count = seen, 0
        parts: list[Tensor] = []
        rims: list[Tensor | None] = []
        levels = self.architecture.levels
        for layer, level in zip(self.architecture.layers, levels, strict=False):
            if layer == "pool":
                values, rim = _pool_side(values, level, at_left)
                rims.append(rim)
                continue
            out = _convolve(values, self.kernels[count], 2, exact=count == 0)
            width = values.shape[2] - 1  # One more lies beyond the pair's far side: dropped.
            if at_left:
                _, values, near = torch.split(out, [1, width, 2], 2)
            else:
                near, values, _ = torch.split(out, [2, width, 1], 2)
            parts.append(near.contiguous())
            values = self._active(values, count)
            count += 1
        last = levels[-1]
        head = self.head[:, :, : last.lo] if at_left else self.head[:, :, last.hi :]
        own = _weighed(values, head)
        return Side(tuple(parts), tuple(rims), own)

    def pairs(self, left: Side, right: Side, which: Tensor) -> Tensor:
        """Score every left piece beside its candidates, ``(A, K)``.

        Parameters
        ----------
        which : the right pieces that each left piece is asked about, ``(A, K)``
        """
        anchors, each = which.shape
        flat = which.reshape(-1)

        def of_left(part: Tensor) -> Tensor:
            wide = part[:, None].expand(anchors, each, *part.shape[1:])
            return wide.reshape(anchors * each, *part.shape[1:])

        def of_right(part: Tensor) -> Tensor:
            return part.index_select(0, flat)

        values = of_left(left.parts[0]) + of_right(right.parts[0])  # (A * K, rows, 2, channels)
        values = self._active(values, 0)
        count, pooled = 1, 0
        levels = self.architecture.levels
        for layer in self.architecture.layers[1:]:
            if layer == "pool":
                values = _with_rims(
                    values, left.rims[pooled], right.rims[pooled], of_left, of_right
                )
                values = _pool(values)
                pooled += 1
                continue
            out = _convolve_seam(values, self.kernels[count])
            near, far = of_left(left.parts[count]), of_right(right.parts[count])
            values = self._active(_added(out, near, far), count)
            count += 1
        last = levels[-1]
        seam = _weighed(values, self.head[:, :, last.lo : last.hi])
        return seam.view(anchors, each) + left.own[:, None] + right.own[which]

    def _active(self, values: Tensor, count: int) -> Tensor:
        """Apply ReLU, and dropout after every convolution but the first."""
        values = torch.relu(values)
        if torch.is_autocast_enabled(values.device.type):
            values = values.to(torch.get_autocast_dtype(values.device.type))
        if count and self.dropout and self.training:
            values = functional.dropout(values, self.dropout)
        return values


def _convolve(values: Tensor, kernel: Tensor, beyond: int, *, exact: bool = False) -> Tensor:
    """Convolve ``(A, rows, columns, channels)`` with `beyond` zero columns at either side.

    `exact` keeps single precision where the rest works in half: the seam's first sums are small
    differences of large numbers.
    """
    planes = values.permute(0, 3, 1, 2)
    shaped = kernel.contiguous(memory_format=torch.channels_last)
    if exact:
        with torch.autocast(values.device.type, enabled=False):
            out = functional.conv2d(planes.float(), shaped, padding=(1, beyond))
    else:
        out = functional.conv2d(planes, shaped, padding=(1, beyond))
    return out.permute(0, 2, 3, 1)


def _convolve_seam(values: Tensor, kernel: Tensor) -> Tensor:
    """Convolve n pair columns into n + 2 as one matrix product a row, ``(M, rows, n + 2, out)``.

    What lies beyond the pair columns counts as 0 here and is added later.
    """
    pairs, rows, columns, channels = values.shape
    out = len(kernel)
    blank = kernel.new_zeros(out, channels, 3)
    blocks = [
        torch.cat(
            [kernel[..., i - j + 2] if 0 <= i - j + 2 < 3 else blank for i in range(columns)], 1
        )
        for j in range(columns + 2)
    ]
    matrix = torch.cat(blocks)[..., None]  # ((n + 2) * out, n * channels, 3, 1)
    flat = values.reshape(pairs, rows, 1, columns * channels).permute(0, 3, 1, 2)
    shaped = matrix.contiguous(memory_format=torch.channels_last)
    made = functional.conv2d(flat, shaped, padding=(1, 0)).permute(0, 2, 3, 1)
    return made.reshape(pairs, rows, columns + 2, out)


def _added(out: Tensor, near: Tensor, far: Tensor) -> Tensor:
    """Add the left piece's part to the first two columns and the right one's to the last two."""
    pairs, rows, columns, channels = out.shape
    middle = [near.new_zeros(pairs, rows, columns - 4, channels)] if columns > 4 else []
    return out + torch.cat([near, *middle, far], 2)


def _weighed(values: Tensor, head: Tensor) -> Tensor:
    """Apply the linear layer in single precision: scores are compared, not only their size."""
    with torch.autocast(values.device.type, enabled=False):
        return torch.einsum("ahwc,chw->a", values.float(), head)


def _with_rims(
    values: Tensor,
    near: Tensor | None,
    far: Tensor | None,
    of_left: Callable[[Tensor], Tensor],
    of_right: Callable[[Tensor], Tensor],
) -> Tensor:
    """Put the columns that share pooling windows with pair columns beside those."""
    if near is not None:
        values = torch.cat([of_left(near), values], 2)
    if far is not None:
        values = torch.cat([values, of_right(far)], 2)
    return values


def _pool(values: Tensor) -> Tensor:
    return functional.max_pool2d(values.permute(0, 3, 1, 2), 2).permute(0, 2, 3, 1)


def _pool_side(values: Tensor, level: Level, at_left: bool) -> tuple[Tensor, Tensor | None]:
    """Pool the columns that a piece has alone; return them and the one it shares, if any."""
    if at_left:
        odd = level.lo % 2 == 1
        rim = values[:, :, -1:] if odd else None
        alone = values[:, :, :-1] if odd else values
    else:
        odd = level.hi % 2 == 1
        rim = values[:, :, :1] if odd else None
        alone = values[:, :, 1:] if odd else values
    return _pool(alone), rim
