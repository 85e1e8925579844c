"""The ablation in the paper's form."""

from dataclasses import replace

import pytest

from tessella import registry
from tessella.bench.ablation import OURS, PAPER, Change, Study, configurations, table
from tessella.bench.configuration import Setup
from tessella.bench.published import ABLATION
from tessella.errors import InputError, NameUnknown
from tessella.stages.regimes import NAMES as NAMES_OF_STAGES

NAMES = list(PAPER.names)
FULL = PAPER.name


@pytest.fixture
def named(configured):
    """One made-up configuration a variant."""
    return {name: configured(variant=name) for name in NAMES}


def test_the_variants_are_the_rows_of_the_papers_table():
    assert [figure.variant for figure in ABLATION] == NAMES


def test_the_variants_measure_alike_and_differ_in_the_solver():
    made = configurations("mgc", {}, Setup(turned=True))
    assert list(made) == NAMES
    assert len({by.measuring for by in made.values()}) == 1
    assert len({by.adjustment for by in made.values()}) == 1
    assert len(set(made.values())) == len(NAMES)
    told = {name: dict(by.solver.settings) for name, by in made.items()}
    assert told["w/o phases 1.1 & 1.2"]["without"] == "1.1,1.2"
    assert told["w/o mutations"]["mutate"] is False
    assert all(made[name].solver.name == "rika" for name in NAMES[:-1])


def test_settings_apply_to_every_variant_that_has_them():
    made = configurations("mgc", {"population": "10", "alpha0": "0.9"})
    assert all(dict(made[name].solver.settings)["alpha0"] == 0.9 for name in NAMES[:-1])
    sholomon = dict(made[NAMES[-1]].solver.settings)
    assert "alpha0" not in sholomon
    assert sholomon["population"] == 10


def test_settings_of_nobody_are_refused():
    with pytest.raises(NameUnknown, match="colour"):
        configurations("mgc", {"colour": "red"})


@pytest.mark.parametrize("key", ["without", "mutate"])
def test_what_makes_the_variants_cannot_be_set(key):
    with pytest.raises(InputError, match=f"{key}.*itself"):
        configurations("mgc", {key: "paper"})


def test_the_table_shows_means_and_bests_beside_the_papers(named, recorded):
    records = [
        recorded(seed=seed, by=by, neighbor=0.9 - 0.1 * place + 0.02 * seed, fitness=50 - seed)
        for place, by in enumerate(named.values())
        for seed in (0, 1)
    ]
    grid = table("mit_432", named, records)
    assert grid.rows[0] == (
        *(FULL, "91.00", "90.00", "92.00", "93.1", "95.2"),
        *("-", "-", "-", "79", "89.4"),
    )
    assert grid.rows[2][:2] == ("w/o phase 2", "71.00")
    assert any(
        "Type-1: the largest loss of the mean, 40.00 points, is w/o mutations" in remark
        for remark in grid.remarks
    )
    assert not any("Type-2: the largest" in remark for remark in grid.remarks)


def test_a_table_without_losses_says_so(named, recorded):
    grid = table("mit_432", named, [recorded(by=by) for by in named.values()])
    assert "Type-1: the mean loses nothing, whatever is left out." in grid.remarks


def test_the_table_takes_turned_puzzles_into_the_columns_of_type_2(named, recorded):
    by = replace(named[FULL], setup=Setup(turned=True))
    grid = table("mit_432", named, [recorded(by=by, neighbor=0.25)])
    assert grid.rows[0][1:4] == ("-", "-", "-")
    assert grid.rows[0][6:9] == ("25.00", "25.00", "25.00")


def test_other_suites_and_settings_stay_out_of_the_table(named, recorded, configured):
    others = [recorded(suite="holiday", by=named[FULL]), recorded(by=configured(variant="other"))]
    assert all(row[1] == "-" for row in table("mit_432", named, others).rows)


def test_every_row_has_a_solver():
    assert {solver for _, solver, _ in PAPER.plans()} <= set(registry.names("solver"))


OWN = Study(
    "all of it",
    "genetic",
    {"population": 8},
    (
        Change("w/o moves", {"without": "move"}),
        Change("twice as many", {"population": 16}),
        Change("loops", solver="loops"),
    ),
)


def test_a_study_is_a_base_and_changes_of_its_settings():
    made = configurations("mgc", {"patience": "3"}, study=OWN)
    told = {name: dict(by.solver.settings) for name, by in made.items()}
    assert list(made) == list(OWN.names)
    assert [told[name].get("population") for name in OWN.names] == [8, 8, 16, None]
    assert told["all of it"] == told["w/o moves"] | {"without": ""}
    assert told["w/o moves"]["patience"] == 3
    assert made["loops"].solver.name == "loops"
    with pytest.raises(InputError, match="sets population, without itself"):
        configurations("mgc", {"without": "move"}, study=OWN)


def test_a_study_that_nobody_published_has_our_columns_alone(recorded, configured):
    named = {name: configured(variant=name) for name in OWN.names}
    losses = dict(zip(OWN.names, (0.0, 0.2, 0.1, 0.5), strict=True))
    records = [recorded(by=by, neighbor=0.9 - losses[name]) for name, by in named.items()]
    grid = table("mit_432", named, records, OWN)
    assert grid.rows[0] == ("all of it", "90.00", "90.00", "90.00", "-", "-", "-")
    assert not any("paper" in cell for cell in grid.head)
    assert grid.remarks == (
        "Type-1: the largest loss of the mean, 20.00 points, is w/o moves.",
        "Type-1: 1 pictures, 1 runs.",
    )


def test_ours_leaves_out_every_stage_but_evolution():
    made = configurations("mgc", {"population": "10"}, study=OURS)
    assert list(made) == ["genetic", *(f"w/o {name}" for name in NAMES_OF_STAGES)]
    for name, by in made.items():
        told = dict(by.solver.settings)
        assert by.solver.name == "genetic"
        assert told["without"] == name.removeprefix("w/o ").removeprefix("genetic")
        assert told["population"] == 10


def test_ours_has_no_published_figures(recorded):
    made = configurations("mgc", study=OURS)
    records = [
        recorded(seed=0, by=by, neighbor=0.9 - 0.1 * (name == "w/o move"))
        for name, by in made.items()
    ]
    grid = table("mit_432", made, records, OURS)
    assert len(grid.head) == 7
    shown = {row[0]: row[1] for row in grid.rows}
    assert shown["genetic"] == "90.00"
    assert shown["w/o move"] == "80.00"
    assert any("w/o move" in remark for remark in grid.remarks)
