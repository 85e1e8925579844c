"""A record tells what made it, and never fails to."""

import os
import platform
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

import tessella
from tessella import provenance as telling
from tessella.provenance import Provenance, commit, machine, provenance

GIT = shutil.which("git")
needs_git = pytest.mark.skipif(GIT is None, reason="git is not installed")


def git(folder: Path, *arguments: str) -> str:
    """Call git in `folder`, and nowhere else, even where a hook runs the tests."""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", "-C", str(folder), *who, *arguments],
        env={name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def package(tmp_path) -> Path:
    """A package in a fresh checkout, nothing of it committed yet."""
    made = tmp_path / "src" / "thing"
    made.mkdir(parents=True)
    (made / "__init__.py").write_text("a = 1\n")
    git(tmp_path, "init", "--quiet")
    return made


@pytest.fixture
def pretended(tmp_path) -> Path:
    """A package in what looks like a checkout."""
    (tmp_path / ".git").mkdir()
    return tmp_path / "src" / "thing"


def committed(package: Path) -> str:
    root = package.parents[1]
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "A thing")
    return git(root, "rev-parse", "HEAD")[:12]


@needs_git
def test_the_commit_is_that_of_the_checkout(package):
    assert commit(package) is None
    assert commit(package) != committed(package)
    assert commit(package) == git(package, "rev-parse", "HEAD")[:12]


@needs_git
@pytest.mark.parametrize("name", ["__init__.py", "new.py"])
def test_a_changed_or_a_new_file_of_the_package_is_told(package, name):
    head = committed(package)
    (package / name).write_text("a = 2\n")
    assert commit(package) == f"{head}+"


@needs_git
def test_files_beside_the_package_do_not_count(package):
    head = committed(package)
    (package.parents[1] / "notes.txt").write_text("mine")
    assert commit(package) == head


@needs_git
def test_another_checkout_in_the_environment_does_not_mislead(package, monkeypatch):
    head = committed(package)
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert commit(package) == head


@needs_git
def test_a_package_installed_inside_a_checkout_of_something_else_has_no_commit(package):
    committed(package)
    installed = package.parents[1] / "lib" / "site-packages" / "thing"
    installed.mkdir(parents=True)
    assert commit(installed) is None


def test_without_a_checkout_there_is_no_commit(tmp_path):
    assert commit(tmp_path / "src" / "thing") is None


def test_without_git_there_is_no_commit(pretended, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert commit(pretended) is None


@pytest.mark.parametrize(
    "problem",
    [
        FileNotFoundError("git"),
        PermissionError("git"),
        subprocess.TimeoutExpired("git", 1),
        subprocess.CalledProcessError(128, "git"),
        UnicodeDecodeError("utf-8", b"", 0, 1, "odd"),
    ],
)
def test_whatever_git_does_there_is_a_record(pretended, monkeypatch, problem):
    def fail(*arguments, **named):
        raise problem

    monkeypatch.setattr(subprocess, "run", fail)
    assert commit(pretended) is None


def test_the_machine_is_told_in_words_that_name_nobody():
    told = machine()
    assert told.startswith(f"{platform.system()} {platform.machine()}")
    assert " core" in told
    assert str(Path.home()) not in told
    assert socket.gethostname() not in told.split()


def test_a_machine_that_tells_nothing_has_a_record_all_the_same(monkeypatch):
    def refuse(*arguments, **named):
        raise OSError("no such file")

    monkeypatch.setattr(Path, "read_text", refuse)
    monkeypatch.setattr(platform, "processor", lambda: "")
    monkeypatch.setattr(telling.os, "sysconf", refuse)
    told = machine()
    assert told.startswith(platform.system())
    assert "GiB" not in told


def test_provenance_is_found_once_and_has_versions():
    assert provenance() is provenance()
    told = provenance().to_json()
    assert told["versions"]["tessella"] == tessella.__version__
    assert set(told) == {"versions", "commit", "machine"}
    assert Provenance().to_json() == {"versions": {}, "commit": None, "machine": ""}
