"""Write the tables of the documentation that say what the code has: ``make docs-tables``.

A page holds the two marks ``<!-- generated: NAME -->`` and ``<!-- /generated -->``; what stands
between them is made by `scripts/reference.py` from the registry, the dataclasses, the shipped
models and the command line, by `scripts/figures.py` from the results, or by `scripts/topics.py`
from the pages of experiments, and is never written by hand. ``--check`` writes nothing and fails
where a page differs.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import reference
from figures import summary
from topics import topics

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "make docs-tables"
_BLOCK = re.compile(
    r"<!-- generated: (?P<name>[^>\n]+?) -->\n(?P<text>.*?)<!-- /generated -->", re.DOTALL
)


def blocks() -> dict[str, Callable[[], str]]:
    """Return everything that can be generated, by its name."""
    return {**reference.blocks(), "results": summary, "experiments": topics}


def pages(root: Path = ROOT) -> list[Path]:
    """Return the pages that may hold generated tables."""
    return [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]


def written(text: str, made: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with its tables as they should be."""

    def fill(found: re.Match[str]) -> str:
        name = found["name"]
        if name not in made:
            raise LookupError(f"Nothing called {name!r} is generated; there are {', '.join(made)}.")
        return f"<!-- generated: {name} -->\n{made[name]()}<!-- /generated -->"

    return _BLOCK.sub(fill, text)


def missing(texts: Iterable[str], made: Iterable[str]) -> list[str]:
    """Return what is generated and stands on no page."""
    there = {found["name"] for text in texts for found in _BLOCK.finditer(text)}
    return [name for name in made if name not in there]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write all tables, or say which pages differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    check = parser.parse_args(arguments).check
    made = blocks()
    before = {page: page.read_text(encoding="utf-8") for page in pages()}
    after = {page: written(text, made) for page, text in before.items()}
    changed = [page for page in before if before[page] != after[page]]
    for page in changed:
        print(f"{page.relative_to(ROOT)}: {'differs; run ' + COMMAND if check else 'written'}")
        if not check:
            page.write_text(after[page], encoding="utf-8")
    nowhere = missing(after.values(), made)
    for name in nowhere:
        print(f"No page has <!-- generated: {name} --> and <!-- /generated -->; add them to one.")
    return int(bool(nowhere or (check and changed)))


if __name__ == "__main__":
    sys.exit(main())
