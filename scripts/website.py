"""Build the documentation as a site, and see that reading it asks nobody else: ``make site``."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "site"

_ELSEWHERE = re.compile(r"\s*(?:[a-z]+:)?//", re.IGNORECASE)
_STYLE = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:[a-z]+:)?//[^"')\s]+)""", re.IGNORECASE)
_SCRIPT = re.compile(
    r"""(?:fetch|import|importScripts|EventSource|WebSocket|\.open|\.src\s*=|sendBeacon)"""
    r"""\s*\(?\s*["'`]((?:https?:|wss?:)?//[^"'`]+)""",
    re.IGNORECASE,
)
_LOADS = {"src", "srcset", "poster", "data", "background"}
_FETCHED = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "manifest"}
_FETCHED |= {"dns-prefetch", "apple-touch-icon"}


class _Page(HTMLParser):
    """Collects what a browser loads for a page without being asked; links to follow are not."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        self.inside = tag if tag in ("style", "script") else ""
        loads = [known[name] for name in _LOADS & set(known)]
        if tag == "link" and _FETCHED & set(known.get("rel", "").lower().split()):
            loads.append(known.get("href", ""))
        if tag in ("use", "image"):
            loads += [known.get("href", ""), known.get("xlink:href", "")]
        self.found += [url for url in loads if _ELSEWHERE.match(url)]
        self.found += _STYLE.findall(known.get("style", ""))

    def handle_endtag(self, tag: str) -> None:
        del tag  # whichever it is, a style or script has ended
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "style":
            self.found += _STYLE.findall(data)
        elif self.inside == "script":
            self.found += _SCRIPT.findall(data)


def requests(file: Path) -> list[str]:
    """Return the addresses elsewhere that a built file makes a browser ask."""
    text = file.read_text(encoding="utf-8", errors="replace")
    if file.suffix == ".html":
        page = _Page()
        page.feed(text)
        return page.found
    return {".css": _STYLE, ".js": _SCRIPT, ".svg": _STYLE}[file.suffix].findall(text)


def third_parties(folder: Path) -> Iterator[str]:
    """Yield a line for every request that the pages of `folder` make to somebody else."""
    for file in sorted(folder.rglob("*")):
        if file.suffix in (".html", ".css", ".js", ".svg"):
            for url in requests(file):
                yield f"{file.relative_to(folder)} asks {url}"


def build(out: Path) -> int:
    """Build all pages anew; a warning is an error. Return the builder's exit code."""
    builder = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q", "-E"]
    where = ["-c", str(ROOT / "docs"), "-d", str(out.with_name(f"{out.name}-work"))]
    return subprocess.run([*builder, *where, str(ROOT), str(out)], check=False).returncode


def main() -> int:
    """Build the site; fail on warnings, and on pages that would ask somebody else."""
    code = build(OUT)
    asked = list(third_parties(OUT))
    print(*asked, sep="\n", end="\n" if asked else "")
    if code or asked:
        return 1
    print(f"Read {OUT.relative_to(ROOT)}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
