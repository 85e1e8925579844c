"""Markers tell a photograph's scale, and are never taken for tiles."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tessella.collect.collection import collect
from tessella.collect.homography import UNIT, homography, mapped, warped
from tessella.collect.markers import CODES, drawn, find_markers
from tessella.collect.plane import off_square
from tessella.collect.ruler import Ruler
from tessella.collect.settings import Settings
from tessella.collect.source import Source
from tessella.collect.tiles import find_tiles
from tessella.collect.writing import write_collection
from tessella.errors import InputError

PRINTED = 0.6
"""Of the card's side: what the black frame has of it."""

GREY = np.full((1, 3), 0.5)


def blue(grey: np.ndarray) -> np.ndarray:
    """Return a tile's face in blue on white, with no rim."""
    dark = np.clip(1.6 * (grey.max() - grey), 0, 1)[..., None]
    return (dark * (0.1, 0.2, 0.55) + (1 - dark) * (0.92, 0.92, 0.88)).astype(np.float32)


def with_card(photographs, table: str, tiles: int = 6):
    """Render tiles with a card of their own size among them."""
    rng = np.random.default_rng(4)
    greys = [face[4:-4, 4:-4].mean(axis=2) for face in photographs.pictures(rng, tiles, GREY)]
    faces = [blue(grey) for grey in greys]
    return photographs.photograph(5, table, (700, 930), faces=faces, cards=1)


def frame(corners: np.ndarray) -> np.ndarray:
    """Return where a card's black frame lies."""
    edge = (1 - PRINTED) / 2
    return mapped(homography(UNIT, corners), UNIT * PRINTED + edge)


@pytest.fixture(params=["plain", "wood", "stone", "cloth", "checkered"])
def rendered(photographs, request):
    return with_card(photographs, request.param)


def test_a_marker_is_read_and_found_to_a_hundredth_of_its_side(rendered):
    (marker,) = find_markers(rendered.image)
    assert marker.number == 0
    true = frame(rendered.cards[0])
    off = min(np.linalg.norm(np.roll(marker.corners, k, 0) - true, axis=1).max() for k in range(4))
    assert off < 0.01 * np.linalg.norm(true[0] - true[1])


def test_a_marker_on_a_card_of_a_tiles_size_is_no_tile_and_tells_how_large_tiles_are(rendered):
    found = find_tiles(Source("photo.png", rendered.image))
    assert [number for number, _ in found.markers] == [0]
    tiles, its = rendered.corners.mean(axis=1), rendered.cards[0].mean(axis=0)
    centres = np.array([np.mean(piece.outline, axis=0) for piece in found.pieces])
    side = np.linalg.norm(rendered.corners[0][0] - rendered.corners[0][1])
    assert len(centres) == len(tiles)
    assert np.linalg.norm(centres - its, axis=1).min() > 0.5 * side
    assert found.tile == pytest.approx(1 / PRINTED, rel=0.015)


def test_all_numbers_of_the_dictionary_are_told_apart_whichever_way_they_lie():
    turned = set()
    for number in range(50):
        sheet = np.pad(drawn(number).repeat(9, 0).repeat(9, 1), 20, constant_values=240)
        image = np.ascontiguousarray(np.rot90(sheet, number % 4)[..., None].repeat(3, 2))
        assert [marker.number for marker in find_markers(image)] == [number]
        turned |= {np.rot90(drawn(number), k).tobytes() for k in range(4)}
    assert len(CODES) == 50
    assert len(turned) == 200


@settings(max_examples=15, deadline=None)
@given(st.lists(st.floats(-25, 25), min_size=8, max_size=8), st.integers(0, 49))
def test_a_marker_seen_from_the_side_is_read(off, number):
    sheet = np.pad(drawn(number).repeat(20, 0).repeat(20, 1), 80, constant_values=235)
    corners = 280 * UNIT + np.reshape(off, (4, 2))
    seen = warped(np.ascontiguousarray(sheet[..., None].repeat(3, 2)), corners, (280, 280))
    (marker,) = find_markers(seen)
    true = mapped(homography(corners, 280 * UNIT), 120 * UNIT + 80)
    assert marker.number == number
    assert min(np.abs(np.roll(marker.corners, k, 0) - true).max() for k in range(4)) < 1


@pytest.mark.parametrize("spoilt", ["frame", "module", "paper", "grey"])
def test_what_is_no_marker_is_not_read(spoilt):
    pixels = drawn(11).astype(int)
    if spoilt == "frame":
        pixels[0, 3] = 255
    if spoilt == "module":
        pixels[2, 2] = 255 - pixels[2, 2]
    if spoilt == "grey":
        pixels = 110 + pixels // 10
    paper = 30 if spoilt == "paper" else 240
    sheet = np.pad(pixels.astype(np.uint8).repeat(15, 0).repeat(15, 1), 40, constant_values=paper)
    assert not find_markers(np.ascontiguousarray(sheet[..., None].repeat(3, 2)))


