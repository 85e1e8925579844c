"""What the pages say of settings, plug-ins, models and commands is what the code has."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import document
import figures
import pytest
import reference
import topics

import tessella
from tessella import models, registry

ROOT = Path(__file__).parent.parent
PAGES = {"measure": "measures.md", "solver": "solvers.md", "adjustment": "solvers.md"}
MODELS = "learned_measure.md"


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def paragraph(page: str, start: str) -> str:
    """Return one item or paragraph of a page, which begins with the line that holds `start`."""
    found = text(page)
    return re.split(r"\n(?:\d+\. |- |\n)", found[found.index(start) :])[0]


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return {name: make() for name, make in document.blocks().items()}


@pytest.mark.parametrize("page", document.pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_has_the_tables_that_the_code_gives(page, made):
    found = page.read_text(encoding="utf-8")
    same = document.written(
        found, {name: lambda table=table: table for name, table in made.items()}
    )
    assert found == same, f"{page.relative_to(ROOT)} is not up to date; run: {document.COMMAND}"


def test_every_table_stands_on_a_page():
    texts = [page.read_text(encoding="utf-8") for page in document.pages()]
    nowhere = document.missing(texts, document.blocks())
    assert not nowhere, f"Give each a place, <!-- generated: NAME -->, in docs/: {nowhere}"


@pytest.mark.parametrize("kind", registry.KINDS)
def test_every_plug_in_is_on_its_page_and_in_the_readme(kind):
    for name in registry.names(kind):
        for page in (f"docs/{PAGES[kind]}", "README.md"):
            assert f"`{name}`" in text(page), f"{page} does not name the {kind} {name}"


def test_every_model_is_on_its_page_and_in_the_readme_and_has_a_card():
    for name in models.names(None):
        for page in (f"docs/{MODELS}", "README.md"):
            assert f"`{name}`" in text(page), f"{page} does not name the model {name}"
        assert models.card(name), f"{name} has no card"


@pytest.mark.parametrize(
    ("page", "start"),
    [
        ("CONTRIBUTING.md", "The field `adjust` names the post-processing"),
        ("docs/add_a_solver.md", "frozen dataclass with a field `adjust`"),
    ],
)
def test_who_adds_a_solver_reads_of_every_adjustment(page, start):
    told = paragraph(page, start)
    for name in registry.names("adjustment"):
        assert f"`{name}`" in told, f"{page} lists adjustments, but not {name}"


def test_every_solver_has_a_word_besides_the_table():
    prose = document.written(text("docs/solvers.md"), dict.fromkeys(document.blocks(), str))
    for name in registry.names("solver"):
        assert f"`{name}`" in prose, f"docs/solvers.md says nothing of {name} but its table"


def test_every_measure_has_a_word_besides_the_table():
    prose = document.written(text("docs/measures.md"), dict.fromkeys(document.blocks(), str))
    for name in registry.names("measure"):
        assert f"`{name}`" in prose, f"docs/measures.md says nothing of {name} but its table"


# The generator itself.


@dataclass(frozen=True)
class Parent:
    """A parent.

    Attributes
    ----------
    size : how large
    """

    size: int = 3


@dataclass(frozen=True)
class Child(Parent):
    """A child.

    Attributes
    ----------
    warm, cold : whether it is,
        and whether it is not; ``inf`` for both
    """

    warm: bool = True
    cold: float | None = None


def test_settings_are_read_from_the_docstrings_of_parents_too():
    found = [([f.name for f in fields], told) for fields, told in reference.settings(Child)]
    told = "whether it is, and whether it is not; `inf` for both"
    assert found == [(["size"], "how large"), (["warm", "cold"], told)]


def test_a_setting_that_nobody_describes_is_an_error():
    @dataclass(frozen=True)
    class Silent(Parent):
        """A class that says nothing of its field."""

        other: list[int] = field(default_factory=list)

    with pytest.raises(LookupError, match=r"Silent\.other has no line under Attributes"):
        list(reference.settings(Silent))


def test_a_description_of_a_setting_that_is_gone_is_an_error():
    @dataclass(frozen=True)
    class Stale(Parent):
        """A class that describes what it has not.

        Attributes
        ----------
        gone : was here
        """

    with pytest.raises(LookupError, match="describes gone"):
        list(reference.settings(Stale))


def test_a_changed_default_changes_the_page():
    page = "a\n<!-- generated: x -->\nold\n<!-- /generated -->\nb\n"
    new = document.written(page, {"x": lambda: "new\n"})
    assert new == page.replace("old", "new")


def test_a_mark_that_nothing_belongs_to_is_an_error():
    page = "<!-- generated: nothing -->\n<!-- /generated -->\n"
    with pytest.raises(LookupError, match="Nothing called 'nothing' is generated"):
        document.written(page, {})


def test_commands_of_groups_have_all_their_words():
    leaf = SimpleNamespace()
    group = SimpleNamespace(commands={"a": leaf, "b": SimpleNamespace(commands={"c": leaf})})
    assert list(reference.leaves(group)) == ["a", "b c"]


def test_a_bar_within_a_cell_does_not_end_it():
    assert reference.table(["x"], [["a|b"]]).splitlines()[-1] == r"| a\|b |"


def test_the_readme_is_cited_with_the_version_there_is():
    known = re.search(r"^version: (\S+)", text("CITATION.cff"), re.MULTILINE)
    told = re.search(r"version = \{(\S+)\}", text("README.md"))
    assert known is not None
    assert told is not None
    assert known[1] == told[1] == tessella.__version__


def test_a_figure_of_the_readme_is_that_of_the_results():
    row = "| a, b | 96.03 (96.10), 14 perfect | 100.00 | 97.2 (4/20) | - | 96 |"
    cells = figures.row(f"## 2. Type-1\n\n{row}\n\n## 3\n", "2. Type-1", "a, b")
    assert [figures.rounded(cell) for cell in cells] == ["96.0", "100", "-", "-", "96.0"]


def test_a_row_that_the_results_have_not_is_an_error():
    with pytest.raises(LookupError, match="There is no row 'c'"):
        figures.row("## 2. Type-1\n\n| a | 1 |\n\n## 3\n\n| c | 1 |\n", "2. Type-1", "c")


ENTRY = "# Tiles, `small`\n\n## How `a`, b?\n\n**Date:** 2026-11-15\n\n"


def test_a_page_of_experiments_is_a_row_with_a_link_to_every_entry(tmp_path):
    (tmp_path / "README.md").write_text("# Experiments\n")
    (tmp_path / "tiles.md").write_text(f"{ENTRY}## B\n\n- **Date:** 2026-11-18. On Kodak\n")
    (tmp_path / "all.md").write_text(ENTRY.replace("Tiles", "All"))
    first, second = topics.topics(tmp_path).splitlines()[2:]
    links = "[How `a`, b?](tiles.md#how-a-b); [B](tiles.md#b)"
    assert first == f"| [Tiles, `small`](tiles.md) | {links} | 2026-11-18 |"
    assert second.startswith("| [All, `small`](all.md) |")


def test_an_experiment_without_a_date_is_an_error(tmp_path):
    (tmp_path / "tiles.md").write_text(f"{ENTRY}## B\n\nNobody knows when.\n")
    with pytest.raises(LookupError, match=r"tiles\.md needs a title, and entries with a \*\*Date"):
        topics.topics(tmp_path)
