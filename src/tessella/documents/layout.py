"""The layout of documents: a row of strips is cut into pages, and a page is drawn rim to rim."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.confidence import judge
from tessella.documents.folder import describe
from tessella.documents.gaps import holds_strip, parted
from tessella.documents.lie import laid
from tessella.documents.pagination import paginate
from tessella.documents.render import render_strips, scrambled_strips, write_pdf
from tessella.documents.spacing import spacing
from tessella.documents.strips import Strips
from tessella.imaging.manifest import Manifest
from tessella.imaging.render import WHITE, Color
from tessella.result import Result
from tessella.wishes import Wishes
from tessella.wishes.contradictions import check_wishes
from tessella.wishes.facts import Facts
from tessella.wishes.honouring import laid_anew

PDF = "pages.pdf"
"""The file that holds all pages in reading form."""


@dataclass(frozen=True, eq=False)
class PageLayout:
    """Strips side by side, one sheet a page; see `tessella.layout.Layout`."""

    strips: Strips

    def known(self) -> Facts:
        """Return that pages are one row each, of unknown length."""
        strips = self.strips
        return Facts(len(strips), strips.upright, False, None, strips.pages, flat=True)

    def searched(self, wishes: Wishes) -> Wishes:
        """Return what is wished of joins: which page a strip is on is not known in the row yet."""
        known = check_wishes(wishes, self.known())
        joined = tuple(known.joins())
        return Wishes(joined=joined, forbidden=wishes.forbidden, names=wishes.names)

    def paged(self, result: Result, wishes: Wishes | None = None) -> Result:
        """Return `result` with its row of strips cut into as many pages as are known, or guessed.

        The time that it takes is added to the result's. The pages are then laid anew so that
        `wishes` hold.
        """
        began = time.monotonic()
        joined = self.searched(wishes).joined if wishes else ()
        cut = paginate(self.strips, result, self.strips.pages, joined)
        if wishes:
            cut = self._wished(cut, wishes)
        if self.strips.worn:
            level = [laid(self.strips, sheet) for sheet in cut.arrangement.sheets]
            apart = spacing(self.strips, level)
            sheets = tuple(parted(self.strips, sheet, cut.odds, apart) for sheet in level)
            cut = replace(cut, arrangement=Arrangement(sheets))
        took = time.monotonic() - began
        total = result.seconds["total"] + took
        return replace(cut, seconds={**result.seconds, "paging": took, "total": total})

    def _wished(self, cut: Result, wishes: Wishes) -> Result:
        """Return pages on which wishes hold; strips that wishes bring to others are no new page."""
        known = check_wishes(wishes.called(self.strips.names), self.known())
        arrangement = laid_anew(cut.arrangement, known, cut.compatibility)
        return replace(
            cut,
            arrangement=arrangement,
            fitness=cut.compatibility.fitness(arrangement),
            joins=judge(arrangement, cut.compatibility, cut.odds),
        )

    def draw(
        self, sheet: Sheet, *, gap: int = 0, background: Color = WHITE, missing: Color | None = None
    ) -> NDArray[np.uint8]:
        """Draw a page as greys, ``(H, W)``; it is as white as paper, whatever the colours asked."""
        del background, missing
        return render_strips(self.strips, sheet, gap=gap)

    def large(self, sheet: Sheet) -> None:
        """Return None: a page is one picture."""
        del sheet

    def scrambled(self, *, gap: int = 0, background: Color = WHITE) -> NDArray[np.uint8]:
        """Draw all strips in one row, small enough to look at, as greys, ``(H, W)``."""
        del background
        return scrambled_strips(self.strips, gap=gap)

    def drawable(self, arrangement: Arrangement, most: int | None = None) -> Strips:
        """Return the strips as they are: pages have as many pixels as were read."""
        del arrangement, most
        return self.strips

    def fragments(self, arrangement: Arrangement) -> tuple[int, ...]:
        """Return none: a page may have few strips."""
        del arrangement
        return ()

    def write_besides(self, folder: Path, arrangement: Arrangement) -> None:
        """Write all pages as one PDF file."""
        write_pdf(folder / PDF, [self.draw(sheet) for sheet in arrangement.sheets])

    def described(self, arrangement: Arrangement) -> str:
        """Return how many pages there are, and how their strips lie."""
        count = len(arrangement.sheets)
        pages = f"{count} page{'' if count == 1 else 's'}"
        gaps, apart = self._gaps(arrangement), self._apart(arrangement)
        if gaps:
            pages += f", {gaps} gap{'' if gaps == 1 else 's'} where a strip seems to be missing"
        if apart:
            lie = f"{apart} px apart" if apart > 0 else f"{-apart} px over each other"
            pages += f"; strips are drawn {lie}, as print tells"
        elif apart is None and self.strips.worn and len(self.strips) > count:
            pages += (
                "; strips are drawn edge to edge, for print does not tell how far they lie apart"
            )
        return pages

    def facts(self, arrangement: Arrangement) -> dict[str, Any]:
        """Return that these are strips, their pages, and what was noted when they were read."""
        return {
            "kind": self.strips.kind,
            "pages": len(arrangement.sheets),
            "gaps": self._gaps(arrangement),
            "apart": self._apart(arrangement),
            "notes": list(self.strips.notes),
        }

    def manifest(self, names: tuple[str, ...]) -> Manifest:
        """Return the ``puzzle.json`` of strips that are written as rectangles."""
        return describe(self.strips, names)

    def _gaps(self, arrangement: Arrangement) -> int:
        """Return how many gaps pages have where a strip seems to be missing."""
        known = [sheet.gap for sheet in arrangement.sheets if sheet.gap is not None]
        return sum(int(holds_strip(gap, self.strips).sum()) for gap in known)

    def _apart(self, arrangement: Arrangement) -> int | None:
        """Return how many pixels neighbours lie apart; None where no page tells."""
        known = [
            gap
            for sheet in arrangement.sheets
            if sheet.gap is not None
            for gap in sheet.gap[0, 1:][~holds_strip(sheet.gap[0, 1:], self.strips)].tolist()
        ]
        return round(float(np.median(known))) if known else None
