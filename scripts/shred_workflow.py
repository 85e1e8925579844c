"""Make the pictures of docs/examiners.md: from scans of shreds to the page.

    python scripts/shred_workflow.py FOLDER [--docs docs/images]

prints a page of this project's own text, shreds it as `scripts/render_scans.py` does, and renders
two scans of its strips into FOLDER (`scan_1.jpg`, `scan_2.jpg`), half of them each, in no order,
some upside down. It then runs the page's command there. With --docs small copies of what comes out
are written, for the page.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

sys.path.insert(0, str(Path(__file__).parent))
from render_scans import PAGE, scan
from workflow import perform

TEXT = Path(__file__).resolve().parent.parent / "docs" / "concepts.md"
SIZE = (3508, 2480)  # A4 at 300 dpi
STRIPS = 24
WIDE = 620
COMMAND = "solve scan_1.jpg scan_2.jpg pages --kind strips"
PICTURES = {
    "shreds_scan.jpg": "scan_1.jpg",
    "shreds_contact.jpg": "pages/contact.png",
    "shreds_page.jpg": "pages/assembled.png",
}


def printed() -> NDArray[np.float32]:
    """Return a page of text, 0.85 of the bed wide."""
    height, width = round(PAGE * SIZE[0]), round(0.85 * SIZE[1])
    page = Image.new("L", (width, height), 250)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(42)
    words = TEXT.read_text(encoding="utf-8").replace("*", "").replace("`", "")
    top = 260
    for paragraph in words.split("\n\n"):
        for line in textwrap.wrap(paragraph, 76):
            if top < height - 260:
                draw.text((220, top), line, 25, font)
            top += 58
        top += 30
    return np.asarray(page, np.float32)


def scans(folder: Path, seed: int = 5) -> None:
    """Render the strips on two scans."""
    page = printed()
    for number in range(2):
        share = slice(number, None, 2)
        drawn = scan(seed, "orange", STRIPS, SIZE, False, 0.0, page, share)
        path = folder / f"scan_{number + 1}.jpg"
        Image.fromarray(drawn.image).save(path, quality=90, dpi=(300, 300))


if __name__ == "__main__":
    perform(__doc__, scans, (COMMAND,), PICTURES, WIDE)
