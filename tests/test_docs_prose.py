"""Pages can be read: no line runs on, nothing is left to be filled in, settings are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tessella import plan, registry
from tessella.errors import TessellaError

ROOT = Path(__file__).parent.parent
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "src" / "tessella" / "models").glob("*.md")),
]
NOT_WRAPPED = ("results.md", "CHANGELOG.md")
"""The first is written by ``bench paper``."""
EXAMPLES = ("add_a_measure.md", "add_a_solver.md")
"""Speak of plug-ins that readers make."""

MOST = 200
"""Of characters in a line of prose; what is wrapped anew is wrapped at 120."""

_CODE = re.compile(r"^ *```.*?^ *```|`[^`]*`", re.MULTILINE | re.DOTALL)
_GENERATED = re.compile(r"<!-- generated: .*?<!-- /generated -->", re.DOTALL)
_PLACEHOLDER = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:TODO|FIXME|XXX|TBD)\b")
_SET = re.compile(r"--set (\w+)=([\w.,]+)")


def left_open(text: str) -> list[str]:
    """Return what somebody meant to fill in later."""
    return _PLACEHOLDER.findall(_CODE.sub("", text))


def running_on(text: str) -> list[str]:
    """Return the lines of prose that are too long to read; tables and pictures are none."""
    prose = re.sub(r"^ *```.*?^ *```", "", _GENERATED.sub("", text), flags=re.M | re.S)
    lines = (line for line in prose.splitlines() if not line.lstrip().startswith(("|", "!", "#")))
    return [line for line in lines if len(line) > MOST]


def settings() -> Iterator[tuple[str, str, str]]:
    """Yield the page, the name and the value of every ``--set`` that readers may type."""
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        if page.name not in (*EXAMPLES, "CHANGELOG.md"):
            for key, value in _SET.findall(page.read_text(encoding="utf-8")):
                yield page.name, key, value


def works(key: str, value: str) -> bool:
    """Say whether some measure or solver takes a setting; a value in capitals stands for any."""
    if key == "adjust" or value.isupper():
        return key == "adjust" or any(key in names for names in known())
    parts = [("mgc", name) for name in registry.names("solver")]
    parts += [(name, "genetic") for name in registry.names("measure")]
    for measure, solver in parts:
        try:
            plan.make_plan(measure, solver, {key: value})
        except TessellaError:
            continue
        return True
    return False


def known() -> Iterator[dict[str, object]]:
    """Yield the settings of all plug-ins."""
    for kind in registry.KINDS:
        for name in registry.names(kind):
            yield registry.settings(registry.find(kind, name))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_nothing_is_left_to_be_filled_in(page):
    assert left_open(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_line_of_prose_runs_on(page):
    if page.name not in NOT_WRAPPED:
        assert running_on(page.read_text(encoding="utf-8")) == []


def test_every_setting_that_pages_name_can_be_set():
    every = {each for each in settings() if each[1] != "KEY"}
    assert len(every) > 10
    assert [each for each in sorted(every) if not works(*each[1:])] == []


def test_what_is_left_open_is_found_outside_code_alone():
    assert left_open("By COMMIT_LINE. `A_B`\n```\nNUMBA_CACHE_DIR=x\n```\nTODO") == [
        "COMMIT_LINE",
        "TODO",
    ]


def test_a_long_line_is_found_but_in_tables_and_code():
    long = "word " * 50
    assert running_on(f"short\n{long}\n| {long} |\n```\n{long}\n```\n") == [long]


@pytest.mark.parametrize(
    ("key", "value", "there"),
    [
        ("without", "move", True),
        ("moves", "false", False),
        ("strategy", "paper", True),
        ("p", "0.5", True),
        ("population", "many", False),
        ("adjust", "NAME", True),
        ("count", "K", True),
        ("amount", "K", False),
    ],
)
def test_a_setting_that_is_gone_is_found(key, value, there):
    assert works(key, value) == there
