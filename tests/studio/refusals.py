"""Every sentence of the studio's code that a person may be told, with gaps, as the code has it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import tessella
from tessella.studio.errors import worded

PACKAGE = Path(tessella.__file__).parent
KINDS = {"Refused", "Conflict", "Unmeasured", "InputError", "Unknown", "FormatError", "ImageError"}
COLLECT = ("bed", "paper", "sight", "source", "strips", "tiles")
MET = ("studio/**/*", "wishes/[fnsw]*", "imaging/read", *(f"collect/{name}" for name in COLLECT))
"""The code whose sentences a person meets in the studio, also where it knows nothing of that."""


def sentences() -> set[str]:
    """Return them as the studio words them, ``{}`` for every gap."""
    found = set()
    for path in {path for each in MET for path in PACKAGE.glob(f"{each}.py")}:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in KINDS and node.args:
                text = gapped(node.args[0])
                if text is not None:
                    found.add(worded(text))
    return found


def every_text() -> set[str]:
    """Return all texts of the package, worded in the same way."""
    nodes = (n for p in PACKAGE.rglob("*.py") for n in ast.walk(ast.parse(p.read_text("utf-8"))))
    texts = (gapped(node) for node in nodes if isinstance(node, ast.Constant | ast.JoinedStr))
    return {worded(text) for text in texts if text is not None}


def gapped(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
        return "".join(map(str, parts))
    return None


def nameless(template: str) -> str:
    """Return a text of the pages with its gaps as `sentences` has them."""
    return re.sub(r"\{\w+\}", "{}", template)
