"""Heatmaps: brighter is better, on a scale that shows differences."""

import numpy as np
import pytest

from tessella.plots.heatmap import EMPTY_GREY, Scale, colours, scale_of


def luminance(rgb: np.ndarray) -> np.ndarray:
    return rgb @ np.array([0.2126, 0.7152, 0.0722])


def ends(scale: Scale) -> tuple[float, float]:
    return scale.low, scale.high


def test_a_better_piece_is_brighter_even_in_grey():
    told = colours(np.linspace(0, 1, 20)[None], Scale())
    assert (np.diff(luminance(told[0])) > 0).all()


def test_what_lies_outside_the_scale_takes_its_ends():
    told = colours(np.array([[0.1, 0.5, 0.9, 1.0]]), Scale(0.5, 0.9))
    assert np.array_equal(told[0, 0], told[0, 1])
    assert np.array_equal(told[0, 2], told[0, 3])


def test_cells_with_nothing_to_tell_are_grey():
    told = colours(np.array([[np.nan, 0.5]]), Scale())
    assert (told[0, 0] == round(255 * EMPTY_GREY)).all()
    assert len(set(told[0, 1].tolist())) == 3


def test_the_scale_spans_what_occurs():
    values = np.linspace(0.3, 0.8, 101)
    assert ends(scale_of(values, left_out=0.1)) == pytest.approx((0.35, 0.8))


def test_trifles_stay_pale():
    scale = scale_of(np.array([0.98, 1.0, np.nan]))
    assert ends(scale) == pytest.approx((0.9, 1.0))


@pytest.mark.parametrize("values", [[np.nan], [], [0.0]])
def test_a_scale_exists_even_where_nothing_can_be_told(values):
    assert scale_of(np.array(values)) == Scale(0.0, 1.0)


def test_one_scale_serves_several_sheets():
    scale = scale_of(np.array([[0.2, 0.4]]), np.array([[0.6], [0.9]]), left_out=0)
    assert ends(scale) == pytest.approx((0.2, 0.9))
