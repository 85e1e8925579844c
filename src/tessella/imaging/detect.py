"""Finding the piece size of a scrambled picture.

Where two pieces meet, the picture jumps: the step from one pixel to the next exceeds the steps on
either side of it, by as much as any two pixels of the picture differ. Inside pieces it rarely
does, and the 8 px grid of JPEG makes many small excesses but no large ones. So every line
between two pixel columns has a mean excess, and the piece width is the divisor of the picture's
width whose multiples explain most of the variance of that profile: twice the true width explains
half of it, and so does half the true width. The same holds for rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.errors import InputError
from tessella.puzzle import Shape

SMALLEST = 8
"""Pieces of fewer pixels each way are not looked for."""

STRENGTH_MIN, MARGIN_MIN, AGREEMENT_MIN = 0.2, 1.3, 0.7
_AGREEMENT_EACH = 0.6
_MARGIN_TRUE = 2.0  # a true size explains about twice what any other does
_LINES_READ = 1024
_PAIRS = 20_000


@dataclass(frozen=True)
class Period:
    """The best piece size along one direction, and how well it explains the picture.

    Attributes
    ----------
    size : height or width of a piece in pixels
    strength : mean excess at the seams less that elsewhere, as a fraction of what two random
        pixels of the picture differ by
    margin : variance explained, as a multiple of what the second-best size explains
    agreement : lines that are both seams and jumps, of those that are either
    """

    size: int
    strength: float
    margin: float
    agreement: float

    @property
    def sure(self) -> bool:
        """Whether this is good enough to be believed on its own."""
        return (
            self.strength >= STRENGTH_MIN
            and self.margin >= MARGIN_MIN
            and self.agreement >= AGREEMENT_MIN
        )


def piece_size(image: NDArray[np.uint8]) -> Shape:
    """Return height and width of the pieces that the scrambled picture `image` is made of.

    Raises `InputError` rather than guess: both directions must be sure by themselves, or find
    the same size and be sure together.

    Parameters
    ----------
    image : RGB ``(H, W, 3)``, a whole number of pieces each way, at least two
    """
    down, across = periods(image)
    if down is not None and across is not None and _sure_together(down, across):
        return down.size, across.size
    raise InputError(
        f"The piece size of this picture of {image.shape[0]} x {image.shape[1]} px (height x "
        "width) could not be found with certainty; give it with --piece P or --piece HxW."
    )


def periods(image: NDArray[np.uint8]) -> tuple[Period | None, Period | None]:
    """Return the best piece height and the best piece width; None where no size divides."""
    contrast = _contrast(image)
    return _period(image.swapaxes(0, 1), contrast), _period(image, contrast)


def _sure_together(down: Period, across: Period) -> bool:
    if down.size != across.size:
        return down.sure and across.sure
    pooled = Period(
        down.size,
        (down.strength + across.strength) / 2,
        (min(down.margin, _MARGIN_TRUE) + min(across.margin, _MARGIN_TRUE)) / 2,
        (down.agreement + across.agreement) / 2,
    )
    return pooled.sure and min(down.agreement, across.agreement) >= _AGREEMENT_EACH


def _period(image: NDArray[np.uint8], contrast: float) -> Period | None:
    """Return the best piece width."""
    width = image.shape[1]
    sizes = [p for p in range(SMALLEST, width // 2 + 1) if width % p == 0]
    if not sizes or contrast == 0:
        return None
    profile = excess(image) / contrast
    explained = np.array([_explained(profile, p) for p in sizes])
    order = np.argsort(-explained, kind="stable")
    best = sizes[order[0]]
    second = explained[order[1]] if len(sizes) > 1 else 0.0
    margin = float(explained[order[0]] / second) if second > 0 else np.inf
    return Period(best, _strength(profile, best), margin, _agreement(profile, best))


def excess(image: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return how far the step at every line exceeds both steps beside it, ``(W - 1,)``.

    Entry x is the line between columns x and x + 1, averaged over rows; at most `_LINES_READ`
    evenly spread rows are read.
    """
    rows = image[:: -(-image.shape[0] // _LINES_READ)].astype(np.int16)
    step = np.abs(np.diff(rows, axis=1)).sum(axis=2, dtype=np.int16)  # (H, W - 1)
    profile = np.zeros(step.shape[1])
    beside = np.maximum(step[:, :-2], step[:, 2:])
    profile[1:-1] = np.maximum(step[:, 1:-1] - beside, 0).mean(axis=0)
    return profile


def _contrast(image: NDArray[np.uint8]) -> float:
    """Return what two random pixels of the picture differ by, summed over channels."""
    pixels = image.reshape(-1, 3)
    first, second = np.random.default_rng(0).integers(len(pixels), size=(2, _PAIRS))
    return float(np.abs(pixels[first].astype(np.int16) - pixels[second]).sum(axis=1).mean())


def _seams(profile: NDArray[np.float64], size: int) -> NDArray[np.bool_]:
    return np.asarray(np.arange(1, len(profile) + 1) % size == 0)


def _strength(profile: NDArray[np.float64], size: int) -> float:
    seams = _seams(profile, size)
    return float(profile[seams].mean() - profile[~seams].mean())


def _explained(profile: NDArray[np.float64], size: int) -> float:
    """Return the variance between seams and other lines, times the number of lines."""
    seams = int(_seams(profile, size).sum())
    others = len(profile) - seams
    return seams * others / len(profile) * max(_strength(profile, size), 0.0) ** 2


def _agreement(profile: NDArray[np.float64], size: int) -> float:
    """Return how far the seams of `size` and the lines that jump are the same lines."""
    seams = _seams(profile, size)
    jumps = profile > (profile[seams].mean() + np.median(profile[~seams])) / 2
    either = int((seams | jumps).sum())
    return int((seams & jumps).sum()) / either
