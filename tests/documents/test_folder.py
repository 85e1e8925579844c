"""Folders of strips: rectangles, masks, dark beds."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tessella.documents.cut import cut_strips
from tessella.documents.folder import paired
from tessella.documents.strips import Strips
from tessella.errors import FormatError, InputError
from tessella.imaging.folder import is_strips, read_puzzle, write_puzzle
from tessella.imaging.read import write_image


def same(one, other):
    return all(np.array_equal(one.one(i), other.one(i)) for i in range(len(one)))


@pytest.mark.parametrize("sizes", [[(30, 24), (30, 24)], [(30, 24), (33, 30)]])
def test_what_is_written_is_read_again(tmp_path, sizes):
    rng = np.random.default_rng(0)
    puzzle, _ = cut_strips([rng.integers(0, 256, s, np.uint8) for s in sizes], 4, turned=True)
    write_puzzle(tmp_path / "puzzle", puzzle)
    told = json.loads((tmp_path / "puzzle" / "puzzle.json").read_text())
    equal = len(set(sizes)) == 1
    assert told["kind"] == "strips"
    assert (told["piece_height"], told["piece_width"]) == ((30, 6) if equal else (None, None))
    assert told["shape"] is None
    found = read_puzzle(tmp_path / "puzzle")
    assert isinstance(found, Strips)
    assert is_strips(tmp_path / "puzzle")
    assert same(found, puzzle)
    assert found.upright is False
    assert read_puzzle(tmp_path / "puzzle", upright=True).upright


def test_a_bare_folder_holds_strips_when_told_so(tmp_path):
    for name, size in (("1.png", (20, 5)), ("2.png", (22, 6))):
        write_image(tmp_path / name, np.full(size, 255, np.uint8))
    with pytest.raises(InputError, match="--pages says that they are strips"):
        read_puzzle(tmp_path)
    found = read_puzzle(tmp_path, strips=True)
    assert found.sizes.tolist() == [[20, 5], [22, 6]]
    assert not found.upright


def test_colours_are_converted_and_noted(tmp_path):
    image = np.zeros((20, 5, 3), np.uint8)
    image[..., 0] = 200
    write_image(tmp_path / "1.png", image)
    write_image(tmp_path / "2.png", np.full((20, 5), 255, np.uint8))
    assert read_puzzle(tmp_path, strips=True).notes == (
        "1 of 2 strips are in colour; their greys were used.",
    )


def shred(tmp_path, name, mask=True):
    grey = np.zeros((80, 30), np.uint8)
    grey[5:75, 8:20] = 230
    write_image(tmp_path / f"{name}.png", grey)
    if mask:
        write_image(tmp_path / f"{name}_mask.png", np.where(grey > 0, 255, 0).astype(np.uint8))


@pytest.mark.parametrize("mask", [True, False])
def test_shreds_are_found_by_their_masks_or_on_their_dark_bed(tmp_path, mask):
    for name in ("1", "2"):
        shred(tmp_path, name, mask)
    found = read_puzzle(tmp_path, strips=True)
    assert found.names == ("1.png", "2.png")
    assert found.rims is not None
    assert found.sizes.tolist() == [[70, 10]] * 2  # a pixel of either rim is trimmed
    assert (found.one(0) > 240).all()


def test_masks_may_be_named_in_puzzle_json(tmp_path):
    shred(tmp_path, "1")
    known = {
        "version": 1,
        "kind": "strips",
        "piece_height": None,
        "piece_width": None,
        "channels": 1,
        "upright": True,
        "shape": None,
        "eroded": 0,
        "pieces": ["1.png"],
        "masks": ["1_mask.png"],
    }
    (tmp_path / "puzzle.json").write_text(json.dumps(known))
    assert read_puzzle(tmp_path).rims is not None
    for changes, reason in (
        ({"masks": ["1_mask.png", "1.png"]}, "masks must name one file"),
        ({"masks": ["absent.png"]}, "no such file"),
        ({"piece_width": 31}, "piece_width 31, but 1.png has 30"),
        ({"eroded": 1}, "eroded must be 0"),
    ):
        (tmp_path / "puzzle.json").write_text(json.dumps(known | changes))
        with pytest.raises(FormatError, match=reason):
            read_puzzle(tmp_path)


def test_masks_that_do_not_fit_are_refused(tmp_path):
    with pytest.raises(InputError, match="no strip it belongs to"):
        paired(["1.png", "2_mask.png"])
    with pytest.raises(InputError, match=r"2\.png has none"):
        paired(["1.png", "1_mask.png", "2.png"])
    shred(tmp_path, "1")
    write_image(tmp_path / "1_mask.png", np.full((80, 31), 255, np.uint8))
    with pytest.raises(InputError, match="80 x 31"):
        read_puzzle(tmp_path, strips=True)


def test_what_is_said_about_grids_is_refused_for_strips(tmp_path):
    write_image(tmp_path / "1.png", np.full((20, 5), 255, np.uint8))
    for known, reason in (
        ({"shape": (2, 2)}, "--pages"),
        ({"piece": (20, 5)}, "--piece"),
        ({"resize": 8}, "--resize"),
    ):
        with pytest.raises(InputError, match=reason):
            read_puzzle(tmp_path, strips=True, **known)
    with pytest.raises(InputError, match="one picture"):
        read_puzzle(tmp_path / "1.png", strips=True)


def test_a_strip_without_width_is_refused_by_name(tmp_path):
    write_image(tmp_path / "1.png", np.full((20, 1), 255, np.uint8))
    with pytest.raises(InputError, match=r"1\.png has 1"):
        read_puzzle(tmp_path, strips=True)
