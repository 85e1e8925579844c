"""A generator fills the gap between two worn pieces, a discriminator judges the result; a baseline.

Bridger, Danon and Tal, "Solving Jigsaw Puzzles With Eroded Boundaries" (CVPR 2020). The score is
the discriminator's logit. `tessella.networks.gan` and `tessella.learning.gan` say where ours
departs. What `mgc` proposes is scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tessella.measures._pairs import Pairs
from tessella.networks.pair_model import Kind


@dataclass(frozen=True)
class Gan(Pairs):
    """Generator and discriminator; its settings are those of `Pairs`."""

    kind: ClassVar[Kind] = "gan"
