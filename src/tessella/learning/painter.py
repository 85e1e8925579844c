"""A painter of tile panels on the device that trains: every panel has a look of its own.

What photographs of real tiles have and clean pictures lack: joints and bevels around every tile,
content lost under them, worn sides, inks and faded colours, light that differs from tile to tile,
tiles that lie askew, blur, noise and compression. Nothing here matches one wall; each panel draws
its own look from a `Domain`, so that a network learns to do without what differs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tessella.errors import InputError
from tessella.learning.domain import Domain, Range
from tessella.learning.jpeg import recompress
from tessella.learning.lots import Lots
from tessella.learning.painting import inked, luma_of, ornament, pictured

_JOINTS = ((222, 220, 214), (176, 168, 154), (110, 100, 90), (50, 46, 46), (190, 140, 90))
"""Lime, mortar, dirt, soot and clay."""

_CLAY = (205, 150, 90)


class Painter:
    """Pictures on a device, and panels of worn tiles painted from them."""

    def __init__(
        self,
        pictures: Sequence[NDArray[np.uint8]],
        domain: Domain,
        device: torch.device,
        *,
        grid: int = 8,
        size: int = 64,
        weights: Sequence[float] | None = None,
    ) -> None:
        """Keep the pictures.

        Parameters
        ----------
        pictures : RGB ``(H, W, 3)`` or grey ``(H, W)``
        grid : tiles along a panel's side
        size : pixels of a tile's side
        weights : how often each picture is taken, all alike when None
        """
        if not pictures:
            raise InputError("A painter needs pictures; got none.")
        self.pictures = [torch.from_numpy(p.copy()).to(device) for p in pictures]
        self.domain, self.device, self.grid, self.size = domain, device, grid, size
        share = np.ones(len(pictures)) if weights is None else np.asarray(weights, float)
        self.share = share / share.sum()

    def panels(self, count: int, chance: np.random.Generator) -> Tensor:
        """Paint panels, whole numbers as floats, ``(count, grid, grid, size, size, 3)``."""
        lots = Lots(chance, self.device)
        which = chance.choice(len(self.pictures), count, p=self.share)
        side = self.grid * self.size
        painting = pictured(self.pictures, which.tolist(), side, self.domain, lots)
        ornament(painting, self.size, self.domain, chance)
        painting, gray = inked(painting, self.size, self.domain, lots)
        return _Workshop(self, count, lots).tiles(painting, gray)


class _Workshop:
    """Tiles while they are made: B panels of G x G tiles of S x S pixels; N = B G G."""

    def __init__(self, painter: Painter, count: int, lots: Lots) -> None:
        self.b, self.g, self.s = count, painter.grid, painter.size
        self.n = count * self.g * self.g
        self.domain, self.device, self.lots = painter.domain, painter.device, lots
        self.used = ~lots.happens(painter.domain.clean, count, 1)

    def panel(self, bounds: Range) -> Tensor:
        """Draw a number for every panel, 0 for clean ones, for all its tiles, ``(N, 1, 1, 1)``."""
        drawn = self.lots.mostly_small(bounds, self.b, 1) * self.used
        return drawn.expand(-1, self.g * self.g).reshape(self.n, 1, 1, 1)

    def shared(self, drawn: Tensor) -> Tensor:
        """Give what was drawn for panels, ``(B, ...)``, to their tiles, ``(N, ...)``."""
        return drawn.repeat_interleave(self.g * self.g, 0)

    def tiles(self, painting: Tensor, gray: Tensor) -> Tensor:
        """Cut, fire, wear and photograph a painting, ``(B, G, G, S, S, 3)``."""
        tiles, far = self._laid(painting)
        tiles = self._fired(tiles)
        tiles = self._worn(tiles, far)
        tiles = self._photographed(tiles, gray)
        shaped = tiles.view(self.b, self.g, self.g, 3, self.s, self.s)
        return shaped.permute(0, 1, 2, 4, 5, 3).contiguous()

    def _laid(self, painting: Tensor) -> tuple[Tensor, Tensor]:
        """Return what tiles show of a painting, and how far pixels are from every side.

        Returns
        -------
        ``(N, 3, S, S)`` and, in fractions of a side, top, bottom, left and right, ``(N, 4, S, S)``
        """
        domain, lots, n = self.domain, self.lots, self.n
        lost = self.shared(lots.within(domain.lost, self.b, 1, 1, 1))
        cropped = lost * self.shared(lots.within(domain.cropped, self.b, 1, 1, 1))
        line = (torch.arange(self.s, device=self.device) + 0.5) / self.s - 0.5
        down = line[:, None].expand(self.s, self.s) * (1 - 2 * cropped[:, 0])  # (N, S, S)
        right = line[None, :].expand(self.s, self.s) * (1 - 2 * cropped[:, 0])
        angle = (self.panel(domain.tilt) * lots.normal(n, 1, 1, 1))[:, 0] * (math.pi / 180)
        zoom = 1 + (self.panel(domain.zoom) * lots.normal(n, 1, 1, 1))[:, 0]
        shear = self.panel(domain.shear) * lots.normal(n, 2, 1, 1)  # (N, 2, 1, 1)
        shift = self.panel(domain.shift) * lots.normal(n, 2, 1, 1).clamp(-2.5, 2.5)
        y = zoom * (torch.cos(angle) * down - torch.sin(angle) * right) + shear[:, 0] * right
        x = zoom * (torch.cos(angle) * right + torch.sin(angle) * down) + shear[:, 1] * down
        y, x = y + shift[:, 0], x + shift[:, 1]  # On the tile as it lies: -1/2 to 1/2.
        far = torch.stack([y + 0.5, 0.5 - y, x + 0.5, 0.5 - x], 1)
        shown = 1 - 2 * (lost - cropped)[:, 0]
        slip = 0.5 * self.panel(domain.shift) * lots.normal(n, 2, 1, 1)  # Of the brush.
        place = torch.arange(self.g, device=self.device) + 0.5
        row = place[None, :, None].expand(self.b, self.g, self.g).reshape(n, 1, 1)
        col = place[None, None, :].expand(self.b, self.g, self.g).reshape(n, 1, 1)
        at = torch.stack([col + shown * x + slip[:, 1], row + shown * y + slip[:, 0]], -1)
        at = (2 * at / self.g - 1).view(self.b, self.g * self.g * self.s, self.s, 2)
        laid = functional.grid_sample(
            painting, at, padding_mode="reflection", align_corners=False
        )  # (B, 3, G G S, S)
        laid = laid.view(self.b, 3, self.g * self.g, self.s, self.s).transpose(1, 2)
        return laid.reshape(n, 3, self.s, self.s), far

    def _fired(self, tiles: Tensor) -> Tensor:
        """Give every tile its own strength of colour, exposure and tint."""
        domain, lots, n = self.domain, self.lots, self.n
        faded = self.panel(domain.fading) * lots.share(n, 1, 1, 1)
        bare = self.shared(lots.within((205, 245), self.b, 3, 1, 1))
        tiles = tiles + faded * (bare - tiles)
        power = torch.exp(self.panel(domain.gamma) * lots.normal(n, 1, 1, 1))
        tiles = 255 * (tiles / 255).clamp(1e-4, 1) ** power
        steps = torch.linspace(-1, 1, self.s, device=self.device)
        gain = 1 + self.panel(domain.gain) * lots.normal(n, 1, 1, 1)
        lean = self.panel(domain.slope) * lots.normal(n, 2, 1, 1)
        gain = gain + lean[:, :1] * steps[:, None] + lean[:, 1:] * steps[None, :]
        tint = self.panel(domain.tint) * lots.normal(n, 3, 1, 1)
        mottled = self.panel(domain.clouds) * lots.clouds(n, 5, self.s)
        return tiles * gain + tint + mottled

    def _worn(self, tiles: Tensor, far: Tensor) -> Tensor:
        """Give tiles joints, bevels, nicks, shells, cracks and lost corners."""
        domain, lots, n = self.domain, self.lots, self.n
        clay = torch.tensor(_CLAY, device=self.device, dtype=torch.float32)[None, :, None, None]
        clay = clay + self.shared(18 * lots.normal(self.b, 3, 1, 1))
        clay = clay + 8 * lots.normal(n, 1, 1, 1) + 6 * lots.clouds(n, 8, self.s)
        joint = self._joint()
        nearest = far.amin(1, keepdim=True)
        reach = self.panel(domain.bevel).clamp_min(1e-3)
        rise = self.shared(40 * lots.normal(self.b, 1, 1, 1)) * lots.share(n, 1, 1, 1)
        tiles = tiles + rise * torch.exp(-((nearest / reach).clamp_min(0) ** 2))
        rough = lots.clouds(n, 22, self.s)
        shells = self.panel(domain.shells) * lots.share(n, 1, 1, 1)
        inward = 1.2 * torch.exp(-nearest / 0.05)  # Glaze breaks off at the sides first.
        gone = torch.sigmoid(9 * (lots.clouds(n, 9, self.s) + 0.4 * rough + inward + shells - 3.6))
        gone = gone * (shells > 0)
        filled = lots.happens(0.4, n, 1, 1, 1)
        tiles = _over(tiles, torch.where(filled, joint, clay), gone)
        cracked = lots.share(n, 1, 1, 1) < self.panel(domain.cracks)
        tiles = _over(tiles, 0.35 * joint, 0.8 * self._crack() * cracked)
        wide = self._sides()  # (N, 4, S, S)
        pixel = 1 / self.s
        nicked = ((wide[1] - far) / pixel).amax(1, keepdim=True).sigmoid()
        tiles = _over(tiles, torch.where(lots.happens(0.5, n, 1, 1, 1), clay, joint), nicked)
        covered = ((wide[0] - far) / pixel).amax(1, keepdim=True).sigmoid()
        covered = covered * self.shared(lots.happens(0.8, self.b, 1, 1, 1).float())
        return _over(tiles, joint + 6 * rough, covered)

    def _joint(self) -> Tensor:
        """Return the colour of joints, ``(N, 3, 1, 1)``."""
        lots = self.lots
        known = torch.tensor(_JOINTS, device=self.device, dtype=torch.float32)
        kind = torch.from_numpy(lots.chance.choice(len(known), self.b)).to(self.device)
        mixed = known[kind] + 15 * lots.normal(self.b, 3) + 10 * lots.normal(self.b, 1)
        return self.shared(mixed[:, :, None, None]) + 10 * lots.normal(self.n, 1, 1, 1)

    def _sides(self) -> tuple[Tensor, Tensor]:
        """Return how deep the joint and the nicks of every side are, ``(N, 4, S, S)`` each."""
        domain, lots, n = self.domain, self.lots, self.n
        wavy = self._along(6) + 0.5 * self._along(self.s // 3)
        uneven = self.panel(domain.ragged)
        own = torch.exp(0.35 * lots.normal(n, 4, 1, 1))
        joint = self.panel(domain.joint) * own * (1 + uneven * wavy).clamp_min(0)
        joint = joint - 0.7 / self.s  # Below half a pixel there is none.
        deep = self._along(8) + 0.6 * self._along(self.s // 3) + 0.4 * lots.normal(n, 4, 1, 1)
        much = self.panel(domain.nicks)
        nicks = 0.06 * much * (deep - 1.5 + 0.7 * much).clamp_min(0).sqrt()
        ends = torch.linspace(0, 1, self.s, device=self.device)
        ends = torch.minimum(ends, 1 - ends)
        corner = self.panel(domain.corners) * lots.normal(n, 4, 1, 1).clamp_min(0)
        worn = 0.05 * corner * torch.exp(-ends / 0.05)
        nicks = torch.where(nicks + self._across(worn) > 0.006, nicks + self._across(worn), -1.0)
        return joint, nicks

    def _along(self, knots: int) -> Tensor:
        """Return smooth noise along the four sides, the same at any depth, ``(N, 4, S, S)``."""
        coarse = 1.2 * self.lots.normal(self.n, 4, knots)
        fine = functional.interpolate(coarse, self.s, mode="linear", align_corners=True)
        return self._across(fine[:, :, None])

    def _across(self, along: Tensor) -> Tensor:
        """Lay what runs along sides, ``(N, 4, 1, S)``, over tiles: along rows or columns."""
        lying = along[:, :2].expand(-1, -1, self.s, -1)  # Top and bottom run along the columns.
        standing = along[:, 2:].transpose(2, 3).expand(-1, -1, -1, self.s)
        return torch.cat([lying, standing], 1)

    def _crack(self) -> Tensor:
        """Return a crack across every tile, ``(N, 1, S, S)``."""
        lots, n = self.lots, self.n
        line = torch.linspace(-0.5, 0.5, self.s, device=self.device)
        angle = lots.within((0, math.pi), n, 1, 1, 1)
        off = lots.within((-0.3, 0.3), n, 1, 1, 1)
        away = torch.cos(angle) * line[:, None] + torch.sin(angle) * line[None, :] - off
        away = away + 0.03 * lots.clouds(n, 7, self.s)
        return torch.exp(-((away / lots.within((0.008, 0.02), n, 1, 1, 1)) ** 2))

    def _photographed(self, tiles: Tensor, gray: Tensor) -> Tensor:
        """Light the panels, and take their picture; whole numbers, ``(N, 3, S, S)``."""
        domain, lots, side = self.domain, self.lots, self.g * self.s
        whole = tiles.view(self.b, self.g, self.g, 3, self.s, self.s)
        whole = whole.permute(0, 3, 1, 4, 2, 5).reshape(self.b, 3, side, side)
        light = lots.mostly_small(domain.light, self.b, 1, 1, 1)
        whole = whole * torch.exp(light * lots.clouds(self.b, 3, side))
        spots = lots.clouds(self.b, 5, side) + 0.8 * lots.clouds(self.b, side // 6, side)
        glare = torch.sigmoid(4 * (spots - lots.within((1.2, 2.5), self.b, 1, 1, 1)))
        shiny = lots.happens(domain.glare, self.b, 1, 1, 1)
        whole = _over(whole, torch.full_like(whole, 250.0), 0.9 * glare * shiny)
        whole = torch.where(gray, luma_of(whole).expand_as(whole), whole)
        tiles = whole.view(self.b, 3, self.g, self.s, self.g, self.s)
        tiles = tiles.permute(0, 2, 4, 1, 3, 5).reshape(self.n, 3, self.s, self.s)
        tiles = self._blurred(tiles)
        noise = self.panel(domain.noise)
        tiles = tiles + noise * lots.normal(self.n, 1, self.s, self.s)
        speckle = 0.4 * noise * lots.normal(self.n, 3, self.s, self.s)
        tiles = tiles + speckle * ~self.shared(gray)
        tiles = tiles.round().clamp(0, 255)
        chosen = lots.happens(domain.compressed, self.b, 1, 1, 1)
        quality = lots.within(domain.quality, self.b).round()
        return torch.where(self.shared(chosen), recompress(tiles, self.shared(quality)), tiles)

    def _blurred(self, tiles: Tensor) -> Tensor:
        """Blur every tile by its panel's spread."""
        spread = self.panel(self.domain.blur)[:, 0].clamp_min(0.2)  # (N, 1, 1)
        at = torch.arange(-3, 4, device=self.device, dtype=torch.float32)
        kernel = torch.exp(-0.5 * (at / spread) ** 2)  # (N, 1, 7)
        kernel = kernel / kernel.sum(2, keepdim=True)
        each = [kernel[:, :, i, None, None] for i in range(7)]
        for axis, pad in ((3, (3, 3, 0, 0)), (2, (0, 0, 3, 3))):
            padded = functional.pad(tiles, pad, mode="replicate")
            parts = [w * padded.narrow(axis, i, self.s) for i, w in enumerate(each)]
            tiles = torch.stack(parts).sum(0)
        return tiles


def _over(below: Tensor, above: Tensor, cover: Tensor) -> Tensor:
    """Lay `above` over `below` where `cover` is 1."""
    return below + cover * (above - below)
