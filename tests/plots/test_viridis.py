"""Our few samples of viridis are viridis."""

import numpy as np
from matplotlib import colormaps

from tessella.plots.viridis import viridis


def test_every_colour_is_that_of_matplotlib_within_one_step():
    share = np.linspace(0, 1, 256)
    expected = 255 * colormaps["viridis"](share)[:, :3]
    assert np.abs(viridis(share) - expected).max() < 1.5


def test_what_lies_outside_has_the_colour_of_the_end():
    assert (viridis(np.array([-1.0, 2.0])) == viridis(np.array([0.0, 1.0]))).all()
