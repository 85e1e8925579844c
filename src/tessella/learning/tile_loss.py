"""The loss of the networks for tiles: the true partner among all edges of its panel."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from tessella.learning.tile_network import TileNetwork, facing, normalised


def partners(grid: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return the edges of a square panel that have a partner, and those, ``(A,)`` each."""
    place = torch.arange(grid * grid, device=device).view(grid, grid)
    right, left = 4 * place[:, :-1].flatten(), 4 * place[:, 1:].flatten() + 2
    bottom, top = 4 * place[:-1].flatten() + 1, 4 * place[1:].flatten() + 3
    return torch.cat([right, left, bottom, top]), torch.cat([left, right, top, bottom])


def losses(network: TileNetwork, panels: Tensor, candidates: int, half: bool) -> Tensor:
    """Return the losses of proposing and of judging, and the Top-1 of each, ``(4,)``.

    Parameters
    ----------
    panels : 0 to 255, ``(B, G, G, S, S, 3)``
    candidates : how many edges are judged beside every edge: the true one and the likeliest
    """
    count, grid = panels.shape[:2]
    tiles = normalised(panels.flatten(1, 2).permute(0, 1, 4, 2, 3))
    seen = facing(tiles.flatten(0, 1)).flatten(0, 2)  # (2 B N 4, 3, S, S)
    edges = 4 * grid * grid
    anchors, true = partners(grid, panels.device)
    own = torch.arange(edges, device=panels.device) // 4
    with torch.autocast(panels.device.type, torch.bfloat16, enabled=half):
        rows = network.describer(seen)
        first, second = rows.view(2, count, edges, *rows.shape[1:])
        asked, answering = first[:, anchors], second
        one, _ = network.vectors(asked.flatten(0, 1))
        _, other = network.vectors(answering.flatten(0, 1))
    with torch.autocast(panels.device.type, enabled=False):
        table = one.view(count, len(anchors), -1) @ other.view(count, edges, -1).transpose(1, 2)
    table = table.masked_fill(own[anchors][:, None] == own[None], -torch.inf)  # (B, A, edges)
    target = true.expand(count, -1)
    proposing = functional.cross_entropy(table.flatten(0, 1), target.flatten())
    with torch.no_grad():
        lots = -torch.log(-torch.log(torch.rand_like(table).clamp(1e-9, 1 - 1e-7)))
        liked = (table + lots).scatter(2, target[..., None], -torch.inf)
        which = torch.cat([target[..., None], liked.topk(candidates - 1, 2).indices], 2)
        best = (table.argmax(2) == target).float().mean()
    judged = table.gather(2, which) + _judged(network, asked, answering, which, half)
    judging = functional.cross_entropy(judged.flatten(0, 1), torch.zeros_like(target.flatten()))
    right = (judged.argmax(2) == 0).float().mean()
    return torch.stack([proposing, judging, best, right])


def _judged(
    network: TileNetwork, asked: Tensor, answering: Tensor, which: Tensor, half: bool
) -> Tensor:
    """Judge edges ``(B, A, rows, width)`` beside candidates ``(B, A, K)`` of others."""
    count, anchors, each = which.shape
    edges = answering.shape[1]
    offset = edges * torch.arange(count, device=which.device)[:, None, None]
    flat = (which + offset).flatten()
    with torch.autocast(which.device.type, torch.bfloat16, enabled=half):
        mine = network.parts(asked.flatten(0, 1))
        yours = network.parts(answering.flatten(0, 1))
        left = tuple(part.repeat_interleave(each, 0) for part in mine)
        right = tuple(part.index_select(0, flat) for part in yours)
        judged = network.judge((left[0], left[1]), (right[0], right[1]))
    return judged.view(count, anchors, each)


@torch.inference_mode()
def table(network: TileNetwork, tiles: Tensor, *, judged: bool = True) -> Tensor:
    """Score all pairs of edges of tiles ``(N, S, S, 3)``, 0 to 255, ``(4 N, 4 N)``."""
    network.eval()
    seen = facing(normalised(tiles.permute(0, 3, 1, 2)[None].float())[0]).flatten(0, 2)
    # Not by a call, which may be compiled for training's sizes.
    rows = torch.cat([network.describer.forward(part) for part in torch.split(seen, 512)]).float()
    first, second = rows.view(2, 4 * len(tiles), *rows.shape[1:])
    total = network.vectors(first)[0] @ network.vectors(second)[1].T
    if judged:
        mine, yours = network.parts(first), network.parts(second)
        for i in range(len(first)):
            left = tuple(part[i : i + 1].expand_as(yours[0]) for part in mine)
            total[i] += network.judge((left[0], left[1]), yours)
    network.train()
    own = torch.arange(len(first), device=total.device) // 4
    return total.masked_fill(own[:, None] == own[None], -torch.inf)


def top1(scores: Tensor, columns: int, *, upright: bool) -> float:
    """Return how often the true neighbour is first, asked both ways, of scores ``(4 N, 4 N)``."""
    count = len(scores) // 4
    side = torch.arange(len(scores), device=scores.device) % 4
    if upright:
        scores = scores.masked_fill((side[:, None] + 2) % 4 != side[None], -torch.inf)
    chance = torch.log_softmax(scores, 1)
    chance = chance + chance.T
    place = torch.arange(count, device=scores.device).view(-1, columns)
    right, left = 4 * place[:, :-1].flatten(), 4 * place[:, 1:].flatten() + 2
    bottom, top = 4 * place[:-1].flatten() + 1, 4 * place[1:].flatten() + 3
    asked, true = torch.cat([right, left, bottom, top]), torch.cat([left, right, top, bottom])
    return float((chance[asked].argmax(1) == true).float().mean())
