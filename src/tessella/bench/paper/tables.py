"""The paper's tables as text: ours beside the published figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tessella.bench import ablation
from tessella.bench.paper.answers import Answers, Top, spread
from tessella.bench.paper.plan import (
    ABLATION,
    PANELS,
    SOLVED,
    TOP,
    TOP_PANELS,
    Column,
    Method,
    Table,
    ablated,
    settled,
)
from tessella.bench.published import AZULEJO, FIGURES, GAP, PROPOSED, TOP_1, Figure, TopFigure
from tessella.bench.suites import SUITES
from tessella.bench.tables import Grid, Row, percent

NOT_BUILT = "not built"
NOT_RUN = "not run"
NOTHING = "-"

Totals = Mapping[str, int]
"""How many pictures the suites have."""


def grids(answers: Answers, totals: Totals) -> tuple[Grid, ...]:
    """Return tables 1 to 7."""
    return (
        *(_top(table, answers, totals) for table in TOP),
        *(_solved(table, answers, totals) for table in SOLVED),
        _ablation(answers),
        _gap(answers),
    )


def details(answers: Answers, totals: Totals) -> tuple[Grid, ...]:
    """Return what tables 2 to 5 do not show: means, spreads, runs and times."""
    return tuple(
        Grid(
            f"Details of {table.title}",
            (
                "method",
                "puzzles",
                "pictures",
                "runs",
                "mean %",
                "spread over runs",
                "best by fitness %",
                "best by truth %",
                "paper's %",
                "up to identical %",
                "perfect",
                "paper's perfect",
                "s a run",
                "measuring s",
            ),
            tuple(_detailed(table, answers, totals)),
        )
        for table in SOLVED
    )


def _top(table: Table, answers: Answers, totals: Totals) -> Grid:
    figures = {figure.measure: figure for figure in TOP_1} if table == TOP_PANELS else {}
    quoted = ("paper's Type-1", "paper's Type-2") if figures else ()
    rows = []
    for method in table.methods:
        cells = [_ranked(method, column, answers, totals) for column in table.columns]
        rows.append((_measure(method), *cells, *_top_figures(figures, method.published)))
    ours = {method.published for method in table.methods}
    empty = (NOTHING,) * len(table.columns)
    rows += [
        (f"{name}, published", *empty, *_top_figures(figures, name))
        for name in figures
        if name not in ours
    ]
    remarks = ["Top-1 in %, before / after the paper's post-processing; mean over the pictures."]
    if figures:
        remarks.append("The paper's figures are for the museum's panels, ours for simulated ones.")
    head = ("measure", *(column.title for column in table.columns), *quoted)
    return Grid(table.title, head, tuple(rows), tuple(remarks))


def _measure(method: Method) -> str:
    return f"{method.measure} ({method.published})" if method.published else method.measure


def _top_figures(figures: Mapping[str, TopFigure], name: str) -> tuple[str, ...]:
    if not figures:
        return ()
    figure = figures.get(name)
    return (f"{figure.upright:g}", f"{figure.turned:g}") if figure else (NOTHING, NOTHING)


def _ranked(method: Method, column: Column, answers: Answers, totals: Totals) -> str:
    if not method.built:
        return NOT_BUILT
    top = Top.of(answers.of(column.suite, method.configuration(column)))
    if top is None:
        return NOT_RUN
    text = f"{percent(top.before)} / {percent(top.after)}"
    return text + _partial(top.pictures, column.suite, totals)


def _partial(pictures: int, suite: str, totals: Totals) -> str:
    """Say how many pictures there are where not all are done."""
    total = whole(suite, totals)
    return "" if pictures == total else f" ({pictures}/{total})"


def whole(suite: str, totals: Totals) -> int:
    """Return how many pictures a suite has; a copy may hold fewer than were published."""
    return SUITES[suite].pictures if suite in SUITES else totals.get(suite, 24)


def _solved(table: Table, answers: Answers, totals: Totals) -> Grid:
    rows = []
    left = [m for m in table.methods if not m.built or any(map(m.covers, table.columns))]
    for name in _published(table):
        rows.append((f"{name}, published", *(_quoted(name, c) for c in table.columns)))
        for method in [each for each in left if each.published == name]:
            left.remove(method)
            rows.append(_ours(method, table, answers, totals))
    rows += [_ours(method, table, answers, totals) for method in left]
    remarks = (
        "Neighbor accuracy in %: best of the runs by fitness (in brackets where there are several: "
        "by truth, which is what the paper reports of its own), and how many pictures the fittest "
        "runs make perfect.",
    )
    head = ("method", *(column.title for column in table.columns))
    return Grid(table.title, head, tuple(rows), remarks)


def _published(table: Table) -> list[str]:
    """Return the methods with a figure for any of the table's puzzles, in the paper's order."""
    every = [figure.method for column in table.columns for figure in _figures(column)]
    last = [PROPOSED] if PROPOSED in every else []
    return [name for name in dict.fromkeys(every) if name != PROPOSED] + last


def _figures(column: Column) -> list[Figure]:
    suite = AZULEJO if column.suite == PANELS else column.suite
    setup = column.setup
    wanted = (suite, setup.turned, setup.shape_known, setup.erode, setup.piece)
    return [f for f in FIGURES if (f.suite, f.turned, f.shape_known, f.erode, f.piece) == wanted]


def _figure(name: str, column: Column) -> Figure | None:
    """Return a method's published figure; the later one where two papers are quoted."""
    return next((f for f in reversed(_figures(column)) if f.method == name), None)


