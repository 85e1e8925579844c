"""The paper's Top-i curves, drawn from records."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

from tessella.bench.paper.answers import Answers
from tessella.bench.paper.plan import TOP_PANELS
from tessella.bench.records import PLACES
from tessella.files import replacing
from tessella.plots.figure import MARKERS, blank, png

FOLDER = "images"


def curves(answers: Answers, suite: str, into: Path) -> dict[str, str]:
    """Draw Top-i after post-processing on the panels; return captions by name."""
    drawn = {}
    for column in TOP_PANELS.columns:
        tops = {}
        for method in (each for each in TOP_PANELS.methods if each.built):
            records = answers.of(suite, method.configuration(column))
            ranks = [record.ranks.after for record in records if record.ranks is not None]
            if ranks:
                tops[method.label] = [100 * fmean(place) for place in zip(*ranks, strict=True)]
        if tops:
            name = f"{FOLDER}/results-top-{column.title.lower()}.png"
            (into / FOLDER).mkdir(exist_ok=True)
            with replacing(into / name) as temporary:
                temporary.write_bytes(_drawn(tops, f"Simulated azulejo panels, {column.title}"))
            drawn[name] = f"Top-i of the measures on simulated azulejo panels, {column.title}"
    return drawn


def _drawn(tops: dict[str, list[float]], title: str) -> bytes:
    """Draw the kept places."""
    from matplotlib import colormaps

    figure = blank(6.5, 4.2)
    axes = figure.add_subplot()
    ordered = sorted(tops.items(), key=lambda item: -item[1][0])
    for nth, (label, values) in enumerate(ordered):
        axes.plot(
            PLACES,
            values,
            marker=MARKERS[nth % len(MARKERS)],
            color=colormaps["viridis"](0.85 * nth / max(1, len(ordered) - 1)),
            linewidth=1.4,
            markersize=4,
            label=f"{label} ({values[0]:.1f} % Top-1)",
        )
    axes.set(xlabel="i", ylabel="true partner among the i best (%)", title=title, xticks=PLACES)
    axes.set_ylim(top=100.5)
    axes.grid(color="0.9")
    axes.legend(frameon=False, fontsize="small", loc="lower right")
    return png(figure)
