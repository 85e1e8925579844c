"""Training pictures on the device that trains, and random views of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor
from torch.nn import functional

from tessella.errors import InputError
from tessella.learning.jpeg import recompress
from tessella.learning.recipe import Augment

KINDS = {".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".bmp"}


def find(folders: Sequence[Path]) -> list[Path]:
    """Return all pictures in `folders`, sorted within each."""
    pictures: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"{folder} is not a folder; --data takes folders of pictures.")
        here = sorted(p for p in folder.iterdir() if p.suffix.lower() in KINDS and p.is_file())
        if not here:
            raise InputError(f"{folder} holds no pictures; --data takes folders of pictures.")
        pictures += here
    return pictures


def read(paths: Sequence[Path]) -> list[NDArray[np.uint8]]:
    """Read pictures as RGB, ``(H, W, 3)`` each."""

    def one(path: Path) -> NDArray[np.uint8]:
        try:
            with Image.open(path) as picture:
                return np.asarray(picture.convert("RGB"))
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as problem:
            raise InputError(
                f"{path} is no picture that can be read; take it out of the folder."
            ) from problem

    with ThreadPoolExecutor() as pool:
        return list(pool.map(one, paths))


def digest(pictures: Sequence[NDArray[np.uint8]]) -> str:
    """Return what tells these pictures from any others."""
    total = hashlib.blake2b(digest_size=16)
    for picture in pictures:
        total.update(str(picture.shape).encode())
        total.update(np.ascontiguousarray(picture).data)
    return total.hexdigest()


class Album:
    """Pictures on a device, and a generator of random square views of them."""

    def __init__(
        self,
        pictures: Sequence[NDArray[np.uint8]],
        side: int,
        augment: Augment,
        device: torch.device,
        *,
        aligned: int | None = None,
    ) -> None:
        """Keep the pictures that show a view.

        Parameters
        ----------
        side : pixels of a view
        aligned : views begin at multiples of so many pixels and keep their scale (tile panels);
            None: anywhere, at any scale
        """
        fitting = [p for p in pictures if min(p.shape[:2]) >= side]
        if not fitting:
            raise InputError(
                f"No picture is as large as {side} x {side} px, which one batch needs; choose "
                "larger pictures or a smaller grid."
            )
        self.pictures = [torch.from_numpy(p.copy()).to(device) for p in fitting]
        self.side, self.augment, self.device, self.aligned = side, augment, device, aligned

    def views(self, count: int, chance: np.random.Generator) -> Tensor:
        """Return random views of random pictures, 0 to 255, ``(count, 3, side, side)``."""
        views = torch.stack([self._view(chance) for _ in range(count)])
        augment = self.augment
        if augment.jpeg:
            lowest, highest = augment.quality
            quality = chance.integers(lowest, highest + 1, count)
            chosen = chance.random(count) < augment.jpeg
            levels = torch.tensor(quality, device=self.device, dtype=torch.float32)
            mask = torch.tensor(chosen, device=self.device)[:, None, None, None]
            views = torch.where(mask, recompress(views, levels), views)
        return torch.stack([self._turned(view, chance) for view in views])

    def _view(self, chance: np.random.Generator) -> Tensor:
        picture = self.pictures[chance.integers(len(self.pictures))]
        height, width = picture.shape[:2]
        if self.aligned:
            top, left = (
                self.aligned * int(chance.integers((size - self.side) // self.aligned + 1))
                for size in (height, width)
            )
            cut = picture[top : top + self.side, left : left + self.side]
            return cut.permute(2, 0, 1).float()
        smallest = max(self.augment.scale[0], self.side / min(height, width))
        largest = max(self.augment.scale[1], smallest)
        extent = min(round(self.side / chance.uniform(smallest, largest)), height, width)
        top, left = (int(chance.integers(size - extent + 1)) for size in (height, width))
        cut = picture[top : top + extent, left : left + extent].permute(2, 0, 1)[None].float()
        if extent != self.side:
            size = self.side, self.side
            cut = functional.interpolate(
                cut, size, mode="bicubic", antialias=True, align_corners=False
            )
        return cut[0].round().clamp(0, 255)

    def _turned(self, view: Tensor, chance: np.random.Generator) -> Tensor:
        step = {"any": 1, "half": 2, "none": 4}[self.augment.turn]
        view = torch.rot90(view, step * int(chance.integers(4)), (1, 2))
        if self.augment.flip and chance.random() < 0.5:
            view = view.flip(2)
        return view
