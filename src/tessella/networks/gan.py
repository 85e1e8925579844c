"""In-painting the gap between two worn pieces and judging the result, without torch.

Bridger, Danon and Tal, "Solving Jigsaw Puzzles With Eroded Boundaries" (CVPR 2020): a generator
fills what is lost between two pieces, and what a discriminator says of the filled pair is their
compatibility. Ours departs: both networks are small, to be run on a processor. They look at the
central rows and the columns next to the seam, not at whole pieces, and the generator decodes no
more than the band that holds the gap.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tessella.networks.layers import Convolution, Floats, Layer, enlarge

BAND = 6
"""Columns on either side of the seam that the generator decodes."""

WIDEST = 4
"""The widest worn frame: the band shows a little on either side of the gap it fills."""


def generator_layers() -> dict[str, Layer]:
    """Return the generator's convolutions: three sizes down, and up again with short cuts."""
    return {
        "in_full": Layer(4, 16, padding=1),
        "in_half": Layer(16, 32, stride=2, padding=1),
        "in_quarter": Layer(32, 64, stride=2, padding=1),
        "deep": Layer(64, 64, padding=1),
        "out_half": Layer(64 + 32, 32, padding=1),
        "out_full": Layer(32 + 16, 16, padding=1),
        "paint": Layer(16, 3, padding=1, relu=False),
    }


def discriminator_layers(rows: int, depth: int) -> dict[str, Layer]:
    """Return the discriminator's convolutions for canvases of `rows` by ``2 * depth``."""
    return {
        "look": Layer(4, 24, padding=1),
        "look_half": Layer(24, 48, stride=2, padding=1),
        "look_quarter": Layer(48, 96, stride=2, padding=1),
        "look_eighth": Layer(96, 128, stride=2, padding=1),
        "look_deep": Layer(128, 128, padding=1),
        "judge": Layer(128, 1, (rows // 8, depth // 4), relu=False),
    }


def layers(rows: int, depth: int) -> dict[str, Layer]:
    """Return all convolutions by name."""
    return generator_layers() | discriminator_layers(rows, depth)


class Network:
    """Generator and discriminator, ready to score."""

    def __init__(self, weights: Mapping[str, Floats], rows: int, depth: int, gap: int) -> None:
        """Prepare for canvases of `rows` by ``2 * depth`` that lack `gap` columns a side."""
        self.depth, self.gap = depth, gap
        every = layers(rows, depth)
        self.runs = {n: Convolution.of(n, layer, weights) for n, layer in every.items()}

    def __call__(self, pair: Floats) -> Floats:
        """Return what the discriminator says of pairs ``(B, rows, 2 * depth, 3)``, ``(B,)``."""
        canvas = self.fill(pair)
        for name in discriminator_layers(8, 4):
            canvas = self.runs[name](canvas)
        return canvas[:, 0, 0, 0]

    def fill(self, pair: Floats) -> Floats:
        """Return pairs with the gap in-painted and a plane that marks it, ``(B, H, W, 4)``."""
        lost = slice(self.depth - self.gap, self.depth + self.gap)
        canvas = np.zeros((*pair.shape[:3], 4), np.float32)
        canvas[..., :3] = pair
        canvas[:, :, lost] = (0, 0, 0, 1)
        painted = self.paint(canvas)  # (B, H, 2 * BAND, 3)
        canvas[:, :, lost, :3] = painted[:, :, BAND - self.gap : BAND + self.gap]
        return canvas

    def paint(self, canvas: Floats) -> Floats:
        """Return what the generator makes of the band at the seam, ``(B, H, 2 * BAND, 3)``."""
        fine = self.runs["in_full"](canvas)
        half = self.runs["in_half"](fine)
        deep = self.runs["deep"](self.runs["in_quarter"](half))
        values = np.concatenate([enlarge(_middle(deep, 2)), _middle(half, 4)], axis=3)
        values = enlarge(self.runs["out_half"](values))
        values = np.concatenate([_middle(values, BAND), _middle(fine, BAND)], axis=3)
        return self.runs["paint"](self.runs["out_full"](values))


def _middle(values: Floats, reach: int) -> Floats:
    """Return `reach` columns on either side of the seam."""
    seam = values.shape[2] // 2
    return values[:, :, seam - reach : seam + reach]
