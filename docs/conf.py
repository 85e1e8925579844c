"""How Sphinx builds the pages: ``make site``. Sources stay plain Markdown, as GitHub shows them.

The source folder is the repository's root, so that links between the README, docs/ and the models'
cards hold on the site as they do in the repository.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

project = "tessella"
author = "The tessella developers"
copyright = "the tessella developers, Apache-2.0"
extensions = ["myst_parser"]
include_patterns = ["*.md", "docs/*.md", "docs/experiments/*.md", "src/tessella/models/*.md"]
root_doc = "README"
html_theme = "furo"
html_title = "tessella"
html_copy_source = False
html_show_sphinx = False
html_static_path: list[str] = []
templates_path: list[str] = []

myst_heading_anchors = 4
myst_enable_extensions: list[str] = []
suppress_warnings = [
    "myst.header",  # cards and the README begin as GitHub wants them to
    "misc.highlighting_failure",  # output with ... in it
]

CHAPTERS = {
    "For readers": ["conservators", "examiners", "players", "researchers"],
    "Use": [
        "concepts",
        "command_line",
        "python",
        "pieces",
        "wishes",
        "documents",
        "settings",
        "scale",
    ],
    "Parts": ["measures", "learned_measure", "solvers", "baselines", "azulejo", "training"],
    "Figures": ["results", "benchmarks", "experiments/README"],
    "Work on it": ["add_a_measure", "add_a_solver", "/CONTRIBUTING", "/CHANGELOG", "README"],
}
"""The pages in the order of the site's sidebar; whatever is not here comes last."""


def _pages(folder: str) -> list[str]:
    found = sorted((ROOT / folder).glob("*.md"))
    return [str(page.relative_to(ROOT).with_suffix("")) for page in found]


def _toctree(caption: str, names: list[str]) -> str:
    options = ":hidden:\n" + (f":caption: {caption}\n" if caption else "")
    lines = "\n".join(name if name.endswith(">") else f"/{name}" for name in names)
    return f"\n\n```{{toctree}}\n{options}\n{lines}\n```\n"


def _chapters() -> dict[str, list[str]]:
    """Return every chapter and its pages, as paths from the root."""
    made = {
        caption: [name[1:] if name[0] == "/" else f"docs/{name}" for name in names]
        for caption, names in CHAPTERS.items()
    }
    known = {name for names in made.values() for name in names}
    return made | {"More": [name for name in _pages("docs") if name not in known]}


def _add_contents(_app: Any, name: str, source: list[str]) -> None:
    """Append what the sidebar is made from; on GitHub the pages' own lists do."""
    if name == root_doc:
        source[0] += "".join(_toctree(c, names) for c, names in _chapters().items() if names)
    elif name == "docs/experiments/README":
        source[0] += _toctree("", [p for p in _pages("docs/experiments") if p != name])
    elif name == "docs/learned_measure":
        cards = _pages("src/tessella/models")
        source[0] += _toctree("", [f"{Path(card).name} </{card}>" for card in cards])
    # A folder is a page on GitHub, and none here.
    source[0] = re.sub(r"\[([^\[\]]*)\]\(\.\./recipes\)", r"`\1`", source[0])


def _add_index(app: Any, problem: Exception | None) -> None:
    """Let the site begin with the README."""
    if problem is None:
        shutil.copy(Path(app.outdir) / "README.html", Path(app.outdir) / "index.html")


def setup(app: Any) -> dict[str, bool]:
    """Connect what is done besides."""
    app.connect("source-read", _add_contents)
    app.connect("build-finished", _add_index)
    return {"parallel_read_safe": True}
