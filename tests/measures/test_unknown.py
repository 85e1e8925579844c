"""What is broken off a piece is unknown to measures, not white."""

import numpy as np
import pytest
from PIL import Image

from tessella import edges, registry
from tessella.errors import InputError
from tessella.imaging.folder import read_puzzle
from tessella.measuring import measure
from tessella.pictures import demo_picture

SIDE, COLS, ROWS = 32, 4, 3
CHIP = slice(12, 20), slice(-3, None)
"""Rows and columns at the right side that are broken off."""

CORNER = slice(-6, None), slice(-6, None)
"""The lower right corner."""


def cut() -> np.ndarray:
    """Return pieces of a picture, row by row, ``(12, SIDE, SIDE, 3)``."""
    picture = demo_picture()[200 : 200 + ROWS * SIDE, 300 : 300 + COLS * SIDE]
    grid = picture.reshape(ROWS, SIDE, COLS, SIDE, 3).swapaxes(1, 2)
    return grid.reshape(-1, SIDE, SIDE, 3).copy()


def written(folder, pieces: np.ndarray, lost=None) -> None:
    """Write pieces, each without `lost`, if anything is."""
    folder.mkdir()
    alpha = np.full((SIDE, SIDE, 1), 255, np.uint8)
    if lost is not None:
        alpha[lost] = 0
    for number, piece in enumerate(pieces):
        image = np.concatenate([piece, alpha], axis=2)
        Image.fromarray(image).save(folder / f"{number:02d}.png")


def holding(value: int, lost) -> np.ndarray:
    """Return the pieces with `value` where they are broken off."""
    pieces = cut()
    pieces[(slice(None), *lost)] = value
    return pieces


ALONE = {"tiles": {"company": False}}
"""What companions weigh is fitted to each table anew, so that tables cannot be compared."""


def scores(folder, by: str) -> np.ndarray:
    """Return the scores of all pairs of a right and a left edge, ``(N, N)``."""
    puzzle = read_puzzle(folder, upright=True)
    asked = registry.make("measure", by, ALONE.get(by))
    dense = measure(puzzle, asked, keep=None, dense=True, threads=1).dense
    return dense[4 * np.arange(len(puzzle)) + edges.RIGHT]


@pytest.mark.parametrize("by", ["mgc", "tiles"])
def test_what_is_broken_off_is_unknown_and_not_white(by, tmp_path):
    written(tmp_path / "whole", cut())
    written(tmp_path / "white", holding(255, CHIP))
    written(tmp_path / "unknown", holding(255, CHIP), CHIP)
    written(tmp_path / "hidden", holding(0, CHIP), CHIP)
    table = {name.name: scores(name, by) for name in tmp_path.iterdir()}
    np.testing.assert_array_equal(table["unknown"], table["hidden"])  # whatever lies under it
    own = np.array([k for k in range(ROWS * COLS) if k % COLS < COLS - 1])
    true = own, own + 1
    lost = {name: np.mean(table["whole"][true] - each[true]) for name, each in table.items()}
    assert lost["unknown"] < 0.7 * lost["white"]


@pytest.mark.parametrize("by", registry.names("measure"))
def test_every_measure_sees_the_nearest_known_colour_where_a_corner_is_broken_off(by, tmp_path):
    written(tmp_path / "unknown", holding(255, CORNER), CORNER)
    try:
        found = scores(tmp_path / "unknown", by)
    except InputError as problem:
        if "for strips" not in str(problem):
            raise
        pytest.skip("it measures strips alone")
    written(tmp_path / "nearest", read_puzzle(tmp_path / "unknown").pieces)
    written(tmp_path / "white", holding(255, CORNER))
    np.testing.assert_array_equal(found, scores(tmp_path / "nearest", by))
    assert not np.array_equal(found, scores(tmp_path / "white", by))
