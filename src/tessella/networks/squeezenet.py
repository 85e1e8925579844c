"""SqueezeNet V1.1 as a two-class classifier of pairs, without torch.

Iandola et al., "SqueezeNet: AlexNet-level accuracy with 50x fewer parameters" (2016): fire modules,
each of which squeezes by 1 x 1 and expands by 1 x 1 and 3 x 3. Paixao et al., "A deep
learning-based compatibility score for reconstruction of strip-shredded text documents" (2018), ask
it whether two shreds lie side by side. Ours departs: no ReLU behind the last convolution, which
would make all that it thinks unlikely equal.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tessella.networks.layers import Convolution, Floats, Layer, pool

FIRES = {
    "fire2": (64, 16, 64),
    "fire3": (128, 16, 64),
    "fire4": (128, 32, 128),
    "fire5": (256, 32, 128),
    "fire6": (256, 48, 192),
    "fire7": (384, 48, 192),
    "fire8": (384, 64, 256),
    "fire9": (512, 64, 256),
}
"""Channels that come in, that are left by the squeeze, and that either expansion makes."""

POOLED = ("fire2", "fire4", "fire6")
"""Before these, features are pooled."""


def layers() -> dict[str, Layer]:
    """Return all convolutions by name, in order."""
    made = {"conv1": Layer(3, 64, stride=2)}
    for name, (given, squeezed, expanded) in FIRES.items():
        made[f"{name}_squeeze"] = Layer(given, squeezed, (1, 1))
        made[f"{name}_narrow"] = Layer(squeezed, expanded, (1, 1))
        made[f"{name}_wide"] = Layer(squeezed, expanded, padding=1)
    return made | {"conv10": Layer(512, 2, (1, 1), relu=False)}


class Network:
    """The network, ready to score."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self.runs = {n: Convolution.of(n, layer, weights) for n, layer in layers().items()}

    def __call__(self, pair: Floats) -> Floats:
        """Return how much likelier than not pairs ``(B, H, W, 3)`` are adjacent, ``(B,)``."""
        values = self.runs["conv1"](pair)
        for name in FIRES:
            if name in POOLED:
                values = pool(values)
            squeezed = self.runs[f"{name}_squeeze"](values)
            sides = [self.runs[f"{name}_{side}"](squeezed) for side in ("narrow", "wide")]
            values = np.concatenate(sides, axis=3)
        classes = self.runs["conv10"](values).mean(axis=(1, 2))  # (B, 2): not, adjacent
        return np.asarray(classes[:, 1] - classes[:, 0])
