"""The table of stages: every stage says where it comes from, and can be left out."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tessella.compatibility import from_lists
from tessella.evidence import Evidence
from tessella.panels import Panels
from tessella.solvers.genetic import Genetic
from tessella.solving import Job
from tessella.stages.believe import Believe
from tessella.stages.regimes import NAMES

ROOT = Path(__file__).parents[2]
NEVER = {"evolve", "number"}
"""Without it there is no answer."""
SETTINGS = {"islands"}
"""What can be left out besides stages."""


@pytest.fixture(scope="module")
def jobs():
    """One job for every way through the table."""
    found = []
    for pieces, coarse in product((100, 500, 1000, 5000), (False, True)):
        nobody = np.full((4 * pieces, 1), -1, np.int32)
        told = from_lists(pieces, True, True, nobody, np.zeros((4 * pieces, 1), np.float32))
        evidence = Evidence(told, told if coarse else None)
        found += [Job(evidence), Job(evidence, panels=Panels())]
    return found


def passed(jobs, without=""):
    """Return the stages that these jobs go through."""
    return [stage for job in jobs for stage in Genetic(without=without).stages(job)]


def test_every_stage_but_evolution_can_be_left_out_and_nothing_else(jobs):
    assert {stage.name for stage in passed(jobs)} == {*NAMES} - SETTINGS | NEVER


@pytest.mark.parametrize("name", sorted(set(NAMES) - SETTINGS))
def test_what_is_left_out_is_passed_nowhere(name, jobs):
    if name == "unite":  # Nothing else sorts several panels.
        jobs = [job for job in jobs if job.panels is None]
    assert name not in {stage.name for stage in passed(jobs, without=name)}


def test_every_stage_says_what_it_comes_from_and_that_is_there(jobs):
    kinds = {type(stage) for stage in passed(jobs)}
    kinds = {Believe if kind.__name__ == "_Believe" else kind for kind in kinds}
    assert len(kinds) > 8
    for kind in kinds:
        pages = re.findall(r"\bdocs/experiments/\w+\.md", kind.__doc__)
        assert pages, f"{kind.__name__} says nothing of where its constants come from"
        assert all((ROOT / page).is_file() for page in pages), kind.__name__
