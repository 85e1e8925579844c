"""A studio started as a person would start it, for programs that talk to it."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tessella.errors import RunError

PATIENCE = 300.0
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/launch\?token=\S+")


@contextmanager
def started(
    what: Path, *more: str, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run ``tessella studio WHAT`` without a browser; yield the process and its address."""
    command = [sys.executable, "-m", "tessella", "studio", str(what), *more, "--no-browser"]
    with subprocess.Popen(
        command,
        env=dict(os.environ if environment is None else environment),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
            line = process.stdout.readline().strip() if ready else ""
            if not _ADDRESS.fullmatch(line):
                raise RunError(f"The studio did not start; it said {line!r}.")
            yield process, line
        finally:
            process.kill()
