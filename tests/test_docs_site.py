"""The site of the documentation: its pages load nothing from elsewhere."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
import website

FURO = all(find_spec(name) for name in ("sphinx", "myst_parser", "furo"))


def told(folder: Path, name: str, text: str) -> list[str]:
    """Return what a site of one file is reproached with."""
    (folder / name).write_text(text, encoding="utf-8")
    return list(website.third_parties(folder))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<script src="https://cdn.example/x.js"></script>'),
        ("a.html", '<img src="//cdn.example/x.png">'),
        ("a.html", '<link rel="stylesheet" href="https://fonts.example/css">'),
        ("a.html", '<link rel="preconnect" href="https://fonts.example">'),
        ("a.html", '<iframe src="http://example.org"></iframe>'),
        ("a.html", "<style>@import 'https://fonts.example/css';</style>"),
        ("a.html", "<div style=\"background: url('https://example.org/x.png')\"></div>"),
        ("a.html", "<script>fetch('https://example.org/count')</script>"),
        ("a.css", "@font-face { src: url(https://fonts.example/a.woff2); }"),
        ("a.js", 's.src = "https://cdn.example/x.js"'),
    ],
)
def test_a_page_that_asks_somebody_else_is_found(tmp_path, name, text):
    assert len(told(tmp_path, name, text)) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<a href="https://example.org">elsewhere</a>'),
        ("a.html", '<link rel="canonical" href="https://example.org/a">'),
        ("a.html", '<script src="_static/x.js"></script><img src="data:image/png;base64,AA=">'),
        ("a.css", "a { background: url(data:image/svg+xml;utf8,x); } /* https://example.org */"),
        ("a.js", "// see https://example.org\nfetch('searchindex.js')"),
    ],
)
def test_a_link_to_follow_and_what_lies_beside_the_page_are_not_requests(tmp_path, name, text):
    assert told(tmp_path, name, text) == []


@pytest.mark.skipif(not FURO, reason="the extra docs is not installed; make site checks the same")
def test_the_site_is_built_without_a_warning_and_asks_nobody_else(tmp_path):
    out = tmp_path / "site"
    assert website.build(out) == 0
    assert list(website.third_parties(out)) == []
    assert (out / "index.html").read_text(encoding="utf-8").count("conservators") > 0
