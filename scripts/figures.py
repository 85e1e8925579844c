"""The README's figures, taken from the pages that hold all of them.

`docs/results.md` is what ``tessella bench paper`` wrote; the limit that identical pieces set is in
`docs/benchmarks.md`.
"""

from __future__ import annotations

import re
from pathlib import Path

from reference import table

DOCS = Path(__file__).resolve().parent.parent / "docs"
SETS = ("MIT 432", "McGill 540", "Pomeranz 805", "2360", "3300")

_UPRIGHT, _TURNED = "2. Type-1 puzzles", "3. Type-2 puzzles"
_PUBLISHED = "Rika et al. (proposed), published"
ROWS = (
    ("upright: `mgc` with `genetic`", _UPRIGHT, "tessella: mgc, genetic"),
    ("upright: `dlcm` with `genetic`", _UPRIGHT, "tessella: dlcm, genetic"),
    ("upright: `l1` with `paikin_tal`", _UPRIGHT, "tessella: l1, paikin_tal"),
    ("upright, published: Rika et al., learned measure", _UPRIGHT, _PUBLISHED),
    ("the most that identical pieces allow", "Figures", "limit"),
    ("turned: `mgc` with `genetic`", _TURNED, "tessella: mgc, genetic"),
    ("turned: `dlcm` with `genetic`", _TURNED, "tessella: dlcm, genetic"),
    ("turned, published: Rika et al., learned measure", _TURNED, _PUBLISHED),
)
"""What a row is called in the README, and which row of which section it is."""


def row(text: str, section: str, name: str) -> list[str]:
    """Return the cells of the first row called `name` of a section, without its name."""
    start = re.search(rf"^## {re.escape(section)}.*\n", text, re.MULTILINE)
    body = text[start.end() :].partition("\n## ")[0] if start else ""
    for line in body.splitlines():
        first, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        if first == name:
            return cells
    raise LookupError(f"There is no row {name!r} in the section {section!r}; mend figures.ROWS.")


def rounded(cell: str) -> str:
    """Return a figure with one decimal; a dash where not all pictures were run."""
    found = re.match(r"\d+(?:\.\d+)?", cell)
    if found is None or re.search(r"\(\d+/\d+\)", cell):
        return "-"
    return "100" if float(found[0]) == 100 else f"{float(found[0]):.1f}"


def summary() -> str:
    """Return the README's table of results."""
    results = (DOCS / "results.md").read_text(encoding="utf-8")
    benchmarks = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    rows = []
    for label, section, name in ROWS:
        cells = row(benchmarks if section == "Figures" else results, section, name)
        rows.append((label, *map(rounded, cells)))
    return table(("", *(f"{name}:" for name in SETS)), rows)
