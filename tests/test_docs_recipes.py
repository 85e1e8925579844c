"""docs/training.md has every key of a recipe, with the default that the code has."""

from __future__ import annotations

import dataclasses
import math
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tessella.learning.recipe import Augment, Mix, Recipe, Training, Twins

PAGE = Path(__file__).parent.parent / "docs" / "training.md"
SECTIONS = {
    "subnetworks",
    "scout",
    "training",
    "augment",
    "twins",
    "networks",
    "domain",
    "mix",
    "sides",
    "shredding",
}
"""Fields of a recipe that are sections of their own."""


def told() -> dict[str, list[Any]]:
    """Return the default that the page gives for every key; None where it gives none."""
    found: dict[str, list[Any]] = {}
    for names, cell in re.findall(
        r"^\| (`\w+`(?:, `\w+`)*) \|([^|]*)\|[^|]+\|$",
        PAGE.read_text(encoding="utf-8"),
        re.MULTILINE,
    ):
        text = cell.strip().strip("`")
        value = math.inf if text == "infinity" else None
        if text and value is None:
            value = tomllib.loads(f"x = {text}")["x"]
        for name in re.findall(r"\w+", names):
            found.setdefault(name, []).append(value)
    return found


def plain(value: Any) -> Any:
    """Return a default as TOML has it."""
    if value is dataclasses.MISSING:
        return None
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    "cls", [Recipe, Training, Augment, Twins, Mix], ids=lambda cls: cls.__name__
)
def test_every_key_of_a_recipe_is_told_with_its_default(cls):
    known = told()
    for field in dataclasses.fields(cls):
        if cls is not Recipe or field.name not in SECTIONS:
            assert plain(field.default) in known.get(field.name, []), field.name


def test_the_page_tells_of_no_key_that_is_gone():
    classes = (Recipe, Training, Augment, Twins, Mix)
    keys = {field.name for cls in classes for field in dataclasses.fields(cls)}
    assert set(told()) <= keys


def test_every_recipe_is_listed():
    page = PAGE.read_text(encoding="utf-8")
    for file in sorted((PAGE.parent.parent / "recipes").glob("*.toml")):
        assert f"`{file.stem}`" in page, f"docs/training.md does not list the recipe {file.stem}"
