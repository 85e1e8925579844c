"""All sheets as the pages of one PDF file."""

from __future__ import annotations

from PIL import Image

from tessella.exports import Target
from tessella.files import replacing

DPI = 150
"""Pixels an inch of pictures; strips come at the resolution that they are drawn in."""


def write(target: Target) -> None:
    """Write pages.pdf."""
    pages = [Image.fromarray(image) for _, image in target.drawn()]
    with replacing(target.folder / "pages.pdf") as temporary:
        pages[0].save(
            temporary, format="PDF", save_all=True, append_images=pages[1:], resolution=DPI
        )
