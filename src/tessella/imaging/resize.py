"""Bringing pieces to another size, their worn frames with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.imaging.unknown import at_size
from tessella.puzzle import Puzzle, Shape


def frame_at(puzzle: Puzzle, size: int) -> int:
    """Return how wide the worn frame is on pieces of `size` px; one that exists stays."""
    if not puzzle.eroded:
        return 0
    return max(1, round(puzzle.eroded * size / puzzle.piece_size[0]))


def resized(puzzle: Puzzle, size: int) -> Puzzle:
    """Return `puzzle` with square pieces of `size` px, for measuring: all of them counts as known.

    What is inside the frame is resampled by itself, so that the frame's black does not bleed in.
    """
    old, new = puzzle.eroded, frame_at(puzzle, size)
    if puzzle.piece_size == (size, size):
        return puzzle
    end = puzzle.piece_size[0] - old
    pieces = np.zeros((len(puzzle), size, size, 3), np.uint8)
    for piece, made in zip(puzzle.pieces, pieces, strict=True):
        picture = Image.fromarray(piece[old:end, old:end])
        side = size - 2 * new
        fitted = picture.resize((side, side), Image.Resampling.LANCZOS)
        made[new : size - new, new : size - new] = np.asarray(fitted)
    return replace(puzzle, pieces=pieces, eroded=new, known=None)


def drawn_at(puzzle: Puzzle, which: NDArray[np.intp], size: Shape, how: Image.Resampling) -> Puzzle:
    """Return pieces `which` at `size`, for drawing: what is unknown stays so, frames are drawn."""
    pieces = [np.asarray(Image.fromarray(puzzle.pieces[p]).resize(size[::-1], how)) for p in which]
    known = None
    if puzzle.known is not None:
        known = np.stack([at_size(puzzle.known[p], size) for p in which])
    names = tuple(puzzle.names[p] for p in which)
    return replace(puzzle, pieces=np.stack(pieces), eroded=0, names=names, known=known)


def shown(pieces: NDArray[np.uint8], eroded: int, size: int) -> NDArray[np.float32]:
    """Return what is inside the frame of square pieces, at `size` px, ``(N, size, size, 3)``.

    Nothing is rounded, so that a turned piece gives the same, turned.
    """
    end = pieces.shape[1] - eroded
    inside = pieces[:, eroded:end, eroded:end].astype(np.float32)
    if inside.shape[1] == size:
        return inside
    out = np.empty((len(pieces), size, size, 3), np.float32)
    for piece, made in zip(inside, out, strict=True):
        for channel in range(3):
            plane = Image.fromarray(np.ascontiguousarray(piece[..., channel]))
            made[..., channel] = np.asarray(plane.resize((size, size), Image.Resampling.LANCZOS))
    return np.clip(out, 0, 255, out=out)
