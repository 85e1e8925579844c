"""Tables of finished cells, with the published figures beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

from tessella.bench.configuration import Configuration
from tessella.bench.losses import WHOLE
from tessella.bench.published import GAP, SOURCES, Figure, figures
from tessella.bench.records import PLACES, Outcome, Record
from tessella.bench.suites import SUITES
from tessella.imaging.folder import natural

K = TypeVar("K")


@dataclass(frozen=True)
class Grid:
    """A table as text: a title, one line of headings, rows of as many cells, and remarks."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the table with aligned columns, for a terminal."""
        heads = [cell.split("\n") for cell in self.head]
        depth = max(map(len, heads))
        above = zip(*([""] * (depth - len(cell)) + cell for cell in heads), strict=True)
        lines = [self._line(row) for row in (*above, self._rule(), *self.rows)]
        return "\n".join([self.title, *lines, *self.remarks, ""])

    def markdown(self) -> str:
        """Return the table in Markdown."""
        head = [cell.replace("\n", " ") for cell in self.head]
        rule = ["---:" if self._numeric(i) else "---" for i in range(len(self.head))]
        rows = [[cell.replace("|", "\\|") for cell in row] for row in self.rows]
        lines = [f"| {' | '.join(row)} |" for row in (head, rule, *rows)]
        return "\n".join([f"## {self.title}\n", *lines, *(f"\n{r}" for r in self.remarks), ""])

    def _rule(self) -> tuple[str, ...]:
        columns = zip(self.head, *self.rows, strict=True)
        return tuple(
            "-" * max(len(line) for cell in column for line in cell.split("\n"))
            for column in columns
        )

    def _line(self, row: Iterable[str]) -> str:
        widths = [len(rule) for rule in self._rule()]
        cells = [
            cell.rjust(width) if self._numeric(i) else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    def _numeric(self, column: int) -> bool:
        """Whether a column holds numbers, which stand to the right."""
        return all(row[column][:1] in "-0123456789" for row in self.rows) and column > 0


@dataclass(frozen=True)
class Picture:
    """All runs of one configuration on one picture; at least one."""

    name: str
    runs: tuple[Record, ...]

    @property
    def outcomes(self) -> list[Outcome]:
        """What the runs found."""
        return [run.outcome for run in self.runs if run.outcome is not None]

    @property
    def mean(self) -> float:
        """Neighbor accuracy, the mean over the runs."""
        return fmean(outcome.score.neighbor for outcome in self.outcomes)

    @property
    def by_fitness(self) -> Outcome:
        """The run that a user would be given: the fittest, the earliest seed of equals."""
        return max(self.outcomes, key=lambda outcome: outcome.fitness)

    @property
    def by_truth(self) -> float:
        """The best neighbor accuracy of all runs, which only the truth can tell."""
        return max(outcome.score.neighbor for outcome in self.outcomes)

    def seconds(self, of: Callable[[Record], float]) -> float:
        """Return the mean of a time over the runs."""
        return fmean(of(run) for run in self.runs)


@dataclass(frozen=True)
class Row:
    """One configuration on one suite; fractions and seconds are means over the pictures."""

    configuration: Configuration
    pictures: tuple[Picture, ...]

    @classmethod
    def of(cls, configuration: Configuration, records: Iterable[Record]) -> Row:
        """Collect records of one suite and configuration that have outcomes."""
        by_picture = _grouped(records, lambda record: record.cell.picture)
        return cls(
            configuration,
            tuple(
                Picture(name, tuple(sorted(runs, key=lambda run: run.cell.seed or 0)))
                for name, runs in sorted(by_picture.items(), key=lambda item: natural(item[0]))
            ),
        )

    @property
    def runs(self) -> str:
        """How many runs the pictures have."""
        counts = [len(picture.runs) for picture in self.pictures]
        few, many = min(counts), max(counts)
        return str(few) if few == many else f"{few} to {many}"

    @property
    def mean(self) -> float:
        """Neighbor accuracy over all runs."""
        return fmean(picture.mean for picture in self.pictures)

    @property
    def by_fitness(self) -> float:
        """Neighbor accuracy of every picture's fittest run."""
        return fmean(picture.by_fitness.score.neighbor for picture in self.pictures)

    @property
    def by_truth(self) -> float:
        """Neighbor accuracy of every picture's best run: the papers' best of R."""
        return fmean(picture.by_truth for picture in self.pictures)

    @property
    def up_to_identical(self) -> float:
        """Neighbor accuracy up to identical pieces of every picture's fittest run."""
        return fmean(p.by_fitness.score.neighbor_up_to_identical for p in self.pictures)

    @property
    def perfect(self) -> int:
        """How many pictures' fittest runs are perfect."""
        return sum(picture.by_fitness.score.perfect for picture in self.pictures)

    @property
    def gap(self) -> float:
        """How far the fittest runs stay below the truth's fitness, relative to it."""
        return fmean(picture.by_fitness.gap for picture in self.pictures)

    def seconds(self, of: Callable[[Record], float]) -> float:
        """Return the mean of a time over runs and pictures."""
        return fmean(picture.seconds(of) for picture in self.pictures)


def overview(records: Sequence[Record], totals: Mapping[str, int]) -> list[Grid]:
    """Return, for every kind of puzzle, our results, the published ones, and the measures' ranks.

    Parameters
    ----------
    totals : how many pictures a suite has; needed for unpublished suites
    """
    grids = []
    for (suite, turned, erode, piece), group in _puzzles(records).items():
        total = SUITES[suite].pictures if suite in SUITES else totals.get(suite)
        title = _title(suite, turned, erode, piece)
        rows = [Row.of(by, those) for by, those in _solved(group).items()]
        known = figures(suite, turned=turned, erode=erode, piece=piece)
        if rows:
            grids.append(_summary(title, rows, total, turned))
        if rows and known:
            grids.append(_comparison(title, known, rows, total))
        ranked = [record for record in group if record.ranks is not None]
        if ranked:
            grids.append(_ranks(title, ranked, total))
    return grids


def by_picture(records: Sequence[Record]) -> list[Grid]:
    """Return one table a configuration with a row for every picture."""
    return [
        _pictures(_title(*puzzle), Row.of(by, those))
        for puzzle, group in _puzzles(records).items()
        for by, those in _solved(group).items()
    ]


def _puzzles(records: Iterable[Record]) -> dict[tuple[str, bool, int, int], list[Record]]:
    """Group by kind of puzzle: the suites in their order, upright before turned."""
    # What is lossy has tables of its own, beside which nothing is published.
    whole = (r for r in records if r.cell.configuration.setup.losses == WHOLE)
    groups = _grouped(
        whole,
        lambda record: (
            record.cell.suite,
            record.cell.configuration.setup.turned,
            record.cell.configuration.setup.erode,
            record.cell.configuration.setup.piece,
        ),
    )
    known = list(SUITES)

    def place(suite: str) -> tuple[int, str]:
        return (known.index(suite) if suite in known else len(known)), suite

    return dict(sorted(groups.items(), key=lambda item: (place(item[0][0]), item[0][1:])))


def _solved(group: Iterable[Record]) -> dict[Configuration, list[Record]]:
    solved = (record for record in group if record.outcome is not None)
    return _grouped(solved, lambda record: record.cell.configuration)


def _grouped(records: Iterable[Record], key: Callable[[Record], K]) -> dict[K, list[Record]]:
    groups: dict[K, list[Record]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return groups


def _title(suite: str, turned: bool, erode: int, piece: int) -> str:
    kind = "turned (Type-2)" if turned else "upright (Type-1)"
    worn = f", {erode} px eroded" if erode else ""
    return f"{suite}, {kind}, pieces of {piece} px{worn}"


def _summary(title: str, rows: Sequence[Row], total: int | None, turned: bool) -> Grid:
    head = (
        "measure, solver",
        "pictures",
        "runs",
        "mean %",
        "best by\nfitness %",
        "best by\ntruth %",
        "up to\nidentical %",
        "perfect",
        "fitness\ngap %",
        "s\na run",
        "CPU s\na run",
        "measuring\ns",
        "measuring\nCPU s",
    )
    remarks = (
        "Neighbor accuracy. Up to identical, perfect and gap are those of the best by fitness; the "
        f"gap to the truth's fitness is {GAP[turned]} % in Rika et al. (azulejo panels).",
        f"Times: {_conditions(rows)}.",
    )
    return Grid(title, head, tuple(_summed(row, total) for row in rows), remarks)


def _summed(row: Row, total: int | None) -> tuple[str, ...]:
    return (
        row.configuration.label(),
        _count(len(row.pictures), total),
        row.runs,
        percent(row.mean),
        percent(row.by_fitness),
        percent(row.by_truth),
        percent(row.up_to_identical),
        f"{row.perfect}/{len(row.pictures)}",
        percent(row.gap),
        f"{row.seconds(lambda run: run.seconds.solving):.2f}",
        f"{row.seconds(lambda run: run.seconds.solving_cpu):.2f}",
        f"{row.seconds(lambda run: run.seconds.measuring):.2f}",
        f"{row.seconds(lambda run: run.seconds.measuring_cpu):.2f}",
    )


def _conditions(rows: Iterable[Row]) -> str:
    """Say with how many threads and processes the times were taken."""
    every = {
        (run.means.threads, run.means.jobs)
        for row in rows
        for picture in row.pictures
        for run in picture.runs
    }
    conditions = [
        f"threads {threads}, pictures at a time {jobs}" for threads, jobs in sorted(every)
    ]
    return "; or ".join(conditions)


def _comparison(
    title: str, known: Sequence[Figure], rows: Sequence[Row], total: int | None
) -> Grid:
    head = ("method", "neighbor %", "best by\ntruth %", "perfect", "from")
    ours = tuple(
        (
            f"tessella: {row.configuration.label()}",
            percent(row.by_fitness),
            percent(row.by_truth),
            f"{row.perfect}/{len(row.pictures)}",
            f"{_count(len(row.pictures), total)} pictures, best of {row.runs} by fitness",
        )
        for row in rows
    )
    return Grid(f"Published: {title}", head, (*map(_quoted, known), *ours))


def _quoted(figure: Figure) -> tuple[str, ...]:
    method = figure.method if figure.shape_known else f"{figure.method}, shape unknown"
    perfect = "-" if figure.perfect is None else f"{figure.perfect}/{figure.pictures}"
    neighbor = "-" if figure.neighbor is None else f"{figure.neighbor:g}"
    notes = [SOURCES[figure.source]]
    notes += [f"direct {figure.direct:g} %"] if figure.direct is not None else []
    notes += [figure.note] if figure.note else []
    return method, neighbor, "-", perfect, "; ".join(notes)


def _ranks(title: str, ranked: Sequence[Record], total: int | None) -> Grid:
    head = (
        "measure",
        "pictures",
        *(f"Top-{place}\nbefore %" for place in PLACES),
        *(f"Top-{place}\nafter %" for place in PLACES),
        "recall %\nof K listed",
        "measuring\ns",
        "measuring\nCPU s",
    )
    groups = _grouped(ranked, lambda record: record.cell.configuration)
    rows = tuple(
        (
            configuration.label(),
            _count(len(those), total),
            *_mean_ranks(those),
            _mean_recall(those),
            f"{fmean(one.seconds.measuring for one in those):.2f}",
            f"{fmean(one.seconds.measuring_cpu for one in those):.2f}",
        )
        for configuration, those in groups.items()
    )
    return Grid(f"Measures: {title}", head, rows)


def _mean_ranks(records: Sequence[Record]) -> list[str]:
    ranks = [record.ranks for record in records if record.ranks is not None]
    columns = zip(*((*one.before, *one.after) for one in ranks), strict=True)
    return [percent(fmean(column)) for column in columns]


def _mean_recall(records: Sequence[Record]) -> str:
    known = [r.ranks for r in records if r.ranks and r.ranks.recall is not None]
    if not known:
        return "-"
    counts = sorted({each.k for each in known if each.k is not None})
    of = f" of {' or '.join(map(str, counts))}" if counts else ""
    return percent(fmean(each.recall or 0.0 for each in known)) + of


def _pictures(title: str, row: Row) -> Grid:
    head = (
        "picture",
        "pieces",
        "shape",
        "runs",
        "mean %",
        "best by\nfitness %",
        "best by\ntruth %",
        "up to\nidentical %",
        "false\njoins %",
        "direct %",
        "perfect",
        "fitness\ngap %",
        "s\na run",
    )
    rows = tuple(_one_picture(picture) for picture in row.pictures)
    return Grid(f"Pictures: {title}, {row.configuration.label()}", head, rows)


def _one_picture(picture: Picture) -> tuple[str, ...]:
    best = picture.by_fitness
    shape = picture.runs[0].shape
    return (
        picture.name,
        str(picture.runs[0].pieces),
        f"{shape[0]}x{shape[1]}",
        str(len(picture.runs)),
        percent(picture.mean),
        percent(best.score.neighbor),
        percent(picture.by_truth),
        percent(best.score.neighbor_up_to_identical),
        percent(best.score.false_joins),
        percent(best.score.direct),
        "yes" if best.score.perfect else "no",
        percent(best.gap),
        f"{picture.seconds(lambda run: run.seconds.solving):.2f}",
    )


def percent(fraction: float) -> str:
    """Return a fraction in percent with two decimals."""
    return f"{round(100 * fraction, 2) + 0.0:.2f}"  # Adding 0 turns -0.00 into 0.00.


def _count(some: int, total: int | None) -> str:
    return str(some) if total is None else f"{some}/{total}"
