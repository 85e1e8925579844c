"""Pages of documents: PDF files rendered, pictures read, all as greys.

A PDF's pages are rendered at the resolution asked for; a picture is a page as it is, unless it
tells its own resolution and another is asked for, in which case it is brought to that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.errors import ImageError, InputError
from tessella.imaging.read import PIXELS_MAX, read_image, read_resolution
from tessella.watch import SILENT, Watcher

DPI = 500
"""Pixels an inch at which PDF pages are rendered when nobody says otherwise."""

_POINTS = 72  # an inch
_LOOK = 50  # pixels an inch are enough to see whether a page has colours
_GREY_SPREAD = 12
"""Channels of a picture that differ by more than this have colour, not the noise of a scanner."""


@dataclass(frozen=True, eq=False)
class Page:
    """One page.

    Attributes
    ----------
    grey : uint8 ``(H, W)``
    source : the file, and for a PDF the number of the page
    dpi : pixels an inch, None where nobody knows
    coloured : whether colours were given up
    """

    grey: NDArray[np.uint8]
    source: str
    dpi: float | None = None
    coloured: bool = False


def read_pages(
    files: Sequence[Path], dpi: int | None = None, watch: Watcher = SILENT
) -> list[Page]:
    """Read all pages of PDF files and pictures, in order.

    Parameters
    ----------
    dpi : pixels an inch; None means `DPI` for PDF files and pictures as they are
    """
    if not files:
        raise InputError("There is no page to cut; name a PDF file or pictures.")
    if dpi is not None and not 20 <= dpi <= 2400:
        raise InputError(f"--dpi must be 20 to 2400; got {dpi}.")
    pages: list[Page] = []
    for file in files:
        watch.stage(f"reading {file.name}", 0)
        if is_pdf(file):
            _gather(pages, _render(file, dpi or DPI))
        else:
            _gather(pages, [_picture(file, dpi)])
    _check_one_resolution(pages)
    return pages


def _gather(pages: list[Page], more: Iterable[Page]) -> None:
    """Add pages one by one; a long document is refused before it fills the memory."""
    held = sum(page.grey.size for page in pages)
    for page in more:
        held += page.grey.size
        if held > PIXELS_MAX:
            raise InputError(
                f"The pages have more than {PIXELS_MAX // 10**6} million pixels together, of which "
                f"{page.source} is the last that was looked at; give a smaller --dpi or fewer."
            )
        pages.append(page)


def _check_one_resolution(pages: list[Page]) -> None:
    """Raise where strips of different resolutions would be mixed."""
    known = [page for page in pages if page.dpi is not None]
    for page in known[1:]:
        first = known[0]
        if abs((page.dpi or 0) - (first.dpi or 0)) > 0.5:
            raise InputError(
                f"{first.source} has {first.dpi:g} pixels an inch and {page.source} {page.dpi:g}; "
                "say with --dpi to what to bring them."
            )


def is_pdf(file: Path) -> bool:
    """Whether a file begins as PDF files do, or is called one."""
    try:
        with file.open("rb") as stream:
            return b"%PDF-" in stream.read(1024) or file.suffix.lower() == ".pdf"
    except OSError as problem:
        reason = problem.strerror or problem
        raise InputError(f"Cannot read {file}: {reason}.") from problem


def to_grey(image: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], bool]:
    """Return RGB ``(H, W, 3)`` as greys ``(H, W)``, and whether colours were lost."""
    spread = image.max(axis=2).astype(np.int16) - image.min(axis=2)
    # A scanner's fringes are no colour: it takes more than one pixel in a thousand.
    coloured = bool((spread > _GREY_SPREAD).mean() > 1e-3)
    return np.array(Image.fromarray(image).convert("L")), coloured


def _picture(file: Path, dpi: int | None) -> Page:
    image = read_image(file)
    grey, coloured = to_grey(image)
    own = read_resolution(file)
    if own is not None and dpi is not None and abs(own - dpi) > 0.5:
        size = tuple(max(1, round(side * dpi / own)) for side in grey.shape[::-1])
        _check_pixels(file.name, size)
        grey = np.array(Image.fromarray(grey).resize(size, Image.Resampling.LANCZOS))
    return Page(grey, file.name, dpi if own is not None and dpi is not None else own, coloured)


def _render(file: Path, dpi: int) -> Iterator[Page]:
    """Yield the pages of a PDF file."""
    import pypdfium2 as pdfium

    with _opened(file, pdfium) as document:
        for number in range(len(document)):
            source = f"{file.name} page {number + 1}"
            try:
                page = document[number]
                width, height = (max(1, round(side * dpi / _POINTS)) for side in page.get_size())
                _check_pixels(source, (width, height))
                drawn = page.render(scale=dpi / _POINTS, grayscale=True).to_numpy()
                small = page.render(scale=_LOOK / _POINTS).to_numpy()
            except pdfium.PdfiumError as problem:
                raise ImageError(
                    f"{source} cannot be drawn ({problem}); the file is damaged."
                ) from problem
            coloured = to_grey(np.ascontiguousarray(small[..., :3]))[1]
            # The renderer rounds sizes up, which would add a blank column to every page.
            grey = drawn.reshape(drawn.shape[:2])[:height, :width]
            yield Page(grey.copy(), source, dpi, coloured)


def _opened(file: Path, pdfium: Any) -> Any:
    """Open a PDF file, or say in one sentence why it cannot be."""
    try:
        document = pdfium.PdfDocument(file)
    except pdfium.PdfiumError as problem:
        if "password" in str(problem).lower():
            raise ImageError(
                f"{file} is encrypted; save it without a password and try again."
            ) from problem
        raise ImageError(f"{file} is not a PDF file that can be read; it is damaged.") from problem
    except OSError as problem:
        raise ImageError(f"Cannot read {file}: {problem.strerror or problem}.") from problem
    if len(document) == 0:
        document.close()
        raise ImageError(f"{file} has no pages.")
    return document


def _check_pixels(source: str, size: tuple[int, ...]) -> None:
    if size[0] * size[1] > PIXELS_MAX:
        raise ImageError(
            f"{source} would have {size[0]} x {size[1]} pixels; at most "
            f"{PIXELS_MAX // 10**6} million are drawn, so give a smaller --dpi."
        )
