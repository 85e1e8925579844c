"""What `tiles` is trained with beside painted panels: the frozen wear, and worn photographs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tessella.errors import InputError
from tessella.imaging.azulejo import TILE
from tessella.learning.painter import Painter
from tessella.learning.panels import simulate
from tessella.learning.pictures import Album
from tessella.learning.recipe import Recipe


@dataclass(frozen=True)
class Cutter:
    """Views of pictures, cut into pieces that lose a frame and are brought to one size.

    Attributes
    ----------
    album : whose views show `grid` times `grid` pieces of `piece` px
    eroded : narrowest and widest frame that is lost, px, drawn for every panel
    size : side of what is inside, px
    """

    album: Album
    piece: int
    eroded: tuple[int, int]
    size: int

    def panels(self, count: int, chance: np.random.Generator) -> Tensor:
        """Return panels, 0 to 255, ``(count, grid, grid, size, size, 3)``."""
        views = self.album.views(count, chance)
        frames = chance.integers(self.eroded[0], self.eroded[1] + 1, count)
        panels = [self._cut(view, int(frame)) for view, frame in zip(views, frames, strict=True)]
        return torch.stack(panels)

    def _cut(self, view: Tensor, frame: int) -> Tensor:
        grid, piece = view.shape[1] // self.piece, self.piece
        pieces = view.view(3, grid, piece, grid, piece).permute(1, 3, 0, 2, 4).flatten(0, 1)
        inside = pieces[:, :, frame : piece - frame, frame : piece - frame]
        if inside.shape[2] != self.size:
            inside = functional.interpolate(
                inside, (self.size, self.size), mode="bicubic", align_corners=False
            ).clamp(0, 255)
        return inside.permute(0, 2, 3, 1).view(grid, grid, self.size, self.size, 3)


class Mixture:
    """Painted panels, simulated ones and worn photographs, by the recipe's shares."""

    def __init__(
        self,
        recipe: Recipe,
        pictures: Sequence[NDArray[np.uint8]],
        device: torch.device,
        *,
        held: bool = False,
    ) -> None:
        """Get everything ready that is not made batch by batch."""
        asked, grid = recipe.mix, recipe.training.grid
        self.shares = {"aged": asked.aged, "worn": asked.worn}
        painter = Painter(pictures, recipe.domain, device, grid=grid, size=recipe.piece)
        self.makers: dict[str, Painter | Cutter] = {"painted": painter}
        if asked.aged:
            tile, seed = TILE, recipe.seed + (1_000_000 if held else 0)
            count = min(len(pictures), asked.panels) if held else asked.panels
            made = simulate(pictures, count, grid=grid, tile=tile, seed=seed)
            plain = replace(recipe.augment, jpeg=0.0)
            album = Album(made, grid * tile, plain, device, aligned=tile)
            self.makers["aged"] = Cutter(album, tile, (0, 0), recipe.piece)
        if asked.worn:
            if 2 * recipe.eroded[1] >= recipe.piece:
                raise InputError(f"A frame of {recipe.eroded[1]} px leaves nothing of a piece.")
            album = Album(pictures, grid * recipe.piece, recipe.augment, device)
            self.makers["worn"] = Cutter(album, recipe.piece, recipe.eroded, recipe.piece)

    def panels(self, count: int, chance: np.random.Generator) -> Tensor:
        """Return panels of every sort, ``(count, grid, grid, size, size, 3)``."""
        counts = {name: round(count * share) for name, share in self.shares.items()}
        counts["painted"] = count - sum(counts.values())
        made = [self.makers[name].panels(n, chance) for name, n in counts.items() if n]
        return torch.cat(made)
