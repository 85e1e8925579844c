"""Records: one line of JSON for every finished cell of a benchmark."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from tessella.bench.configuration import Configuration
from tessella.errors import FormatError, OutputError
from tessella.metrics import Score
from tessella.provenance import UNKNOWN, Provenance, provenance
from tessella.puzzle import Shape
from tessella.sorting import Sorting
from tessella.threads import available

NAME = "records.jsonl"
PLACES = (1, 5, 10, 20)
"""The i of Top-i that are kept."""


@dataclass(frozen=True)
class Cell:
    """One picture, one configuration, one run; the seed is None where nothing is solved."""

    suite: str
    picture: str
    configuration: Configuration
    seed: int | None


@dataclass(frozen=True)
class Outcome:
    """What a solver found: its fitness, the truth's, and how the answer compares.

    Attributes
    ----------
    generations : how many the solver went through; 0 where it has none
    worth : by which runs are compared where cells may stay empty and the solver searches by it;
        None elsewhere
    """

    fitness: float
    truth_fitness: float
    score: Score
    generations: int = 0
    worth: float | None = None

    @property
    def gap(self) -> float:
        """How far the fitness stays below the truth's, as a fraction of the latter."""
        truth = self.truth_fitness
        return (truth - self.fitness) / truth if truth else 0.0


@dataclass(frozen=True)
class Ranks:
    """Top-i of a measure at `PLACES`, before and after post-processing.

    Attributes
    ----------
    recall : how often a learned measure was asked about the true neighbour; None for others
    k : how many candidates were proposed to it for every edge; None for all, or not recorded
    """

    before: tuple[float, ...]
    after: tuple[float, ...]
    recall: float | None = None
    k: int | None = None


@dataclass(frozen=True)
class Seconds:
    """Wall and processor time of measuring (post-processing included) and of solving."""

    measuring: float
    measuring_cpu: float
    solving: float = 0.0
    solving_cpu: float = 0.0


