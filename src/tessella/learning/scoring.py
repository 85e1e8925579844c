"""Scoring pairs with a model on a GPU, or on any device that torch has."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import product
from typing import ParamSpec, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tessella import edges
from tessella.learning.network import Network, Side
from tessella.learning.view import seen
from tessella.networks.model import Model, Subnetwork
from tessella.networks.scoring import VIEWS
from tessella.watch import SILENT, Watcher

_SIDES = 2048
PAIRS = 2**15
"""How many pairs are scored at a time."""

WAITS = (1, 2, 4, 8, 16, 32)
"""Seconds between attempts while others hold the card's memory."""

P = ParamSpec("P")
T = TypeVar("T")


def load(subnetwork: Subnetwork, device: torch.device) -> Network:
    """Return a sub-network in torch, ready to score."""
    network = Network(subnetwork.architecture)
    for parameter, kernel in zip(network.kernels, subnetwork.kernels, strict=True):
        parameter.data = torch.from_numpy(kernel.copy())
    network.head.data = torch.from_numpy(subnetwork.head.copy())
    return network.to(device).eval().requires_grad_(False)


def sharing(work: Callable[P, T]) -> Callable[P, T]:
    """Make `work` one for a card that other processes use as well.

    While its memory is taken, wait and try again; then hand back what was only kept for later.
    """

    @wraps(work)
    def patient(*args: P.args, **named: P.kwargs) -> T:
        for wait in WAITS:
            try:
                return work(*args, **named)
            except torch.OutOfMemoryError:
                time.sleep(wait)
            finally:
                torch.cuda.empty_cache()
        return work(*args, **named)

    return patient


@sharing
def pairs(
    model: Model,
    left: NDArray[np.uint8],
    right: NDArray[np.uint8],
    which: NDArray[np.int64],
    eroded: int,
    *,
    device: str = "cuda",
    watch: Watcher = SILENT,
) -> NDArray[np.float32]:
    """Score listed pairs with the sum of a model's sub-networks, ``(M,)``.

    Parameters
    ----------
    left : pieces at the left of pairs, ``(A, P, P, 3)``
    right : pieces at the right, ``(B, P, P, 3)``
    which : a row of `left` and one of `right` for every pair, ``(M, 2)``
    """
    place = torch.device(device)
    total = torch.zeros(len(which), device=place)
    listed = torch.from_numpy(which).to(place)
    with torch.inference_mode(), precisely():
        views = VIEWS[: 1 + model.mirrored]
        for subnetwork, rows in product(model.subnetworks, views):
            network = load(subnetwork, place)
            first, second = (
                describe(network, torch.from_numpy(pieces[:, rows].copy()), eroded, facing, place)
                for pieces, facing in ((left, edges.RIGHT), (right, edges.LEFT))
            )
            for start in range(0, len(which), PAIRS):
                part = slice(start, start + PAIRS)
                picked, asked = first.take(listed[part, 0]), listed[part, 1:]
                total[part] += network.pairs(picked, second, asked)[:, 0] / len(views)
                watch.advance(len(listed[part]))
    return np.asarray(total.cpu().numpy())


@contextmanager
def precisely() -> Iterator[None]:
    """Products in tf32 would lose a sky's gradients; scoring has the time for single precision."""
    before = torch.backends.cudnn.allow_tf32
    torch.backends.cudnn.allow_tf32 = False
    try:
        yield
    finally:
        torch.backends.cudnn.allow_tf32 = before


def describe(
    network: Network, pieces: Tensor, eroded: int, direction: int, place: torch.device
) -> Side:
    """Describe all pieces ``(A, P, P, 3)`` in portions."""
    made = []
    architecture = network.architecture
    size = architecture.planes, architecture.rows, architecture.depth
    ask = network.left if direction == edges.RIGHT else network.right
    for start in range(0, len(pieces), _SIDES):
        part = pieces[start : start + _SIDES].to(place)
        made.append(ask(seen(part, eroded, *size, direction)))
    return Side(
        tuple(torch.cat(column) for column in zip(*(s.parts for s in made), strict=True)),
        tuple(
            None if column[0] is None else torch.cat([c for c in column if c is not None])
            for column in zip(*(s.rims for s in made), strict=True)
        ),
        torch.cat([s.own for s in made]),
    )
