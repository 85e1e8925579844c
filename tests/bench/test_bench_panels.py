"""The list of simulated panels is fixed, and a suite of its own."""

from pathlib import Path

import numpy as np
import pytest

from tessella.bench.panels import FEWEST, MOST, Panel, panels
from tessella.bench.suites import pictures, simulated
from tessella.errors import NameUnknown

FILES = [Path(f"{number}.png") for number in range(1, 9)]


def test_eight_pictures_give_24_panels_of_every_size():
    found = panels(FILES)
    sizes = sorted(panel.tiles for panel in found)
    assert len(found) == 24
    assert (sizes[0], sizes[-1]) == (FEWEST, MOST)
    assert 190 < np.mean(sizes) < 215
    assert len(set(sizes)) > 20


def test_every_picture_has_small_and_large_panels():
    found = panels(FILES)
    for file in FILES:
        few, some, many = (panel.tiles for panel in found if panel.file == file)
        assert few < some < many


def test_names_and_seeds_differ():
    found = panels(FILES)
    assert len({panel.name for panel in found}) == len({panel.seed for panel in found}) == 24


@pytest.mark.parametrize("count", [1, 2])
def test_fewer_pictures_than_panels_of_each_will_do(count):
    assert len(panels(FILES[:count], per_picture=4)) == 4 * count


def test_a_panel_is_painted_in_whole_tiles(data):
    made = Panel(data / "tiny" / "1.png", 1, 96, seed=5).paint(10)
    rows, cols = made.shape[0] // 10, made.shape[1] // 10
    assert made.shape == (10 * rows, 10 * cols, 3)
    assert FEWEST <= rows * cols <= MOST


def test_a_simulated_suite_has_the_panels_of_its_folder(data):
    found = pictures(simulated("tiny", "azulejo"), data)
    assert found == panels(pictures("tiny", data))


def test_the_folder_of_a_simulated_suite_must_be_there(data):
    with pytest.raises(NameUnknown, match="tinny"):
        pictures(simulated("tinny", "azulejo"), data)


def test_an_unknown_simulation_is_answered_with_the_known_ones():
    with pytest.raises(NameUnknown, match="azulejo"):
        simulated("tiny", "azulejos")
