"""What measures that ask networks about listed pairs have in common: settings, device, pieces."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.errors import InputError
from tessella.puzzle import Puzzle
from tessella.shortlist import present

Device = Literal["auto", "cpu", "cuda"]


def check(count: int | None, device: Device) -> None:
    """Raise unless so many candidates, and that device, can be had."""
    if count is not None and count < 0:
        raise InputError(f"Setting count must be 0 or more; got {count}.")
    if device == "cuda" and not card_present():
        raise InputError(
            "--device cuda needs an NVIDIA card and torch (pip install 'tessella[learn]'), "
            "and here is not both; use --device cpu."
        )


def placed(device: Device) -> Device:
    """Return where networks run: on a card if it was asked for, or if one is there."""
    return "cuda" if device == "cuda" or (device == "auto" and card_present()) else "cpu"


def card_present() -> bool:
    """Say whether torch can use a graphics card; torch is imported only where there is one."""
    if not Path("/proc/driver/nvidia").exists() and shutil.which("nvidia-smi") is None:
        return False
    if find_spec("torch") is None:
        return False
    import torch

    return bool(torch.cuda.is_available())


def faces(
    seen: Puzzle, pairs: NDArray[np.int32]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64]]:
    """Return the pieces of pairs of edges ``(M, 2)``, the first of which faces right.

    Returns
    -------
    pieces that lie at the left, ``(A, P, P, 3)``, those at the right, ``(B, P, P, 3)``, and the
    rows of both for every pair, ``(M, 2)``
    """
    right, first = present(pairs[:, 0], 4 * len(seen))
    left, second = present(pairs[:, 1], 4 * len(seen))
    which = np.stack([first, second], axis=1)
    return seen.facing(right, edges.RIGHT), seen.facing(left, edges.LEFT), which
