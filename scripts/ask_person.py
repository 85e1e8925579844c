"""Ask a simulated, truthful person about panels, and tell how many wrong joins are left.

    python scripts/ask_person.py DATA [--on test/paintings] [--measure tiles] [--model NAME]
        [--way worth] [--share 0.3] [--panels N] [--only TEXT] [--jobs 1] [--out FILE.jsonl]

DATA is the folder of pictures; the panels are those of ``tessella bench paintings --simulate
azulejo``. Prints wrong joins, all panels together and as a mean, by the share of joins that the
person was asked about, for every way to choose questions (docs/experiments/confidence.md). A panel
is measured once for all ways. Panels that FILE.jsonl holds already are not done again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

from tessella.bench.panels import Panel
from tessella.bench.person import WAYS, Round, at_share, conversation
from tessella.bench.suites import pictures, simulated
from tessella.executors.local import share as shared
from tessella.imaging.cut import cut
from tessella.session import Session

SHARES = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
TILE = 50
SEED = 1


@dataclass(frozen=True)
class Task:
    """A panel to talk about."""

    panel: Panel
    measure: str
    model: str | None
    ways: tuple[str, ...]
    share: float
    turned: bool


def perform(task: Task) -> Iterator[dict[str, object]]:
    """Yield every way's rounds."""
    puzzle, truth = cut(task.panel.paint(TILE), TILE, turned=task.turned, seed=SEED)
    settings = {} if task.model is None else {"model": task.model}
    session = Session(puzzle, measure=task.measure, settings=settings, seed=SEED, threads=1)
    for way in task.ways:
        rounds = list(conversation(session, truth, way, task.share, SEED))
        yield {"panel": task.panel.name, "way": way, "rounds": [asdict(each) for each in rounds]}


def show(records: list[dict[str, object]]) -> None:
    """Print the table."""
    print("| questions | panels | " + " | ".join(f"{100 * s:.0f} %" for s in SHARES) + " |")
    print("|---|---:|" + "---:|" * len(SHARES))
    for way in WAYS:
        talks = [[Round(**r) for r in each["rounds"]] for each in records if each["way"] == way]  # type: ignore[attr-defined]
        if not talks:
            continue
        means = [fmean(at_share(talk, s).wrong for talk in talks) for s in SHARES]
        cells = [f"{mean:.1f} ({100 * mean / max(means[0], 1e-9):.0f} %)" for mean in means]
        print(f"| {way} | {len(talks)} | " + " | ".join(cells) + " |")


def main() -> None:
    """Talk about all panels."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--on", default="test/paintings", help="folder of DATA with paintings")
    parser.add_argument("--measure", default="tiles")
    parser.add_argument("--model", default=None)
    parser.add_argument("--way", action="append", choices=list(WAYS))
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--panels", type=int)
    parser.add_argument("--only", default="", help="part of the panels' names")
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    model = given.model or ("azulejo-50" if given.measure == "dlcm" else None)
    folder = given.data / given.on
    every = pictures(simulated(folder.name, "azulejo"), folder.parent)
    records = []
    if given.out is not None and given.out.exists():
        records = [json.loads(line) for line in given.out.read_text().splitlines()]
    done = {each["panel"] for each in records}
    ways = tuple(given.way or WAYS)
    found = [p for p in every if isinstance(p, Panel) and given.only in p.name]
    chosen = [p for p in found if p.name not in done][: given.panels]
    tasks = [Task(p, given.measure, model, ways, given.share, given.turned) for p in chosen]
    for record in shared(perform, tasks, given.jobs):
        records.append(record)
        rounds = record["rounds"]
        print(record["panel"], record["way"], [each["wrong"] for each in rounds], flush=True)
        if given.out is not None:
            with given.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
    show(records)


if __name__ == "__main__":
    main()
