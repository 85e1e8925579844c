"""Every sentence of the studio's code that a person may be told, with gaps, as the code has it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import tessella

FOLDER = Path(tessella.__file__).parent / "studio"
KINDS = {"Refused", "Conflict", "Unmeasured", "InputError", "Unknown"}


def sentences() -> set[str]:
    """Return them, ``{}`` for every gap."""
    found = set()
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in KINDS and node.args:
                text = gapped(node.args[0])
                if text is not None:
                    found.add(text)
    return found


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
