"""SqueezeNet V1.1 asked whether two pieces are adjacent; a baseline, trained from scratch.

Iandola et al., "SqueezeNet: AlexNet-level accuracy with 50x fewer parameters and <0.5MB model size"
(2016), used as by Paixao et al., "A deep learning-based compatibility score for reconstruction of
strip-shredded text documents" (SIBGRAPI 2018), for strips, and by Rika et al. for tiles. Theirs
begins with weights of ImageNet, ours with random ones. The score is the logit of "adjacent" less
that of "not". What `mgc` proposes is scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tessella.measures._pairs import Pairs
from tessella.networks.pair_model import Kind


@dataclass(frozen=True)
class Squeezenet(Pairs):
    """A classifier of pairs; its settings are those of `Pairs`."""

    kind: ClassVar[Kind] = "squeezenet"
