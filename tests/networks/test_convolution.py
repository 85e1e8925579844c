"""Convolutions by few products equal plain ones, whatever the size of a picture."""

import numpy as np
import pytest

from tessella.networks.convolution import Convolution, thinned


def plain(values, weight, bias):
    """Convolve over 3 x 3 pixels, pixel by pixel."""
    count, height, width, channels = values.shape
    padded = np.pad(values, ((0, 0), (1, 1), (1, 1), (0, 0))).astype(np.float64)
    out = np.empty((count, height, width, len(bias)))
    for y in range(height):
        for x in range(width):
            seen = padded[:, y : y + 3, x : x + 3].reshape(count, 9 * channels)
            out[:, y, x] = seen @ weight + bias
    return out


def drawn(shape, made, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape).astype(np.float32)
    weight = rng.standard_normal((9 * shape[3], made)) / np.sqrt(9 * shape[3])
    return values, weight.astype(np.float32), rng.standard_normal(made).astype(np.float32)


@pytest.mark.parametrize("shape", [(1, 1, 1, 1), (2, 4, 8, 3), (1, 9, 7, 5), (3, 6, 5, 24)])
@pytest.mark.parametrize("made", [1, 8])
def test_few_products_give_what_all_give(shape, made):
    values, weight, bias = drawn(shape, made)
    found = Convolution(weight, bias)(values)
    assert found.shape == (*shape[:3], made)
    np.testing.assert_allclose(found, plain(values, weight, bias), atol=2e-4)


def test_a_tall_picture_is_done_in_parts_that_fit_together():
    values, weight, bias = drawn((1, 400, 16, 24), 24)
    found = Convolution(weight, bias)(values)
    np.testing.assert_allclose(found, plain(values, weight, bias), atol=2e-4)


def test_the_order_of_pictures_changes_nothing():
    values, weight, bias = drawn((4, 16, 16, 12), 20)
    convolution = Convolution(weight, bias)
    together = convolution(values)
    for image in range(len(values)):
        assert (convolution(values[image : image + 1])[0] == together[image]).all()


def test_thinned_is_every_second_pixel_of_the_whole():
    values, weight, bias = drawn((2, 8, 6, 3), 4)
    whole = plain(values, weight, bias)
    np.testing.assert_allclose(thinned(values, weight, bias), whole[:, ::2, ::2], atol=1e-5)
