"""What sub-networks see of pieces, in torch; `tessella.networks.view` is the specification."""

from __future__ import annotations

import torch
from torch import Tensor

from tessella.networks.architecture import PLANES
from tessella.networks.view import CENTRE, FRAME, LUMA, SPREAD, window


def seen(pieces: Tensor, eroded: int, planes: str, rows: int, depth: int, direction: int) -> Tensor:
    """Return the planes of pieces ``(A, P, P, 3)``, float ``(A, rows, depth, planes)``."""
    down, across = window(pieces.shape[1], eroded, rows, depth, direction)
    pixels = (pieces[:, down, across].float() - CENTRE) / SPREAD
    if planes == "rgb":
        return pixels
    parts = []
    for plane in planes:
        kind = PLANES.index(plane)
        if kind < 3:
            parts.append(pixels[..., kind])
        elif plane == "y":
            parts.append(pixels @ pixels.new_tensor(LUMA))
        else:
            parts.append(torch.full_like(pixels[..., 0], eroded / FRAME))
    return torch.stack(parts, -1)
