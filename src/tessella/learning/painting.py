"""The painting of a tile panel before it is cut into tiles: content, ornament and inks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tessella.learning.domain import Domain
from tessella.learning.lots import Lots

_LUMA = (0.299, 0.587, 0.114)

_INKS = (
    # From the full brush to the bare glaze: four cobalts, manganese, sepia, green, black.
    ((24, 40, 110), (62, 94, 168), (150, 178, 214), (233, 235, 230)),
    ((44, 54, 92), (92, 112, 152), (166, 182, 202), (222, 220, 208)),
    ((14, 22, 80), (40, 70, 160), (120, 160, 225), (240, 242, 246)),
    ((30, 60, 120), (80, 130, 190), (165, 195, 220), (226, 216, 196)),
    ((52, 28, 50), (110, 76, 104), (178, 156, 172), (236, 230, 224)),
    ((60, 36, 20), (124, 88, 56), (190, 160, 122), (238, 228, 208)),
    ((26, 52, 40), (70, 116, 88), (152, 184, 156), (234, 232, 214)),
    ((20, 20, 22), (84, 84, 86), (164, 164, 164), (236, 236, 234)),
)
_OFTEN = (5, 4, 4, 4, 2, 2, 1, 1)
_STOPS = (0.0, 0.34, 0.7, 1.0)


def part(picture: Tensor, side: int, domain: Domain, chance: np.random.Generator) -> Tensor:
    """Return a square part of a picture, brought to `side` pixels, ``(1, 3, side, side)``."""
    height, width = picture.shape[:2]
    shorter = min(height, width)
    least = max(domain.extent[0], min(1.0, 0.4 * side / shorter))  # Enlarged 2.5 times at most.
    extent = max(8, int(shorter * chance.uniform(least, max(least, domain.extent[1]))))
    top, left = (int(chance.integers(size - extent + 1)) for size in (height, width))
    cut = picture[top : top + extent, left : left + extent]
    if cut.ndim == 2:
        cut = cut[..., None].expand(-1, -1, 3)
    cut = torch.rot90(cut, int(chance.integers(4)), (0, 1))
    if chance.random() < 0.5:
        cut = cut.flip(1)
    values = cut.permute(2, 0, 1)[None].float()
    brought = functional.interpolate(
        values, (side, side), mode="bicubic", antialias=True, align_corners=False
    )
    return brought.clamp(0, 255)


def ornament(painting: Tensor, tile: int, domain: Domain, chance: np.random.Generator) -> None:
    """Lay bands of repeated ornament between mouldings over some of ``(B, 3, side, side)``."""
    for number in np.flatnonzero(chance.random(len(painting)) < domain.ornament):
        for _ in range(int(chance.integers(1, 3))):
            source = painting[int(chance.integers(len(painting)))]
            _band(painting[number], source.clone(), tile, chance)


def _band(painting: Tensor, source: Tensor, tile: int, chance: np.random.Generator) -> None:
    side = painting.shape[1]
    line = (torch.arange(side, device=painting.device) + 0.5) / tile  # In tiles.
    wide = chance.uniform(0.5, 2.2)
    across = (line - chance.uniform(-0.5, side / tile - 0.5)) / wide  # 0 to 1 inside the band.
    period = float(chance.choice([0.5, 1.0, 1.0, 2.0, chance.uniform(0.4, 2.5)]))
    phase = (line / period) % 1
    if chance.random() < 0.6:  # Every other one a mirror image: the pattern is continuous.
        phase = ((line / period) % 2 - 1).abs()
    at = across.clamp(0, 1)
    if chance.random() < 0.3:
        at = (2 * at - 1).abs()
    reach = chance.uniform(0.15, 0.45)
    origin = chance.uniform(0, 1 - reach, 2)
    where = torch.empty(1, side, side, 2, device=painting.device)
    where[0, :, :, 0] = (2 * (origin[0] + reach * phase) - 1)[None, :]
    where[0, :, :, 1] = (2 * (origin[1] + reach * at) - 1)[:, None]
    band = functional.grid_sample(source[None], where, align_corners=False)[0]
    stripes = torch.zeros(side, device=painting.device)
    for _ in range(int(chance.integers(1, 6))):
        middle = chance.uniform(0, 0.25) + 0.75 * (chance.random() < 0.5)
        thin = chance.uniform(0.01, 0.06) / wide
        stripes += torch.exp(-(((across - middle) / thin) ** 2))
    shade = chance.uniform(0, 255)
    mixed = 0.9 * stripes.clamp(0, 1)[None, :, None]
    band = band * (1 - mixed) + shade * mixed
    inside = ((across > 0) & (across < 1)).float()[None, :, None]
    if chance.random() < 0.5:
        band, inside = band.transpose(1, 2), inside.transpose(1, 2)
    painting.mul_(1 - inside).add_(band * inside)


def inked(painting: Tensor, tile: int, domain: Domain, lots: Lots) -> tuple[Tensor, Tensor]:
    """Paint ``(B, 3, side, side)`` in one ink, two, full colour or grey; 0 to 255.

    Returns
    -------
    the painting, and which panels are photographed in grey, ``(B, 1, 1, 1)``
    """
    count, side = len(painting), painting.shape[2]
    one = (count, 1, 1, 1)
    luma = luma_of(painting)
    near, middle = _box(luma, 3), _box(_box(luma, 5), 5)
    outline = 3 * lots.within(domain.outline, *one) * lots.happens(0.5, *one)
    change = lots.within(domain.relief, *one) * (luma - _box(luma, round(0.4 * tile) | 1))
    change = change - outline * (middle - near).clamp_min(0)
    tone = _grounded(_stretched(luma + change), lots.within(domain.ground, *one))
    tone = torch.where(lots.happens(0.06, *one), 1 - tone, tone)
    first, second = _palettes(count, lots), _palettes(count, lots)
    where = torch.sigmoid(6 * lots.clouds(count, 6, side) + 2 * lots.normal(*one))
    single = _coloured(tone, first)
    double = single * where + _coloured(tone, second) * (1 - where)
    vivid = lots.within((0.3, 1.6), *one)
    full = luma + vivid * (painting - luma) + change
    gray = (255 * tone * lots.within((0.6, 1), *one) + lots.within((0, 50), *one)).expand_as(full)
    weights = np.array(domain.colours) / sum(domain.colours)
    kind = torch.from_numpy(lots.chance.choice(4, count, p=weights)).to(painting.device)
    every = torch.stack([single, double, full, gray])
    made = every[kind, torch.arange(count, device=painting.device)].clamp(0, 255)
    return made, (kind == len(every) - 1).view(one)


def _palettes(count: int, lots: Lots) -> Tensor:
    """Return an ink for every panel, ``(B, stops, 3)``: a mixture of two known ones."""
    inks = torch.tensor(_INKS, device=lots.device, dtype=torch.float32)
    weights = np.array(_OFTEN) / sum(_OFTEN)
    main = torch.from_numpy(lots.chance.choice(len(inks), count, p=weights)).to(lots.device)
    other = torch.from_numpy(lots.chance.choice(4, count)).to(lots.device)  # A cobalt.
    share = lots.within((0, 0.5), count, 1, 1)
    mixed = inks[main] * (1 - share) + inks[other] * share
    return mixed + 6 * lots.normal(count, 4, 3) + 8 * lots.normal(count, 1, 3)


def _coloured(tone: Tensor, palette: Tensor) -> Tensor:
    """Return the colour of tones ``(B, 1, H, W)`` by palettes ``(B, stops, 3)``."""
    out = palette[:, 0, :, None, None].expand(-1, -1, *tone.shape[2:])
    for i in range(len(_STOPS) - 1):
        step = ((tone - _STOPS[i]) / (_STOPS[i + 1] - _STOPS[i])).clamp(0, 1)
        out = out + step * (palette[:, i + 1] - palette[:, i])[:, :, None, None]
    return out


def luma_of(pictures: Tensor) -> Tensor:
    """Return the luma of ``(B, 3, H, W)``, ``(B, 1, H, W)``."""
    return (pictures * pictures.new_tensor(_LUMA)[:, None, None]).sum(1, keepdim=True)


def _box(values: Tensor, size: int) -> Tensor:
    """Return means over squares of `size` pixels, an odd number."""
    return functional.avg_pool2d(values, size, 1, size // 2, count_include_pad=False)


def _stretched(luma: Tensor) -> Tensor:
    """Return tones from 0 to 1 that the darkest and the lightest hundredth of a panel bound."""
    sample = luma[:, :, ::5, ::5].flatten(1)
    bounds = torch.quantile(sample, sample.new_tensor([0.01, 0.99]), dim=1)[..., None, None, None]
    return ((luma - bounds[0]) / (bounds[1] - bounds[0]).clamp_min(1)).clamp(0, 1)


def _grounded(tone: Tensor, ground: Tensor) -> Tensor:
    """Bend tones so that the middle one becomes `ground`: old paintings are dark, tiles white."""
    middle = tone[:, :, ::5, ::5].flatten(1).median(1).values[:, None, None, None]
    power = torch.log(ground) / torch.log(middle.clamp(0.02, 0.98))
    return tone ** power.clamp(0.35, 2.5)


def pictured(
    pictures: Sequence[Tensor], which: Sequence[int], side: int, domain: Domain, lots: Lots
) -> Tensor:
    """Return parts of pictures, one for every panel, ``(B, 3, side, side)``."""
    return torch.cat([part(pictures[i], side, domain, lots.chance) for i in which])
