"""``results.md``: the paper's tables with what is needed to trust them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tessella.bench.paper.answers import Answers
from tessella.bench.paper.plan import RUNS, SOLVED, TOP, Entry
from tessella.bench.paper.tables import Totals, whole
from tessella.bench.records import Means, Record
from tessella.bench.tables import Grid
from tessella.bench.tasks import CUT_SEED
from tessella.provenance import provenance
from tessella.threads import available

NAME = "results.md"
CALLS = "calls.jsonl"

DIFFERENCES = (
    "Networks were trained on other photographs than DIV2K, which cannot be had.",
    "The museum's 24 azulejo panels cannot be had; panels simulated from paintings that no network "
    "was trained on stand in for them. Their figures and the paper's are about different pictures.",
    "The paper's azulejo and ablation figures are the best of 50 runs by truth, ours the best of "
    f"{RUNS}, by fitness and (in brackets) by truth.",
    "Published rows are quoted from the paper; rows called tessella are the same methods as built "
    "here, in one harness, with the deviations that docs/baselines.md tells.",
    "The documents are one CVPR paper of 8 pages, not the paper's of 9.",
    "A cell that a learned measure computed on a graphics card counts as the same as one computed "
    "on the processor.",
)


@dataclass(frozen=True)
class Call:
    """One call that did some cells: with what it did them.

    Attributes
    ----------
    commit : of the program, with "+" where files were changed since; "" where it is not known
    machine : in words; those of earlier versions do not tell the cores
    cells : how many it finished
    """

    commit: str
    version: str
    cores: int
    threads: int
    jobs: int
    device: str
    machine: str
    card: bool
    quick: bool
    cells: int

    @classmethod
    def of(cls, means: Means, *, quick: bool, cells: int) -> Call:
        """Describe a call on this machine."""
        return cls(
            commit=means.made_with.commit or "",
            version=means.made_with.version,
            cores=available(),
            threads=means.threads,
            jobs=means.jobs,
            device=means.device,
            machine=means.made_with.machine,
            card=Path("/proc/driver/nvidia").exists(),
            quick=quick,
            cells=cells,
        )

    def sentence(self) -> str:
        """Return the call in words."""
        which = f"commit {self.commit}" if self.commit else "no commit known"
        card = "with" if self.card else "without"
        subset = ", the quick subset" if self.quick else ""
        cores = "" if " core" in self.machine else f", {self.cores} cores"
        return (
            f"{self.cells} cells by tessella {self.version} ({which}) on {self.machine}{cores}, "
            f"{card} a graphics card, {self.jobs} pictures at a time, "
            f"{self.threads} threads each, device {self.device}{subset}"
        )


def note_call(folder: Path, call: Call) -> None:
    """Add `call` to those of `folder`; one that did nothing is not worth a line."""
    if call.cells:
        with (folder / CALLS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(call)) + "\n")


def calls(folder: Path) -> list[Call]:
    """Return the calls that filled `folder`."""
    path = folder / CALLS
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [Call(**json.loads(line)) for line in lines]


def write_up(
    grids: Sequence[Grid],
    details: Sequence[Grid],
    answers: Answers,
    entries: Sequence[Entry],
    totals: Totals,
    made_by: Sequence[Call],
    problems: Sequence[str],
    pictures: Mapping[str, str],
) -> str:
    """Return the whole text.

    Parameters
    ----------
    entries : what a full run has
    problems : what could not be done, each in a sentence
    pictures : captions of plots by file name
    """
    parts = [
        "# Results\n",
        'The tables of Rika et al., "A Generic Hybrid Framework for 2D Visual Reconstruction", '
        "with what tessella gives. Written by `tessella bench paper --data DATA --out OUT` from "
        "OUT's records, not by hand. A cell with n/20 has n pictures of 20 and cannot "
        "be compared with figures of all 20; "
        '"not run" has none; '
        '"not built" is a method that tessella does not have.\n',
        _provenance(answers.records, made_by, _extent(answers, entries, totals)),
        "## What differs from the paper\n",
        _listed(DIFFERENCES),
        *(grid.markdown() for grid in grids),
        *(f"![{caption}]({name})\n" for name, caption in pictures.items()),
        "## What was not run\n",
        _listed([*_missing(answers, entries, totals), *problems] or ["Everything was run."]),
        *(grid.markdown() for grid in details if grid.rows),
    ]
    return "\n".join(parts)


def _listed(lines: Iterable[str]) -> str:
    return "".join(f"- {line}\n" for line in lines)


def _extent(answers: Answers, entries: Sequence[Entry], totals: Totals) -> str:
    """Say how much of a full run is done, in cells: a picture, a method, a run."""
    asked = done = 0
    for suite, by, runs in {(e.column.suite, e.configuration, max(e.runs, 1)) for e in entries}:
        asked += runs * whole(suite, totals)
        done += sum((r.cell.seed or 1) <= runs for r in answers.of(suite, by))
    return f"{done} of the {asked} cells of a full run are done"


def _provenance(records: Sequence[Record], made_by: Sequence[Call], extent: str) -> str:
    lines = [f"**{extent}.**"]
    lines += [f"{call.sentence()}." for call in made_by]
    lines += _others(records, made_by)
    spent, written = _hours(records), provenance().commit or "unknown"
    lines += [
        f"Tables written at commit {written} (+ after a commit: with changes).",
        f"Seeds: every picture is shuffled and turned with seed {CUT_SEED}; runs have seeds 1 to "
        f"{RUNS}, solvers that draw no lots the seed 1.",
        f"The cells took {spent:.2f} hours of processor time, each measuring counted once.",
    ]
    return "## How they came about\n\n" + _listed(lines)


def _others(records: Sequence[Record], made_by: Sequence[Call]) -> list[str]:
    """Say what no call of this folder noted: those that were killed, or other folders' calls."""
    rest = len(records) - sum(call.cells for call in made_by)
    if rest <= 0:
        return []
    versions = sorted({record.means.made_with.version or "?" for record in records})
    listed = ", ".join(versions)
    return [f"{rest} cells by calls that were killed or made elsewhere (tessella {listed})."]


