"""The command ``tessella studio`` without a server: what it refuses, and what it never imports."""

import subprocess
import sys
from pathlib import Path

import pytest

from tessella.studio.project import is_project


def test_nothing_else_needs_the_extra(environment):
    code = """
import sys
sys.modules.update(dict.fromkeys(("fastapi", "uvicorn", "starlette")))  # as if not installed
import tessella, tessella.studio.project, tessella.studio.session, tessella.studio.intake
from tessella.cli import main
assert main(["list"]) == 0
assert main(["studio"]) == 1
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip().splitlines() == [
        "The studio needs uvicorn, which is not installed; "
        "install it with: pip install 'tessella[studio]'."
    ]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["nowhere"], "nothing at"),
        (["--project", "."], "no project"),
        (["--port", "99999"], "65535"),
        (["empty"], "no PNG"),
    ],
)
def test_what_cannot_be_opened_is_told(call, tmp_path, monkeypatch, given, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    told = call("studio", *given, "--no-browser")
    assert told.code == 2
    assert words in told.err
    assert not is_project(tmp_path / "empty.tessella")


def test_a_project_that_cannot_be_read_leaves_nothing_behind(call, tmp_path, monkeypatch):
    (tmp_path / "aside").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "aside"))
    project = tmp_path / "broken.tessella"
    project.mkdir()
    (project / "project.json").write_text("{}")
    told = call("studio", project, "--no-browser")
    assert (told.code, len(told.err.splitlines())) == (2, 1)
    assert list((tmp_path / "aside").iterdir()) == []


def test_one_line_says_that_no_browser_test_ran(environment, tmp_path):
    tests = Path(__file__).parent / "test_browser_words.py"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", str(tests)],
        env={**environment, "PATH": str(tmp_path), "TESSELLA_CHROMIUM": ""},
        cwd=tests.parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    told = [line for line in done.stdout.splitlines() if line.startswith("WARNING")]
    assert len(told) == 1, done.stdout + done.stderr
    assert "in no browser" in told[0]
