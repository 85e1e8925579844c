"""The plan of ``bench paper``: which puzzles and which methods fill the cells of which table."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tessella import models, registry
from tessella.bench import ablation
from tessella.bench.configuration import NONE, Configuration, Setup, Value, configure
from tessella.bench.published import PROPOSED
from tessella.bench.suites import SUITES, simulated
from tessella.models import choice
from tessella.solving import covered

RUNS = 5
"""Runs of solvers that draw lots; the others have one. The paper takes 5, on panels 50."""

_PAIRS = ("squeezenet", "gan")
"""Networks of other people, with one model for each size of pieces, named by it."""

PANELS = simulated("paintings", choice.AZULEJO)
"""Simulated panels stand in for the museum's."""


@dataclass(frozen=True)
class Column:
    """Puzzles of one kind.

    Attributes
    ----------
    suite, setup : as in a benchmark
    title : the heading
    folder : of the data folder, the one above the suite's
    model : that `dlcm` uses
    """

    suite: str
    setup: Setup
    title: str
    folder: str
    model: str


@dataclass(frozen=True)
class Method:
    """A row of ours.

    Attributes
    ----------
    published : the name of the same thing in the paper's table, beside which it stands
    runs : 0 where the measure is ranked and nothing solved
    """

    measure: str
    solver: str
    published: str = ""
    runs: int = 1

    @property
    def label(self) -> str:
        """The names of the parts."""
        return self.measure if self.solver == NONE.name else f"{self.measure}, {self.solver}"

    @property
    def built(self) -> bool:
        """Whether this version of tessella has the parts."""
        solver = self.solver == NONE.name or self.solver in registry.names("solver")
        measure = self.measure in registry.names("measure")
        return (
            solver and measure and (self.measure not in _PAIRS or bool(models.names(self.measure)))
        )

    @property
    def learned(self) -> bool:
        """Whether the measure is a network, which takes long."""
        return "model" in registry.settings(registry.find("measure", self.measure))

    def covers(self, column: Column) -> bool:
        """Say whether the method is for such puzzles."""
        if self.solver == NONE.name:
            return True
        limits = covered(registry.find("solver", self.solver))
        setup = column.setup
        return limits.includes(upright=not setup.turned, shape_known=setup.shape_known)

    def configuration(self, column: Column, device: str = "auto") -> Configuration:
        """Return what is run on the puzzles of `column`."""
        given: dict[str, Value] = {}
        if self.measure == "dlcm":
            given = {"model": column.model}
        elif self.measure in _PAIRS:
            given = {"model": f"{self.measure}-{column.setup.piece}"}
        anywhere = "device" in registry.settings(registry.find("measure", self.measure))
        where = device if anywhere else "auto"
        return configure(self.measure, self.solver, given, column.setup, where)


@dataclass(frozen=True)
class Table:
    """A table: methods by puzzles."""

    title: str
    columns: tuple[Column, ...]
    methods: tuple[Method, ...]


@dataclass(frozen=True)
class Entry:
    """One cell of a table: some pictures of a suite, so many runs each.

    Attributes
    ----------
    limit : how many pictures, None for all
    """

    table: str
    row: str
    column: Column
    configuration: Configuration
    runs: int
    limit: int | None = None


_NAMES = dict(
    zip(
        SUITES,
        ("MIT 432", "McGill 540", "Pomeranz 805", "Pomeranz 2360", "Pomeranz 3300"),
        strict=False,  # The large sets are in no table of the paper.
    )
)
_SMALL = {"mit_432": "MIT 70", "mcgill_540": "McGill 88", "pomeranz_805": "Pomeranz 150"}
"""The three sets that are cut into pieces of 64 px too, by the numbers that gives."""

_KINDS = {False: "Type-1", True: "Type-2"}


def _clean(suite: str, turned: bool) -> Column:
    return Column(suite, Setup(turned), _NAMES[suite], "bench", "photo-28")


def _eroded(suite: str, turned: bool, erode: int) -> Column:
    setup = Setup(turned, True, erode, 64)
    return Column(suite, setup, f"{_SMALL[suite]}, {erode} px", "bench", "eroded-64")


def _panels(turned: bool, known: bool = True) -> Column:
    title = "known shape" if known else "unknown shape"
    return _typed(Column(PANELS, Setup(turned, known, 0, 50), title, "test", "azulejo-50"))


def _typed(column: Column) -> Column:
    """Return `column` with its type in the title."""
    return replace(column, title=f"{_KINDS[column.setup.turned]}, {column.title}")


_MEASURES = (
    Method("prediction", "none", "Prediction-based", 0),
    Method("ssd", "none", "SSD (RGB)", 0),
    Method("mgc", "none", "MGC", 0),
    Method("ssd_lab", "none", "SSD (LAB)", 0),
    Method("l1", "none", "L1", 0),
    Method("wmgc", "none", "", 0),
    Method("squeezenet", "none", "SqueezeNet-based", 0),
    Method("gan", "none", "GAN-based", 0),
    Method("embedding", "none", "", 0),
    Method("dlcm", "none", "DLCM", 0),
)


