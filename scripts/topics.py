"""The table of experiments, taken from their pages: every topic, its entries, its latest date."""

from __future__ import annotations

import re
from pathlib import Path

from reference import table

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "experiments"

_CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_DATE = re.compile(r"\*\*Date:\*\* (\d{4}-\d\d-\d\d)")


def topic(page: Path) -> tuple[str, str, str]:
    """Return a page's cells: a link to it, links to its entries, and when the latest was made."""
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    title = re.search(r"^# (.+?) *$", text, re.MULTILINE)
    entries = re.findall(r"^## (.+?) *$", text, re.MULTILINE)
    dates = _DATE.findall(text)
    if title is None or not entries or len(dates) < len(entries):
        raise LookupError(f"{page.name} needs a title, and entries with a **Date:** each.")
    links = "; ".join(f"[{entry}]({page.name}#{anchor(entry)})" for entry in entries)
    return f"[{title[1]}]({page.name})", links, max(dates)


def anchor(heading: str) -> str:
    """Return what a link to a heading ends in."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def topics(folder: Path = FOLDER) -> str:
    """Return the table of all pages, the latest first."""
    rows = [topic(page) for page in sorted(folder.glob("*.md")) if page.name != "README.md"]
    rows.sort(key=lambda row: row[2], reverse=True)
    return table(("topic", "entries", "latest"), rows)
