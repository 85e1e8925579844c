"""Puzzles on disk: a folder of pieces, with or without ``puzzle.json``, or a scrambled picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella import bounds
from tessella.claim import Kind, claimed, unmark
from tessella.errors import FormatError, InputError, shown
from tessella.files import read_json, write_json
from tessella.imaging import manifest
from tessella.imaging.detect import piece_size
from tessella.imaging.grid import PIECE_MIN, tiles
from tessella.imaging.manifest import Manifest
from tessella.imaging.read import PIXELS_MAX, SUFFIXES, read_both, write_image
from tessella.imaging.unknown import at_size, cut_out, filled, known_of
from tessella.puzzle import Puzzle, Shape
from tessella.watch import SILENT, Watcher

PUZZLE = Kind(manifest.NAME)


def read_puzzle(
    path: Path | str,
    *,
    piece: Shape | Literal["auto"] | None = None,
    upright: bool | None = None,
    shape: Shape | Literal["unknown"] | None = None,
    resize: int | None = None,
    strips: bool = False,
    pages: int | None = None,
    watch: Watcher = SILENT,
) -> Puzzle:
    """Load a puzzle; pieces keep the order of their list (see `tessella.shuffle.permuted`).

    Parameters
    ----------
    path : a folder with ``puzzle.json``, which decides; a folder of pictures (turned, shape
        unknown, in natural order of their names); or one picture that is a shuffled grid
        (upright, its own shape, pieces in reading order)
    piece : height and width of a piece; "auto" detects it in a scrambled picture and is what
        None means there; for a folder it is only checked
    upright, shape : what to believe instead of what `path` says; None believes `path`
    resize : bring every picture of a folder to this many pixels squared
    strips : whether a folder without ``puzzle.json`` holds strips
    pages : how many pages strips come from, which says that these are strips; None: unknown
    """
    path = Path(path)
    if resize is not None and not PIECE_MIN <= resize <= bounds.PIECE_SIDE:
        raise InputError(
            f"--resize must be at least {PIECE_MIN} px, and at most {bounds.PIECE_SIDE}; "
            f"got {shown(resize)}."
        )
    strips = strips or pages is not None
    if path.is_dir():
        known = _read_manifest(path, resize)
        if strips if known is None else known.kind == "strips":
            from tessella.documents.folder import adapted, read_folder

            names = () if known else _picture_names(path)
            laid = read_folder(path, names, known, watch)
            return adapted(laid, upright, shape, piece, resize, pages)
        if strips:
            raise InputError(f"--pages is for strips, and {path} is a grid; leave it out.")
        puzzle = _read_grid(path, known, resize, watch)
        _check_size(path, puzzle.piece_size, piece)
    elif path.exists():
        if strips:
            raise InputError(f"--pages is for folders of strips; {path} is one picture.")
        if resize is not None:
            raise InputError(f"--resize is for folders of pieces; {path} is one picture.")
        puzzle = _read_scrambled(path, piece)
    else:
        raise InputError(f"There is no puzzle at {path}; name a folder of pieces or a picture.")
    return replace(
        puzzle,
        upright=puzzle.upright if upright is None else upright,
        shape=puzzle.shape if shape is None else None if shape == "unknown" else shape,
    )


def write_puzzle(folder: Path | str, puzzle: Puzzle, *, force: bool = False) -> tuple[str, ...]:
    """Write the pieces as PNG files and, last, ``puzzle.json``.

    What is unknown of a piece is written as transparent, so that reading gives the same back.
    Where writing fails half-way, what was written is removed again. `force` replaces a puzzle
    that lies in `folder` already.

    Returns
    -------
    the names of the piece files, which are the puzzle's names with ``.png`` behind them
    """
    folder = Path(folder)
    names = tuple(n if n.lower().endswith(".png") else f"{n}.png" for n in puzzle.names)
    try:
        contents = puzzle.layout.manifest(names)
    except FormatError as problem:
        raise InputError(f"This puzzle cannot be written: {problem}") from problem
    with claimed(folder, PUZZLE, force=force):
        unmark(folder, PUZZLE)
        written: list[Path] = []
        try:
            for number, name in enumerate(names):
                written.append(folder / name)
                piece = cut_out(puzzle, number)
                grey = contents.channels == 1 and piece.ndim == 3
                write_image(folder / name, _without_colours(piece) if grey else piece)
            write_json(folder / manifest.NAME, contents.to_json())
        except BaseException:
            for file in written:
                file.unlink(missing_ok=True)
            raise
    return names


def _without_colours(piece: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a grey picture of three channels as one, ``(h, w)``; with alpha, ``(h, w, 2)``."""
    return piece[..., 0] if piece.shape[2] == 3 else piece[..., 2:]


