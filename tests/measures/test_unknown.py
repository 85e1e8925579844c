"""What is broken off a piece is unknown to measures, not white."""

import numpy as np
import pytest
from PIL import Image

from tessella import edges, registry
from tessella.imaging.folder import read_puzzle
from tessella.measuring import measure
from tessella.pictures import demo_picture

SIDE, COLS, ROWS = 32, 4, 3
CHIP = slice(12, 20), slice(-3, None)
"""Rows and columns at the right side that are broken off."""


def written(folder, hidden: int | None, known: bool) -> None:
    """Write pieces with a chip each, whose pixels hold `hidden`, and say so or not."""
    picture = demo_picture()[200 : 200 + ROWS * SIDE, 300 : 300 + COLS * SIDE]
    cut = picture.reshape(ROWS, SIDE, COLS, SIDE, 3).swapaxes(1, 2).reshape(-1, SIDE, SIDE, 3)
    folder.mkdir()
    for number, piece in enumerate(cut):
        alpha = np.full((SIDE, SIDE, 1), 255, np.uint8)
        piece = piece.copy()
        if hidden is not None:
            piece[CHIP] = hidden
            alpha[CHIP] = 0 if known else 255
        image = np.concatenate([piece, alpha], axis=2)
        Image.fromarray(image).save(folder / f"{number:02d}.png")


def scores(folder, by: str) -> np.ndarray:
    """Return the scores of all pairs of a right and a left edge, ``(N, N)``."""
    puzzle = read_puzzle(folder, upright=True)
    dense = measure(puzzle, registry.make("measure", by), keep=None, dense=True, threads=1).dense
    return dense[4 * np.arange(len(puzzle)) + edges.RIGHT]


@pytest.mark.parametrize("by", ["mgc", "tiles"])
def test_what_is_broken_off_is_unknown_and_not_white(by, tmp_path):
    for name, hidden, known in (
        ("whole", None, True),
        ("white", 255, False),
        ("unknown", 255, True),
        ("hidden", 0, True),
    ):
        written(tmp_path / name, hidden, known)
    table = {name.name: scores(name, by) for name in tmp_path.iterdir()}
    np.testing.assert_array_equal(table["unknown"], table["hidden"])  # whatever lies under it
    own = np.array([k for k in range(ROWS * COLS) if k % COLS < COLS - 1])
    true = own, own + 1
    lost = {name: np.mean(table["whole"][true] - each[true]) for name, each in table.items()}
    assert lost["unknown"] < 0.7 * lost["white"]
