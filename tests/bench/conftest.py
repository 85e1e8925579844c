"""Records made by hand."""

import pytest

from tessella.bench.configuration import UPRIGHT, Configuration, Part, Setup
from tessella.bench.records import Cell, Means, Outcome, Ranks, Record, Seconds
from tessella.metrics import Score
from tessella.provenance import Provenance


@pytest.fixture
def configured():
    """Make a configuration whose parts need not exist."""

    def make(
        solver: str = "imagined", setup: Setup = UPRIGHT, **settings: bool | float | str
    ) -> Configuration:
        part = Part(solver, tuple(sorted(settings.items())))
        return Configuration(Part("mgc"), Part("minmax"), part, setup)

    return make


@pytest.fixture
def recorded(configured):
    """Make a record of a run."""

    def make(
        picture: str = "1.png",
        seed: int = 1,
        *,
        fitness: float = 90.0,
        neighbor: float = 0.5,
        identical: float = 0.6,
        perfect: bool = False,
        by: Configuration | None = None,
        suite: str = "mit_432",
        solving: float = 2.0,
        jobs: int = 1,
    ) -> Record:
        score = Score(
            neighbor=neighbor,
            false_joins=1 - neighbor,
            direct=neighbor / 2,
            perfect=perfect,
            neighbor_up_to_identical=identical,
        )
        return Record(
            cell=Cell(suite, picture, by or configured(), seed),
            pieces=432,
            shape=(18, 24),
            seconds=Seconds(0.5, 0.75, solving, 2 * solving),
            means=Means(
                2, jobs, "auto", Provenance((("numpy", "2"),), "0123456789ab", "A machine")
            ),
            outcome=Outcome(fitness, 100.0, score, generations=7),
        )

    return make


@pytest.fixture
def ranked(configured):
    """Make a record of a measure's ranks."""

    def make(picture: str = "1.png", *, before: float = 0.5, after: float = 0.75) -> Record:
        by = configured("none")
        return Record(
            cell=Cell("mit_432", picture, by, None),
            pieces=432,
            shape=(18, 24),
            seconds=Seconds(0.5, 0.75),
            means=Means(2, 1, "auto"),
            ranks=Ranks((before,) * 4, (after,) * 4),
        )

    return make
