"""Panels are blue and white, worn at the sides, and decided by their seed."""

import dataclasses
import math
import re
from pathlib import Path

import numpy as np
import pytest
from skimage import data

from tessella import metrics
from tessella.errors import InputError
from tessella.imaging.azulejo import MOST_TILES, Wear, panel, shape_for
from tessella.imaging.cut import cut
from tessella.measures.ssd import Ssd
from tessella.measuring import measure

SOUND = Wear(**{field.name: 0.0 for field in dataclasses.fields(Wear)} | {"ground": 0.58})
"""No wear at all."""


@pytest.fixture(scope="module")
def picture():
    return data.coffee()


@pytest.fixture(scope="module")
def worn(picture):
    return panel(picture, (4, 6), seed=3)


PAGE = Path(__file__).parents[2] / "docs" / "azulejo.md"


def top1(image):
    puzzle, truth = cut(image, 50)
    return metrics.top(measure(puzzle, Ssd()), truth, 1)[0]


def test_the_page_gives_the_frozen_values():
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    told = {name: float(value) for name, value in rows}
    frozen = dataclasses.asdict(Wear())
    assert {name: told.get(name) for name in frozen} == frozen


def test_the_example_of_the_page_runs():
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    found = {}
    exec(block, found)
    assert found["worn"].shape == (50 * found["puzzle"].shape[0], 50 * found["puzzle"].shape[1], 3)
    assert found["harder"].shape == (9 * 64, 12 * 64, 3)


def test_a_panel_has_its_rows_and_columns_of_tiles(worn):
    assert worn.shape == (200, 300, 3)
    assert worn.dtype == np.uint8


def test_the_same_seed_gives_the_same_panel_and_another_seed_another(picture, worn):
    assert np.array_equal(panel(picture, (4, 6), seed=3), worn)
    assert not np.array_equal(panel(picture, (4, 6), seed=4), worn)


def test_the_picture_is_left_as_it_was(picture):
    before = picture.copy()
    panel(picture, (2, 3))
    assert np.array_equal(picture, before)


def test_an_unworn_panel_is_painted_in_blue_alone(picture):
    red, green, blue = panel(picture, (3, 4), wear=SOUND).reshape(-1, 3).astype(int).T
    assert len(np.unique(np.stack([red, green, blue], 1), axis=0)) <= 256
    dark = red < 150
    assert dark.any()
    assert (blue[dark] > green[dark]).all()
    assert (green[dark] >= red[dark]).all()


def test_dark_places_of_the_picture_are_painted_and_light_ones_left_white():
    halves = np.zeros((100, 200, 3), np.uint8)
    halves[:, 100:] = 255
    made = panel(halves, (2, 4)).astype(int)
    assert made[:, :80].mean() + 60 < made[:, 120:].mean()


def test_wear_destroys_the_sides_more_than_the_middle_of_tiles(picture):
    kept, lost = (panel(picture, (6, 9), seed=1, wear=w).astype(int) for w in (SOUND, Wear()))
    change = np.abs(kept - lost).mean(2).reshape(6, 50, 9, 50).mean((0, 2))
    middle = change[15:35, 15:35].mean()
    sides = np.mean([change[0, 5:-5], change[-1, 5:-5], change[5:-5, 0], change[5:-5, -1]])
    corners = np.mean([change[y, x] for y in (0, -1) for x in (0, -1)])
    assert middle < sides < corners


def test_wear_makes_neighbours_hard_to_find(picture):
    assert top1(panel(picture, (8, 12), wear=SOUND)) > 0.8
    assert top1(panel(picture, (8, 12))) < 0.5


def test_tiles_out_of_register_show_the_picture_from_elsewhere(picture):
    slipped = dataclasses.replace(SOUND, least_shift=2.0, most_shift=2.0)
    assert top1(panel(picture, (8, 12), wear=slipped)) < top1(panel(picture, (8, 12), wear=SOUND))


