"""Twin networks in torch, for training; `tessella.networks.twins` explains them."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from tessella.networks.twins import DOWN, FAINT, GRAIN, OPPONENT, REACH, SHOWN, Form
from tessella.networks.view import CENTRE, SPREAD

REACH_AT_FIRST, STEEP_AT_FIRST = 7.0, 0.05
"""T and S of the scores before they learn."""


class Twins(nn.Module):
    """Both networks, and how their vectors become scores."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.left, self.right = Network(form), Network(form)
        first = [math.log(REACH_AT_FIRST), math.log(STEEP_AT_FIRST)]
        self.scale = nn.Parameter(torch.tensor(first))

    def forward(self, rims: Tensor) -> tuple[Tensor, ...]:
        """Return the vectors of edges at the left of a pair and at its right.

        Parameters
        ----------
        rims : 0 to 255, ``(B, rows, depth, 3)``, as of pieces that face right, the outermost
            column first

        Returns
        -------
        exact and free part at the left, exact and free part at the right, ``(B, numbers)`` each
        """
        foretold, showing, free = self.left(rims)
        expected, met, loose = self.right(rims.flip(1))  # Turned to face left.
        one = torch.ones_like(free[:, :1])
        return (
            torch.cat([foretold, showing], 1),
            torch.cat([free[:, :1], one, free[:, 1:]], 1),
            torch.cat([met, expected], 1),
            torch.cat([one, loose], 1),
        )

    def scores(self, vectors: tuple[Tensor, ...], views: int = 1) -> Tensor:
        """Compare all edges of every view with each other, ``(views, B, B)``."""
        exact, free, there, loose = (v.view(views, len(v) // views, v.shape[1]) for v in vectors)
        score: Tensor = free @ loose.transpose(1, 2)
        if not exact.shape[2]:
            return score
        reach, steep = self.scale[0].exp(), self.scale[1].exp()
        # In double precision: small differences of large numbers.
        distance = -(exact @ there.transpose(1, 2)).float()
        score -= reach * torch.log1p(steep * distance.clamp_min(0))
        return score


class Network(nn.Module):
    """One of the two."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form
        self.kernels = nn.ParameterList([torch.empty(shape) for shape in form.kernels])
        self.biases = nn.ParameterList([torch.zeros(out) for _, out in form.kernels])
        self.row, self.edge = (nn.Parameter(torch.empty(shape)) for shape in form.heads)
        for i, kernel in enumerate(self.kernels):
            # What a block adds is little at first.
            shrunk = 0.2 if i and i % 2 == 0 else 1.0
            nn.init.normal_(kernel, std=shrunk * math.sqrt(2 / len(kernel)))
        self.opponent: Tensor
        self.faint: Tensor
        self.register_buffer("opponent", torch.from_numpy(OPPONENT.T).float(), persistent=False)
        self.register_buffer("faint", torch.tensor(FAINT), persistent=False)
        shown = SHOWN if form.foretells else 0
        for head, plain in ((self.row, 2 * shown), (self.edge, shown + 1)):
            nn.init.normal_(head, std=0.3 * form.channels**-0.5)
            with torch.no_grad():
                head[:, :plain] *= 0.03  # Foretelling is left to the rim's slopes at first.

    def forward(self, rims: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return what rims foretell, what they show, and their free numbers."""
        with torch.autocast(rims.device.type, enabled=False):  # They are small differences.
            colours = ((rims.float() - CENTRE) / SPREAD) @ self.opponent
            values = self._convolved(_inputs(colours), 0)
        seen = self._seen(values)  # (B, rows, channels)
        with torch.autocast(rims.device.type, enabled=False):
            seen = seen.float()
            row, edge = seen @ self.row, seen.mean(1) @ self.edge
            shown = SHOWN if self.form.foretells else 0
            free = torch.cat([edge[:, shown:], row[..., 2 * shown :].flatten(1)], 1)
            if not shown:
                return free[:, :0], free[:, :0], free
            return (*_foretell(colours.double(), row, edge, self.faint), free)

    def _seen(self, values: Tensor) -> Tensor:
        if torch.is_autocast_enabled(values.device.type):
            values = values.to(torch.get_autocast_dtype(values.device.type))
        for i in range(1, len(self.kernels), 2):
            inner = torch.relu(self._convolved(torch.relu(values), i))
            values = values + self._convolved(inner, i + 1)
        return torch.relu(values)

    def _convolved(self, values: Tensor, number: int) -> Tensor:
        """Convolve ``(B, rows, in)`` over three rows as one matrix product."""
        wide = functional.pad(values, (0, 0, 1, 1))
        three = torch.cat([wide[:, :-2], values, wide[:, 2:]], 2)
        return functional.linear(three, self.kernels[number].T, self.biases[number])


def _inputs(colours: Tensor) -> Tensor:
    across = _squashed(colours[:, :, :-1] - colours[:, :, 1:])
    down = _squashed(colours[:, 1:, :DOWN] - colours[:, :-1, :DOWN])
    down = functional.pad(down, (0, 0, 0, 0, 0, 1))
    return torch.cat([part.flatten(2) for part in (colours, across, down)], 2)


def _squashed(difference: Tensor) -> Tensor:
    return torch.sign(difference) * torch.log1p(SPREAD * difference.abs()) / 2


def _foretell(colours: Tensor, row: Tensor, edge: Tensor, faint: Tensor) -> tuple[Tensor, Tensor]:
    near = colours[:, :, 0]
    slope = near - colours[:, :, 1]
    mean = slope.mean(1, keepdim=True)
    spread = ((slope - mean) ** 2).mean(1, keepdim=True) + GRAIN**2
    spread = torch.cat([spread, spread], 2)
    shown = torch.cat([near, -slope], 2)
    ahead = torch.cat([near + mean, mean.expand_as(slope)], 2)
    ahead = ahead + row[..., :SHOWN] * spread.sqrt()
    trust = row[..., SHOWN : 2 * SHOWN] + edge[:, None, :SHOWN]
    trust = REACH * torch.tanh(trust / REACH) + faint
    weight = trust.exp() / spread
    constant = -0.5 * (weight * ahead * ahead).sum((1, 2))[:, None]
    foretold = torch.cat([(weight * ahead).flatten(1), -0.5 * weight.flatten(1), constant], 1)
    one = torch.ones_like(constant)
    return foretold, torch.cat([shown.flatten(1), (shown * shown).flatten(1), one], 1)
