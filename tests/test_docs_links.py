"""Every relative link of the Markdown files leads to a file that is there, and to its heading."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    page
    for folder in (".", "docs", "docs/experiments", "src/tessella/models")
    for page in (ROOT / folder).glob("*.md")
)
_CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    found: set[str] = set()
    for heading in _HEADING.findall(_CODE.sub("", text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        number = 0
        while (name := f"{slug}-{number}" if number else slug) in found:
            number += 1
        found.add(name)
    return found


def broken(page: Path) -> list[str]:
    """Return the links of a page that lead nowhere."""
    wrong = []
    for link in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = page.parent / path if path else page
        lost = not target.exists()
        if not lost and anchor:
            lost = anchor not in anchors(target.read_text(encoding="utf-8"))
        if lost:
            wrong.append(link)
    return wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page):
    assert broken(page) == []


def cited(text: str) -> list[str]:
    """Return the pages that code names: ``docs/a/b.md``, or ``docs/experiments, odds``."""
    named = re.findall(r"\bdocs/experiments, (\w[\w ]*)", text)
    return [
        *re.findall(r"\bdocs/[\w/]+\.md", text),
        *(f"docs/experiments/{name.replace(' ', '_')}.md" for name in named),
        *re.findall(r"\bdocs/experiments/?(?![\w/,])", text),
    ]


def test_every_page_that_code_cites_is_there():
    pages = {
        (page, str(file.relative_to(ROOT)))
        for folder in ("src", "scripts", "speed", "tests")
        for file in (ROOT / folder).rglob("*.py")
        if file != Path(__file__)
        for page in cited(re.sub(r"\s+", " ", file.read_text(encoding="utf-8")))
    }
    assert len(pages) > 10
    assert [(page, file) for page, file in sorted(pages) if not (ROOT / page).is_file()] == []


def test_a_citation_without_a_page_is_found():
    assert cited("(docs/tiles.md) (docs/experiments, very large) docs/experiments.") == [
        "docs/tiles.md",
        "docs/experiments/very_large.md",
        "docs/experiments",
    ]


def test_a_link_to_nothing_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A `b`, c\n\n[x](gone.md) [y](#a-b-c) [z](page.md#d) [w](https://e.org/f)\n")
    assert broken(page) == ["gone.md", "page.md#d"]


def test_every_page_of_docs_can_be_reached_from_the_readme():
    seen, todo = set(), [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        seen.add(page)
        for link in _LINK.findall(page.read_text(encoding="utf-8")):
            target = (page.parent / link.partition("#")[0]).resolve()
            if target.suffix == ".md" and target.exists() and target not in seen:
                todo.append(target)
    lost = [page for page in PAGES if page.is_relative_to(ROOT / "docs") and page not in seen]
    assert lost == []


def test_every_entry_of_the_experiments_has_question_command_date_and_decision():
    for page in sorted((ROOT / "docs" / "experiments").glob("*.md")):
        if page.name == "README.md":
            continue
        for entry in re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            for part in (
                r"\*\*Question:\*\*",
                r"\*\*Command:\*\*",
                r"\*\*Date:\*\* \d{4}-\d\d-\d\d",
            ):
                assert re.search(part, entry), f"{page.name}: {entry.splitlines()[0]} lacks {part}"
            assert re.search(r"^\*\*Decision\.\*\* ", entry, re.MULTILINE), entry.splitlines()[0]
