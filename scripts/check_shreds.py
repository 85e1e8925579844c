"""Judge an answer to collected shreds by the pages as they were before they were shredded.

    python scripts/check_shreds.py PAGE... SOLVED [--beside FILE.png]

PAGE is a picture of a whole page at the resolution of the shreds, SOLVED what ``tessella solve
SCAN... SOLVED --kind strips`` wrote. Every strip is located on the pages by correlation of its ink,
either way up; strips without a clear place, mostly blank ones, are left out and counted. Two strips
are neighbours where no other strip of their page fits between them. --beside draws all pages, and
below them those of the answer.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy
from numpy.typing import NDArray
from PIL import Image

SHRINK = 4
BLUR = 1.2
CLEAR = 0.45  # correlation of a strip that has its place
ROOM = 64  # squares by which a strip may lie higher or lower than on its page
LEAST = 0.004  # part of a strip that is ink
TALL, GAP = 1000, 12  # pixels of a page that is drawn, and between two


@dataclass(frozen=True)
class Place:
    """Where a strip lies on the page: middle column, upside down or not, width, and which page."""

    middle: float
    turned: bool
    width: float
    score: float
    page: int = 0


def ink_of(picture: Image.Image) -> NDArray[np.float32]:
    """Return how much ink there is in every square of `SHRINK` pixels, 0 to 1."""
    grey = np.asarray(picture.convert("L").reduce(SHRINK), np.float32)
    # blurred, since strips and page are not turned and stretched quite alike
    return np.asarray(scipy.ndimage.gaussian_filter(np.clip((250 - grey) / 200, 0, 1), BLUR))


@dataclass(frozen=True)
class Page:
    """A page's ink, as strips are looked for on it: its transform, and its energy from above."""

    ink: NDArray[np.float32]
    wave: NDArray[np.complex64]
    size: tuple[int, int]
    energy: NDArray[np.float64]

    @classmethod
    def of(cls, picture: Image.Image) -> Page:
        """Read a page."""
        ink = ink_of(picture)
        size = tuple(scipy.fft.next_fast_len(side + 2 * ROOM, real=True) for side in ink.shape)
        wave = scipy.fft.rfft2(ink - ink.mean(), size)
        return cls(ink, wave, (size[0], size[1]), np.cumsum((ink**2).sum(axis=0)))

    def best(self, own: NDArray[np.float32]) -> tuple[float, float]:
        """Return how well ink ``(h, w)`` fits at its best place, and its first column there.

        Strips are as tall as the page, but for `ROOM` squares.
        """
        own = own[: self.size[0], : self.size[1]] - own.mean()
        found = scipy.fft.irfft2(self.wave * np.conj(scipy.fft.rfft2(own, self.size)), self.size)
        rows = np.concatenate([found[-ROOM:], found[: ROOM + 1]]).max(axis=0)
        left = np.arange(-ROOM, self.ink.shape[1])
        total = np.concatenate([[0.0], self.energy])
        ends = np.clip([left, left + own.shape[1]], 0, len(self.energy))
        energy = total[ends[1]] - total[ends[0]]
        norm = np.sqrt(np.maximum(energy, 0.3 * energy.max()) * (own**2).sum()) + 1e-6
        score = rows[left] / norm
        return float(score.max()), float(left[score.argmax()])


def located(strip: Image.Image, pages: Sequence[Page]) -> Place | None:
    """Return where a strip with alpha lies on the pages; None where that is not clear."""
    alpha = np.asarray(strip.getchannel("A").reduce(SHRINK)) > 200
    white = Image.new("RGB", strip.size, "white")
    white.paste(strip, mask=strip.getchannel("A"))
    ink = ink_of(white) * alpha
    rows = np.flatnonzero(alpha.any(axis=1))
    margin = slice(rows[0] + 3, rows[-1] - 3)
    if (ink[margin] > 0.12).mean() < LEAST:
        return None
    width = float(alpha.sum(axis=1)[rows].mean()) * SHRINK
    every = []
    for (number, page), turned in itertools.product(enumerate(pages), (False, True)):
        own = ink[::-1, ::-1] if turned else ink
        score, first = page.best(own)
        middle = (first + own.shape[1] / 2 - 0.5) * SHRINK
        every.append(Place(middle, turned, width, score, number))
    best = max(every, key=lambda place: place.score)
    return best if best.score >= CLEAR else None


