"""Top-1 on held pictures while training: upright, every pair, before and after post-processing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tessella import edges
from tessella.learning.border import mgc
from tessella.learning.network import Network
from tessella.learning.scoring import PAIRS, describe


def top1(
    networks: Sequence[Network],
    pictures: Sequence[NDArray[np.uint8]],
    piece: int,
    eroded: int,
    *,
    count: int,
    weight: float,
    device: torch.device,
) -> dict[str, float]:
    """Return the mean Top-1 of every network, of the sum of the first `count`, and of `mgc`.

    Parameters
    ----------
    weight : of `mgc`'s scores in the sum
    """
    shares: dict[str, list[float]] = {}
    for picture in pictures:
        tables = _tables(networks, picture, piece, eroded, device)
        total = sum(tables[str(i)] for i in range(count))
        total = total + weight * tables["mgc"]
        for name, table in {**tables, "sum": total}.items():
            before, after = judged(table, picture.shape[1] // piece)
            shares.setdefault(f"{name} before", []).append(before)
            shares.setdefault(f"{name} after", []).append(after)
    return {name: float(np.mean(values)) for name, values in shares.items()}


def _tables(
    networks: Sequence[Network],
    picture: NDArray[np.uint8],
    piece: int,
    eroded: int,
    device: torch.device,
) -> dict[str, Tensor]:
    """Score the right side of all pieces against all left sides, for four turns, ``(4, N, N)``."""
    height, width = picture.shape[0] // piece, picture.shape[1] // piece
    cut = picture[: height * piece, : width * piece]
    tiles = torch.from_numpy(cut.reshape(height, piece, width, piece, 3).copy())
    tiles = tiles.permute(0, 2, 1, 3, 4).reshape(-1, piece, piece, 3).to(device)
    by_name: dict[str, list[Tensor]] = {}
    rim = piece - eroded
    for turn in range(4):
        pieces = torch.rot90(tiles, turn, (1, 2)).contiguous()
        last = pieces[:, eroded:rim, [rim - 1, rim - 2]]
        first = pieces[:, eroded:rim, [eroded, eroded + 1]]
        by_name.setdefault("mgc", []).append(mgc(last[None], first[None])[0])
        for i, network in enumerate(networks):
            by_name.setdefault(str(i), []).append(_all_pairs(network, pieces, eroded, device))
    return {name: torch.stack(tables) for name, tables in by_name.items()}


def _all_pairs(network: Network, pieces: Tensor, eroded: int, device: torch.device) -> Tensor:
    with torch.inference_mode():
        left = describe(network, pieces, eroded, edges.RIGHT, device)
        right = describe(network, pieces, eroded, edges.LEFT, device)
        every = torch.arange(len(pieces), device=device)
        step = max(1, PAIRS // len(pieces))
        rows = []
        for start in range(0, len(pieces), step):
            part = left.take(slice(start, start + step))
            which = every.expand(len(part.own), -1)
            rows.append(network.pairs(part, right, which))
        return torch.cat(rows)


def judged(tables: Tensor, columns: int) -> tuple[float, float]:
    """Return Top-1 before and after post-processing, of tables ``(4, N, N)``.

    ``tables[t]`` compares what faces right after t quarter turns with what faces left.
    """
    count = tables.shape[1]
    own = torch.eye(count, dtype=torch.bool, device=tables.device)
    index = torch.arange(count, device=tables.device)
    beside, below = (index + 1) % columns != 0, index + columns < count
    before: list[Tensor] = []
    after: list[Tensor] = []
    lo = tables.masked_fill(own, torch.inf).amin(2, keepdim=True)
    hi = tables.masked_fill(own, -torch.inf).amax(2, keepdim=True)
    scaled = (tables - lo) / (hi - lo).clamp_min(1e-12)
    both = (scaled + scaled[[2, 3, 0, 1]].transpose(1, 2)) / 2
    for turn, (asked, step) in enumerate(
        [(beside, 1), (below, columns), (beside, -1), (below, -columns)]
    ):
        # One turn makes the bottom face right, two the left side, three the top.
        anchors = index[asked] if step > 0 else index[asked] - step
        true = anchors + step
        for table, kept in ((tables, before), (both, after)):
            row = table[turn].masked_fill(own, -torch.inf)[anchors]
            best = row == row.amax(1, keepdim=True)
            kept.append(best.gather(1, true[:, None])[:, 0] / best.sum(1))
    return float(torch.cat(before).mean()), float(torch.cat(after).mean())