def is_strips(path: Path | str) -> bool:
    """Whether `path` is a folder whose ``puzzle.json`` says that its pieces are strips."""
    file = Path(path) / manifest.NAME
    return file.is_file() and read_json(file).get("kind") == "strips"


def _read_manifest(folder: Path, resize: int | None) -> Manifest | None:
    """Return what ``puzzle.json`` says, checked against the folder; None where there is none."""
    if not (folder / manifest.NAME).is_file():
        return None
    contents = read_json(folder / manifest.NAME)
    try:
        known = Manifest.from_json(contents)
    except FormatError as problem:
        raise FormatError(f"{folder / manifest.NAME} cannot be used: {problem}") from problem
    if resize is not None and known.eroded:
        raise InputError(
            f"The pieces of {folder} have worn frames of {known.eroded} px, which --resize would "
            "blur; leave --resize out."
        )
    _check_listed(folder, (*known.pieces, *known.masks))
    return known


def _read_grid(folder: Path, known: Manifest | None, resize: int | None, watch: Watcher) -> Puzzle:
    """Read equal pieces; `known` is what ``puzzle.json`` says, if there is one."""
    if known is None:
        names = _picture_names(folder)
        pieces, there = _read_pieces(folder, names, None, resize, watch)
        return Puzzle(pieces, upright=False, names=names, known=there)
    pieces, there = _read_pieces(folder, known.pieces, known.piece, resize, watch)
    if known.channels == 1 and not (pieces == pieces[..., :1]).all():
        raise FormatError(
            f"{folder / manifest.NAME} says channels 1, but the pieces have colours; say 3."
        )
    return Puzzle(pieces, known.upright, known.shape, known.eroded, known.pieces, known=there)


def _picture_names(folder: Path) -> tuple[str, ...]:
    """Return the names of a folder's pictures, those included that can no longer be read.

    A piece that was left out unasked would leave its place to others.
    """
    try:
        names = [
            file.name
            for file in folder.iterdir()
            if file.name[0] != "."
            and file.suffix.lower() in SUFFIXES
            and (file.is_file() or not file.exists())
        ]
    except OSError as problem:
        raise InputError(f"Cannot read {folder}: {problem.strerror or problem}.") from problem
    if not names:
        inner = folder / "puzzle"
        advice = f"did you mean {inner}" if inner.is_dir() else "name a folder of piece pictures"
        raise InputError(f"{folder} holds no PNG, JPEG, TIFF or WebP files; {advice}.")
    return tuple(sorted(names, key=natural))


def natural(name: str) -> tuple[list[tuple[int, str]], str]:
    """Return what to sort names by: numbers in them count by their value.

    >>> sorted(["10.jpg", "2.jpg", "02.jpg"], key=natural)
    ['02.jpg', '2.jpg', '10.jpg']
    """
    parts = re.split(r"([0-9]+)", name.casefold())
    return [(int(part), "") if i % 2 else (0, part) for i, part in enumerate(parts)], name


def _holds(folder: Path, name: str) -> bool:
    try:
        return (folder / name).is_file()
    except OSError:  # a name too long, or of characters that the file system has not
        return False


