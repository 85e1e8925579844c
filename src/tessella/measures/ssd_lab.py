"""Sum of squared differences of the touching pixels, in CIELAB.

T. S. Cho, S. Avidan, W. T. Freeman, "A probabilistic image jigsaw puzzle solver", CVPR 2010.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.imaging.color import lab
from tessella.measures.ssd import Ssd
from tessella.measuring import rim


@dataclass(frozen=True)
class SsdLab(Ssd):
    """As `Ssd`, with colours as people see them."""

    def _border(
        self, pieces: NDArray[np.uint8], eroded: int, direction: int
    ) -> NDArray[np.float64]:
        near = lab(rim(pieces, eroded, direction)[:, :, 0])
        return near.reshape(len(near), -1)
