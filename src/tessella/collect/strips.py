"""Strips of paper on a scanner's bed, found, taken apart and straightened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray
from PIL import Image

from tessella.collect.bed import Bed, find_bed
from tessella.collect.light import papers
from tessella.collect.paper import paper_mask
from tessella.collect.piece import Piece, Point, Scrap
from tessella.collect.runs import usual_width, without_border
from tessella.collect.separate import Blob, blobs_of, separated
from tessella.collect.source import Source
from tessella.collect.straighten import cut_out, filled, outline_of, tilt_of
from tessella.errors import InputError

WIDTH_MIN = 8
"""Pixels across that a strip needs to be found."""

LONG = 4.0
"""A strip is at least this many times as long as wide; what is shorter is doubted."""

NARROW, WIDE = 0.6, 1.45
"""Strips whose width is beyond these parts of the usual one are doubted."""

BORDER = 0.25
"""Of the usual width; what is less deep at the scan's upper or lower end is the scanner's line."""

SCRAP = 0.12
"""Of the usual strip's area; what is smaller is left out."""

CUT_MAX = 0.15
"""Of a strip's length; where more of it was cut through paper, it is doubted."""

_ODD = ("narrow:", "wide:", "short:", "not")
"""How doubts about a piece's shape begin."""

MOST = 0.8
"""Of the pieces; where more of them are doubtful, the scan itself is."""

TILT_MAX = 12.0
"""Degrees; a strip that leans more is doubted."""


@dataclass(frozen=True)
class Found:
    """What one picture held.

    Attributes
    ----------
    pieces, scraps : what is a piece, and what was left out
    bed : its colours, in words
    notes : what a person should know besides
    markers : number and corners of each, in pixels of the file
    tile : a tile's side in sides of a marker, where there is one
    """

    pieces: tuple[Piece, ...]
    scraps: tuple[Scrap, ...]
    bed: str
    notes: tuple[str, ...] = ()
    markers: tuple[tuple[int, tuple[Point, ...]], ...] = ()
    tile: float | None = None


def find_strips(source: Source, bed: Bed | None = None) -> Found:
    """Find all strips of a scan; they run up and down, or all of them across.

    Parameters
    ----------
    bed : the bed's colour; None finds it at the scan's border
    """
    bed = bed or find_bed(source.image)
    across, blobs, scraps = _on_bed(source.image, bed)
    image = np.ascontiguousarray(np.rot90(source.image)) if across else source.image
    if not blobs:
        raise InputError(
            f"{source.name} shows no strips on a bed of the colour {bed.name}; name the bed's "
            "colour with --bed, or scan the strips on a coloured sheet."
        )
    usual, length = (float(np.median(x)) for x in _sizes(blobs))
    pieces = []
    for blob in blobs:
        doubts, notes = _judged(blob, usual, length, image.shape[:2])
        picture, angle = cut_out(image, blob)
        outline = _to_file(outline_of(blob), source, across)
        angle += -90.0 if across else 0.0
        pieces.append(Piece(picture, source.name, outline, angle, 1 / source.scale, doubts, notes))
    _check_shapes(source, bed, pieces)
    left = [Scrap(source.name, _to_file(outline_of(b), source, across), why) for b, why in scraps]
    return Found(tuple(pieces), tuple(left), bed.name, tuple(_notes(source, bed, pieces)))


