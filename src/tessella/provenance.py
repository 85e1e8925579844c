"""Provenance: which program made a record, and on what machine."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tessella.threads import available
from tessella.versions import versions

_DIGITS = 12
"""Of a commit's name, that are told."""

_PATIENCE = 10.0
"""Seconds after which git is not waited for."""


@dataclass(frozen=True)
class Provenance:
    """What a record was made with; nothing in it names a person, a machine or a folder.

    Attributes
    ----------
    versions : of tessella, Python and the packages that decide about an answer
    commit : that the program was checked out from, with "+" where it was changed since; None where
        it was installed, or git is not there
    machine : system, processor, cores and memory in words; "" in records of earlier versions
    """

    versions: tuple[tuple[str, str], ...] = ()
    commit: str | None = None
    machine: str = ""

    @property
    def version(self) -> str:
        """That of tessella, "" where it is not known."""
        return dict(self.versions).get("tessella", "")

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, which is part of a record."""
        return {"versions": dict(self.versions), "commit": self.commit, "machine": self.machine}


UNKNOWN = Provenance()
"""That of records which do not say what made them."""


@cache
def provenance() -> Provenance:
    """Return the provenance of what this process makes."""
    return Provenance(tuple(versions().items()), commit(Path(__file__).parent), machine())


def commit(package: Path) -> str | None:
    """Return the commit that `package` was checked out from, "+" added where it was changed.

    Only a package at ``src/NAME`` of a checkout counts: one that was installed into an environment
    may lie in a checkout of something else.
    """
    root = package.parents[1]
    if package.parent.name != "src" or not (root / ".git").exists():
        return None
    try:
        status = _git(root, "status", "--porcelain=v2", "--branch", "--", package.parent.name)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    lines = status.splitlines()
    match = re.search(r"^# branch\.oid ([0-9a-f]+)$", status, re.MULTILINE)
    if match is None:
        return None  # Nothing was committed yet.
    changed = any(not line.startswith("#") for line in lines)
    return match[1][:_DIGITS] + ("+" if changed else "")


def _git(root: Path, *arguments: str) -> str:
    """Ask git about the checkout at `root`, whatever other one the environment speaks of."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    done = subprocess.run(
        ["git", "--no-optional-locks", "-C", str(root), *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=_PATIENCE,
        env=inherited,
    )
    return done.stdout


def machine() -> str:
    """Describe this machine: system, processor, cores that may be used, memory."""
    cores = available()
    parts = [
        f"{platform.system()} {platform.machine()}".strip(),
        _processor(),
        f"{cores} core{'' if cores == 1 else 's'}",
        _memory(),
    ]
    return ", ".join(part for part in parts if part)


def _processor() -> str:
    """Return the processor's model, "" where it is not told."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    match = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    name = match[1] if match else platform.processor()
    return "" if name == platform.machine() else " ".join(name.split())


def _memory() -> str:
    """Return how much memory there is, "" where it is not told."""
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Not every system has such a count.
        return ""
    return f"{size / 2**30:.0f} GiB"
