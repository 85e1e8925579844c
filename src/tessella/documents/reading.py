"""Which of two columns of print is read first, told by the lines where one breaks off.

Columns break anywhere between two lines of a text. A line that reaches the right edge is mostly
followed by one that begins at the left edge; a short one, which ends a paragraph, by an indented
line or a heading. If the last line of one column and the first of the other agree in that, and the
other way round they do not, the order is known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.documents.strips import INK

READS_ON = ((-0.6, 1.2, 1.0), (0.1, -0.9, -0.8))
"""By how much likelier a line follows another than one taken at random, as a logarithm.

After a short and a full line; the next one at the left edge, indented, a heading. Counted on 2,900
pairs of lines of nine training documents, every document with the same weight.
"""

_NEAR = 0.25  # pitches: an end of a line as near as this to an edge of the column lies at it
_FAR = 2.2  # pitches: lines farther apart than this do not follow each other
_HEAVY = 1.25  # a heading's ink along the line, as a multiple of the median's
_LEAST = 8  # lines below which nothing is said


@dataclass(frozen=True)
class Ends:
    """How a column of print begins and ends.

    Attributes
    ----------
    first : of the first line: 0 it begins at the left edge, 1 it is indented, 2 a heading
    last : of the last line: 0 it is short, 1 it reaches the right edge
    """

    first: int
    last: int


def read_before(one: Ends | None, other: Ends | None) -> float:
    """Return how much likelier one column is read before the other than after it, a logarithm."""
    if one is None or other is None:
        return 0.0
    return READS_ON[one.last][other.first] - READS_ON[other.last][one.first]


def ends_of(lines: NDArray[np.int64], rows: int) -> Ends | None:
    """Look at the first and the last of the lines ``(n, 5)`` of a column of `rows` px.

    None where it is not justified print throughout, or where a picture or a head stands in for the
    line. Notes under a rule do not count.
    """
    height = lines[:, 1] - lines[:, 0]
    higher = height[height > 0.004 * rows]
    if len(higher) < _LEAST:
        return None
    usual = np.median(higher)
    text = (height > 0.5 * usual) & (height < 1.7 * usual)
    if text.sum() < _LEAST:
        return None
    pitch = float(np.median(np.diff(lines[text, 0])))
    most = int(0.6 * text.sum())
    left = float(np.median(np.sort(lines[text, 2])[:most]))
    right = float(np.median(np.sort(lines[text, 3])[-most:]))
    begins, full = (np.abs(lines[:, k] - at) < _NEAR * pitch for k, at in ((2, left), (3, right)))
    if min(begins[text].mean(), full[text].mean()) < 0.5:
        return None
    end = _notes(lines, begins, height < 0.25 * usual, rows / 2, right - left)
    for k in (0, end - 2):
        near = k >= 0 and lines[k + 1, 1] - lines[k, 1] < _FAR * pitch
        if not (near and text[k] and text[k + 1]):
            return None
    heavy = lines[:, 4] / (lines[:, 3] - lines[:, 2])
    if heavy[0] > _HEAVY * np.median(heavy[text]) and not full[0]:
        first = 2
    elif lines[0, 2] > left + _NEAR * pitch:
        first = 1
    elif begins[0]:
        first = 0
    else:
        return None
    return Ends(first, int(full[end - 1]))


def lines_of(column: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return top, bottom, left, right and ink of every line of a column ``(H, W)``, ``(n, 5)``.

    Dots and accents belong to the line that they almost touch.
    """
    ink = column < INK
    step = np.diff(ink.any(axis=1).astype(np.int8), prepend=0, append=0)
    spans = np.stack([np.flatnonzero(step == 1), np.flatnonzero(step == -1)], axis=1)  # (r, 2)
    if not len(spans):
        return np.zeros((0, 5), np.int64)
    usual = float(np.median(spans[:, 1] - spans[:, 0]))
    merged = [spans[0].tolist()]
    for top, bottom in spans[1:].tolist():
        gap = (top - merged[-1][1]) / usual
        if gap < 0.12 or (bottom - top < 0.3 * usual and gap < 0.3):
            merged[-1][1] = bottom
        else:
            merged.append([top, bottom])
    made = []
    for top, bottom in merged:
        across = np.flatnonzero(ink[top:bottom].any(axis=0))
        made.append([top, bottom, across[0], across[-1] + 1, ink[top:bottom].sum()])
    return np.array(made, np.int64)


def _notes(
    lines: NDArray[np.int64],
    begins: NDArray[np.bool_],
    thin: NDArray[np.bool_],
    middle: float,
    width: float,
) -> int:
    """Return at which line the notes begin: at a rule at the left edge, below the middle."""
    share = (lines[:, 3] - lines[:, 2]) / width
    rule = thin & begins & (share > 0.2) & (share < 0.8) & (lines[:, 0] > middle)
    return int(np.flatnonzero(rule)[-1]) if rule.any() else len(lines)