def _notes(source: Source, bed: Bed, pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield what a person should know of a scan."""
    if bed.kind == "light":
        yield (
            f"{source.name}: paper and bed are nearly the same white; what was found is to be "
            "checked on the contact sheet."
        )
    if len(pieces) > 1 and sum(bool(piece.doubts) for piece in pieces) > MOST * len(pieces):
        yield (
            f"{source.name}: nearly all pieces are doubtful; this may be no scan of strips, or "
            "they lie in heaps and are better scanned again, side by side."
        )


Blobs = tuple[list[Blob], list[tuple[Blob, str]]]


def _on_bed(image: NDArray[np.uint8], bed: Bed) -> tuple[bool, list[Blob], list[tuple[Blob, str]]]:
    """Return whether strips lie across, the strips, and what was left out with the reason."""
    if bed.kind == "light":
        every = [_strips_of(mask, bed) for mask in papers(image, bed)]
        return False, *max(every, key=_plain)
    mask = paper_mask(image, bed)
    across = lies_across(mask)
    if across:
        mask = paper_mask(np.ascontiguousarray(np.rot90(image)), bed)
    return across, *_strips_of(mask, bed)


def _plain(marked: Blobs) -> int:
    """Return how many blobs are strips beyond doubt, less those that are none."""
    blobs = marked[0]
    usual, length = (float(np.median(x)) for x in _sizes(blobs))
    odd = [_odd(_judged(blob, usual, length, (0, 0))[0]) for blob in blobs]
    return len(odd) - 2 * sum(odd)


def _check_shapes(source: Source, bed: Bed, pieces: Sequence[Piece]) -> None:
    """Refuse a picture of which most pieces are no strips: guesses would only mislead."""
    odd = sum(_odd(piece.doubts) for piece in pieces)
    if 2 * odd <= len(pieces):
        return
    if bed.kind == "light":
        raise InputError(
            f"{source.name}: paper and bed are nearly the same white, so that strips cannot be "
            "told from the bed; scan them again with a coloured or black sheet behind them."
        )
    raise InputError(
        f"{source.name} does not look like a scan of strips: {odd} of {len(pieces)} pieces are not "
        "long and narrow, or of very different sizes; name the bed's colour with --bed, or try "
        "--kind tiles."
    )


def _sizes(blobs: Sequence[Blob]) -> tuple[list[float], list[float]]:
    """Return widths and lengths."""
    return [blob.width() for blob in blobs] or [0.0], [float(blob.height) for blob in blobs] or [
        0.0
    ]


def _odd(doubts: Sequence[str]) -> bool:
    """Whether something is no strip by its shape."""
    return any(doubt.split()[0] in _ODD for doubt in doubts)


def lies_across(mask: NDArray[np.bool_]) -> bool:
    """Whether what a mask ``(H, W)`` shows is rather wide than tall."""
    spans = []
    for turned in (mask, mask.T):
        step = np.diff(
            np.pad(turned[:: max(1, len(turned) // 400)], ((0, 0), (1, 1))).astype(np.int8)
        )
        spans.append(turned.mean() / max(1, (step == 1).sum() / len(step)) * turned.shape[1])
    return bool(spans[0] > 1.5 * spans[1])


def _strips_of(mask: NDArray[np.bool_], bed: Bed) -> tuple[list[Blob], list[tuple[Blob, str]]]:
    """Return the strips of a mask ``(H, W)``, and what was left out with the reason."""
    mask = np.asarray(scipy.ndimage.binary_opening(mask, np.ones((3, 3))), np.bool_)
    width = usual_width(mask)
    if width < WIDTH_MIN:
        return [], []
    mask = without_border(mask, int(BORDER * width))
    blobs = []
    for joined in blobs_of(_closed_upwards(mask, 0.5 * width), 0.25 * width**2):
        height, across = joined.mask.shape
        own = mask[joined.top : joined.top + height, joined.left : joined.left + across]
        blobs += separated(replace(joined, mask=own & joined.mask), width)
    blobs = [filled(blob, bed.hides_ink) for blob in blobs if blob.mask.any()]
    area = float(np.median([b.mask.sum() for b in blobs if b.width() > NARROW * width] or [0]))
    strips, scraps = [], []
    for blob in blobs:
        rim = blob.left == 0 or blob.left + blob.mask.shape[1] == mask.shape[1]
        if rim and blob.width() < NARROW / 2 * width:
            scraps.append((blob, "a narrow rim along the picture's border"))
        elif blob.mask.sum() < SCRAP * area:
            scraps.append((blob, "too small to be a strip"))
        else:
            strips.append(blob)
    return strips, scraps


def _closed_upwards(mask: NDArray[np.bool_], rows: float) -> NDArray[np.bool_]:
    """Return a mask whose gaps of up to so many rows are closed: a rule printed right across."""
    size = 2 * int(rows / 2) + 1
    grown = scipy.ndimage.maximum_filter1d(mask.view(np.uint8), size, axis=0, mode="nearest")
    back = scipy.ndimage.minimum_filter1d(grown, size, axis=0, mode="nearest")
    return np.asarray(back > 0, np.bool_)


def _judged(
    blob: Blob, usual: float, length: float, frame: tuple[int, int]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what is doubtful about a strip, and what else is worth knowing."""
    doubts, notes = [], []
    width = blob.width()
    if width < NARROW * usual:
        doubts.append(f"narrow: {width:.0f} px, others {usual:.0f} px")
    if width > WIDE * usual:
        doubts.append(f"wide: {width:.0f} px, others {usual:.0f} px; it may be two strips")
    if blob.cut > CUT_MAX:
        doubts.append(f"touches its neighbour along {100 * blob.cut:.0f} % of its length")
    if blob.height < 0.6 * length:
        doubts.append(f"short: {blob.height} px, others {length:.0f} px")
    if blob.height < LONG * width:
        doubts.append("not long and narrow as strips are")
    if abs(tilt_of(blob.mask)) > TILT_MAX:
        doubts.append(f"leans by {abs(tilt_of(blob.mask)):.0f} degrees")
    if blob.left == 0 or blob.left + blob.mask.shape[1] == frame[1]:
        doubts.append("reaches over the picture's side; a part may be missing")
    ends = [blob.top == 0, blob.top + len(blob.mask) == frame[0]]
    if any(ends):
        notes.append("reaches over the picture's end")
    return tuple(doubts), tuple(notes)


def _to_file(outline: tuple[Point, ...], source: Source, across: bool) -> tuple[Point, ...]:
    """Return an outline in pixels of the file."""
    if across:  # undo the quarter turn
        wide = source.image.shape[1]
        outline = tuple((wide - y, x) for x, y in outline)
    return tuple((x / source.scale, y / source.scale) for x, y in outline)


def scaled(piece: Piece, factor: float) -> Piece:
    """Return a piece with `factor` times as many pixels a side."""
    if abs(factor - 1) < 0.004:
        return piece
    size = tuple(max(1, round(side * factor)) for side in piece.image.shape[1::-1])
    resized = Image.fromarray(piece.image).resize(size, Image.Resampling.LANCZOS)
    image = np.array(resized)
    image[..., 3] = np.where(image[..., 3] >= 128, 255, 0)
    image[image[..., 3] == 0, :3] = 255
    return replace(piece, image=image, scale=piece.scale * factor)
