"""A shredder on the device that trains: sides of neighbouring strips, every page in its own manner.

What scans of really shredded pages have and clean cuts lack: columns lost between strips or seen
on both, ragged, frayed and bent sides, strips that slipped, stretched or lean, shadows along their
sides, pale ink, noise, two tones, compression. Nothing here matches one shredder; each page draws
its own look from a `Shredding`, so that a network learns to do without what differs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tessella.errors import InputError
from tessella.learning.domain import Range
from tessella.learning.jpeg import recompress
from tessella.learning.lots import Lots
from tessella.learning.shredding import Shredding

_CELL = 64
"""Pixels of the squares in which a page's ink is counted."""

_FULL = 0.6
"""Share of windows that lie where a page has more ink than elsewhere."""

_REACH = 6.0
"""Farthest that a strip slips."""


@dataclass(frozen=True)
class _Window:
    """Where a page is cut: which page, its pixels for one of a strip, the middle, strips' width."""

    page: int
    scale: float
    middle: tuple[float, float]
    width: float


class Shredder:
    """Pages on a device, and sides of strips that they are cut into."""

    def __init__(
        self,
        pages: Sequence[NDArray[np.uint8]],
        domain: Shredding,
        device: torch.device,
        *,
        strips: int = 20,
        rows: int = 384,
        columns: int = 32,
    ) -> None:
        """Keep the pages.

        Parameters
        ----------
        pages : RGB ``(H, W, 3)`` or grey ``(H, W)``
        strips : how many lie side by side in a window
        rows, columns : pixels of a side
        """
        if not pages:
            raise InputError("A shredder needs pages; got none.")
        self.domain, self.device = domain, device
        self.strips, self.rows, self.columns = strips, rows, columns
        greys = [np.asarray(p.mean(axis=2) if p.ndim == 3 else p, np.uint8) for p in pages]
        self.pages = [torch.from_numpy(255 - grey).to(device) for grey in greys]
        self.ink = [_counted(page) for page in self.pages]

    def windows(self, count: int, chance: np.random.Generator) -> tuple[Tensor, Tensor]:
        """Cut windows of pages into strips.

        Returns
        -------
        the ink of their sides, 0 to 1, all turned to face right, ``(count, strips, 2, rows,
        columns)``, the right side of a strip first; and which strips are missing, ``(count,
        strips)``
        """
        lots = Lots(chance, self.device)
        work = _Cutting(self, [self._place(chance) for _ in range(count)], lots)
        ink = work.scanned(work.cut())
        ink[:, :, 1] = ink[:, :, 1].flip(2)  # mirrored already: with this, turned over
        pages, strips = self.domain.missing
        gone = lots.happens(pages, count, 1) & lots.happens(strips, count, self.strips)
        return ink, gone

    def _place(self, chance: np.random.Generator) -> _Window:
        """Choose a window, rather where there is ink."""
        which = int(chance.integers(len(self.pages)))
        height, width = self.pages[which].shape
        low, high = (math.log(bound) for bound in self.domain.scale)
        scale = math.exp(chance.uniform(low, high))
        across = min(chance.uniform(*self.domain.width), 1.08 * width / scale / self.strips)
        across = max(across, self.columns / 2)
        half = self.rows * scale / 2, across * self.strips * scale / 2
        best, middle = -1.0, (height / 2, width / 2)
        for _ in range(3 if chance.random() < _FULL else 1):
            y, x = (
                chance.uniform(min(h, size / 2), max(size - h, size / 2))
                for h, size in zip(half, (height, width), strict=True)
            )
            x += width * chance.uniform(-0.04, 0.04)
            part = tuple(
                slice(int(max(0.0, at - h)) // _CELL, int(min(size - 1.0, at + h)) // _CELL + 1)
                for at, h, size in zip((y, x), half, (height, width), strict=True)
            )
            ink = float(self.ink[which][part].mean())
            if ink > best:
                best, middle = ink, (y, x)
        return _Window(which, scale, middle, across)


class _Cutting:
    """Windows while they are cut: B windows of N strips with two sides of H x W pixels."""

    def __init__(self, shredder: Shredder, windows: list[_Window], lots: Lots) -> None:
        self.shredder, self.windows, self.lots = shredder, windows, lots
        self.domain, self.device = shredder.domain, shredder.device
        self.b, self.n = len(windows), shredder.strips
        self.h, self.w = shredder.rows, shredder.columns
        self.down = torch.arange(self.h, device=self.device) - self.h / 2
        self.behind = torch.arange(self.w, device=self.device).flip(0) + 0.5  # the rim at 0
        self.out = torch.tensor([-1.0, 1.0], device=self.device)  # into the strip, of both sides

    def of(self, values: list[float]) -> Tensor:
        """Return a number a window, ``(B,)``."""
        return torch.tensor(values, device=self.device, dtype=torch.float32)

    def some(self, bounds: Range, share: float, *size: int) -> Tensor:
        """Draw numbers between two for a share, 0 for the others."""
        return self.lots.within(bounds, *size) * self.lots.happens(share, *size)

    def lost(self, width: Tensor) -> Tensor:
        """Return how many columns every side lost, less than 0 where ink is doubled, (B, N, 2)."""
        domain, lots = self.domain, self.lots
        chances = torch.tensor(domain.kinds, device=self.device)
        kind = lots.share(self.b) * chances.sum()
        edges = chances.cumsum(0)
        lost = torch.where(kind < edges[1], -lots.within(domain.doubled, self.b), 0)
        lost = torch.where(kind < edges[0], 0, lost)
        lost = torch.where(kind >= edges[1], lots.within(domain.little, self.b), lost)
        lost = torch.where(kind >= edges[2], lots.within(domain.much, self.b), lost)
        lost = torch.minimum(lost, 0.45 * width)
        each = lost[:, None, None] / 2 * (1 + 0.25 * lots.normal(self.b, self.n, 2))
        return each + 0.4 * lots.normal(self.b, self.n, 2) * lots.happens(0.7, self.b, 1, 1)

    def ragged(self) -> Tensor:
        """Return how far every side runs from the line of its cut, (B, N, 2, H)."""
        lots, b, n, h = self.lots, self.b, self.n, self.h
        shared, own = lots.normal(b, n + 1, h), lots.normal(b, 2 * n, h)
        for _ in range(int(lots.chance.integers(4))):
            shared, own = (_smoothed(noise, 7) * 2.2 for noise in (shared, own))
        shared = shared * self.some(self.domain.rough, 0.5, b, 1, 1)
        turns = lots.within((1, 6), b, n + 1, 1), lots.within((0, 6.3), b, n + 1, 1)
        wave = torch.sin(self.down / h * turns[0] + turns[1])
        bend = lots.within(self.domain.bend, b, n + 1, 1) * lots.happens(0.4, b, 1, 1)
        shared = shared + bend * wave
        both = torch.stack([shared[:, 1:], shared[:, :-1]], 2)
        own = own.view(b, n, 2, h) * self.some(self.domain.own, 0.4, b, 1, 1, 1)
        return (both + own).clamp(-8, 8)

    def cut(self) -> Tensor:
        """Return the ink of all sides as it is on the page, (B, N, 2, H, W)."""
        lots, b, n = self.lots, self.b, self.n
        width = self.of([window.width for window in self.windows])
        uneven = 0.03 * lots.normal(b, n) * lots.happens(0.5, b, 1)
        wide = width[:, None] * (1 + uneven)
        cuts = torch.cat([torch.zeros(b, 1, device=self.device), wide.cumsum(1)], 1)
        cuts = cuts - cuts[:, -1:] / 2
        each = self.lost(width)
        self.rims = torch.stack([cuts[:, 1:] - each[..., 0], cuts[:, :-1] + each[..., 1]], 2)
        self.rough = self.ragged()
        self.flush = lots.happens(self.domain.flush, b, 1, 1, 1).float()
        rim = self.rims[..., None] + self.rough * self.flush
        x = rim[..., None] + self.out[:, None, None] * self.behind  # (B, N, 2, H, W)
        slip = lots.normal(b, n) * self.some(self.domain.slip, 0.55, b, 1)
        slip = slip.clamp(-_REACH, _REACH) + 0.3 * lots.normal(b, n)
        stretch = lots.normal(b, n) * self.some(self.domain.stretch, 0.5, b, 1)
        lean = lots.normal(b, n) * self.some(self.domain.lean, 0.6, b, 1)
        lean = lean[:, :, None, None, None]
        middle = ((cuts[:, 1:] + cuts[:, :-1]) / 2)[:, :, None, None, None]
        y = (self.down * (1 + stretch[..., None]) + slip[..., None])[:, :, None, :, None]
        y = y + lean * (x - middle)
        x = x - lean * self.down[:, None] * (1 - self.flush[..., None]) / 2
        return self._sampled(x, y)

    def _sampled(self, x: Tensor, y: Tensor) -> Tensor:
        """Look up the pages' ink at places of windows, 0 beyond their sides."""
        angle = self.lots.normal(self.b) * self.some(self.domain.angle, 0.6, self.b)
        windows = []
        for i, window in enumerate(self.windows):
            page = self.shredder.pages[window.page]
            cos, sin = math.cos(float(angle[i])), math.sin(float(angle[i]))
            across = (cos * x[i] - sin * y[i]) * window.scale + window.middle[1]
            down = (sin * x[i] + cos * y[i]) * window.scale + window.middle[0]
            height, width = page.shape
            grid = torch.stack([across * 2 / width - 1, down * 2 / height - 1], -1)
            ink = page[None, None].float() / 255
            seen = functional.grid_sample(ink, grid.view(1, -1, self.w, 2), align_corners=False)
            windows.append(seen.view(self.n, 2, self.h, self.w))
        return torch.stack(windows)

    def scanned(self, ink: Tensor) -> Tensor:
        """Return the ink of sides as a scanner shows it."""
        lots, domain, b = self.lots, self.domain, self.b
        one = b, 1, 1, 1, 1
        ink = self._blurred(ink.clamp(0, 1))
        hard = self.some(domain.hard, 0.5, *one)
        shift = lots.within((0, 0.3), *one) - 0.15
        ink = torch.where(hard > 0.5, ((ink - 0.5) * (1 + hard) + 0.5 + shift).clamp(0, 1), ink)
        uneven = lots.normal(b, self.n, 2, 1, 1) * lots.happens(0.5, *one)
        gain = (1 - self.some(domain.pale, 0.6, *one)) * (1 + 0.08 * uneven)
        grey = self.some(domain.grey, 0.5, *one)
        light = 1 - grey + 0.012 * lots.normal(b, self.n, 2, 1, 1) * lots.happens(0.5, *one)
        light = light - ink * gain.clamp(0.2, 1)
        room = (self.rims[..., 0] - self.rims[..., 1]).clamp_min(6)[:, :, None, None, None]
        light = torch.where(self.behind > room, 1.0, light)  # a narrow strip ends before
        light = self._frayed(light)
        sides = b, 1, 2, 1, 1
        dark = self.some(domain.shadow, 0.3, *sides)
        light = light * (1 - dark * torch.exp(-self.behind / lots.within(domain.deep, *sides)))
        light = light + self.some(domain.noise, 0.6, *one) * lots.normal(*light.shape)
        tones = (light > lots.within((0.4, 0.75), *one)).float()
        light = torch.where(lots.happens(domain.bits, *one), tones, light).clamp(0, 1)
        return 1 - self._compressed(light)

    def _blurred(self, ink: Tensor) -> Tensor:
        """Blur every window by as much as it draws."""
        width = self.some(self.domain.blur, 0.7, self.b, 1)
        taps = torch.exp(-0.5 * (torch.arange(-2, 3, device=self.device) / (width + 1e-3)) ** 2)
        taps = taps / taps.sum(1, keepdim=True)
        flat = ink.flatten(1, 2).transpose(0, 1)  # (2 N, B, H, W)
        for size, pad in (((1, 5), (2, 2, 0, 0)), ((5, 1), (0, 0, 2, 2))):
            kernel = taps.view(self.b, 1, *size)
            flat = functional.conv2d(functional.pad(flat, pad), kernel, groups=self.b)
        return flat.transpose(0, 1).reshape(ink.shape)

    def _frayed(self, light: Tensor) -> Tensor:
        """Show white, or the bed, in the outermost pixels of single rows."""
        lots, b, n, h = self.lots, self.b, self.n, self.h
        uneven = lots.share(b, 2 * n, h)
        smooth = (_smoothed(uneven, 5) * 1.3 - 0.15).clamp(0, 1)
        uneven = torch.where(lots.happens(0.6, b, 1, 1), uneven, smooth).view(b, n, 2, h, 1)
        far = self.some(self.domain.fray, 0.6, b, 1, 1, 1, 1)
        far = uneven * far * lots.within((0.4, 1.0), b, n, 2, 1, 1)
        apart = self.rough * (1 - self.flush) * -self.out[:, None]
        far = far + 0.8 * apart.clamp_min(0)[..., None]
        bed = lots.happens(self.domain.bed, b, 1, 1, 1, 1)
        colour = torch.where(bed, lots.within((0.2, 1.0), b, 1, 1, 1, 1), 1.0)
        return torch.where(self.behind < far + 0.3, colour, light)

    def _compressed(self, light: Tensor) -> Tensor:
        """Compress a share of the windows; the squares of JPEG lie anywhere."""
        lots = self.lots
        top, left = (int(lots.chance.integers(16)) for _ in range(2))
        flat = light.flatten(0, 2)[:, None]
        padded = functional.pad(
            flat, (left, -(left + self.w) % 16, top, -(top + self.h) % 16), "replicate"
        )
        quality = lots.within(self.domain.quality, self.b, 1).expand(-1, 2 * self.n).reshape(-1)
        grey = (padded * 255).expand(-1, 3, -1, -1)
        packed = recompress(grey, quality)[:, 0, top : top + self.h, left : left + self.w] / 255
        lossy = lots.happens(self.domain.compressed, self.b, 1, 1, 1, 1)
        return torch.where(lossy, packed.view(light.shape), light)


def _counted(page: Tensor) -> NDArray[np.float32]:
    """Return how much ink there is in every square of a page."""
    ink = functional.avg_pool2d(page[None, None].float() / 255, _CELL, ceil_mode=True)[0, 0]
    return np.asarray(ink.cpu().numpy(), np.float32)


def _smoothed(noise: Tensor, size: int) -> Tensor:
    """Average ``(B, C, H)`` along the last axis."""
    padded = functional.pad(noise, (size // 2, size // 2), mode="reflect")
    return functional.avg_pool1d(padded, size, 1)