@pytest.mark.parametrize("name", [f.name for f in dataclasses.fields(Wear)])
def test_every_part_of_the_wear_has_an_effect(picture, worn, name):
    more = {"ground": 0.7, "least_shift": 2.0, "unevenness": 1.0}.get(name)
    changed = dataclasses.replace(
        Wear(),
        **{name: 0.0 if more is None else more}
        | ({"least_shift": 0.0} if name == "most_shift" else {}),
    )
    assert not np.array_equal(panel(picture, (4, 6), seed=3, wear=changed), worn)


@pytest.mark.parametrize("size", [(1, 1), (7, 900), (943, 1280), (1242, 1279)])
@pytest.mark.parametrize("shape", [(1, 1), (9, 2), (8, 11)])
def test_a_picture_of_any_size_covers_a_panel_of_any_shape(size, shape):
    made = panel(np.full((*size, 3), 90, np.uint8), shape, 8)
    assert made.shape == (8 * shape[0], 8 * shape[1], 3)


def test_only_the_middle_of_a_long_picture_is_painted():
    long = np.zeros((100, 400, 3), np.uint8)
    long[:, 150:250] = np.linspace(0, 255, 100, dtype=np.uint8)[None, :, None]
    made = panel(long, (4, 4), wear=SOUND)
    alone = panel(long[:, 150:250], (4, 4), wear=SOUND)
    # The outermost pixels are blended with what lies beyond the cut.
    assert np.abs(made[:, 4:-4].astype(int) - alone[:, 4:-4]).max() <= 2


def test_larger_tiles_wear_in_proportion(picture):
    # The share of worn pixels stays, where a fixed width in pixels would halve it.
    def share(tile):
        bare = dataclasses.replace(SOUND, border=2.5, sound=0.5)
        whole = panel(picture, (6, 8), tile, wear=SOUND).astype(int)
        return (np.abs(panel(picture, (6, 8), tile, wear=bare) - whole).max(2) > 8).mean()

    assert 0.75 < share(100) / share(50) < 1.33


@pytest.mark.parametrize(
    ("height", "width", "tiles", "expected"),
    [
        (600, 800, 192, (12, 16)),
        (800, 600, 192, (16, 12)),
        (50, 5000, 7, (1, 7)),
        (9, 9, 1, (1, 1)),
    ],
)
def test_the_shape_suits_the_pictures_sides(height, width, tiles, expected):
    assert shape_for(np.zeros((height, width, 3), np.uint8), tiles) == expected


@pytest.mark.parametrize("tiles", [90, 91, 97, 460, 457])
def test_the_shape_keeps_within_its_bounds(tiles):
    rows, cols = shape_for(np.zeros((943, 1280, 3), np.uint8), tiles, 90, 460)
    assert 90 <= rows * cols <= 460
    assert abs(math.log(cols * 943 / (rows * 1280))) < 0.25


@pytest.mark.parametrize("tiles", [0, -3, MOST_TILES + 1])
def test_a_number_of_tiles_that_no_panel_has_is_refused(picture, tiles):
    with pytest.raises(InputError, match="cannot have"):
        shape_for(picture, tiles)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((field.name, -0.1) for field in dataclasses.fields(Wear)),
        ("grain", math.nan),
        ("blur", math.inf),
        ("ground", 0.0),
        ("ground", 1.0),
        ("crack", 1.1),
        ("least_shift", 2.5),
    ],
)
def test_wear_that_cannot_be_is_refused(name, value):
    with pytest.raises(InputError, match=name):
        Wear(**{name: value})


@pytest.mark.parametrize(
    ("shape", "tile"), [((0, 3), 50), ((3, 0), 50), ((200, 200), 50), ((2, 2), 7)]
)
def test_sizes_that_no_panel_has_are_refused(picture, shape, tile):
    with pytest.raises(InputError, match="must have"):
        panel(picture, shape, tile)


@pytest.mark.parametrize(
    "wrong",
    [np.zeros((9, 9), np.uint8), np.zeros((9, 9, 3)), np.zeros((0, 9, 3), np.uint8)],
)
def test_what_is_no_picture_is_refused(wrong):
    with pytest.raises(InputError, match=r"\(height, width, 3\)"):
        panel(wrong, (2, 2))