def apart(places: dict[str, Place]) -> dict[str, Place]:
    """Return the places that no strip with a better one takes: two strips never share a place.

    Strips with hardly any print are drawn to the page's own dark ends.
    """
    kept: dict[str, Place] = {}
    for name in sorted(places, key=lambda name: -places[name].score):
        one = places[name]
        others = [two for two in kept.values() if two.page == one.page]
        if all(abs(one.middle - two.middle) > 0.5 * one.width for two in others):
            kept[name] = one
    return kept


def neighbours(places: dict[str, Place]) -> set[tuple[str, str]]:
    """Return pairs of names, left and right, between which no strip is missing."""
    order = sorted(places, key=lambda name: (places[name].page, places[name].middle))
    pairs = set()
    for left, right in itertools.pairwise(order):
        one, two = places[left], places[right]
        if one.page == two.page and two.middle - one.middle < 0.75 * (one.width + two.width):
            pairs.add((left, right))
    return pairs


def joins_of(arrangement: dict[str, object], places: dict[str, Place]) -> set[tuple[str, str]]:
    """Return the answer's joins as pairs from left to right on the page.

    Both strips must lie the same way up as on the page, or both must not.
    """
    names = arrangement["pieces"]
    found = set()
    for sheet in arrangement["sheets"]:
        row = [cell for line in sheet["cells"] for cell in line if cell is not None]
        cells = [(names[cell["piece"]], cell["turns"] == 2) for cell in row]
        for (one, first), (two, second) in itertools.pairwise(cells):
            if one not in places or two not in places:
                continue
            upright = [places[one].turned == first, places[two].turned == second]
            if all(upright):
                found.add((one, two))
            elif not any(upright):
                found.add((two, one))
    return found


def beside(before: Sequence[Path], after: Sequence[Path]) -> Image.Image:
    """Return pages as they were, and below them as they are now, each `TALL` px high."""
    rows = []
    for files in (before, after):
        shown = [Image.open(file).convert("RGB") for file in files]
        rows.append([one.resize((TALL * one.width // one.height, TALL)) for one in shown])
    wide = max(sum(one.width + GAP for one in row) for row in rows)
    out = Image.new("RGB", (wide, len(rows) * (TALL + GAP)), "grey")
    for number, row in enumerate(rows):
        for place, one in enumerate(row):
            left = sum(other.width + GAP for other in row[:place])
            out.paste(one, (left, number * (TALL + GAP)))
    return out


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=Path, nargs="+")
    parser.add_argument("solved", type=Path)
    parser.add_argument("--beside", type=Path)
    asked = parser.parse_args()
    if asked.beside is not None:
        beside(asked.page, sorted(asked.solved.glob("assembled*.png"))).save(asked.beside)
    pages = [Page.of(Image.open(page)) for page in asked.page]
    listed = json.loads((asked.solved / "collect.json").read_text())["pieces"]
    doubtful = sum(bool(piece["doubts"]) for piece in listed)
    places, widths = {}, []
    for piece in listed:
        with Image.open(asked.solved / "puzzle" / piece["file"]) as strip:
            place = located(strip.convert("RGBA"), pages)
            widths.append(np.asarray(strip.getchannel("A")).mean(axis=1).max() / 255 * strip.width)
        if place is not None:
            places[piece["file"]] = place
    places = apart(places)
    true = neighbours(places)
    found = joins_of(json.loads((asked.solved / "arrangement.json").read_text()), places)
    right = len(true & found)
    wide = sum(Image.open(page).width for page in asked.page)
    print(
        f"{len(listed)} strips, {doubtful} doubtful, together {sum(widths) / wide:.2f} of the "
        f"pages' width; {len(places)} located, {len(listed) - len(places)} left out; "
        f"{right} of {len(true)} joins right: {100 * right / max(1, len(true)):.1f} %"
    )


if __name__ == "__main__":
    main()
