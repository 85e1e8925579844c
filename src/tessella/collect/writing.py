"""The folder of a collection: ``puzzle/``, ``contact.png`` and, last, ``collect.json``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.collect.collection import Collection
from tessella.collect.contact import contact_sheet
from tessella.collect.scale import Scale
from tessella.files import replacing, write_json
from tessella.imaging import manifest
from tessella.imaging.manifest import Manifest
from tessella.imaging.read import write_image
from tessella.provenance import provenance

MARKER = "collect.json"
VERSION = 1


def write_collection(folder: Path, collection: Collection) -> None:
    """Write the pieces as a puzzle that ``tessella solve`` takes, the contact sheet and the list.

    Raises
    ------
    InputError : where pieces cannot make a puzzle
    """
    pieces = collection.pieces
    names = tuple(f"{collection.kind[:-1]}_{n:04d}.png" for n in range(1, len(pieces) + 1))
    described = _manifest(collection, names).to_json()
    (folder / "puzzle").mkdir(parents=True)
    for name, piece in zip(names, pieces, strict=True):
        _write_alpha(folder / "puzzle" / name, piece.image)
    write_json(folder / "puzzle" / manifest.NAME, described)
    write_image(folder / "contact.png", contact_sheet(pieces, headline(collection)))
    write_json(folder / MARKER, _listed(collection, names))


def headline(collection: Collection) -> str:
    """Return how many pieces were found, in words."""
    count, doubtful = len(collection.pieces), collection.doubtful
    kind = collection.kind if count != 1 else collection.kind[:-1]
    doubts = f", {doubtful} doubtful" if doubtful else ", none doubtful"
    left = len(collection.scraps)
    return f"{count} {kind}{doubts}" + (f", {left} scraps left out" if left else "")


def _manifest(collection: Collection, names: tuple[str, ...]) -> Manifest:
    sizes = {piece.image.shape[:2] for piece in collection.pieces}
    strips = collection.kind == "strips"
    height, width = next(iter(sizes)) if len(sizes) == 1 else (None, None)
    return Manifest(
        piece=(None, None) if strips else (height, width),
        channels=1 if strips else 3,
        upright=False,
        shape=None,
        eroded=0,
        pieces=names,
        kind="strips" if strips else "grid",
    )


def _listed(collection: Collection, names: tuple[str, ...]) -> dict[str, Any]:
    """Return what ``collect.json`` holds."""
    return {
        "version": VERSION,
        "kind": collection.kind,
        "recipe": collection.settings.to_json(),
        "scale": _scale(collection.scale),
        "sources": list(collection.sources),
        "pieces": [
            piece.to_json(name) for name, piece in zip(names, collection.pieces, strict=True)
        ],
        "left_out": [scrap.to_json() for scrap in collection.scraps],
        "notes": list(collection.notes),
        **provenance().to_json(),
    }


def _scale(scale: Scale | None) -> dict[str, Any] | None:
    """Return what the list says of the pieces' scale; None where nothing tells it."""
    if scale is None or scale.px_per_mm is None or scale.tile_mm is None:
        return None
    return {
        "px_per_mm": round(scale.px_per_mm, 5),
        "tile_mm": round(scale.tile_mm, 3),
        "told_by": scale.told_by,
    }


def _write_alpha(path: Path, image: NDArray[np.uint8]) -> None:
    with replacing(path) as temporary:
        Image.fromarray(np.ascontiguousarray(image)).save(temporary, format="PNG")