def _hours(records: Sequence[Record]) -> float:
    """Return the processor time of all cells; runs on the same scores share their measuring."""
    measuring = {
        (r.cell.suite, r.cell.picture, r.cell.configuration.measuring): r.seconds.measuring_cpu
        for r in records
    }
    return (sum(measuring.values()) + sum(r.seconds.solving_cpu for r in records)) / 3600


def _missing(answers: Answers, entries: Sequence[Entry], totals: Totals) -> list[str]:
    """Return what is empty or partial, rows of a table that miss the same together."""
    rows: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        total = whole(entry.column.suite, totals)
        some, all_runs = (
            answers.pictures(entry.column.suite, entry.configuration, runs)
            for runs in (1, entry.runs)
        )
        if all_runs < total:
            few = "" if some == all_runs else f" (all {entry.runs} runs: {all_runs})"
            cell = f"{entry.column.title}: {some}/{total}{few}"
            rows.setdefault((entry.table, entry.row), []).append(cell)
    alike: dict[tuple[str, str], list[str]] = {}
    for (table, row), cells in rows.items():
        alike.setdefault((table, "; ".join(cells)), []).append(row)
    lines = [f"{table}: {' / '.join(names)}: {cells}." for (table, cells), names in alike.items()]
    return lines + _absent()


def _absent() -> list[str]:
    """Say which methods of the tables this version does not have."""
    where: dict[str, list[str]] = {}
    for table in (*TOP, *SOLVED):
        for method in (each for each in table.methods if not each.built):
            where.setdefault(method.label, []).append(table.title.partition(".")[0])
    return [f"Not built: {name} (tables {', '.join(titles)})." for name, titles in where.items()]
