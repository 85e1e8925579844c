"""The piece size is found, or refused; it is not guessed."""

import io
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from skimage import data

from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.imaging.detect import AGREEMENT_MIN, excess, periods, piece_size
from tessella.imaging.render import scrambled

PICTURES = {
    "astronaut": data.astronaut(),
    "chelsea": data.chelsea(),
    "coffee": data.coffee(),
    "rocket": data.rocket(),
}


def shuffled(name: str, piece: int | tuple[int, int], **how: object) -> np.ndarray:
    return scrambled(cut(PICTURES[name], piece, **how)[0])


def as_jpeg(image: np.ndarray, quality: int) -> np.ndarray:
    stream = io.BytesIO()
    Image.fromarray(image).save(stream, "JPEG", quality=quality)
    return np.array(Image.open(stream))


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("side", [16, 25, 28, 32, 48, 64])
def test_square_pieces_are_found(name, side):
    assert piece_size(shuffled(name, side)) == (side, side)


@pytest.mark.parametrize("piece", [(28, 40), (48, 30), (32, 64), (64, 32)])
def test_rectangular_pieces_are_found(piece):
    assert piece_size(shuffled("coffee", piece)) == piece


@pytest.mark.parametrize("side", [28, 32, 40])
@pytest.mark.parametrize("quality", [60, 90])
def test_the_grid_of_jpeg_does_not_mislead(side, quality):
    before = scrambled(cut(as_jpeg(PICTURES["coffee"], quality), side)[0])
    after = as_jpeg(shuffled("coffee", side), quality)
    assert piece_size(before) == piece_size(after) == (side, side)


def test_turned_pieces_are_found_too():
    assert piece_size(shuffled("astronaut", 32, turned=True)) == (32, 32)


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(sorted(PICTURES)),
    height=st.integers(3, 90),
    width=st.integers(3, 90),
    seed=st.integers(0, 99),
)
def test_an_answer_is_the_right_one(name, height, width, seed):
    with suppress(InputError):
        assert piece_size(shuffled(name, (height, width), seed=seed)) == (height, width)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_that_is_not_scrambled_is_refused(name):
    image = PICTURES[name][:288, :448]
    for whole in (image, as_jpeg(image, 60), np.rot90(image)):
        with pytest.raises(InputError, match="--piece"):
            piece_size(whole)


def test_a_remainder_at_the_border_is_refused_rather_than_halved():
    image = PICTURES["coffee"][:384, :480].copy()
    pieces, _ = cut(image, 64)
    image[:, :448] = scrambled(pieces)
    down, across = periods(image)
    assert down is not None
    assert across is not None
    assert down.size == 64
    assert across.size == 32
    assert across.agreement < AGREEMENT_MIN
    with pytest.raises(InputError, match="could not be found"):
        piece_size(image)


@pytest.mark.parametrize(
    "image",
    [
        np.full((64, 64, 3), 90, np.uint8),
        np.random.default_rng(0).integers(0, 256, (96, 96, 3), dtype=np.uint8),
        np.zeros((61, 67, 3), np.uint8),
        np.zeros((1, 1, 3), np.uint8),
    ],
    ids=["flat", "noise", "prime", "one pixel"],
)
def test_pictures_without_pieces_are_refused(image):
    with pytest.raises(InputError, match="--piece"):
        piece_size(image)


def test_the_margin_says_that_the_second_best_explains_about_half():
    for period in periods(shuffled("coffee", 40)):
        assert period is not None
        assert 1.6 < period.margin < 2.6
        assert period.strength > 0.4
        assert period.agreement == 1.0


def test_the_profile_is_high_at_seams_alone():
    profile = excess(shuffled("chelsea", 50))
    jumps = np.flatnonzero(profile > profile.max() / 4) + 1
    assert jumps.tolist() == [50, 100, 150, 200, 250, 300, 350, 400]


def test_a_step_counts_only_where_it_exceeds_both_beside_it():
    ramp = np.repeat(np.array([0, 0, 10, 20, 60, 60], np.uint8)[None, :, None], 3, axis=2)
    assert excess(ramp).tolist() == [0, 0, 0, 90, 0]


def test_a_tall_picture_is_read_in_part_with_the_same_answer():
    tall = np.concatenate([shuffled("coffee", 50, seed=seed) for seed in range(3)])
    assert piece_size(np.ascontiguousarray(tall)) == (50, 50)
