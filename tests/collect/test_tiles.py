"""Tiles are found on every kind of table; what is not sure is doubted."""

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.collect.homography import UNIT, homography, mapped, warped
from tessella.collect.plane import find_plane, off_square, posed
from tessella.collect.quad import clockwise, line_through, overlap, quad_of
from tessella.collect.scale import sized
from tessella.collect.source import Source
from tessella.collect.squares import SIDE, squares_on
from tessella.collect.tiles import find_tiles
from tessella.errors import InputError

SIZE = (600, 800)


def corner_errors(pieces, corners: np.ndarray) -> list[float]:
    """Return the largest corner error of every piece, in sides of the nearest tile."""
    errors = []
    for piece in pieces:
        quad = np.array(piece.outline)
        near = int(np.linalg.norm(corners.mean(axis=1) - quad.mean(axis=0), axis=1).argmin())
        true = corners[near]
        side = np.linalg.norm(np.roll(true, 1, 0) - true, axis=1).mean()
        turned = [np.linalg.norm(np.roll(quad, k, 0) - true, axis=1).max() for k in range(4)]
        errors.append(min(turned) / side)
    return errors


@pytest.mark.parametrize("table", ["plain", "wood", "stone", "cloth", "checkered"])
def test_the_tiles_on_a_table_are_found_to_a_few_hundredths_of_a_side(photographs, table):
    drawn = photographs.photograph(11, table, SIZE, 6)
    found = find_tiles(Source("photo.png", drawn.image))
    assert len(found.pieces) == len(drawn.corners)
    sure = [piece for piece in found.pieces if not piece.doubts]
    assert len(sure) >= 3
    assert max(corner_errors(sure, drawn.corners)) < 0.035


