"""IIIF Presentation 3: a manifest with the pieces painted on a canvas for every sheet.

Turns are baked into the pictures, for viewers do not agree about turning what is painted.
"""

from __future__ import annotations

from typing import Any

from tessella.arrangement import Sheet
from tessella.exports import Target
from tessella.exports.ora import cells
from tessella.files import write_json
from tessella.imaging.read import write_image
from tessella.imaging.unknown import cut_out
from tessella.placement import printable

CONTEXT = "http://iiif.io/api/presentation/3/context.json"


def write(target: Target) -> None:
    """Write manifest.json and images/."""
    (target.folder / "images").mkdir()
    base = target.base_url.rstrip("/")
    canvases = [
        _canvas(target, sheet, f"{base}/canvas/{number}", base, number)
        for number, sheet in enumerate(target.arrangement.sheets, 1)
    ]
    manifest = {
        "@context": CONTEXT,
        "id": f"{base}/manifest.json",
        "type": "Manifest",
        "label": {"none": ["Reassembled by tessella"]},
        "items": canvases,
    }
    write_json(target.folder / "manifest.json", manifest)


def _canvas(target: Target, sheet: Sheet, name: str, base: str, number: int) -> dict[str, Any]:
    painted, right, bottom = [], 1, 1
    for piece, turns, top, left in cells(target, sheet):
        image = cut_out(target.puzzle, piece, turns)
        file = f"images/{piece:06d}.png"
        write_image(target.folder / file, image)
        height, width = image.shape[:2]
        right, bottom = max(right, left + width), max(bottom, top + height)
        body = {
            "id": f"{base}/{file}",
            "type": "Image",
            "format": "image/png",
            "width": width,
            "height": height,
        }
        painted.append(
            {
                "id": f"{name}/piece/{piece}",
                "type": "Annotation",
                "motivation": "painting",
                "label": {"none": [printable(target.puzzle.names[piece])]},
                "body": body,
                "target": f"{name}#xywh={left},{top},{width},{height}",
            }
        )
    page = {"id": f"{name}/page", "type": "AnnotationPage", "items": painted}
    label = {"none": [f"Sheet {number}"]}
    return {
        "id": name,
        "type": "Canvas",
        "label": label,
        "width": right,
        "height": bottom,
        "items": [page],
    }
