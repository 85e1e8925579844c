"""Ours beside the published figures."""

from dataclasses import replace

from tessella.bench.configuration import configure
from tessella.bench.paper.answers import Answers
from tessella.bench.paper.plan import ABLATION, TYPE_1, Method, plan
from tessella.bench.paper.tables import details, grids

MIT = TYPE_1.columns[0]
GALLAGHER = Method("mgc", "gallagher", "Gallagher").configuration(MIT)
GENETIC = Method("dlcm", "genetic").configuration(MIT)


def _line(made, title, row):
    grid = next(grid for grid in made if grid.title.startswith(title))
    return dict(zip(grid.head, next(line for line in grid.rows if line[0] == row), strict=True))


def test_an_empty_folder_gives_tables_with_the_published_figures_alone():
    made = grids(Answers(), {})
    assert [grid.title.partition(".")[0] for grid in made] == [
        *("1a", "1b", "1c", "1d", "2", "3", "4", "5", "6", "7"),
    ]
    assert _line(made, "2", "Gallagher, published")["MIT 432"] == "95.1"
    assert _line(made, "2", "tessella: mgc, gallagher")["MIT 432"] == "not run"
    assert _line(made, "3", "Rika et al. (proposed), published")["MIT 432"] == "96, 15 perfect"
    assert _line(made, "5", "Gallagher, published")["Type-2, unknown shape"] == "4.5"
    assert (
        _line(made, "4", "Liu et al., published")["Pomeranz 150, 2 px"] == "direct 75.9, 9 perfect"
    )
    assert _line(made, "1d", "Red-Net, published")["paper's Type-1"] == "64.1"
    assert not any(
        "pomeranz" in row[0] for grid in made if grid.title[0] == "3" for row in grid.rows
    )


def test_a_partial_cell_tells_how_many_pictures_and_runs(recorded):
    made = [recorded(by=GALLAGHER, neighbor=0.9, perfect=True)]
    made += [recorded(seed=s, by=GENETIC, fitness=s, neighbor=1 - s / 10) for s in (1, 2)]
    shown = grids(Answers(made), {})
    assert _line(shown, "2", "tessella: mgc, gallagher")["MIT 432"] == "90.00, 1 perfect (1/20)"
    found = _line(shown, "2", "tessella: dlcm, genetic")["MIT 432"]
    assert found == "80.00 (90.00), 0 perfect (1/20), runs: 2"
    told = _line(details(Answers(made), {}), "Details of 2", "dlcm, genetic")
    assert (told["mean %"], told["spread over runs"], told["paper's %"]) == (
        "85.00",
        "7.07",
        "96.1",
    )
    assert told["pictures"] == "1/20"
    assert _line(shown, "7", "Type-1 puzzles, 28 px: MIT 432")["dlcm, genetic"] == "98.000 (1)"


def test_the_ablation_takes_records_whose_model_was_chosen(recorded):
    entry = next(e for e in plan() if e.table == ABLATION)
    setup = entry.column.setup
    by = configure("dlcm", "genetic", {"strategy": "paper"}, setup)
    record = replace(recorded(by=by, suite=entry.column.suite), model="azulejo-50")
    row = _line(grids(Answers([record]), {}), "6", "enhanced GA")
    assert row["Type-1\nmean %"] == "50.00"
    assert row["Type-1\npaper's\nmean %"] == "93.1"
