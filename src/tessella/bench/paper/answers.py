"""What the records of a folder answer of the paper's tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import fmean, stdev

from tessella.bench.configuration import Configuration
from tessella.bench.paper.plan import settled
from tessella.bench.records import Cell, Record
from tessella.bench.tables import Row


class Answers:
    """Records by what they are about, whoever made them; the latest of equals counts."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._all: dict[Cell, Record] = {}
        self._held: dict[tuple[str, Configuration], dict[Cell, Record]] = {}
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """Take one more record.

        One whose model was chosen by the puzzle answers for the choice and for the model.
        """
        by, suite = record.cell.configuration, record.cell.suite
        named = settled(by, record.model)
        cell = replace(record.cell, configuration=named)
        self._all[cell] = replace(record, cell=cell)
        for each in {named, settled(by, None)}:
            cell = replace(record.cell, configuration=each)
            self._held.setdefault((suite, each), {})[cell] = replace(record, cell=cell)

    def __contains__(self, cell: Cell) -> bool:
        configuration = settled(cell.configuration, None)
        group = self._held.get((cell.suite, configuration), {})
        return replace(cell, configuration=configuration) in group

    @property
    def records(self) -> list[Record]:
        """Every record once, with its model named."""
        return list(self._all.values())

    def of(self, suite: str, configuration: Configuration) -> list[Record]:
        """Return the records of one configuration on one suite."""
        return list(self._held.get((suite, settled(configuration, None)), {}).values())

    def row(self, suite: str, configuration: Configuration) -> Row | None:
        """Return the runs of one configuration on one suite, if there are any."""
        records = self.of(suite, configuration)
        return Row.of(configuration, records) if records else None

    def pictures(self, suite: str, configuration: Configuration, runs: int = 1) -> int:
        """Return how many pictures have at least so many runs."""
        counts = Counter(record.cell.picture for record in self.of(suite, configuration))
        return sum(count >= runs for count in counts.values())


@dataclass(frozen=True)
class Top:
    """Top-1 before and after post-processing, the mean over the pictures."""

    before: float
    after: float
    pictures: int

    @classmethod
    def of(cls, records: Iterable[Record]) -> Top | None:
        """Return the mean of ranks, if there are any."""
        ranks = [record.ranks for record in records if record.ranks is not None]
        if not ranks:
            return None
        before, after = fmean(r.before[0] for r in ranks), fmean(r.after[0] for r in ranks)
        return cls(before, after, len(ranks))


def spread(row: Row) -> float | None:
    """Return the standard deviation over runs of the mean over pictures, as a fraction.

    Only runs that all pictures have count; None where there are fewer than two.
    """
    by_seed = [
        {run.cell.seed: run.outcome.score.neighbor for run in picture.runs if run.outcome}
        for picture in row.pictures
    ]
    shared = set(by_seed[0]).intersection(*by_seed)
    means = [fmean(values[seed] for values in by_seed) for seed in shared]
    return stdev(means) if len(means) > 1 else None
