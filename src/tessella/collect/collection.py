"""Collecting: from scans and photographs to pieces at one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tessella.collect.bed import read_colour
from tessella.collect.kind import guess_kind
from tessella.collect.piece import Piece, Scrap
from tessella.collect.scale import Scale, scale_of, size_notes, sized
from tessella.collect.settings import DPI, Settings
from tessella.collect.source import Source, read_source
from tessella.collect.strips import Found, find_strips, scaled
from tessella.collect.tiles import find_tiles
from tessella.errors import InputError
from tessella.imaging.read import PIXELS_MAX
from tessella.watch import SILENT, Watcher


@dataclass(frozen=True, eq=False)
class Collection:
    """The pieces of one or several pictures.

    Attributes
    ----------
    kind : "strips" or "tiles"
    pieces : all of them, picture by picture
    scraps : what was left out
    settings : what was asked for
    sources : what was found out about every picture, for the list
    scale : of tiles
    notes : what a person should know besides
    """

    kind: str
    pieces: tuple[Piece, ...]
    scraps: tuple[Scrap, ...]
    settings: Settings
    sources: tuple[dict[str, Any], ...]
    notes: tuple[str, ...] = ()
    scale: Scale | None = None

    @property
    def doubtful(self) -> int:
        """How many pieces a person should check."""
        return sum(bool(piece.doubts) for piece in self.pieces)


def collect(
    pictures: Sequence[Path], settings: Settings | None = None, watch: Watcher = SILENT
) -> Collection:
    """Find all pieces of `pictures`, straightened and at one scale.

    Which picture a piece comes from and where it lay there is recorded, and never evidence.
    """
    settings = settings or Settings()
    _check_pictures(pictures)
    watch.stage("collecting", len(pictures))
    kind, sights, resolution = settings.kind, list[Found](), list[float | None]()
    held = 0
    for path in pictures:
        source = read_source(path, settings.dpi or (DPI if kind == "strips" else None))
        if kind == "auto":
            kind = guess_kind(source, read_colour(settings.bed))
            source = read_source(path, settings.dpi or DPI) if kind == "strips" else source
        each = _find(source, kind, settings)
        held += sum(piece.image[..., 0].size for piece in each.pieces)
        if held > PIXELS_MAX:
            raise InputError(
                f"The pieces have more than {PIXELS_MAX // 10**6} million pixels together; "
                "collect fewer pictures at a time, or give a lower --dpi."
            )
        sights.append(each)
        resolution.append(source.dpi)
        watch.advance()
    notes = tuple(note for each in sights for note in each.notes)
    names = [path.name for path in pictures]
    measured = [_tile_mm(each, settings) for each in sights]
    scale = None
    pieces = tuple(piece for each in sights for piece in each.pieces)
    if kind == "tiles":
        scale = scale_of(pieces, measured, settings)
        pieces = sized(pieces, scale.side)
        seen = [len(each.markers) for each in sights]
        notes += tuple(size_notes(names, seen, measured, settings, scale))
    else:
        pieces = _at_one_resolution(sights, resolution, settings)
    scraps = tuple(scrap for each in sights for scrap in each.scraps)
    if settings.kind == "auto":
        notes = (f"The outlines look like {kind}; --kind says otherwise.", *notes)
    sources = tuple(
        _source(name, each, mm) for name, each, mm in zip(names, sights, measured, strict=True)
    )
    return Collection(kind, pieces, scraps, settings, sources, notes, scale)


def _tile_mm(sight: Found, settings: Settings) -> float | None:
    """Return how long a tile's side is, as a photograph's markers tell it."""
    if settings.marker_mm is None or sight.tile is None:
        return None
    return settings.marker_mm * sight.tile


def _source(name: str, sight: Found, tile_mm: float | None) -> dict[str, Any]:
    """Return what ``collect.json`` says of a picture."""
    said: dict[str, Any] = {"file": name, "bed": sight.bed}
    if sight.markers:
        said["markers"] = [
            {"number": number, "outline": [[round(x, 1), round(y, 1)] for x, y in outline]}
            for number, outline in sight.markers
        ]
    if tile_mm is not None:
        said["tile_mm"] = round(tile_mm, 2)
    return said


def _check_pictures(pictures: Sequence[Path]) -> None:
    if not pictures:
        raise InputError("There is no picture to collect from; name one or more.")
    names = [path.name for path in pictures]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"Two pictures are called {twice}; rename one, for names tell them apart.")


def _find(source: Source, kind: str, settings: Settings) -> Found:
    bed = read_colour(settings.bed)
    if kind == "strips":
        if settings.marker_mm is not None:
            raise InputError("--marker-mm is for tiles, and the pictures look like strips.")
        return find_strips(source, bed)
    tile = None
    if settings.tile_mm is not None and settings.marker_mm is not None:
        tile = settings.tile_mm / settings.marker_mm
    return find_tiles(source, bed, settings.inset, tile)


def _at_one_resolution(
    sights: Sequence[Found], resolution: Sequence[float | None], settings: Settings
) -> tuple[Piece, ...]:
    """Return all strips, at one resolution."""
    known = [dpi for dpi in resolution if dpi is not None]
    target = float(settings.dpi or min([DPI, *known])) if known else None
    if settings.dpi is not None and len(known) < len(resolution):
        raise InputError(
            "--dpi needs scans that say their own resolution, and one does not; leave --dpi out."
        )
    pieces: list[Piece] = []
    for each, dpi in zip(sights, resolution, strict=True):
        factor = 1.0 if target is None or dpi is None else target / dpi
        pieces += [scaled(piece, factor) for piece in each.pieces]
    return tuple(_checked_widths(pieces))


def _checked_widths(pieces: Sequence[Piece]) -> list[Piece]:
    """Doubt strips of a picture whose strips are all of another width than the others'."""
    widths = np.array([(p.image[..., 3] > 0).sum() / len(p.image) for p in pieces])
    usual = float(np.median(widths))
    return [
        piece
        if 0.5 < width / usual < 1.8 or piece.doubts
        else piece.doubted(f"of another width: {width:.0f} px, usually {usual:.0f} px")
        for piece, width in zip(pieces, widths, strict=True)
    ]