def _without(name: str) -> tuple[Method, ...]:
    return tuple(method for method in _MEASURES if method.measure != name)


_OURS = (
    Method("mgc", "genetic", PROPOSED, RUNS),
    Method("dlcm", "genetic", PROPOSED, RUNS),
)

_BRIDGER = Method("gan", "paikin_tal", "Bridger et al.")

_BASELINES = (
    Method("prediction", "pomeranz", "Pomeranz et al."),
    Method("mgc", "gallagher", "Gallagher"),
    Method("l1", "paikin_tal", "Paikin and Tal"),
)

_SOLVERS = (
    *_BASELINES,
    Method("mgc", "pomeranz", "Pomeranz et al."),
    Method("mgc", "paikin_tal", "Paikin and Tal"),
    Method("ssd_lab", "sholomon", "Sholomon et al.", RUNS),
    Method("mgc", "sholomon", "Sholomon et al.", RUNS),
    Method("mgc", "linear", "Yu et al."),
    Method("mgc", "loops", "Son et al."),
    *_OURS,
)


_EACH = tuple((suite, turned) for turned in (False, True) for suite in _SMALL)

TOP_CLEAN = Table(
    "1a. Top-1, whole pieces of 28 px",
    tuple(_typed(_clean(*each)) for each in _EACH),
    _without("gan"),  # There is no gap to fill.
)
TOP_ERODED = tuple(
    Table(
        f"{number}. Top-1, pieces of 64 px that lost {erode} px a side ({share})",
        tuple(_typed(_eroded(*each, erode)) for each in _EACH),
        _without("embedding"),  # Its one model is for clean photographs.
    )
    for number, erode, share in (("1b", 2, "7 %"), ("1c", 4, "14 %"))
)
TOP_PANELS = Table(
    "1d. Top-1, simulated azulejo panels of 50 px",
    tuple(replace(_panels(turned), title=_KINDS[turned]) for turned in (False, True)),
    _without("embedding"),
)
TYPE_1 = Table(
    "2. Type-1 puzzles, 28 px", tuple(_clean(suite, False) for suite in _NAMES), _SOLVERS
)
TYPE_2 = Table("3. Type-2 puzzles, 28 px", tuple(_clean(suite, True) for suite in _NAMES), _SOLVERS)
ERODED = Table(
    "4. Eroded pieces of 64 px, Type-1",
    tuple(_eroded(suite, False, erode) for erode in (2, 4) for suite in _SMALL),
    (_BRIDGER, *_OURS),
)
AZULEJO = Table(
    "5. Simulated azulejo panels",
    tuple(_panels(turned, known) for turned in (False, True) for known in (True, False)),
    (*_BASELINES, _BRIDGER, *_OURS),
)

TOP = (TOP_CLEAN, *TOP_ERODED, TOP_PANELS)
SOLVED = (TYPE_1, TYPE_2, ERODED, AZULEJO)
ABLATION = "6. The ablation"


def plan(*, quick: bool = False, device: str = "auto") -> tuple[Entry, ...]:
    """Return every cell of tables 1 to 6 that this version of tessella can fill."""
    entries = [
        Entry(table.title, method.label, column, by, 1 if quick else method.runs, limit)
        for table in (*TOP, *SOLVED)
        for method in table.methods
        if method.built
        for column in table.columns
        if method.covers(column)
        for by in [method.configuration(column, device)]
        for limit in [_few(method, column) if quick else None]
    ]
    for turned in (False, True):
        column = _panels(turned)
        entries += [
            Entry(ABLATION, name, column, by, 1 if quick else RUNS, 1 if quick else None)
            for name, by in ablated(turned, device).items()
        ]
    return tuple(entries)


def ablated(turned: bool, device: str = "auto") -> dict[str, Configuration]:
    """Return the variants of the ablation: the learned measure on panels of known shape."""
    column = _panels(turned)
    return ablation.configurations("dlcm", {"model": column.model}, column.setup, device)


def _few(method: Method, column: Column) -> int:
    """Return how many pictures the quick subset has: what two cores do in a few minutes."""
    if column.suite in SUITES and SUITES[column.suite].pieces > 805:
        return 0
    if not method.learned:
        return 2
    small = column.suite in ("mit_432", PANELS)
    if (column.setup.turned or method.measure in _PAIRS) and not small:
        return 0
    if column.setup.turned and method.measure in _PAIRS:
        return 0
    return 1


def settled(by: Configuration, model: str | None) -> Configuration:
    """Return a form in which configurations that must give the same answer are equal.

    A model that the measure chose counts as named, and where networks ran does not count.

    Parameters
    ----------
    model : which was used
    """
    settings = dict(by.measure.settings)
    if "model" in settings and model is not None:
        settings["model"] = model
    if "device" in settings:
        settings["device"] = "auto"
    return replace(by, measure=replace(by.measure, settings=tuple(sorted(settings.items()))))