def plain_table(*squares: tuple[int, int, int]) -> np.ndarray:
    """White squares at x, y with a side, on grey."""
    image = np.full((400, 500, 3), (90, 92, 96), np.uint8)
    for x, y, side in squares:
        image[y : y + side, x : x + side] = (235, 232, 225)
        image[y + side // 3 : y + side // 2, x + side // 3 : x + side // 2] = (40, 60, 140)
    return image


def test_tiles_that_touch_are_told_apart():
    image = plain_table((60, 60, 80), (141, 60, 80), (300, 60, 80), (60, 250, 80), (300, 250, 80))
    found = find_tiles(Source("photo.png", image))
    left = sorted(round(min(x for x, _ in piece.outline)) for piece in found.pieces)
    assert left == pytest.approx([60, 60, 141, 300, 300], abs=2)


def test_a_tile_of_another_size_is_left_out_or_doubted():
    image = plain_table((60, 60, 80), (300, 60, 80), (60, 250, 80), (300, 250, 30))
    found = find_tiles(Source("photo.png", image))
    assert sum(not piece.doubts for piece in found.pieces) == 3


@pytest.mark.parametrize(("sticks", "doubted"), [(1, False), (2, True)])
def test_a_tile_among_more_that_is_none_is_doubted(sticks, doubted):
    image = plain_table((60, 60, 80))
    for k in range(sticks):
        image[250:390, 200 + 80 * k : 230 + 80 * k] = (40, 60, 140)
    found = find_tiles(Source("photo.png", image))
    assert [len(found.pieces), len(found.scraps)] == [1, sticks]
    none = "most of what stands out from the table is no tile"
    assert (none in found.pieces[0].doubts) == doubted


@pytest.mark.parametrize(
    ("tiles", "sticks", "doubted"), [(1, 0, 0), (1, 1, 1), (2, 0, 0), (2, 1, 2), (3, 1, 0)]
)
def test_few_tiles_beside_something_else_are_doubted(tiles, sticks, doubted):
    image = plain_table(*[(40 + 140 * k, 60, 80) for k in range(tiles)])
    for k in range(sticks):
        image[250:390, 200 + 80 * k : 230 + 80 * k] = (40, 60, 140)
    image = scipy.ndimage.gaussian_filter(image, (1.5, 1.5, 0))  # as through any lens
    found = find_tiles(Source("photo.png", image))
    assert [len(found.pieces), len(found.scraps)] == [tiles, sticks]
    few = "few tiles are shown, and something that is none"
    assert sum(few in piece.doubts for piece in found.pieces) == doubted
    assert sum(bool(piece.doubts) for piece in found.pieces) == doubted


@pytest.mark.parametrize(("apart", "doubted"), [(79, 0), (76, 2)])
def test_tiles_that_lie_in_each_other_are_doubted(apart, doubted):
    image = plain_table((60, 60, 80), (60 + apart, 66, 80), (60, 250, 80), (300, 250, 80))
    pieces = find_tiles(Source("photo.png", image)).pieces
    assert len(pieces) == 4
    assert sum("lies over another" in piece.doubts for piece in pieces) == doubted


def test_a_broken_corner_is_unknown_not_white():
    image = plain_table((60, 60, 80), (300, 60, 80), (60, 250, 80), (300, 250, 80))
    for step in range(14):
        image[60 + step, 60 : 74 - step] = (90, 92, 96)
    piece = min(find_tiles(Source("p.png", image)).pieces, key=lambda p: sum(p.outline[0]))
    assert piece.image[2, 2, 3] == 0
    assert (piece.image[..., 3] == 0).mean() < 0.05
    assert (piece.image[30:, 30:, 3] == 255).all()


def test_oblong_tiles_that_lie_across_the_others_are_doubted():
    image = np.full((560, 640, 3), (90, 92, 96), np.uint8)
    for row, col in np.ndindex(3, 3):
        width, height = (100, 88) if (row + col) % 2 else (88, 100)
        y, x = 60 + 160 * row, 60 + 180 * col
        image[y : y + height, x : x + width] = (235, 232, 225)
        image[y + 30 : y + 60, x + 20 : x + 60] = (40, 60, 140)
    pieces = find_tiles(Source("photo.png", image)).pieces
    assert len(pieces) == 9
    assert sum("not square" in " ".join(piece.doubts) for piece in pieces) >= 4


def test_an_inset_crops_every_side():
    image = plain_table((60, 60, 80), (300, 60, 80), (60, 250, 80))
    whole, inner = (find_tiles(Source("p.png", image), inset=f).pieces[0] for f in (0.0, 0.1))
    assert len(whole.image) == pytest.approx(80, abs=2)
    assert len(inner.image) == pytest.approx(64, abs=2)


def test_an_empty_table_shows_no_tiles():
    noise = np.random.default_rng(1).normal(0, 3, (300, 400, 1))
    image = np.clip(np.full((300, 400, 3), 110) + noise, 0, 255).astype(np.uint8)
    with pytest.raises(InputError, match=r"photo\.png shows no"):
        find_tiles(Source("photo.png", image))


def test_one_tile_that_fills_the_picture_is_not_found():
    image = np.full((300, 300, 3), 230, np.uint8)
    image[100:180, 100:220] = (40, 60, 140)
    with pytest.raises(InputError):
        find_tiles(Source("photo.png", image[110:170, 110:210]))


def test_one_huge_tile_with_hardly_any_table_is_told_in_one_sentence():
    image = np.full((400, 500, 3), (90, 92, 96), np.uint8)
    image[4:396, 4:496] = np.random.default_rng(2).integers(0, 255, (392, 492, 1), np.uint8)
    with pytest.raises(InputError, match=r"photo\.png shows") as told:
        find_tiles(Source("photo.png", image))
    assert "\n" not in str(told.value)


def test_a_blurred_photograph_is_refused_in_one_sentence():
    image = plain_table((60, 60, 80), (300, 60, 80), (60, 250, 80), (300, 250, 80))
    soft = scipy.ndimage.gaussian_filter(image.astype(float), (7, 7, 0)).astype(np.uint8)
    with pytest.raises(InputError, match=r"photo\.png is blurred: edges rise over \d+ px"):
        find_tiles(Source("photo.png", soft))


def test_a_shadow_on_a_red_cloth_is_no_part_of_a_tile():
    image = np.full((400, 500, 3), (115, 31, 36), np.uint8)
    for x, y in ((60, 60), (300, 60), (60, 250), (300, 250)):
        image[y + 6 : y + 86, x + 6 : x + 86] = (52, 14, 16)
        image[y : y + 80, x : x + 80] = (235, 232, 225)
    pieces = find_tiles(Source("photo.png", image)).pieces
    right = sorted(round(max(x for x, _ in piece.outline)) for piece in pieces)
    assert right == pytest.approx([140, 140, 380, 380], abs=1)


def test_a_floor_lit_from_one_side_is_known_in_the_dark_corner_too():
    y, x = np.mgrid[0:400, 0:520]
    light = (0.6 + 0.4 * x / 520)[..., None]
    floor = np.where(((x // 40 + y // 40) % 2 == 0)[..., None], 60, 180) * np.ones(3)
    for left, top in ((60, 60), (330, 50), (50, 250), (320, 260)):
        floor[top : top + 90, left : left + 90] = (225, 222, 215)
    found = find_tiles(Source("photo.png", (floor * light).astype(np.uint8)))
    assert len(found.pieces) == 4
    assert not any("table" in doubt for piece in found.pieces for doubt in piece.doubts)


def rimmed(table, rim, face) -> tuple[np.ndarray, np.ndarray]:
    """Four tiles of 100 px with a rim of two thirds of a pixel, and their corners."""
    rng = np.random.default_rng(3)
    fine = np.full((1200, 1500, 3), table, np.float64)  # three times the size
    spots = ((151, 160), (902, 148), (149, 730), (910, 741))
    for left, top in spots:
        fine[top : top + 300, left : left + 300] = rim
        fine[top + 2 : top + 298, left + 2 : left + 298] = face
    image = (
        scipy.ndimage.gaussian_filter(fine, (2.5, 2.5, 0)).reshape(400, 3, 500, 3, 3).mean((1, 3))
    )
    image = np.clip(image + rng.normal(0, 1, image.shape), 0, 255).astype(np.uint8)
    return image, np.array([(np.array(spot) + 300 * UNIT) / 3 for spot in spots])


def test_a_tile_ends_where_its_narrow_rim_does():
    image, true = rimmed((70, 72, 76), (120, 116, 110), (15, 30, 110))
    pieces = find_tiles(Source("photo.png", image)).pieces
    assert len(pieces) == 4
    assert max(corner_errors(pieces, true)) < 0.009


def test_a_dark_line_that_may_be_rim_or_shadow_is_halved():
    image, true = rimmed((150, 150, 146), (70, 66, 60), (232, 230, 222))
    pieces = find_tiles(Source("photo.png", image)).pieces
    assert len(pieces) == 4
    assert max(corner_errors(pieces, true)) < 0.012


def test_tiles_are_doubted_whose_sides_do_not_lie_on_squares_of_one_size():
    def doubted(wide: int) -> int:
        image = np.full((400, 560, 3), (90, 92, 96), np.uint8)
        spots = ((40, 40), (220, 40), (400, 40), (40, 230), (220, 230), (400, 230))
        for number, (x, y) in enumerate(spots):
            more = wide * (number % 2)
            image[y : y + 100 + more, x : x + 101 - more] = (235, 232, 225)
        return sum(bool(piece.doubts) for piece in find_tiles(Source("p.png", image)).pieces)

    assert doubted(0) == 0
    assert doubted(1) == 6


def test_a_tile_that_is_longer_than_the_others_is_doubted():
    image = plain_table((60, 40, 100), (220, 40, 100), (380, 40, 100), (60, 200, 100))
    image[200:300, 220:321] = (235, 232, 225)
    pieces = find_tiles(Source("p.png", image)).pieces
    doubted = [piece for piece in pieces if piece.doubts]
    assert [piece.doubts for piece in doubted] == [("longer or shorter than the others",)]
    assert min(x for x, _ in doubted[0].outline) == pytest.approx(220, abs=2)


def test_a_tile_between_two_others_is_doubted_for_its_place_between_them():
    image = plain_table((60, 60, 80), (141, 60, 80), (222, 60, 80), (60, 250, 80), (300, 250, 80))
    pieces = find_tiles(Source("photo.png", image)).pieces
    doubts = [piece.doubts for piece in sorted(pieces, key=lambda p: np.mean(p.outline, axis=0)[1])]
    between = "touches others at two sides that face each other"
    assert sum(between in each for each in doubts[:3]) == 1
    assert not any(doubts[3:])


@given(st.floats(-0.3, 0.3), st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_a_square_runs_through_its_sides_though_many_points_lie_off(turn, seed):
    rng = np.random.default_rng(seed)
    cos, sin = np.cos(turn), np.sin(turn)
    true = (UNIT - 0.5) @ np.array([[cos, sin], [-sin, cos]]) + 3
    place = np.linspace(0.07, 0.93, 40)[:, None]
    sides = [a + place * (b - a) for a, b in zip(true, np.roll(true, -1, 0), strict=True)]
    points = np.array(sides) + rng.normal(0, 0.001, (4, 40, 2))
    points[1, :12] += 0.03  # A chip.
    weight = np.ones((4, 40))
    weight[3] = 0  # Nothing is seen of one side.
    square, away, unsure = posed(points, weight, true + rng.normal(0, 0.01, 2))
    np.testing.assert_allclose(square, true, atol=0.004)
    assert np.abs(away[0]).max() < 0.01
    assert unsure < 0.004


def test_pieces_come_out_at_one_size():
    image = plain_table((60, 60, 80), (300, 60, 80), (60, 250, 80))
    pieces = find_tiles(Source("p.png", image)).pieces
    assert {piece.image.shape for piece in sized(pieces, 50)} == {(50, 50, 4)}


quads = st.lists(st.floats(-0.12, 0.12), min_size=8, max_size=8).map(
    lambda off: 100 * (UNIT + np.reshape(off, (4, 2))) + 50
)


@given(quads)
def test_a_homography_takes_corners_to_corners_and_back(quad):
    there = homography(UNIT, quad)
    assert np.allclose(mapped(there, UNIT), quad, atol=1e-6)
    assert np.allclose(mapped(np.linalg.inv(there), quad), UNIT, atol=1e-6)


@given(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5), st.floats(0, np.pi))
def test_two_squares_overlap_by_the_shorter_way_out(right, down, turn):
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    one, two = 40 * UNIT @ turned, 40 * (UNIT + np.array([right, down])) @ turned
    depth = 40 * max(0, 1 - max(abs(right), abs(down)))
    assert overlap(one, two) == pytest.approx(depth, abs=1e-6)
    assert overlap(two, one) == pytest.approx(depth, abs=1e-6)


@given(st.floats(0, np.pi), st.floats(-50, 50), st.integers(0, 100))
def test_a_line_is_found_though_a_fifth_of_the_points_lie_off(angle, offset, seed):
    rng = np.random.default_rng(seed)
    along = np.array([np.cos(angle), np.sin(angle)])
    normal = np.array([-along[1], along[0]])
    points = np.linspace(-60, 60, 50)[:, None] * along + offset * normal
    points[rng.choice(50, 10, replace=False)] += 15 * normal
    line = line_through(points)
    assert abs(abs(line[:2] @ normal) - 1) < 1e-3
    assert abs(abs(line[2]) - abs(offset)) < 0.5


@settings(max_examples=20, deadline=None)
@given(quads)
def test_all_quads_of_one_plane_become_unit_squares(quad):
    view = homography(UNIT, quad)
    spots = np.array([[0, 0], [1.5, 0.2], [0.4, 1.6], [2.1, 2.0]])
    seen = np.stack([clockwise(mapped(view, 0.5 * (UNIT + spot))) for spot in spots])
    plane = find_plane(seen)
    assert plane is not None
    assert off_square(mapped(plane, seen)).max() < 0.01


def test_a_mask_of_two_squares_side_by_side_is_two_squares():
    mask = np.zeros((SIDE, 2 * SIDE), bool)
    mask[:] = True
    mask[:9, :9] = False  # a chipped corner must not draw the square off its place
    found = sorted(square.x for square in squares_on(mask))
    assert found == pytest.approx([SIDE / 2, 1.5 * SIDE], abs=2)


def test_a_quad_is_found_though_corners_are_chipped():
    mask = np.zeros((120, 120), bool)
    mask[20:100, 20:100] = True
    for step in range(15):
        mask[20 + step, 20 : 35 - step] = False
        mask[99 - step, 85 + step : 100] = False
    quad = quad_of(mask)
    assert quad is not None
    assert np.abs(quad - [[20, 20], [100, 20], [100, 100], [20, 100]]).max() < 1


def test_warping_a_square_crops_it():
    image = np.random.default_rng(1).integers(0, 255, (60, 60, 3)).astype(np.uint8)
    corners = np.array([[10, 20], [50, 20], [50, 60], [10, 60]], float)
    off = warped(image, corners, (40, 40)).astype(int) - image[20:60, 10:50]
    assert np.abs(off).max() <= 1
