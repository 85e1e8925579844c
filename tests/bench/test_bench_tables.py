"""The arithmetic of the tables, on records made by hand."""

import pytest

from tessella.bench.configuration import Setup
from tessella.bench.tables import Grid, Row, by_picture, overview, percent


@pytest.fixture
def records(recorded):
    """Two pictures, two runs each; the fittest run of the first is not its best by truth."""
    return [
        recorded("1.png", 1, fitness=99.0, neighbor=0.6, identical=0.9, solving=1.0),
        recorded("1.png", 2, fitness=98.0, neighbor=0.8, identical=0.95, solving=3.0),
        recorded("2.png", 1, fitness=90.0, neighbor=0.4, identical=0.4),
        recorded("2.png", 2, fitness=100.0, neighbor=1.0, identical=1.0, perfect=True),
    ]


def column(grid, name):
    at = [head.replace("\n", " ") for head in grid.head].index(name)
    return [row[at] for row in grid.rows]


def test_best_by_fitness_is_not_best_by_truth(records):
    row = Row.of(records[0].cell.configuration, records)
    assert row.mean == pytest.approx((0.7 + 0.7) / 2)
    assert row.by_fitness == pytest.approx((0.6 + 1.0) / 2)
    assert row.by_truth == pytest.approx((0.8 + 1.0) / 2)
    assert row.up_to_identical == pytest.approx((0.9 + 1.0) / 2)
    assert row.gap == pytest.approx((0.01 + 0.0) / 2)
    assert row.perfect == 1
    assert row.seconds(lambda run: run.seconds.solving) == pytest.approx(2.0)


def test_the_order_of_records_changes_nothing(records):
    by = records[0].cell.configuration
    assert Row.of(by, records) == Row.of(by, records[::-1])


def test_of_equally_fit_runs_the_earliest_seed_counts(recorded):
    runs = [recorded(seed=2, neighbor=0.9), recorded(seed=1, neighbor=0.3)]
    assert Row.of(runs[0].cell.configuration, runs).by_fitness == 0.3


def test_every_picture_weighs_the_same_however_many_runs_it_has(recorded):
    runs = [recorded("1.png", seed, neighbor=0.0) for seed in range(9)]
    row = Row.of(runs[0].cell.configuration, [*runs, recorded("2.png", neighbor=1.0)])
    assert row.mean == 0.5
    assert row.runs == "1 to 9"


def test_pictures_stand_in_natural_order(recorded):
    runs = [recorded(f"{number}.png") for number in (10, 2, 1)]
    row = Row.of(runs[0].cell.configuration, runs)
    assert [picture.name for picture in row.pictures] == ["1.png", "2.png", "10.png"]


def test_the_overview_shows_ours_and_the_published(records):
    ours, published = overview(records, {})
    assert column(ours, "pictures") == ["2/20"]
    assert column(ours, "mean %") == ["70.00"]
    assert column(ours, "best by fitness %") == ["80.00"]
    assert column(ours, "best by truth %") == ["90.00"]
    assert column(ours, "perfect") == ["1/2"]
    assert column(ours, "fitness gap %") == ["0.50"]
    assert "0.38 %" in ours.remarks[0]
    rows = dict(zip(column(published, "method"), published.rows, strict=True))
    assert rows["Rika et al. (proposed)"][1] == "96.1"
    assert rows["tessella: mgc, imagined"][1:4] == ("80.00", "90.00", "1/2")


def test_configurations_are_rows_and_kinds_of_puzzle_are_tables(recorded, configured):
    records = [
        recorded(by=configured(setup=Setup(turned=True))),
        recorded(by=configured()),
        recorded(by=configured(speed=2)),
        recorded(by=configured(setup=Setup(shape_known=False))),
        recorded(suite="holiday"),
    ]
    upright, _, turned, published, holiday = overview(records, {"holiday": 4})
    assert column(upright, "measure, solver") == [
        "mgc, imagined",
        "mgc, imagined (speed=2)",
        "mgc, imagined, shape unknown",
    ]
    assert "Type-2" in turned.title
    assert "1.28 %" in turned.remarks[0]
    assert column(published, "perfect")[-2:] == ["15/20", "0/1"]
    assert column(holiday, "pictures") == ["1/4"]


def test_times_tell_how_they_were_taken(recorded):
    grid = overview([recorded(jobs=1), recorded("2.png", jobs=4)], {})[0]
    assert "pictures at a time 1; or threads 2, pictures at a time 4" in grid.remarks[1]


def test_ranks_have_a_table_of_their_own(ranked):
    (grid,) = overview([ranked("1.png", after=0.5), ranked("2.png", after=1.0)], {})
    assert column(grid, "Top-1 before %") == ["50.00"]
    assert column(grid, "Top-20 after %") == ["75.00"]
    assert column(grid, "pictures") == ["2/20"]
    assert by_picture([ranked()]) == []


def test_every_picture_has_a_row(records):
    (grid,) = by_picture(records)
    assert column(grid, "picture") == ["1.png", "2.png"]
    assert column(grid, "best by fitness %") == ["60.00", "100.00"]
    assert column(grid, "best by truth %") == ["80.00", "100.00"]
    assert column(grid, "perfect") == ["no", "yes"]
    assert column(grid, "shape") == ["18x24", "18x24"]


def test_no_records_make_no_tables():
    assert overview([], {}) == by_picture([]) == []


def test_text_is_aligned_and_markdown_is_a_table():
    grid = Grid("Fruit", ("name", "best\n%"), (("apple|pear", "1"), ("fig", "22")), ("Fresh.",))
    assert grid.text().splitlines() == [
        "Fruit",
        "            best",
        "name           %",
        "----------  ----",
        "apple|pear     1",
        "fig           22",
        "Fresh.",
    ]
    assert grid.markdown().splitlines() == [
        "## Fruit",
        "",
        "| name | best % |",
        "| --- | ---: |",
        "| apple\\|pear | 1 |",
        "| fig | 22 |",
        "",
        "Fresh.",
    ]


@pytest.mark.parametrize(("value", "text"), [(0.95833, "95.83"), (1, "100.00"), (-1e-9, "0.00")])
def test_percentages_have_two_decimals(value, text):
    assert percent(value) == text
