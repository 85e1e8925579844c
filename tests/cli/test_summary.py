from __future__ import annotations

from pathlib import Path

import pytest

from tessella import api
from tessella.cli.summary import summary
from tessella.imaging.cut import cut
from tessella.pictures import demo_picture


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize(("size", "resized"), [(12, False), (14, True)])
def test_the_model_is_named_and_that_pieces_were_resized_for_it(size, resized):
    puzzle, _ = cut(demo_picture()[: 2 * size, : 3 * size], size)
    told = summary(puzzle, api.solve(puzzle, measure="dlcm", settings={"population": 4}), Path("o"))
    assert "Measured by model tiny-12" in told
    assert ("resized to 12 px" in told) == resized


def test_a_classical_measure_has_no_model_to_be_named():
    puzzle, _ = cut(demo_picture()[:24, :36], 12)
    told = summary(puzzle, api.solve(puzzle, measure="ssd", settings={"population": 4}), Path("o"))
    assert "model" not in told
