"""The pages' parts: texts in every language, colours that can be read, and what is not ours."""

import hashlib
import json
import re
from pathlib import Path

import pytest

import tessella
from tessella import exports
from tessella.studio import acts

from .refusals import PACKAGE, every_text, nameless, sentences

STATIC = Path(tessella.__file__).parent / "studio" / "static"
TEXTS = {path.stem: json.loads(path.read_text("utf-8")) for path in (STATIC / "texts").glob("*")}
SCRIPTS = {
    path.name: path.read_text("utf-8")
    for path in STATIC.rglob("*.js")
    if "vendor" not in path.parts
}
PAGES = {path.name: path.read_text("utf-8") for path in STATIC.glob("*.html")}

SVG = '"http://www.w3.org/2000/svg"'  # a name, which nobody is asked for


def test_every_language_has_every_text_with_the_same_gaps():
    english = TEXTS["en"]
    assert set(TEXTS) == {"en", "pt"}
    for name, texts in TEXTS.items():
        assert set(texts) == set(english), name
        for key, text in texts.items():
            gaps = sorted(re.findall(r"\{(\w+)\}", text))
            assert gaps == sorted(re.findall(r"\{(\w+)\}", english[key])), (name, key)


def test_every_text_that_is_asked_for_is_there():
    asked = set()
    for text in PAGES.values():
        asked |= set(re.findall(r'data-(?:text|title|hint)="(\w+)"', text))
    for text in SCRIPTS.values():
        asked |= set(re.findall(r'\bt\("(\w+)"', text))
        asked |= set(re.findall(r'button\("(\w+)"', text))
    assert asked <= set(TEXTS["en"]), asked - set(TEXTS["en"])
    overlays = {f"overlay_{path.stem}" for path in (STATIC / "overlays").glob("*.js")}
    assert overlays <= set(TEXTS["en"])


ANEW = {
    "told_the_side_of_piece_low",
    "told_pieces_must_have_one_size_but_has_x_px_and",
    "told_a_sheet_of_px_is_too_large",
}
"""What is said as no code has it; other tests meet it."""


def test_no_text_is_there_for_nothing():
    written = "\n".join((*PAGES.values(), *SCRIPTS.values()))
    used = set(re.findall(r'"(\w+)"', written)) | {"join_side", "forbid_side"}
    used |= {f"done_{name}" for name in (*acts.names(), "undo", "redo", "retract")}
    used |= {f"export_{name}" for name in exports.names()}
    used |= {f"overlay_{path.stem}" for path in (STATIC / "overlays").glob("*.js")}
    code = "\n".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    for stage in re.findall(r'\bstage"?(?:: |=|\(f?)"([^"{]+)', code):
        used |= {f"stage_{re.sub(r'[^a-z]+', '_', stage)}", f"stage_{stage.split()[0]}"}
    said = every_text()
    used |= {key for key, text in TEXTS["en"].items() if nameless(text) in said} | ANEW
    assert set(TEXTS["en"]) - used == set()


PROGRAMS = re.compile(
    r"The act|The \{\} |Edges are|Every |A wish|Wishes|Versions|Only the solver|A reply|"
    r"Another edge|Others can|A note is about|A piece is turned|The project has|Sheets are|"
    r"A strip lies|A project is|A rectangle|A sheet of an|The answer|There is nothing at|"
    r"There is no such (atlas|file|pic|piece)|\{\} must hold a|\{\} is a project already|"
    r"A picture to write|bed must"
)
"""What is said to programs and in the terminal, and never in a page."""


def test_what_the_studio_refuses_is_said_in_every_language():
    texts = {nameless(text) for key, text in TEXTS["en"].items() if key.startswith("told_")}
    meant = {sentence for sentence in sentences() if not PROGRAMS.match(sentence)}
    assert len(meant) > 50
    assert meant <= texts, meant - texts


def test_every_act_says_that_it_is_done():
    for name in {*acts.names()} - {"answer", "wish"}:
        assert f"done_{name}" in TEXTS["en"], name


def test_pages_ask_nobody_else():
    for name, text in {
        **PAGES,
        **SCRIPTS,
        "css": (STATIC / "studio.css").read_text("utf-8"),
    }.items():
        assert not re.search(
            r"(https?:)?//[a-z]+\.[a-z]",
            re.sub(r"^\s*//.*$", "", text.replace(SVG, ""), flags=re.M),
        ), name
        assert "@import" not in text
        assert not re.search(r"<script[^>]*>[^<]", text), name
        assert not re.search(r'\son\w+="|style="', text), name


def test_what_is_not_ours_is_as_it_came():
    told = (STATIC / "vendor" / "README.md").read_text("utf-8")
    files = sorted(path for path in (STATIC / "vendor").glob("*.js"))
    assert len(files) == 2
    for path in files:
        assert hashlib.sha256(path.read_bytes()).hexdigest() in told, path.name
    assert "MIT License" in (STATIC / "vendor" / "pixi-LICENSE.txt").read_text("utf-8")


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_can_be_read_on_their_grounds(theme):
    css = (STATIC / "studio.css").read_text("utf-8")
    blocks = re.findall(r":root[^{]*\{([^}]*)\}", css)
    block = blocks[0 if theme == "light" else 1]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    for ground in ("ground", "panel"):
        for text in ("text", "quiet", "accent", "problem"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    assert contrast(colours["on-accent"], colours["accent"]) >= 4.5
    assert contrast(colours["text"], colours["pressed"]) >= 4.5
    assert contrast(colours["quiet"], colours["table"]) >= 4.5
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_scripts_are_short_enough_to_read():
    for name, text in SCRIPTS.items():
        assert len(text.splitlines()) <= 400, name
