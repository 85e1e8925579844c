import numpy as np
import pytest
from PIL import Image

from tessella import layout
from tessella.arrangement import Arrangement, Sheet
from tessella.exports import Target
from tessella.exports.deepzoom import write
from tessella.imaging import pyramid
from tessella.imaging.pyramid import Pyramid, write_pyramid
from tessella.imaging.read import read_image
from tessella.imaging.render import overview, render
from tessella.puzzle import Puzzle


@pytest.fixture
def image():
    rng = np.random.default_rng(1)
    small = Image.fromarray(rng.integers(0, 255, (7, 9, 3), np.uint8))
    return np.array(small.resize((1300, 700), Image.Resampling.BICUBIC))


def cut(image):
    return lambda top, left, down, across: image[top : top + down, left : left + across]


def test_the_tiles_of_the_last_level_are_the_picture(image, tmp_path):
    write_pyramid(tmp_path, "p", Pyramid(*image.shape[:2]), cut(image))
    last = Pyramid(*image.shape[:2]).levels - 1
    rows = [
        np.concatenate([read_image(tmp_path / f"p_files/{last}/{c}_{r}.jpg") for c in range(3)], 1)
        for r in range(2)
    ]
    whole = np.concatenate(rows).astype(int)
    assert whole.shape == image.shape
    assert np.abs(whole - image).mean() < 3
    assert 'Height="700" Width="1300"' in (tmp_path / "p.dzi").read_text()


def test_every_level_is_half_of_the_next_down_to_one_pixel(image, tmp_path):
    told = Pyramid(*image.shape[:2])
    write_pyramid(tmp_path, "p", told, cut(image))
    assert told.size(0) == (1, 1)
    for level in range(told.levels):
        rows, cols = told.tiles(level)
        files = {path.name for path in (tmp_path / "p_files" / str(level)).iterdir()}
        assert files == {f"{c}_{r}.jpg" for r in range(rows) for c in range(cols)}
        corner = read_image(tmp_path / f"p_files/{level}/0_0.jpg").shape[:2]
        assert corner == tuple(min(pyramid.TILE, side) for side in told.size(level))


@pytest.fixture
def puzzle():
    rng = np.random.default_rng(2)
    return Puzzle(rng.integers(0, 255, (12, 10, 10, 3)).astype(np.uint8))


SHEET = Sheet(
    np.array([[0, 1, -1], [2, 3, 4], [5, 6, 7]]), np.array([[0, 1, 0], [2, 0, 3], [0, 0, 1]])
)


def test_parts_of_a_large_sheet_are_those_of_its_picture(puzzle, monkeypatch):
    assert puzzle.layout.large(SHEET) is None
    monkeypatch.setattr(layout, "LARGE", 0)
    told, draw = puzzle.layout.large(SHEET)
    whole = render(puzzle, SHEET)
    assert (told.height, told.width) == whole.shape[:2]
    for top, left, down, across in (
        (0, 0, 30, 30),
        (3, 7, 9, 20),
        (29, 29, 1, 1),
        (10, 10, 10, 10),
    ):
        part = draw(top, left, down, across)
        assert np.array_equal(part, whole[top : top + down, left : left + across])


def test_an_overview_of_a_large_sheet_looks_like_its_picture_made_small(puzzle, monkeypatch):
    usual = overview(puzzle, SHEET, 15).astype(int)
    monkeypatch.setattr(layout, "LARGE", 0)
    quick = overview(puzzle, SHEET, 15)
    assert quick.shape == usual.shape
    assert np.abs(quick - usual).mean() < 40  # of noise; a wrong piece would differ by 85


def test_an_export_shows_itself_without_anything_from_elsewhere(puzzle, tmp_path):
    write(Target(tmp_path, puzzle, Arrangement((SHEET,))))
    page = (tmp_path / "assembled.html").read_text()
    assert "assembled_files" in page
    assert "http" not in page.replace("http-equiv", "")
    assert (tmp_path / "assembled_files" / "5" / "0_0.jpg").is_file()
