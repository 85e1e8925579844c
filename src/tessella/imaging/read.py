"""Picture files in and out.

Whatever a file holds comes out as 8-bit RGB, upright as its EXIF orientation says. 16-bit values
keep their high byte. What is transparent becomes white: black is the colour of worn frames. Of a
file with several pictures the first is read. Colour profiles are not applied.
"""

from __future__ import annotations

import io
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, TiffImagePlugin, UnidentifiedImageError

from tessella.errors import ImageError, InputError
from tessella.files import replacing

PIXELS_MAX = 250_000_000
"""A picture, or all pieces of a puzzle together, may have this many pixels."""

SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp")
"""How the names of picture files end, in lower case."""

_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP")
_PHOTOMETRIC, _BITS, _PLANAR = 262, 258, 284
_lock = threading.Lock()

_RUNS = 3
"""How zlib packs PNG files: runs of equal bytes alone (Z_RLE), in a quarter of the usual time."""


def read_image(path: Path | str, reduce: int = 1) -> NDArray[np.uint8]:
    """Read a PNG, JPEG, TIFF or WebP file as RGB, ``(H, W, 3)``.

    Parameters
    ----------
    reduce : 1, 2, 4 or 8: average squares of so many pixels a side. A JPEG file is decoded
        smaller at once, so that a large one takes little memory
    """
    with _opened(Path(path)) as picture:
        height = picture.height
        if reduce > 1:
            picture.draft(None, (picture.width // reduce, height // reduce))
        rest = max(1, reduce // round(height / picture.height))
        picture.load()
        _set_upright(picture)
        image = _to_rgb(Path(path), picture)
    return image if rest == 1 else np.array(Image.fromarray(image).reduce(rest))


def read_alpha(path: Path | str) -> NDArray[np.uint8] | None:
    """Read how opaque every pixel is, ``(H, W)``; None where the file does not say."""
    with _opened(Path(path)) as picture:
        if not picture.has_transparency_data:
            return None
        picture.load()
        _set_upright(picture)
        return _alpha(picture)


def read_both(path: Path | str) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
    """Read what `read_image` and `read_alpha` do, and decode the file once."""
    with _opened(Path(path)) as picture:
        picture.load()
        _set_upright(picture)
        alpha = _alpha(picture) if picture.has_transparency_data else None
        return _to_rgb(Path(path), picture), alpha


def _alpha(picture: Image.Image) -> NDArray[np.uint8]:
    return np.array(picture.convert("RGBA").getchannel("A"))


def read_size(path: Path | str) -> tuple[int, int]:
    """Return the longer and the shorter side as the file's header says; nothing is decoded."""
    with _opened(Path(path)) as picture:
        return max(picture.size), min(picture.size)


@contextmanager
def _opened(path: Path) -> Iterator[Image.Image]:
    """Open a picture of a size that is read; whatever is wrong with it becomes one sentence."""
    try:
        with (
            _stream(path) as stream,
            _pillow_quiet(),
            Image.open(stream, formats=_FORMATS) as picture,
        ):
            _check_pixels(path, picture)
            yield picture
    except (ImageError, MemoryError):
        raise
    except UnidentifiedImageError as problem:
        raise ImageError(
            f"{path} is not a picture that can be read; PNG, JPEG, TIFF and WebP can."
        ) from problem
    except Exception as problem:  # a decoder may raise anything on damaged bytes
        raise ImageError(f"{path} is damaged or cut short ({problem}); replace it.") from problem


def read_resolution(path: Path | str) -> float | None:
    """Return how many pixels an inch a picture file says it has; None where it does not say."""
    try:
        with Path(path).open("rb") as stream, _pillow_quiet(), Image.open(stream) as picture:
            across = float(picture.info.get("dpi", (0, 0))[0])
    except Exception:  # a note that cannot be read is none
        return None
    return round(across, 1) if np.isfinite(across) and across > 1 else None


def write_image(path: Path | str, image: NDArray[np.uint8]) -> None:
    """Write RGB ``(H, W, 3)`` or grey ``(H, W)`` as PNG, in one step.

    With alpha behind the colours these are ``(H, W, 4)`` and ``(H, W, 2)``.
    """
    usual = image.ndim == 2 or image.shape[2:] in ((2,), (3,), (4,))
    if image.dtype != np.uint8 or image.size == 0 or not usual:
        raise InputError(
            "A picture to write must be uint8 of shape (height, width, 3) or (height, width), or "
            "have 4 or 2 channels with alpha; "
            f"got {image.dtype} of shape {image.shape}."
        )
    with replacing(Path(path)) as temporary:
        _save(image, temporary)


def png(image: NDArray[np.uint8]) -> bytes:
    """Return a picture as a PNG file."""
    out = io.BytesIO()
    _save(image, out)
    return out.getvalue()


def _save(image: NDArray[np.uint8], out: Path | BinaryIO) -> None:
    Image.fromarray(np.ascontiguousarray(image)).save(out, format="PNG", compress_type=_RUNS)


def _stream(path: Path) -> BinaryIO:
    """Open a file that holds something."""
    try:
        stream = path.open("rb")
    except IsADirectoryError as problem:
        raise ImageError(f"{path} is a folder; name a picture file.") from problem
    except OSError as problem:
        reason = problem.strerror or problem
        raise ImageError(f"Cannot read the picture {path}: {reason}.") from problem
    if not stream.peek(1):
        stream.close()
        raise ImageError(f"{path} is empty; a picture file was expected.")
    return stream


@contextmanager
def _pillow_quiet() -> Iterator[None]:
    """Put our own limit and errors in place of Pillow's, which are global and partly warnings."""
    with _lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        limit, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
        try:
            yield
        finally:
            Image.MAX_IMAGE_PIXELS = limit


def _check_pixels(path: Path, picture: Image.Image) -> None:
    """Look at the header alone; nothing is decoded yet."""
    width, height = picture.size
    if width * height > PIXELS_MAX:
        raise ImageError(
            f"{path} says it is {width} x {height} pixels; at most {PIXELS_MAX // 10**6} million "
            "are read, so make it smaller or cut it up."
        )


def _set_upright(picture: Image.Image) -> None:
    """Turn the picture as its EXIF says; damaged EXIF must not cost the picture itself."""
    with suppress(Exception):
        ImageOps.exif_transpose(picture, in_place=True)


def _to_rgb(path: Path, picture: Image.Image) -> NDArray[np.uint8]:
    if picture.mode.startswith("I"):
        return _high_byte(path, picture)
    if picture.mode == "F":
        raise ImageError(f"{path} holds floating-point pixels; save it with 8 or 16 bits.")
    if _tag(picture, _PLANAR) == 2 and 16 in _bits(picture):
        raise ImageError(f"{path} holds 16-bit colour planes; save it interleaved or with 8 bits.")
    if picture.has_transparency_data:
        white = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(white, picture.convert("RGBA"))
    return np.array(picture.convert("RGB"))


def _high_byte(path: Path, picture: Image.Image) -> NDArray[np.uint8]:
    """Read 16-bit grey, which comes in modes I;16, I;16B or (older Pillow) I."""
    values = np.asarray(picture).astype(np.int64)
    if values.min() < 0 or values.max() > 0xFFFF or 32 in _bits(picture):
        raise ImageError(f"{path} holds 32-bit pixels; save it with 8 or 16 bits.")
    grey = (values >> 8).astype(np.uint8)
    if _tag(picture, _PHOTOMETRIC) == 0:
        grey = 255 - grey
    return np.repeat(grey[..., None], 3, axis=2)


def _bits(picture: Image.Image) -> tuple[int, ...]:
    bits = _tag(picture, _BITS)
    return bits if isinstance(bits, tuple) else ()


def _tag(picture: Image.Image, number: int) -> object:
    """Return a TIFF tag, None where there is none."""
    if isinstance(picture, TiffImagePlugin.TiffImageFile):
        return picture.tag_v2.get(number)
    return None
