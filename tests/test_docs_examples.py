"""The files that docs/add_a_*.md print are taken up by the registry and pass the contract tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tessella import registry

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "tessella"


def example(page: str) -> str:
    """Return the one Python file that a page of docs/ prints."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return block


def package_with(folder: Path, kind: str, name: str, text: str) -> None:
    """Make a tessella in `folder` that has one plug-in more; all else is the real one's."""
    here = folder / "tessella"
    (here / kind).mkdir(parents=True)
    start = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    (here / "__init__.py").write_text(f"{start}\n__path__.append({str(PACKAGE)!r})\n", "utf-8")
    others = [PACKAGE / other for other in registry.KINDS.values() if other != kind]
    for file in (PACKAGE / "registry.py", *others, *(PACKAGE / kind).glob("*.py")):
        (here / file.relative_to(PACKAGE)).symlink_to(file)
    (here / kind / f"{name}.py").write_text(text, encoding="utf-8")


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("kind", "name"), [("measures", "minkowski"), ("solvers", "committee")])
def test_a_printed_plug_in_is_listed_and_passes_the_contract(tmp_path, kind, name):
    package_with(tmp_path, kind, name, example(f"add_a_{kind[:-1]}.md"))
    assert f"{kind} {name}: " in run(tmp_path, "tessella", "list")
    plain = ("-o", "pythonpath=", "-p", "no:cacheprovider", "-p", "no:xdist")
    told = run(tmp_path, "pytest", f"tests/contract/test_{kind}.py", "-k", name, *plain)
    assert re.search(r"\d+ passed", told)