def _check_listed(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        if not _holds(folder, name):
            raise FormatError(
                f"{folder / manifest.NAME} lists {name}, but the folder has no such file."
            )


def _read_pieces(
    folder: Path,
    names: Sequence[str],
    size: tuple[int | None, int | None] | None,
    resize: int | None,
    watch: Watcher,
) -> tuple[NDArray[np.uint8], NDArray[np.bool_] | None]:
    """Read pieces of one size, ``(N, H, W, 3)``, and what of them is known, ``(N, H, W)``.

    `size` is what the manifest says, if any.
    """
    watch.stage("reading", len(names))
    pieces, every = np.empty((0, 0, 0, 3), np.uint8), None
    for number, name in enumerate(names):
        image, known = read_known(folder / name)
        height, width = image.shape[:2]
        if size is not None and (height, width) != size:
            raise FormatError(
                f"{folder / manifest.NAME} says pieces of {size[0]} x {size[1]} px, but {name} "
                f"has {height} x {width} px."
            )
        if resize is not None:
            image = _resized(image, resize)
            known = None if known is None else at_size(known, (resize, resize))
        if number == 0:
            pieces = _room_for(folder, len(names), image.shape)
        if image.shape != pieces.shape[1:]:
            raise InputError(
                "Pieces must have one size, but in "
                f"{folder} {names[0]} has {pieces.shape[1]} x {pieces.shape[2]} px and {name} has "
                f"{height} x {width} px; --resize P would bring all to P x P, and "
                "--pages says that they are strips."
            )
        pieces[number] = image
        if known is not None:  # most puzzles are known throughout, and need no room for this
            every = np.ones(pieces.shape[:3], np.bool_) if every is None else every
            every[number] = known
        watch.advance()
    return pieces, every


def read_known(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.bool_] | None]:
    """Read a piece, ``(H, W, 3)``, and what of it is known, ``(H, W)``; None: all of it.

    What is transparent is unknown, and goes on from the nearest that is known: white there would
    look like a white border to every measure.
    """
    image, alpha = read_both(path)
    known = known_of(alpha)
    return filled(image, known), known


def _room_for(folder: Path, count: int, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    if count * shape[0] * shape[1] > PIXELS_MAX:
        raise InputError(
            f"The {count} pieces of {folder} have {shape[0]} x {shape[1]} px, together more than "
            f"{PIXELS_MAX // 10**6} million pixels; --resize P would bring all to P x P."
        )
    return np.empty((count, *shape), np.uint8)


def _resized(image: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    return np.array(Image.fromarray(image).resize((side, side), Image.Resampling.LANCZOS))


def _check_size(folder: Path, size: Shape, asked: Shape | Literal["auto"] | None) -> None:
    if asked is not None and asked not in ("auto", size):
        raise InputError(
            f"The pieces of {folder} have {size[0]} x {size[1]} px, not {asked[0]} x {asked[1]}; "
            "leave --piece out."
        )


def _read_scrambled(path: Path, piece: Shape | Literal["auto"] | None) -> Puzzle:
    image, alpha = read_both(path)
    size = piece_size(image) if piece is None or piece == "auto" else piece
    pieces, (rows, cols) = tiles(image, size)
    if image.shape[:2] != (rows * size[0], cols * size[1]):
        raise InputError(
            f"{path} has {image.shape[0]} x {image.shape[1]} px (height x width), which is not a "
            f"whole number of pieces of {size[0]} x {size[1]} px; give another --piece."
        )
    digits = max(3, len(str(max(rows, cols) - 1)))
    names = tuple(
        f"r{row:0{digits}d}c{col:0{digits}d}" for row in range(rows) for col in range(cols)
    )
    known = known_of(alpha)
    if known is not None:  # piece by piece: what a neighbour shows must not leak across the cut
        known = tiles(known, size)[0]
        pieces = np.stack([filled(*each) for each in zip(pieces, known, strict=True)])
    return Puzzle(pieces, upright=True, shape=(rows, cols), names=names, known=known)
