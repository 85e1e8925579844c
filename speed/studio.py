"""How quick a project is: acts to their acknowledgement over HTTP, and opening.

python speed/studio.py [--pieces 5000] [--events 10000] [--reopen 100000]
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path

import httpx

from tessella.studio import log
from tessella.studio.facts import Facts
from tessella.studio.project import Project
from tessella.studio.started import started


def fill(project: Project, events: int) -> None:
    """Let neighbours change places so many times; not synced, for this is not what is timed."""
    chance, pieces = random.Random(0), project.facts.pieces
    real, log.os.fsync = log.os.fsync, lambda _: None
    for _ in range(events - project.version):
        first = chance.randrange(pieces)
        project.act("swap", {"first": first, "second": (first + 1) % pieces})
    log.os.fsync = real


def laid(folder: Path, pieces: int) -> Project:
    project = Project.create(folder, Facts("speed", pieces, tuple(map(str, range(pieces)))))
    cols = round(pieces**0.5)
    cells = list(range(pieces)) + [-1] * (-pieces % cols)
    answer = {"pieces": [cells], "turns": [[0] * len(cells)], "cols": [cols]}
    project.act("answer", answer, by="solver")
    return project


def acknowledged(folder: Path, count: int = 500) -> list[float]:
    """Return the seconds from sending an act to having its answer, over HTTP."""
    took = []
    with started(folder) as (_, address):
        base = address.split("/launch")[0]
        with httpx.Client(base_url=base, headers={"origin": base}, timeout=60) as client:
            client.get(address)
            project = client.get("/api/projects").json()["first"]
            path = f"/api/projects/{project}"
            found = client.get(path).json()
            version, pieces = found["version"], found["facts"]["pieces"]
            for k in range(count):
                args = {"first": 7 * k % pieces, "second": (7 * k + 1) % pieces}
                began = time.perf_counter()
                deed = {"act": "swap", "args": args, "base": version}
                answer = client.post(f"{path}/acts", json=deed)
                took.append(time.perf_counter() - began)
                version = answer.json()["version"]
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pieces", type=int, default=5000)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--reopen", type=int, default=100_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "speed.tessella"
        project = laid(folder, given.pieces)
        fill(project, given.events)
        took = acknowledged(folder)
        print(
            f"act to acknowledgement, {given.pieces} pieces, {given.events} events: median "
            f"{1e3 * statistics.median(took):.1f} ms, 99 % {1e3 * sorted(took)[-5]:.1f} ms"
        )
        project.refresh()
        fill(project, given.reopen)
        began = time.perf_counter()
        again = Project(folder)
        print(f"reopening {again.version} events: {time.perf_counter() - began:.2f} s")
        for path in (folder / "snapshots").iterdir():
            path.unlink()
        began = time.perf_counter()
        Project(folder)
        print(f"the same without snapshots: {time.perf_counter() - began:.2f} s")


if __name__ == "__main__":
    main()
