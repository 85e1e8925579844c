"""The report's charts, as SVG: sharp at any size, and matplotlib need not be loaded for them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tessella.plots.heatmap import Scale, colours
from tessella.plots.viridis import viridis
from tessella.report.embed import data_uri, exact

WIDE, HIGH = 770, 352
LEFT, RIGHT, TOP, BOTTOM = 74, 18, 14, 52
"""Room around what is drawn, in pixels of the chart."""

DASHES = ("none", "8 4", "8 3 2 3", "2 3")
TICKS = 6


def ticks(low: float, high: float, whole: bool = False) -> list[float]:
    """Return round numbers from `low` to `high`, about `TICKS` of them."""
    span = max(high - low, 1e-9)
    size = 10.0 ** np.floor(np.log10(span / TICKS))
    step = next(size * k for k in (1, 2, 5, 10) if span / (size * k) <= TICKS)
    step = max(step, 1.0) if whole else step
    first = np.ceil(low / step - 1e-9)
    return [float(k * step) for k in np.arange(first, np.floor(high / step + 1e-9) + 1)]


def history_chart(runs: Sequence[Sequence[float]], chosen: int) -> str:
    """Return the best fitness of every run against its generations; run `chosen` is thick."""
    drawn = [(number, run) for number, run in enumerate(runs, 1) if len(run)]
    best = chosen + 1
    longest = max(2, *(len(run) for _, run in drawn))
    low, high = (pick(pick(run) for _, run in drawn) for pick in (min, max))
    room = 0.05 * max(high - low, 1e-3 * abs(high), 1e-6)
    low, high = low - room, high + room

    def across(generation: float) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * (generation - 1) / (longest - 1)

    def up(fitness: float) -> float:
        return TOP + (HIGH - TOP - BOTTOM) * (high - fitness) / (high - low)

    parts = [_frame(LEFT, TOP, WIDE - LEFT - RIGHT, HIGH - TOP - BOTTOM)]
    for value in ticks(1, longest, whole=True):
        parts.append(_line(across(value), TOP, across(value), HIGH - BOTTOM))
        parts.append(_text(f"{value:g}", across(value), HIGH - BOTTOM + 18, "middle"))
    for value in ticks(low, high):
        parts.append(_line(LEFT, up(value), WIDE - RIGHT, up(value)))
        parts.append(_text(f"{value:g}", LEFT - 8, up(value) + 4, "end"))
    for place, (number, run) in enumerate(drawn):
        shade = _colour(0.05 + 0.75 * place / max(1, len(drawn) - 1))
        points = " ".join(f"{across(g):.1f},{up(f):.1f}" for g, f in enumerate(run, 1))
        parts.append(
            f"<polyline points='{points}' fill='none' stroke='{shade}' stroke-linejoin='round' "
            f"stroke-width='{3 if number == best else 1.4}' "
            f"stroke-dasharray='{DASHES[place % len(DASHES)]}'/>"
        )
        if len(drawn) > 1:
            words = f"run {number}: {run[-1]:.1f}" + (" (best)" if number == best else "")
            height = HIGH - BOTTOM - 10 - 17 * (len(drawn) - 1 - place)
            parts.append(_text(words, WIDE - RIGHT - 10, height, "end", shade))
    parts.append(_text("generation", (LEFT + WIDE - RIGHT) / 2, HIGH - 12, "middle"))
    parts.append(_aside("best fitness", 20, (TOP + HIGH - BOTTOM) / 2))
    return _svg(WIDE, HIGH, parts)


def heatmap_chart(fitness: NDArray[np.float64], cell: tuple[int, int], scale: Scale) -> str:
    """Return local fitness ``(rows, cols)`` with a colour bar; brighter fits better."""
    rows, cols = fitness.shape
    ratio = float(np.clip(rows * cell[0] / (cols * cell[1]), 0.2, 2.5))
    wide = 640 if ratio < 1.2 else 440
    high = round(wide * ratio)
    bar, beside = 20, LEFT + wide + 22
    whole = beside + bar + 84
    shown = exact(colours(fitness, scale))
    parts = [_image(shown, LEFT, TOP, wide, high), _frame(LEFT, TOP, wide, high)]
    for value in ticks(1, cols, whole=True):
        at = LEFT + wide * (value - 0.5) / cols
        parts.append(_text(f"{value:g}", at, TOP + high + 18, "middle"))
    for value in ticks(1, rows, whole=True):
        at = TOP + high * (value - 0.5) / rows
        parts.append(_text(f"{value:g}", LEFT - 8, at + 4, "end"))
    ramp = viridis(np.linspace(1, 0, 128)[:, None])
    parts += [_image(exact(ramp), beside, TOP, bar, high), _frame(beside, TOP, bar, high)]
    for value in ticks(scale.low, scale.high):
        at = TOP + high * (scale.high - value) / (scale.high - scale.low)
        parts.append(_text(f"{value:.3g}", beside + bar + 7, at + 4, "start"))
    parts.append(_text("column", LEFT + wide / 2, TOP + high + 38, "middle"))
    parts.append(_aside("row", 20, TOP + high / 2))
    parts.append(_aside("local fitness", whole - 14, TOP + high / 2))
    return _svg(whole, TOP + high + BOTTOM, parts)


def _svg(wide: int, high: int, parts: list[str]) -> str:
    """Return a chart as an address that carries it."""
    drawn = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {wide} {high}' width='{wide}' "
        f"height='{high}' font-family='sans-serif' font-size='13'>"
        f"<rect width='{wide}' height='{high}' fill='#fff'/>{''.join(parts)}</svg>"
    )
    return data_uri(drawn.encode(), "image/svg+xml")


def _line(x: float, y: float, to_x: float, to_y: float) -> str:
    return f"<path d='M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}' stroke='#e5e5e5'/>"


def _frame(x: float, y: float, wide: float, high: float) -> str:
    return f"<rect x='{x}' y='{y}' width='{wide}' height='{high}' fill='none' stroke='#222'/>"


def _image(source: str, x: float, y: float, wide: float, high: float) -> str:
    return (
        f"<image href='{source}' x='{x}' y='{y}' width='{wide}' height='{high}' "
        "preserveAspectRatio='none' style='image-rendering:pixelated'/>"
    )


def _text(words: str, x: float, y: float, anchor: str, colour: str = "#222") -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='{colour}'>{words}</text>"


def _aside(words: str, x: float, y: float) -> str:
    """Return words that run upwards."""
    return (
        f"<text transform='translate({x:.1f} {y:.1f}) rotate(-90)' text-anchor='middle' "
        f"fill='#222'>{words}</text>"
    )


def _colour(share: float) -> str:
    return f"#{bytes(viridis(np.array(share)).tolist()).hex()}"
