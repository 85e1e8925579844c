"""Putting text, pictures and data into HTML so that nothing can break out of its place."""

from __future__ import annotations

import base64
import html
import io
import json
from importlib import resources

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.imaging.read import png
from tessella.placement import printable


def text(value: object) -> str:
    """Return `value` as HTML text, safe inside elements and quoted attributes."""
    return html.escape(printable(value), quote=True)


def number(value: float) -> str:
    """Return a score in [0, 1] with two digits."""
    return f"{value:.2f}"


def data_uri(content: bytes, kind: str) -> str:
    """Return a file as an address that carries it."""
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"


def photograph(image: NDArray[np.uint8], quality: int = 86) -> str:
    """Return a picture as a data URI: JPEG, or PNG where a small picture is no larger in it."""
    picture = Image.fromarray(np.ascontiguousarray(image))
    lossy = io.BytesIO()
    # Full colour resolution: halved, colours would bleed over the seams of shuffled pieces.
    picture.save(lossy, "JPEG", quality=quality, subsampling=0, optimize=True)
    if image.shape[0] * image.shape[1] < 2**18:
        lossless = png(image)
        if len(lossless) <= lossy.tell():
            return data_uri(lossless, "image/png")
    return data_uri(lossy.getvalue(), "image/jpeg")


def exact(image: NDArray[np.uint8]) -> str:
    """Return a picture as a data URI without any loss."""
    return data_uri(png(image), "image/png")


def data(value: object) -> str:
    """Return `value` as JSON that may stand inside a script element."""
    compact = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    # Only "<" can end a script element or open a comment; \u2028 and \u2029 end lines in old JS.
    for sign in "<>&\u2028\u2029":
        compact = compact.replace(sign, f"\\u{ord(sign):04x}")
    return compact


def part(name: str) -> str:
    """Return the text of a file of this package."""
    return (resources.files("tessella.report") / name).read_text(encoding="utf-8")
