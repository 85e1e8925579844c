"""puzzle.json is checked key by key."""

import dataclasses

import pytest

from tessella.errors import FormatError
from tessella.imaging.manifest import Manifest, plain

VALID = Manifest((8, 12), 3, True, (2, 2), 1, ("a.png", "b.png", "c.png"))


def test_json_and_back_is_the_same():
    for manifest in (VALID, dataclasses.replace(VALID, shape=None, upright=False, channels=1)):
        assert Manifest.from_json(manifest.to_json()) == manifest


def test_unknown_keys_are_ignored():
    assert Manifest.from_json(VALID.to_json() | {"masks": [], "museum": "x"}) == VALID


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("version", True),
        ("version", "1"),
        ("kind", None),
        ("piece_height", 1),
        ("piece_height", 8.0),
        ("piece_width", "12"),
        ("piece_width", True),
        ("channels", 2),
        ("channels", True),
        ("channels", None),
        ("upright", 1),
        ("upright", "yes"),
        ("shape", [2]),
        ("shape", "2x2"),
        ("shape", [2, 0]),
        ("shape", [2, "2"]),
        ("shape", [1, 2]),
        ("eroded", None),
        ("eroded", 1.5),
        ("eroded", 4),
        ("eroded", -1),
        ("pieces", []),
        ("pieces", "a.png"),
        ("pieces", ["a.png", 3]),
        ("pieces", ["a.png", "a.png"]),
        ("pieces", ["a.png", ""]),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(key, value):
    word = {"piece_height": "piece_", "piece_width": "piece_"}.get(key, key)
    with pytest.raises(FormatError, match=word):
        Manifest.from_json(VALID.to_json() | {key: value})


def test_the_boundaries_are_allowed():
    Manifest((2, 2), 1, False, (1, 3), 0, ("a", "b", "c"))
    Manifest((8, 8), 3, False, (3, 1), 3, ("a", "b", "c"))


@pytest.mark.parametrize("key", [k for k in VALID.to_json() if k not in ("version", "kind")])
def test_every_key_is_needed(key):
    value = VALID.to_json()
    del value[key]
    with pytest.raises(FormatError, match=f"{key} is missing"):
        Manifest.from_json(value)


@pytest.mark.parametrize("name", ["", ".", "..", "../a.png", "a/b.png", "/a.png", "a\\b", "a\0b"])
def test_a_name_that_leads_elsewhere_is_not_plain(name):
    assert not plain(name)


@pytest.mark.parametrize("name", ["a.png", "..a.png", "über 1.png", "r001c002"])
def test_a_file_name_is_plain(name):
    assert plain(name)


STRIPS = Manifest((None, 12), 1, False, None, 0, ("a.png", "b.png"), "strips", ("m.png", "n.png"))


def test_strips_may_differ_in_size_and_have_masks():
    for manifest in (STRIPS, dataclasses.replace(STRIPS, piece=(None, None), masks=())):
        assert Manifest.from_json(manifest.to_json()) == manifest


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("masks", ["m.png"]),
        ("masks", ["m.png", "m.png"]),
        ("masks", ["m.png", "../n.png"]),
        ("masks", "m.png"),
        ("eroded", 1),
        ("piece_width", 1),
    ],
)
def test_a_value_that_strips_cannot_have_is_refused(key, value):
    with pytest.raises(FormatError, match=key.split("_")[0]):
        Manifest.from_json(STRIPS.to_json() | {key: value})