def touching(rows: int, cols: int) -> tuple[np.ndarray, np.ndarray]:
    """Tiles that all touch, with a marker of half a tile's side, from the side; and the corners."""
    image = np.full((600, 800, 3), (84, 60, 44), np.uint8)
    rng = np.random.default_rng(3)
    for row in range(rows):
        for col in range(cols):
            face = np.full((80, 80, 3), (232, 230, 222), np.uint8)
            face[20:60, 15:65] = rng.integers(30, 200, 3)
            image[160 + 80 * row : 240 + 80 * row, 330 + 80 * col : 410 + 80 * col] = face
    image[200:276, 100:176] = 236
    image[218:258, 118:158] = np.array(
        Image.fromarray(drawn(3)).resize((40, 40), Image.Resampling.NEAREST)
    )[..., None]
    tilt = np.array([[60.0, 0.0], [740.0, 0.0], [800.0, 600.0], [0.0, 600.0]])
    return warped(image, tilt, (600, 800)), homography(tilt, np.array([[800, 600]]) * UNIT)


def test_markers_tell_the_plane_where_no_tile_lies_alone():
    image, view = touching(2, 3)
    known = find_tiles(Source("photo.png", image), tile=2.0)
    guessed = find_tiles(Source("photo.png", image))
    assert len(known.pieces) == 6
    guess = "no tile lies alone, so that size and perspective are guessed"
    assert not any(guess in piece.doubts for piece in known.pieces)
    assert any(guess in piece.doubts for piece in guessed.pieces) or not guessed.pieces
    flat = mapped(np.linalg.inv(view), np.array([piece.outline for piece in known.pieces]))
    assert off_square(flat / 80).max() < 0.03


def test_a_ruler_without_markers_says_nothing():
    assert Ruler().plane(1.0) is None
    assert Ruler().sides([UNIT]) is None
    assert not Ruler().hidden(np.zeros((30, 30, 3), np.uint8), 1.0).any()


def test_white_paper_all_over_the_table_is_the_table():
    image = np.full((400, 500, 3), 238, np.uint8)
    image[40:94, 40:94] = drawn(5).repeat(9, 0).repeat(9, 1)[..., None]
    for x, y in ((200, 60), (350, 60), (200, 240), (350, 240)):
        image[y : y + 90, x : x + 90] = (40, 60, 140)
    (marker,) = find_markers(image)
    hidden = Ruler((marker,)).hidden(image, 1.0)
    assert hidden[45, 45]
    assert hidden.mean() < 0.06
    assert len(find_tiles(Source("photo.png", image)).pieces) == 4


def collected(photographs, tmp_path, given: Settings, count: int = 1):
    drawn_ = with_card(photographs, "plain")
    paths = [tmp_path / f"{number}.png" for number in range(count)]
    for path in paths:
        Image.fromarray(drawn_.image).save(path)
    collection = collect(paths, given)
    write_collection(tmp_path / "out", collection)
    return collection, json.loads((tmp_path / "out" / "collect.json").read_text())


def test_a_marker_of_known_size_gives_the_scale_of_what_is_written(photographs, tmp_path):
    given_ = Settings("tiles", dpi=25, marker_mm=100 * PRINTED)
    collection, listed = collected(photographs, tmp_path, given_)
    side = len(collection.pieces[0].image)
    assert side == pytest.approx(100 / 25.4 * 25, abs=1)
    assert listed["scale"]["told_by"] == "markers"
    assert listed["scale"]["tile_mm"] == pytest.approx(100, rel=0.01)
    assert listed["scale"]["px_per_mm"] == pytest.approx(side / listed["scale"]["tile_mm"], 1e-4)
    (source,) = listed["sources"]
    assert source["markers"][0]["number"] == 0
    assert source["tile_mm"] == pytest.approx(100, rel=0.01)
    assert listed["recipe"]["marker_mm"] == 100 * PRINTED
    assert not collection.notes


def test_a_tiles_side_alone_gives_the_scale_too(photographs, tmp_path):
    collection, listed = collected(photographs, tmp_path, Settings("tiles", tile_mm=140, inset=0.1))
    side = len(collection.pieces[0].image)
    assert listed["scale"] == {
        "px_per_mm": round(side / (140 * 0.8), 5),
        "tile_mm": 140,
        "told_by": "--tile-mm",
    }
    assert collection.notes == (
        "1 marker was left out; --marker-mm M, the side of its black frame, makes it a scale.",
    )


def test_a_marker_that_says_otherwise_than_tile_mm_is_told(photographs, tmp_path):
    given_ = Settings("tiles", tile_mm=140, marker_mm=100 * PRINTED)
    collection, listed = collected(photographs, tmp_path, given_)
    assert listed["scale"]["tile_mm"] == 140
    (note,) = collection.notes
    assert note.startswith("In 0.png tiles measure")
    assert note.endswith("by the marker, not 140 mm.")


def test_a_photograph_without_a_marker_is_named(tmp_path):
    image = np.full((400, 500, 3), (90, 92, 96), np.uint8)
    for x, y in ((60, 60), (300, 60), (60, 250), (300, 250)):
        image[y : y + 80, x : x + 80] = (235, 232, 225)
    Image.fromarray(image).save(tmp_path / "bare.png")
    collection = collect([tmp_path / "bare.png"], Settings("tiles", marker_mm=40))
    assert collection.notes == ("No marker of DICT_4X4_50 tells the scale of bare.png.",)
    assert collection.scale is not None
    assert collection.scale.px_per_mm is None
    with pytest.raises(InputError, match="--dpi needs to know how large a tile is"):
        collect([tmp_path / "bare.png"], Settings("tiles", dpi=100))
    with pytest.raises(InputError, match="would have 9449 px a side"):
        collect([tmp_path / "bare.png"], Settings("tiles", dpi=2400, tile_mm=100))
