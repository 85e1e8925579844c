"""Batches: edges of random views, each with its true partner and wrong ones of the same view."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tessella.learning.border import mgc
from tessella.learning.pictures import Album
from tessella.learning.recipe import Recipe, Training


@dataclass(frozen=True)
class Batch:
    """Left pieces and their candidates.

    Attributes
    ----------
    left : pieces whose right sides are asked about, ``(A, P, P, 3)``
    right : pieces that may lie beside them, ``(B, P, P, 3)``
    which : every anchor's candidates among `right`, the true one first, ``(A, K)``
    same : candidates that cannot be told from the true one, ``(A, K)``, False for the true one
    rim : what tells the right sides of `left` apart, ``(A,)``
    beside : what `mgc` says of them, ``(A, K)``
    eroded : width of the worn frame
    """

    left: Tensor
    right: Tensor
    which: Tensor
    same: Tensor
    rim: Tensor
    beside: Tensor
    eroded: int


def draw(album: Album, recipe: Recipe, chance: np.random.Generator) -> Batch:
    """Draw a batch; all its views have a worn frame of one width."""
    training, augment = recipe.training, recipe.augment
    grid, side = training.grid, recipe.piece
    views = album.views(training.pictures, chance)
    eroded = int(chance.integers(recipe.eroded[0], recipe.eroded[1] + 1))
    pieces = cut(views, grid, side)  # (V, grid, grid, P, P, 3)
    left = pieces[:, :, :-1].flatten(1, 2)  # (V, anchors, P, P, 3)
    whole = pieces.flatten(1, 2)
    true = torch.arange(grid * grid, device=views.device).view(grid, grid)[:, 1:].flatten()
    true = true.expand(len(views), -1)  # (V, anchors)
    if training.anchors and training.anchors < true.shape[1]:
        chosen = torch.from_numpy(_some(training, chance)).to(views.device)
        left, true = left[:, chosen], true[:, chosen]
    left, whole = (worn(p, augment.degrade, augment.shift, chance) for p in (left, whole))
    right = torch.cat([whole, _any_turn(whole, chance)], 1) if training.turned else whole
    rim = recipe.piece - eroded
    last = left[:, :, eroded:rim, [rim - 1, rim - 2]]
    first = right[:, :, eroded:rim, [eroded, eroded + 1]]
    said = mgc(last, first)  # (V, anchors, M)
    which = _choose(said, true, recipe.training, chance)
    same = _alike(first, which)
    offset = torch.arange(len(views), device=views.device)[:, None, None] * right.shape[1]
    return Batch(
        left.flatten(0, 1),
        right.flatten(0, 1),
        (which + offset).flatten(0, 1),
        same.flatten(0, 1),
        _code(last).flatten(),
        said.gather(2, which).flatten(0, 1),
        eroded,
    )


def _some(training: Training, chance: np.random.Generator) -> NDArray[np.int64]:
    """Draw which edges of a view are asked about.

    Where rivals are those of a row, whole rows are, so that a right piece meets all left ones.
    """
    grid = training.grid
    if training.rivals == "view":
        return chance.permutation(grid * (grid - 1))[: training.anchors]
    rows = chance.permutation(grid)[: max(1, training.anchors // (grid - 1))]
    return (rows[:, None] * (grid - 1) + np.arange(grid - 1)).ravel()


def cut(views: Tensor, grid: int, side: int) -> Tensor:
    """Cut views ``(V, 3, H, W)`` into pieces ``(V, grid, grid, P, P, 3)``."""
    shaped = views.view(len(views), 3, grid, side, grid, side)
    return shaped.permute(0, 2, 4, 3, 5, 1).contiguous()


def worn(pieces: Tensor, degrade: int, shift: int, chance: np.random.Generator) -> Tensor:
    """Blacken a frame of 0 to `degrade` px on each piece and move it by 0 to `shift` px.

    Every piece of ``(V, A, P, P, 3)`` is treated on its own (Section III-A, Figure "Augmented
    tiles").
    """
    if not degrade and not shift:
        return pieces
    count, side = pieces.shape[0] * pieces.shape[1], pieces.shape[2]
    frame, down, across = (
        torch.from_numpy(numbers).to(pieces.device)[:, None]
        for numbers in (
            chance.integers(0, degrade + 1, count),
            chance.integers(-shift, shift + 1, count),
            chance.integers(-shift, shift + 1, count),
        )
    )
    line = torch.arange(side, device=pieces.device)[None]
    kept = (line >= frame) & (line < side - frame)  # (count, P)
    flat = pieces.reshape(count, side, side, 3)
    flat = flat * (kept[:, :, None] & kept[:, None, :])[..., None]
    rows, columns = line - down, line - across
    inside = ((rows >= 0) & (rows < side))[:, :, None] & ((columns >= 0) & (columns < side))[
        :, None
    ]
    each = torch.arange(count, device=pieces.device)[:, None, None]
    moved = flat[each, rows.clamp(0, side - 1)[:, :, None], columns.clamp(0, side - 1)[:, None]]
    return (moved * inside[..., None]).view(pieces.shape)


def _any_turn(pieces: Tensor, chance: np.random.Generator) -> Tensor:
    """Turn all pieces of a view by 1, 2 or 3 quarter turns, each in its own way."""
    turns = torch.from_numpy(chance.integers(1, 4, pieces.shape[1])).to(pieces.device)
    out = torch.empty_like(pieces)
    for turn in range(1, 4):
        chosen = (turns == turn).nonzero().flatten()
        out[:, chosen] = torch.rot90(pieces[:, chosen], turn, (2, 3))
    return out


def _choose(said: Tensor, true: Tensor, training: Training, chance: np.random.Generator) -> Tensor:
    """Return the true candidate, then the hard ones, then random ones, ``(V, anchors, K)``."""
    generator = torch.Generator(device=said.device)
    generator.manual_seed(int(chance.integers(2**62)))
    lots = torch.rand(said.shape, generator=generator, device=said.device)
    own = true - 1  # The anchor's own piece lies to the left of its partner.
    place = torch.arange(said.shape[2], device=said.device) % training.grid**2
    barred = (place == own[..., None]) | (place == true[..., None])
    if training.rivals == "row":
        barred |= place // training.grid != true[..., None] // training.grid
    likes = said.masked_fill(barred, -torch.inf)
    hard = likes.topk(training.hard, 2).indices
    lots = lots.masked_fill(barred, -1.0).scatter(2, hard, -1.0)
    others = lots.topk(training.candidates - 1 - training.hard, 2).indices
    return torch.cat([true[..., None], hard, others], 2)


def _alike(first: Tensor, which: Tensor) -> Tensor:
    """Say which candidates show the same rim as the true one, ``(V, anchors, K)``."""
    codes = torch.stack([c[w] for c, w in zip(_code(first), which, strict=True)])
    same = codes == codes[..., :1]
    same[..., 0] = False
    return same


def _code(rims: Tensor) -> Tensor:
    """Return one number for each rim of ``(V, M, rows, 2, 3)`` that others hardly have."""
    flat = rims.flatten(2)  # (V, M, numbers)
    return (flat * torch.linspace(1, 2, flat.shape[2], device=flat.device)).double().sum(2)
