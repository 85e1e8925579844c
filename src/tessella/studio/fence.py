"""The fence: work on files from outside, in a process of its own with limits on memory and time.

A picture made to harm ends that process and not the studio. The process is a module whose `main`
is `inside`; it is given an order as a file of JSON, and tells how far it is in lines of JSON.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tessella.errors import InputError, TessellaError
from tessella.files import read_json, write_json

MEMORY = 8 * 2**30
SECONDS = 900


class Teller:
    """A watcher that prints lines of JSON, not too many."""

    def __init__(self) -> None:
        self.name, self.total, self.done = "", 0, 0

    def stage(self, name: str, total: int) -> None:
        """Print that a stage begins."""
        self.name, self.total, self.done = name, total, 0
        self._tell()

    def advance(self, steps: int = 1) -> None:
        """Print how far the stage is, a hundred times at most."""
        self.done += steps
        if self.done % max(1, self.total // 100) == 0:
            self._tell()

    def generation(self, generation: Any) -> None:
        """Nothing here has generations."""

    def _tell(self) -> None:
        _say({"stage": self.name, "total": self.total, "done": self.done})


def _say(value: dict[str, Any]) -> None:
    print(json.dumps(value), flush=True)


def run(
    module: str, order: dict[str, Any], tell: Callable[[dict[str, Any]], None] | None = None
) -> None:
    """Let ``python -m MODULE`` do what an order says; raise what it says went wrong."""
    with tempfile.TemporaryDirectory(prefix="tessella-") as place:
        path = Path(place) / "order.json"
        write_json(path, order)
        with (
            (Path(place) / "said").open("w+b") as said,
            subprocess.Popen(
                [sys.executable, "-m", module, str(path)], stdout=subprocess.PIPE, stderr=said
            ) as process,
        ):
            assert process.stdout is not None
            error = "The pieces could not be read within the limits of memory and time."
            try:
                for line in process.stdout:
                    message = json.loads(line)
                    error = message.get("error", error)
                    if tell is not None:
                        tell(message)
            finally:
                process.kill()
    if process.returncode != 0:
        raise InputError(error)


def inside(work: Callable[[dict[str, Any]], None]) -> int:
    """Do `work` on the order that this process was given; tell what went wrong in one sentence.

    The order's ``memory`` is how many bytes it may take.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        order = read_json(Path(sys.argv[1]))
        resource.setrlimit(resource.RLIMIT_AS, (order["memory"], order["memory"]))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        work(order)
    except MemoryError:
        _say({"error": "The pieces take more memory than the studio allows; make them smaller."})
        return 1
    except (TessellaError, OSError) as problem:
        _say({"error": str(problem)})
        return 1
    return 0
