from __future__ import annotations

import numpy as np
import pytest

from tessella.compatibility import from_lists
from tessella.errors import InputError
from tessella.evidence import Evidence
from tessella.panels import Panels
from tessella.solving import Covers, Job, covered


def job(upright, shape, panels=None):
    nobody = np.full((8, 1), -1, np.int32)
    told = from_lists(2, upright, True, nobody, np.zeros((8, 1), np.float32))
    return Job(Evidence(told), shape, panels=panels)


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("shape", [(1, 2), None])
def test_a_solver_that_says_nothing_covers_everything(upright, shape):
    covered(object()).check("any", job(upright, shape))
    assert covered(object()).includes(upright=upright, shape_known=shape is not None)


def test_what_a_solver_says_counts():
    class Narrow:
        covers = Covers(turned=False)

    assert covered(Narrow) == covered(Narrow()) == Covers(turned=False)


@pytest.mark.parametrize(
    ("covers", "upright", "shape", "needed"),
    [
        (Covers(turned=False), False, (1, 2), "upright pieces"),
        (Covers(unknown=False), True, None, "a known shape"),
        (Covers(turned=False, unknown=False), True, None, "upright pieces and a known shape"),
    ],
)
def test_what_is_not_covered_is_refused_with_what_is_needed(covers, upright, shape, needed):
    assert not covers.includes(upright=upright, shape_known=shape is not None)
    with pytest.raises(InputError, match=f"^The solver narrow needs {needed}; choose another"):
        covers.check("narrow", job(upright, shape))


def test_panels_are_refused_by_name_unless_a_solver_says_that_it_sorts_them():
    with pytest.raises(InputError, match=r"^The solver narrow lays all pieces on one sheet; leave"):
        Covers().check("narrow", job(True, None, Panels()))
    Covers(panels=True).check("wide", job(True, None, Panels()))
    Covers().check("narrow", job(True, None))


def test_upright_pieces_and_a_known_shape_are_always_covered():
    Covers(turned=False, unknown=False).check("narrow", job(True, (1, 2)))