def _quoted(name: str, column: Column) -> str:
    figure = _figure(name, column)
    if figure is None:
        return NOTHING
    parts = [f"{figure.neighbor:g}"] if figure.neighbor is not None else []
    parts += [f"direct {figure.direct:g}"] if figure.direct is not None else []
    parts += [f"{figure.perfect} perfect"] if figure.perfect is not None else []
    return ", ".join(parts)


def _ours(method: Method, table: Table, answers: Answers, totals: Totals) -> tuple[str, ...]:
    cells = (_one(method, column, answers, totals) for column in table.columns)
    return f"tessella: {method.label}", *cells


def _one(method: Method, column: Column, answers: Answers, totals: Totals) -> str:
    if not method.built:
        return NOT_BUILT
    if not method.covers(column):
        return NOTHING
    row = answers.row(column.suite, method.configuration(column))
    if row is None:
        return NOT_RUN
    truth = "" if row.runs == "1" else f" ({percent(row.by_truth)})"
    best = f"{percent(row.by_fitness)}{truth}, {row.perfect} perfect"
    runs = "" if row.runs == str(method.runs) else f", runs: {row.runs}"
    return best + _partial(len(row.pictures), column.suite, totals) + runs


def _detailed(table: Table, answers: Answers, totals: Totals) -> Iterator[tuple[str, ...]]:
    for column in table.columns:
        for method in table.methods:
            if not (method.built and method.covers(column)):
                continue
            row = answers.row(column.suite, method.configuration(column))
            figure = _figure(method.published, column)
            if row is not None:
                done = f"{len(row.pictures)}/{whole(column.suite, totals)}"
                yield method.label, column.title, done, *_measured(row, figure)


def _measured(row: Row, figure: Figure | None) -> tuple[str, ...]:
    neighbor = None if figure is None else figure.neighbor
    perfect = None if figure is None else figure.perfect
    deviation = spread(row)
    return (
        row.runs,
        percent(row.mean),
        NOTHING if deviation is None else percent(deviation),
        percent(row.by_fitness),
        percent(row.by_truth),
        NOTHING if neighbor is None else f"{neighbor:g}",
        percent(row.up_to_identical),
        str(row.perfect),
        NOTHING if perfect is None else str(perfect),
        f"{row.seconds(lambda run: run.seconds.solving):.2f}",
        f"{row.seconds(lambda run: run.seconds.measuring):.2f}",
    )


def _ablation(answers: Answers) -> Grid:
    """Return the ablation as ``bench ablation`` shows it."""
    named = {name: settled(by, None) for name, by in ablated(turned=False).items()}
    made = ablation.table(PANELS, named, answers.records)
    return Grid(ABLATION, made.head, made.rows, (f"{made.title}.", *made.remarks))


def _gap(answers: Answers) -> Grid:
    """Return how far the fittest runs stay below the truth's fitness, in percent of it."""
    ours = [method for method in SOLVED[0].methods if method.published == PROPOSED]
    rows = tuple(
        (
            f"{table.title.partition('. ')[2]}: {column.title}",
            *(_fallen(answers.row(column.suite, m.configuration(column))) for m in ours),
            f"{GAP[column.setup.turned]:g}" if column.suite == PANELS else NOTHING,
        )
        for table in SOLVED
        for column in table.columns
    )
    remarks = (
        "(Truth's fitness - found fitness) / truth's fitness in %, mean over the pictures' fittest "
        "runs; below 0 where the measure likes the answer better than the truth. In brackets how "
        "many pictures. The paper gives one figure a type, for the museum's panels.",
    )
    head = ("puzzles", *(method.label for method in ours), "paper's")
    return Grid("7. Fitness gap to the truth", head, rows, remarks)


def _fallen(row: Row | None) -> str:
    return NOT_RUN if row is None else f"{100 * row.gap:.3f} ({len(row.pictures)})"
