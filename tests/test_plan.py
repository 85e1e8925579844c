"""A plan takes names or objects, hands every setting to whom it belongs, and refuses the rest."""

from dataclasses import dataclass

import numpy as np
import pytest

from tessella import registry
from tessella.documents.strips import Strips
from tessella.errors import InputError, NameUnknown
from tessella.measures.ssd import Ssd
from tessella.plan import make_plan
from tessella.puzzle import Puzzle
from tessella.solvers.paikin_tal import PaikinTal
from tessella.usual import PIECES


def named(plan):
    told = plan.to_json()
    return told["measure"]["name"], told["solver"]["name"]


def test_the_defaults_are_shipped():
    assert PIECES.measure in registry.names("measure")
    assert PIECES.solver in registry.names("solver")
    assert named(make_plan()) == (PIECES.measure, PIECES.solver)


def test_what_is_not_named_is_what_is_usual_for_the_puzzle():
    pieces = np.zeros((2, 8, 4, 3), np.uint8)
    strips = Strips(pieces)
    assert named(make_plan(puzzle=Puzzle(pieces))) == ("mgc", "genetic")
    assert named(make_plan(puzzle=strips)) == ("ink", "path")
    assert named(make_plan("ssd", puzzle=strips)) == ("ssd", "path")
    assert named(make_plan(solver="genetic", puzzle=strips)) == ("ink", "genetic")


def test_the_solver_chooses_the_adjustment():
    assert make_plan("ssd", "paikin_tal").to_json()["adjustment"]["name"] == "ratio"
    assert make_plan("ssd", "genetic").to_json()["adjustment"]["name"] == "posterior"
    paper = make_plan("ssd", "genetic", {"strategy": "paper"}).to_json()
    assert paper["adjustment"] == {"name": "minmax"}


def test_the_setting_adjust_overrules_the_solver():
    plan = make_plan("ssd", "paikin_tal", {"adjust": "minmax"}).to_json()
    assert plan["adjustment"] == {"name": "minmax"}
    assert plan["solver"]["adjust"] == "minmax"


def test_a_setting_goes_to_the_part_that_has_it_and_text_is_converted():
    plan = make_plan("ssd", "genetic", {"population": "12", "adjust": "ratio", "scale": "0.5"})
    assert plan.solver.population == 12
    assert plan.adjustment.scale == 0.5


def test_an_unknown_setting_lists_those_of_all_parts():
    with pytest.raises(NameUnknown) as told:
        make_plan("ssd", "genetic", {"popluation": 12})
    sentence = str(told.value)
    assert "'popluation'" in sentence
    assert "population" in sentence
    assert "adjust" in sentence


@pytest.mark.parametrize(
    ("names", "settings"),
    [
        (("nothing", "genetic"), {}),
        (("ssd", "nothing"), {}),
        (("ssd", "genetic"), {"adjust": "nothing"}),
        (("ssd", "genetic"), {"population": "many"}),
    ],
)
def test_what_does_not_exist_is_refused(names, settings):
    with pytest.raises(InputError):
        make_plan(*names, settings)


def test_objects_are_used_as_they_are():
    solver, measure = PaikinTal(), Ssd()
    plan = make_plan(measure, solver)
    assert plan.solver is solver
    assert plan.measure is measure
    described = plan.to_json()["solver"]
    assert (described["name"], described["adjust"]) == ("paikin_tal", "ratio")


def test_an_object_takes_no_settings_but_another_adjustment():
    plan = make_plan("ssd", PaikinTal(), {"adjust": "minmax"})
    assert plan.to_json()["adjustment"]["name"] == "minmax"
    with pytest.raises(NameUnknown):
        make_plan("ssd", registry.make("solver", "genetic"), {"population": 3})


def test_a_foreign_part_is_described_by_its_class():
    @dataclass(frozen=True)
    class Mine(Ssd):
        weight: float = 2.0

    assert make_plan(Mine()).to_json()["measure"] == {"name": "Mine", "weight": 2.0}
