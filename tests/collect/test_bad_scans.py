"""Scans that went wrong end in one sentence, in a flagged result, or are read all the same."""

import numpy as np
import pytest
from PIL import Image
from skimage import data

from tessella.collect.collection import collect
from tessella.collect.settings import Settings
from tessella.collect.source import Source
from tessella.collect.strips import find_strips
from tessella.errors import InputError

SIZE = (1200, 850)


def drawn(scans, bed: str, seed: int = 4):
    return scans.scan(seed, bed, count=8, size=SIZE)


def read(image):
    pixels = np.clip(image, 0, 255).astype(np.uint8)
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, axis=2)
    return find_strips(Source("scan.png", np.ascontiguousarray(pixels)))


def found(scans, scan, image) -> tuple[int, int]:
    return scans.matched(scan, [np.array(piece.outline) for piece in read(image).pieces])


def flagged(image) -> bool:
    """Whether a picture is refused, or said to be doubtful nearly everywhere."""
    try:
        got = read(image)
    except InputError as refused:
        return "scan" in str(refused)
    doubtful = sum(bool(piece.doubts) for piece in got.pieces)
    return doubtful > 0.8 * len(got.pieces) and "nearly all" in got.notes[-1]


@pytest.mark.parametrize(("bed", "seed"), [("white", 4), ("lid", 4)])
def test_strips_on_a_white_bed_are_told_by_tone_or_shadow(scans, bed, seed):
    scan = drawn(scans, bed, seed)
    assert found(scans, scan, scan.image) == (8, 0)
    assert "nearly the same white" in read(scan.image).notes[0]


@pytest.mark.parametrize("bed", ["orange", "blue"])
@pytest.mark.parametrize("seed", [4, 5])
def test_strips_on_a_coloured_bed_are_found_in_a_grey_scan(scans, bed, seed):
    scan = drawn(scans, bed, seed)
    grey = scan.image.astype(float) @ (0.299, 0.587, 0.114)
    assert found(scans, scan, grey) == (8, 0)
    assert not read(grey).notes


@pytest.mark.parametrize("colour", [(248, 248, 248), (250, 184, 93), (22, 22, 22), (190, 190, 190)])
def test_a_bed_without_strips_is_said_to_have_none(colour):
    grain = np.random.default_rng(0).normal(0, 1.5, (*SIZE, 3))
    with pytest.raises(InputError, match=r"no strips|No paper"):
        read(np.array(colour) + grain)


def test_a_lids_dark_shadow_at_the_border_is_neither_bed_nor_paper(scans):
    scan = drawn(scans, "orange")
    dark = scan.image.astype(float)
    dark[:, -40:] *= np.linspace(1, 0.08, 40)[:, None]
    dark[:25] *= 0.15
    assert found(scans, scan, dark) == (8, 0)


def test_a_lid_in_shadow_and_nothing_else_is_refused():
    slope = np.linspace(60, 250, SIZE[1])[:, None] + np.zeros((*SIZE, 3))
    with pytest.raises(InputError, match="does not look like a scan of strips"):
        read(slope + np.random.default_rng(0).normal(0, 1.5, slope.shape))


@pytest.mark.parametrize("name", ["astronaut", "coffee", "page", "text", "camera", "chelsea"])
def test_a_photograph_is_refused_or_nearly_all_of_it_is_flagged(name):
    assert flagged(getattr(data, name)())


def test_a_scan_of_black_and_white_alone_is_read_on_a_black_bed(scans):
    scan = drawn(scans, "black")
    assert found(scans, scan, (scan.image.mean(axis=2) > 128) * 255) == (8, 0)


@pytest.mark.parametrize("bed", ["orange", "white"])
def test_a_scan_of_black_and_white_alone_is_refused_where_the_bed_turned_white(scans, bed):
    scan = drawn(scans, bed)
    with pytest.raises(InputError, match="nearly the same white"):
        read((scan.image.mean(axis=2) > 128) * 255)


def test_a_scan_at_1200_dpi_gives_strips_at_300(scans, tmp_path):
    scan = drawn(scans, "orange")
    size = (4 * SIZE[1], 4 * SIZE[0])
    large = Image.fromarray(scan.image).resize(size, Image.Resampling.BICUBIC)
    large.save(tmp_path / "large.png", dpi=(1200, 1200))
    got = collect([tmp_path / "large.png"], Settings("strips"))
    assert len(got.pieces) == 8
    # a page is a little shorter than the bed, and some strips reach over its end
    lengths = [len(piece.image) / SIZE[0] for piece in got.pieces]
    assert min(lengths) > scans.PAGE - 0.03
    assert max(lengths) < scans.PAGE + 0.01


def test_strips_in_a_heap_are_never_merged_in_silence():
    """Leaning strips lie over each other: whatever comes out says that it is doubtful."""
    image = Image.new("RGB", SIZE[::-1], (240, 225, 70))
    strip = Image.new("L", (70, 1000), 255)
    for angle, left in ((-9, 150), (4, 210), (14, 190), (-16, 240), (0, 260)):
        turned = strip.rotate(angle, expand=True)
        image.paste((249, 248, 244), (left, 20), turned)
    assert flagged(np.array(image))
