"""Top-i curves: percent against i, the best measure first."""

import numpy as np
import pytest

from tessella.errors import InputError
from tessella.plots.top_curve import Curve, top_curve

MGC = Curve("mgc", np.array([0.9, 0.95, 0.97]))
SSD = Curve("ssd", np.array([0.7, 0.8, 0.85]))


def test_curves_are_drawn_in_percent_from_one():
    line = top_curve([MGC]).axes[0].lines[0]
    assert list(line.get_xdata()) == [1, 2, 3]
    assert line.get_ydata() == pytest.approx([90, 95, 97])


def test_the_best_measure_stands_first_in_the_legend():
    labels = [line.get_label() for line in top_curve([SSD, MGC]).axes[0].lines]
    assert labels == ["mgc (90.0 % Top-1)", "ssd (70.0 % Top-1)"]


def test_curves_differ_without_colour():
    markers = {line.get_marker() for line in top_curve([SSD, MGC]).axes[0].lines}
    assert len(markers) == 2


@pytest.mark.parametrize("curves", [[], [Curve("empty", np.array([]))]])
def test_curves_without_a_point_are_refused(curves):
    with pytest.raises(InputError, match="at least Top-1"):
        top_curve(curves)
