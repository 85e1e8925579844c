"""The simulated person answers truthfully, and the studio takes it up."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from tessella.arrangement import Arrangement, Sheet
from tessella.errors import InputError
from tessella.studio.project import Project

SCRIPT = Path(__file__).parents[2] / "scripts" / "simulate_person.py"


@pytest.fixture(scope="module")
def oracle():
    """Knows that pieces 0, 1, 2 lie in a row."""
    spec = importlib.util.spec_from_file_location("tessella_scripts_simulate_person", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.Oracle.of(Arrangement((Sheet(np.array([[0, 1, 2]]), np.zeros((1, 3), int)),)))


def asked(first, second, *rivals):
    return {"first": first, "second": second, "rivals": [[{"edge": edge} for edge in rivals], []]}


def test_the_person_says_yes_no_or_which_rival(oracle):
    right_of_0, left_of_1, left_of_2 = 0, 4 + 2, 8 + 2
    assert oracle.answer(asked(right_of_0, left_of_1))["said"] == "yes"
    said = oracle.answer(asked(right_of_0, left_of_2, left_of_1))
    assert (said["said"], said["instead"]) == ("no", left_of_1)
    said = oracle.answer(asked(right_of_0, left_of_2, 99))
    assert (said["said"], "instead" in said, said["neither"]) == ("no", False, [99])
    assert oracle.joins == 2
    assert oracle.wrong({"first": [right_of_0, left_of_2], "second": [left_of_1, 0]}) == 1


def test_a_rival_that_is_named_is_joined_in_place_of_what_was_asked(folder):
    project = Project(folder)
    project.act("reply", {"first": 0, "second": 10, "said": "no", "instead": 6})
    assert project.state.tables["join"] == {"0-10": "forbidden", "0-6": "joined"}
    assert project.state.tables["asked"] == {"0-10": "no"}
    project.undo()
    assert project.state.to_json() == {}
    for said, instead in (("yes", 6), ("no", 10)):
        with pytest.raises(InputError, match="only where"):
            project.act("reply", {"first": 0, "second": 10, "said": said, "instead": instead})


def test_whoever_is_none_of_those_shown_is_ruled_out_too(folder):
    project = Project(folder)
    project.act("reply", {"first": 0, "second": 10, "said": "no", "neither": [6, 14]})
    assert set(project.state.tables["join"]) == {"0-10", "0-6", "0-14"}
    assert set(project.state.tables["join"].values()) == {"forbidden"}
    assert project.state.tables["asked"] == {"0-10": "no"}
    with pytest.raises(InputError, match="ruled out only where"):
        project.act("reply", {"first": 0, "second": 18, "said": "yes", "neither": [6]})