@dataclass(frozen=True)
class Means:
    """What the times depend on, and what made the record."""

    threads: int
    jobs: int
    device: str
    made_with: Provenance = UNKNOWN

    @classmethod
    def here(cls, threads: int | None, jobs: int, device: str) -> Means:
        """Return the means of this process; cores are shared out where `threads` is None."""
        return cls(threads or max(1, available() // jobs), jobs, device, provenance())

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, which is part of a record."""
        given = {"threads": self.threads, "jobs": self.jobs, "device": self.device}
        return given | self.made_with.to_json()

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Means:
        """Read the means out of a record; earlier ones know versions alone."""
        versions = tuple(value["versions"].items())
        made_with = Provenance(versions, value.get("commit"), value.get("machine", ""))
        return cls(value["threads"], value["jobs"], value["device"], made_with)


@dataclass(frozen=True)
class Record:
    """A finished cell: an outcome where a solver ran, ranks where none did.

    Attributes
    ----------
    model : which one a learned measure used, chosen or given; None for others
    """

    cell: Cell
    pieces: int
    shape: Shape
    seconds: Seconds
    means: Means
    outcome: Outcome | None = None
    ranks: Ranks | None = None
    model: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the record as one flat object."""
        value: dict[str, Any] = {
            "suite": self.cell.suite,
            "picture": self.cell.picture,
            "pieces": self.pieces,
            "shape": list(self.shape),
            "configuration": self.cell.configuration.to_json(),
            "seed": self.cell.seed,
        }
        if self.outcome is not None:
            outcome = self.outcome
            value |= {"fitness": outcome.fitness, "truth_fitness": outcome.truth_fitness}
            value |= outcome.score.to_json() | {"generations": outcome.generations}
            value |= {} if outcome.worth is None else {"worth": outcome.worth}
        if self.ranks is not None:
            value |= {"before": _named(self.ranks.before), "after": _named(self.ranks.after)}
            value |= {} if self.ranks.recall is None else {"recall": self.ranks.recall}
            value |= {} if self.ranks.k is None else {"recall_k": self.ranks.k}
        value |= {} if self.model is None else {"model": self.model}
        value |= {"seconds": asdict(self.seconds)}
        return value | self.means.to_json()

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Record:
        """Read what `to_json` returned."""
        configuration = Configuration.from_json(value["configuration"])
        cell = Cell(value["suite"], value["picture"], configuration, value["seed"])
        rows, cols = value["shape"]
        return cls(
            cell=cell,
            pieces=value["pieces"],
            shape=(rows, cols),
            seconds=Seconds(**value["seconds"]),
            means=Means.from_json(value),
            outcome=_outcome(value) if "fitness" in value else None,
            ranks=_ranks(value) if "before" in value else None,
            model=value.get("model"),
        )


def _ranks(value: Mapping[str, Any]) -> Ranks:
    return Ranks(
        _listed(value["before"]),
        _listed(value["after"]),
        value.get("recall"),
        value.get("recall_k"),
    )


def _outcome(value: Mapping[str, Any]) -> Outcome:
    score = Score(
        neighbor=value["neighbor"],
        false_joins=value["false_joins"],
        direct=value["direct"],
        perfect=value["perfect"],
        neighbor_up_to_identical=value["neighbor_up_to_identical"],
        sorting=_sorting(value),
    )
    fitness = value["fitness"], value["truth_fitness"]
    return Outcome(*fitness, score, value["generations"], value.get("worth"))


def _sorting(value: Mapping[str, Any]) -> Sorting | None:
    """Read how pieces were sorted into sheets, where a record tells."""
    names = [field.name for field in fields(Sorting)]
    return Sorting(**{name: value[name] for name in names}) if names[0] in value else None


def _named(values: tuple[float, ...]) -> dict[str, float]:
    return {f"top{place}": value for place, value in zip(PLACES, values, strict=True)}


def _listed(value: Mapping[str, float]) -> tuple[float, ...]:
    return tuple(value[f"top{place}"] for place in PLACES)


class Journal:
    """The records of a folder: those of earlier calls, and each new one as it comes.

    A last line without an end is what a kill leaves behind; it is dropped and its cell is done
    again.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._held: dict[Cell, Record] = {}
        whole = _whole(self.path)
        for number, line in enumerate(whole.splitlines(), 1):
            record = _parsed(self.path, number, line)
            self._held[record.cell] = record
        _cut_to(self.path, len(whole))

    def __contains__(self, cell: object) -> bool:
        return cell in self._held

    @property
    def records(self) -> tuple[Record, ...]:
        """Every finished cell once, oldest first."""
        return tuple(self._held.values())

    def append(self, record: Record) -> None:
        """Write `record` down at once."""
        line = json.dumps(record.to_json(), separators=(",", ":")) + "\n"
        try:
            with self.path.open("ab") as file:
                file.write(line.encode())
        except OSError as problem:
            raise _unwritable(self.path, problem) from problem
        self._held[record.cell] = record


def _whole(path: Path) -> bytes:
    """Return the file up to the end of its last whole line."""
    try:
        content = path.read_bytes() if path.exists() else b""
    except OSError as problem:
        raise FormatError(f"Cannot read {path}: {problem.strerror or problem}.") from problem
    return content[: content.rfind(b"\n") + 1]


def _parsed(path: Path, number: int, line: bytes) -> Record:
    try:
        return Record.from_json(json.loads(line))
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise FormatError(
            f"Line {number} of {path} is not a record of this command ({problem!r}); delete the "
            "line or name another --out."
        ) from problem


def _cut_to(path: Path, size: int) -> None:
    if not path.exists() or path.stat().st_size == size:
        return
    try:
        with path.open("r+b") as file:
            file.truncate(size)
    except OSError as problem:
        raise _unwritable(path, problem) from problem


def _unwritable(path: Path, problem: OSError) -> OutputError:
    return OutputError(f"Cannot write {path}: {problem.strerror or problem}.")
