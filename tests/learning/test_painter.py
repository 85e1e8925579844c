"""The painter: panels of the asked size, by the seed alone, that lose what the domain says."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from skimage import data

from tessella.errors import InputError
from tessella.learning.domain import Domain
from tessella.learning.painter import Painter

NOTHING = Domain(
    clean=0,
    extent=(1.0, 1.0),
    colours=(0, 0, 1, 0),
    relief=(0, 0),
    outline=(0, 0),
    ornament=0,
    lost=(0, 0),
    joint=(0, 0),
    bevel=(0, 0),
    nicks=(0, 0),
    shells=(0, 0),
    cracks=(0, 0),
    corners=(0, 0),
    gain=(0, 0),
    gamma=(0, 0),
    tint=(0, 0),
    slope=(0, 0),
    fading=(0, 0),
    clouds=(0, 0),
    light=(0, 0),
    glare=0,
    shift=(0, 0),
    tilt=(0, 0),
    zoom=(0, 0),
    shear=(0, 0),
    blur=(0.2, 0.2),
    noise=(0, 0),
    compressed=0,
)
CPU = torch.device("cpu")


def painted(domain, seed=0, count=2, grid=3, size=24):
    pictures = [data.astronaut()[:200, :200], data.camera()[:200, :200]]
    painter = Painter(pictures, domain, CPU, grid=grid, size=size)
    return painter.panels(count, np.random.default_rng(seed))


def seam(panels):
    """How much neighbouring tiles differ where they meet."""
    right, left = panels[:, :, :-1, :, -1], panels[:, :, 1:, :, 0]
    return float((right - left).abs().mean())


def test_panels_are_whole_numbers_of_the_asked_size():
    panels = painted(Domain())
    assert panels.shape == (2, 3, 3, 24, 24, 3)
    assert torch.equal(panels, panels.round())
    assert panels.min() >= 0
    assert panels.max() <= 255
    assert panels.std() > 5


def test_the_seed_decides_everything():
    assert torch.equal(painted(Domain(), seed=4), painted(Domain(), seed=4))
    assert not torch.equal(painted(Domain(), seed=4), painted(Domain(), seed=5))


def test_where_nothing_is_lost_neighbours_go_on_and_else_they_do_not():
    whole = seam(painted(NOTHING))
    lost = seam(painted(replace(NOTHING, lost=(0.08, 0.08))))
    assert whole < 0.6 * lost


@pytest.mark.parametrize(
    "change",
    [
        {"joint": (0.1, 0.1)},
        {"gain": (0.2, 0.2)},
        {"nicks": (1.0, 1.0)},
        {"ornament": 1.0},
        {"glare": 1.0},
        {"compressed": 1.0, "quality": (10, 10)},
        {"colours": (1, 0, 0, 0)},
        {"noise": (9.0, 9.0)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_every_part_of_the_domain_changes_the_panel(change):
    assert not torch.equal(painted(NOTHING), painted(replace(NOTHING, **change)))


def test_clean_panels_keep_only_what_is_lost():
    clean = painted(replace(NOTHING, clean=1, gain=(0.2, 0.2), nicks=(1.0, 1.0), noise=(9.0, 9.0)))
    assert seam(clean) < seam(painted(replace(NOTHING, noise=(9.0, 9.0))))


def test_grey_panels_have_no_colour():
    panels = painted(replace(NOTHING, colours=(0, 0, 0, 1)))
    assert torch.equal(panels[..., 0], panels[..., 2])


@pytest.mark.parametrize("change", [{"lost": (0.2, 0.1)}, {"glare": 2}, {"colours": (0, 0, 0, 0)}])
def test_impossible_domains_are_refused(change):
    with pytest.raises(InputError, match=next(iter(change))):
        Domain(**change)


def test_a_painter_without_pictures_is_refused():
    with pytest.raises(InputError, match="needs pictures"):
        Painter([], Domain(), CPU)
