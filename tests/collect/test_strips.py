"""Strips are found on beds of any colour, apart or touching, straight or leaning."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.collect.bed import Bed, find_bed, read_colour
from tessella.collect.source import Source
from tessella.collect.strips import find_strips
from tessella.errors import InputError

SIZE = (600, 420)


def drawn(scans, seed: int, bed: str, **options: object):
    return scans.scan(seed, bed, count=6, size=SIZE, **options)


def outlines(found) -> list[np.ndarray]:
    return [np.array(piece.outline) for piece in found.pieces]


@pytest.mark.parametrize("bed", ["orange", "yellow", "blue", "black"])
def test_every_strip_is_found_on_a_bed_of_any_colour(scans, bed):
    scan = drawn(scans, 3, bed)
    found = find_strips(Source("scan.png", scan.image))
    assert scans.matched(scan, outlines(found)) == (6, 0)


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000), bed=st.sampled_from(["orange", "blue"]))
def test_strips_that_lie_apart_are_all_found_and_none_is_invented(scans, seed, bed):
    scan = drawn(scans, seed, bed, touching=False)
    found = find_strips(Source("scan.png", scan.image))
    assert scans.matched(scan, outlines(found)) == (6, 0)


def test_strips_that_lie_across_are_found_and_turned_upright(scans):
    scan = drawn(scans, 5, "orange", touching=False)
    upright = find_strips(Source("scan.png", scan.image))
    across = find_strips(Source("scan.png", np.ascontiguousarray(np.rot90(scan.image, -1))))
    assert len(across.pieces) == len(upright.pieces)
    assert all(piece.image.shape[0] > 3 * piece.image.shape[1] for piece in across.pieces)
    assert all(abs(abs(piece.angle) - 90) < 5 for piece in across.pieces)


def test_an_outline_of_strips_that_lie_across_is_in_pixels_of_the_file(scans):
    scan = drawn(scans, 5, "orange", touching=False)
    turned = np.ascontiguousarray(np.rot90(scan.image, -1))
    for piece in find_strips(Source("scan.png", turned)).pieces:
        x, y = np.mean(piece.outline, axis=0).round().astype(int)
        assert 0 <= x <= turned.shape[1]
        assert 0 <= y <= turned.shape[0]
        assert np.ptp([p[0] for p in piece.outline]) > np.ptp([p[1] for p in piece.outline])


def two_strips(gap: int) -> np.ndarray:
    """Two white strips of 40 px on orange, `gap` px apart."""
    image = np.tile(np.array([250, 184, 93], np.uint8), (500, 200, 1))
    image[20:480, 40:80] = 250
    image[20:480, 80 + gap : 120 + gap] = 250
    image[20:480, 150:190] = 250
    return image


def test_strips_that_touch_along_their_whole_length_are_cut_and_doubted():
    found = find_strips(Source("scan.png", two_strips(0)))
    assert len(found.pieces) == 3
    assert sum(any("touches" in doubt for doubt in piece.doubts) for piece in found.pieces) == 2


@pytest.mark.parametrize("depth", [1, 4, 9])
def test_a_light_line_along_the_scans_end_does_not_join_strips_that_reach_over_it(depth):
    image = two_strips(12)
    image[:20, 40:80] = image[:20, 92:132] = image[:20, 150:190] = 250
    alone = find_strips(Source("scan.png", image))
    image[:depth] = 235
    found = find_strips(Source("scan.png", image))
    assert [piece.image.shape for piece in found.pieces] == [p.image.shape for p in alone.pieces]
    assert not any(piece.doubts for piece in found.pieces)


def test_a_strip_keeps_its_top_and_its_alpha_is_its_paper():
    found = find_strips(Source("scan.png", two_strips(12)))
    first = found.pieces[0]
    assert first.image.shape == (460, 40, 4)
    assert (first.image[..., 3] == 255).all()
    assert not first.doubts


@pytest.mark.parametrize("end", [3, 12, 25])
def test_a_strip_that_ends_close_to_the_border_ends_there(end):
    image = np.full((600, 200, 3), (250, 184, 93), np.uint8)
    image[40 : 600 - end, 30:90] = image[end:560, 120:180] = 252
    found = find_strips(Source("scan.png", image))
    assert [len(piece.image) for piece in found.pieces] == [560 - end, 560 - end]


def test_a_leaning_strip_is_straightened_along_its_sides():
    image = np.tile(np.array([250, 184, 93], np.uint8), (500, 300, 1))
    for row in range(20, 480):
        for left in (40, 120, 200):
            start = left + round(0.05 * row)
            image[row, start : start + 40] = 245
    found = find_strips(Source("scan.png", image))
    assert len(found.pieces) == 3
    for piece in found.pieces:
        assert piece.angle == pytest.approx(-np.degrees(np.arctan(0.05)), abs=0.2)
        assert piece.image.shape[1] <= 44


def test_the_rim_beside_the_bed_is_no_strip():
    image = two_strips(12)
    image[:, :8] = 252
    found = find_strips(Source("scan.png", image))
    assert len(found.pieces) == 3
    assert [scrap.why for scrap in found.scraps] == ["a narrow rim along the picture's border"]


def test_an_empty_bed_has_no_strips():
    image = np.tile(np.array([250, 184, 93], np.uint8), (300, 200, 1))
    with pytest.raises(InputError, match="No paper was found"):
        find_strips(Source("scan.png", image))


def test_the_bed_is_found_though_paper_crosses_most_of_the_border():
    image = two_strips(12)
    image[:, 30:170] = 250
    bed = find_bed(image)
    assert bed.kind == "coloured"
    assert np.abs(np.array(bed.colour) - (250, 184, 93)).max() < 4


def test_a_bed_is_coloured_dark_grey_or_light():
    colours = ((250, 184, 93), (20, 20, 22), (194, 194, 194), (215, 215, 215), (245, 245, 240))
    kinds = [Bed(colour).kind for colour in colours]
    assert kinds == ["coloured", "dark", "grey", "light", "light"]


def test_a_colour_that_is_none_is_told():
    assert read_colour("auto") is None
    assert read_colour("#102030") == Bed((16, 32, 48))
    with pytest.raises(InputError, match="--bed must be a colour"):
        read_colour("sort of orange")
