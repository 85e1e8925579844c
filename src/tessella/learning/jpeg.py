"""JPEG's losses imitated on the device that trains: 8 x 8 cosine transform, 4:2:0 colour.

ITU-T T.81; the quality scale and the quantisation tables of its Annex K are those of the
Independent JPEG Group's library.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional

_LUMA = """16 11 10 16 24 40 51 61 12 12 14 19 26 58 60 55 14 13 16 24 40 57 69 56 14 17 22 29 51 87
80 62 18 22 37 56 68 109 103 77 24 35 55 64 81 104 113 92 49 64 78 87 103 121 120 101 72 92 95 98
112 100 103 99"""
_CHROMA = (
    """17 18 24 47 99 99 99 99 18 21 26 66 99 99 99 99 24 26 56 99 99 99 99 99 47 66 99 99 99 99
99 99"""
    + 32 * " 99"
)

_TO_YCC = [[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]]
_TO_RGB = [[1.0, 0.0, 1.402], [1.0, -0.344136, -0.714136], [1.0, 1.772, 0.0]]


def recompress(pictures: Tensor, quality: Tensor) -> Tensor:
    """Return pictures ``(B, 3, H, W)``, 0 to 255, as a JPEG of the given `quality` shows them.

    Parameters
    ----------
    quality : 1 to 100, one a picture, ``(B,)``
    """
    height, width = pictures.shape[2:]
    padded = functional.pad(pictures, (0, -width % 16, 0, -height % 16), mode="replicate")
    planes = torch.einsum("ij,bjhw->bihw", padded.new_tensor(_TO_YCC), padded).round()
    luma = _quantised(planes[:, :1] - 128, _table(_LUMA, quality)) + 128
    small = functional.avg_pool2d(planes[:, 1:], 2)
    chroma = _quantised(small, _table(_CHROMA, quality))
    large = functional.interpolate(chroma, scale_factor=2, mode="bilinear", align_corners=False)
    planes = torch.cat([luma, large], 1)
    rgb = torch.einsum("ij,bjhw->bihw", padded.new_tensor(_TO_RGB), planes)
    return rgb[:, :, :height, :width].round().clamp(0, 255)


def _table(numbers: str, quality: Tensor) -> Tensor:
    """Return the quantisation tables ``(B, 8, 8)`` of `quality` ``(B,)``."""
    base = torch.tensor([float(n) for n in numbers.split()], device=quality.device)
    scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality)
    return ((base * scale[:, None] + 50) / 100).floor().clamp(1, 255).view(-1, 8, 8)


def _quantised(planes: Tensor, table: Tensor) -> Tensor:
    """Round the cosine coefficients of ``(B, C, H, W)`` to multiples of `table`."""
    cosine = _cosine(planes)
    batch, channels, height, width = planes.shape
    blocks = planes.view(batch, channels, height // 8, 8, width // 8, 8).transpose(3, 4)
    steps = table[:, None, None, None]
    rounded = (cosine @ blocks @ cosine.T / steps).round() * steps
    return (cosine.T @ rounded @ cosine).transpose(3, 4).reshape(planes.shape)


def _cosine(like: Tensor) -> Tensor:
    """Return the orthonormal 8-point cosine transform."""
    row = torch.arange(8, device=like.device, dtype=like.dtype)
    matrix = torch.cos((2 * row[None] + 1) * row[:, None] * math.pi / 16) / 2
    matrix[0] /= math.sqrt(2)
    return matrix
