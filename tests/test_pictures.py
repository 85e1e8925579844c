"""The demo picture: ours, drawn by a script that ships beside it."""

from importlib import resources

import numpy as np
from caravel.panel import draw

from tessella.imaging.cut import cut
from tessella.pictures import demo_picture


def test_the_shipped_picture_is_what_the_script_draws():
    drawn, shipped = draw().astype(int), demo_picture().astype(int)
    assert drawn.shape == shipped.shape == (672, 896, 3)
    # Other versions of NumPy, SciPy or Pillow may round a little differently.
    assert np.abs(drawn - shipped).mean() < 0.5


def test_it_is_small_enough_to_ship():
    assert len((resources.files("tessella.pictures") / "caravel.webp").read_bytes()) < 900_000


def test_every_piece_of_it_can_be_told_from_every_other():
    for piece in (28, 56):
        puzzle, truth = cut(demo_picture(), piece, turned=True)
        assert len(set(truth.edge_class.tolist())) == 4 * len(puzzle)


def test_no_part_of_it_is_flat():
    puzzle, _ = cut(demo_picture(), 28)
    assert puzzle.pieces.std(axis=(1, 2)).mean(axis=1).min() > 4
