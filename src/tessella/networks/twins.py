"""Twin networks: one vector for every edge, such that two vectors tell how well the edges fit.

After D. Rika, D. Sholomon, E. David and N. Netanyahu, "TEN: Twin Embedding Networks for the Jigsaw
Puzzle Problem with Eroded Boundaries" (2022): one network for the piece at the left of a pair and
another, with weights of its own, for the piece at the right. Theirs compares vectors by their
distance. Here a vector has two parts, because the colours of a seam must be compared more exactly
than a small network can copy them:

**Foretelling.** A rim shows, row by row, the colours y of its outermost pixels and their slope. The
network says what it expects of the neighbour's, m, and how sure it is of each, w, as a correction
of what the rim's own slopes say (as MGC does). Both ways together,

    d = 1/2 sum of w (y' - m)^2 + 1/2 sum of w' (y - m')^2

with the right piece's in accents. Since w (y' - m)^2 = w y'^2 - 2 w m y' + w m^2, that is a product
of two vectors.

**Free numbers,** row by row and of the whole edge, whose product f is added. The score is

    s = f - T log(1 + S d)

with T and S learnt: far off is far off, however far.

The networks run along the seam: a row's pixels, outermost first, are the channels of its place,
and all convolutions are over three rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella import bounds
from tessella.errors import InputError
from tessella.networks.view import CENTRE, SPREAD

OPPONENT = np.array([[1, 1, 1], [1, 0, -1], [1, -2, 1]]) / np.sqrt([[3.0], [2.0], [6.0]])
"""Rows: grey, red against blue, and green against both, orthonormal."""

SHOWN = 6
"""Numbers that a row shows: three colours, and their slopes into the piece."""

DOWN = 3
"""So many columns are also compared with the row below."""

GRAIN = 0.5 / SPREAD
"""Slopes of a flat rim are taken to differ by half a level, as rounding makes them."""

REACH = 3.0
"""The networks change a weight by at most this, as a logarithm."""

FAINT = (0.0, 0.0, 0.0, -4.0, -4.0, -4.0)
"""Logarithms of the weights before they learn: slopes say less than colours."""


@dataclass(frozen=True)
class Form:
    """What twin networks look at and how large they are.

    Attributes
    ----------
    rows, depth : pixels along the seam, and columns counted from it
    channels : of every convolution
    blocks : how many times two convolutions are added to what they were given
    free : free numbers of a row
    whole : free numbers of a whole edge
    foretells : whether there is the first part of the vectors
    """

    rows: int
    depth: int
    channels: int
    blocks: int
    free: int
    whole: int
    foretells: bool = True

    def __post_init__(self) -> None:
        if self.rows < 2 or self.depth < DOWN or self.channels < 1:
            raise InputError(
                f"Twin networks need 2 rows, a depth of {DOWN} and 1 channel at least; "
                f"got {self.rows}, {self.depth} and {self.channels}."
            )
        bounds.check_layers(self.blocks, self.channels, self.free, self.whole)
        if min(self.blocks, self.free, self.whole) < 0:
            raise InputError("blocks, free and whole must be 0 or more.")
        if not self.foretells and not self.free + self.whole:
            raise InputError("Twin networks that do not foretell need free numbers.")

    @property
    def inputs(self) -> int:
        """Numbers that the networks see of a row."""
        return 3 * (2 * self.depth - 1 + DOWN)

    @property
    def exact(self) -> int:
        """Length of a vector's first part."""
        return 2 * (2 * SHOWN * self.rows + 1) if self.foretells else 0

    @property
    def kernels(self) -> tuple[tuple[int, int], ...]:
        """Inputs, three rows of them, and outputs of every convolution."""
        inner = (3 * self.channels, self.channels)
        return ((3 * self.inputs, self.channels), *(inner for _ in range(2 * self.blocks)))

    @property
    def heads(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Inputs and outputs of the linear layers of a row and of a whole edge."""
        shown = SHOWN if self.foretells else 0
        row = self.channels, 2 * shown + self.free
        return row, (self.channels, shown + 1 + self.whole)


@dataclass(frozen=True, eq=False)
class Twin:
    """One of the two networks, with its weights.

    Attributes
    ----------
    kernels, biases : of the convolutions, float32 ``(3 in, out)`` and ``(out,)``
    row, edge : the linear layers, float32 ``(channels, ...)``
    """

    form: Form
    kernels: tuple[NDArray[np.float32], ...]
    biases: tuple[NDArray[np.float32], ...]
    row: NDArray[np.float32]
    edge: NDArray[np.float32]

    def __post_init__(self) -> None:
        if [k.shape for k in self.kernels] != list(self.form.kernels):
            raise InputError(f"Kernels must have the shapes {list(self.form.kernels)}.")
        if [b.shape for b in self.biases] != [(out,) for _, out in self.form.kernels]:
            raise InputError("Every convolution needs as many biases as channels.")
        if (self.row.shape, self.edge.shape) != self.form.heads:
            raise InputError(f"The linear layers must have the shapes {self.form.heads}.")

    def vectors(self, rims: NDArray[np.uint8]) -> tuple[NDArray[np.float64], ...]:
        """Return what rims foretell, what they show, and their free numbers, ``(B, ...)`` each.

        Parameters
        ----------
        rims : ``(B, rows, depth, 3)``, the outermost column first
        """
        colours = ((rims - np.float32(CENTRE)) / np.float32(SPREAD)) @ OPPONENT.T.astype(np.float32)
        seen = self._seen(_inputs(colours))  # (B, rows, channels)
        row, edge = seen @ self.row, seen.mean(axis=1) @ self.edge
        shown = SHOWN if self.form.foretells else 0
        loose = row[..., 2 * shown :].reshape(len(rims), -1)
        free = np.concatenate([edge[:, shown:], loose], axis=1).astype(np.float64)
        if not shown:
            return np.empty((len(rims), 0)), np.empty((len(rims), 0)), free
        return (*_foretell(colours, row, edge), free)

    def _seen(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        values = self._convolved(values, 0)
        for i in range(1, len(self.kernels), 2):
            inner = self._convolved(np.maximum(values, 0), i)
            values += self._convolved(np.maximum(inner, 0, out=inner), i + 1)
        return np.maximum(values, 0, out=values)

    def _convolved(self, values: NDArray[np.float32], number: int) -> NDArray[np.float32]:
        """Convolve ``(B, rows, in)`` over three rows; beyond the ends there are zeros."""
        count, rows, inputs = values.shape
        three = np.zeros((count, rows, 3, inputs), np.float32)
        three[:, 1:, 0], three[:, :, 1], three[:, :-1, 2] = values[:, :-1], values, values[:, 1:]
        out = three.reshape(count * rows, -1) @ self.kernels[number]
        out += self.biases[number]
        return out.reshape(count, rows, -1)


def _inputs(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what the networks look at of colours ``(B, rows, depth, 3)``, ``(B, rows, inputs)``.

    The colours; their differences from column to column and, near the seam, from row to row, in
    logarithms: one level counts where all is flat, and nothing among large ones.
    """
    count, rows = colours.shape[:2]
    down = np.zeros((count, rows, DOWN, 3), np.float32)
    down[:, :-1] = _squashed(colours[:, 1:, :DOWN] - colours[:, :-1, :DOWN])
    across = _squashed(colours[:, :, :-1] - colours[:, :, 1:])
    parts = [part.reshape(count, rows, -1) for part in (colours, across, down)]
    return np.concatenate(parts, axis=2)


def _squashed(difference: NDArray[np.float32]) -> NDArray[np.float32]:
    size = np.log1p(np.float32(SPREAD) * np.abs(difference)) / np.float32(2)
    return np.copysign(size, difference)


def _foretell(
    colours: NDArray[np.float32], row: NDArray[np.float32], edge: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return ``(w m, -w / 2, -sum of w m^2 / 2)`` and ``(y, y^2, 1)``, a row for every edge."""
    near = colours[:, :, 0].astype(np.float64)  # (B, rows, 3)
    slope = near - colours[:, :, 1]
    mean = slope.mean(axis=1, keepdims=True)
    spread = np.tile(((slope - mean) ** 2).mean(axis=1, keepdims=True) + GRAIN**2, 2)  # (B, 1, 6)
    shown = np.concatenate([near, -slope], axis=2)  # (B, rows, SHOWN)
    ahead = np.concatenate([near + mean, np.broadcast_to(mean, slope.shape)], axis=2)
    ahead = ahead + row[..., :SHOWN] * np.sqrt(spread)
    trust = row[..., SHOWN : 2 * SHOWN] + edge[:, None, :SHOWN]
    weight = np.exp(REACH * np.tanh(trust / REACH) + FAINT) / spread
    flat = len(colours), -1
    constant = -0.5 * (weight * ahead * ahead).sum(axis=(1, 2))[:, None]
    foretold = [(weight * ahead).reshape(flat), -0.5 * weight.reshape(flat), constant]
    showing = [shown.reshape(flat), (shown * shown).reshape(flat), np.ones_like(constant)]
    return np.concatenate(foretold, axis=1), np.concatenate(showing, axis=1)
