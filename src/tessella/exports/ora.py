"""OpenRaster: every piece a layer of its own; GIMP and Krita open it."""

from __future__ import annotations

import zipfile
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Sheet
from tessella.exports import Target
from tessella.files import replacing
from tessella.imaging.read import png
from tessella.imaging.render import shrunk
from tessella.imaging.unknown import cut_out
from tessella.placement import printable

THUMBNAIL = 256


def write(target: Target) -> None:
    """Write layers.ora, layers-002.ora, ..."""
    for (number, image), sheet in zip(target.drawn(), target.arrangement.sheets, strict=True):
        with (
            replacing(target.named(number, "layers", ".ora")) as temporary,
            zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED) as file,
        ):
            file.writestr("mimetype", "image/openraster")  # first, and stored as it is
            file.writestr("stack.xml", _layers(file, target, sheet, image))
            file.writestr("mergedimage.png", png(image))
            file.writestr("Thumbnails/thumbnail.png", png(shrunk(image, THUMBNAIL)))


def _layers(file: zipfile.ZipFile, target: Target, sheet: Sheet, image: NDArray[np.uint8]) -> str:
    """Write every piece, and return the list of them."""
    rows = []
    for piece, turns, top, left in cells(target, sheet):
        name = f"data/{piece:06d}.png"
        file.writestr(name, png(cut_out(target.puzzle, piece, turns)))
        called = "".join(
            s if s.isprintable() else "?" for s in printable(target.puzzle.names[piece])
        )
        rows.append(f'<layer name={quoteattr(called)} src="{name}" x="{left}" y="{top}"/>')
    height, width = image.shape[:2]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<image version="0.0.3" w="{width}" h="{height}"><stack>\n'
        + "\n".join(rows)
        + "\n</stack></image>\n"
    )


def cells(target: Target, sheet: Sheet) -> list[tuple[int, int, int, int]]:
    """Return piece, turns, top and left in pixels of everything on a sheet."""
    return target.puzzle.places(sheet)
