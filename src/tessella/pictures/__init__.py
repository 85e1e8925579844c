"""Pictures that ship with the package."""

from __future__ import annotations

from importlib import resources

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def demo_picture() -> NDArray[np.uint8]:
    """Return the demo picture, a painted tile panel, uint8 ``(672, 896, 3)``.

    It cuts into 12 x 16 pieces of 56 px or 24 x 32 of 28 px without a remainder.

    >>> demo_picture().shape
    (672, 896, 3)
    """
    file = resources.files("tessella.pictures") / "caravel.webp"
    with file.open("rb") as stream, Image.open(stream) as picture:
        return np.array(picture.convert("RGB"))
