from __future__ import annotations

from pathlib import Path

import pytest

from tessella import api
from tessella.cli.summary import summary
from tessella.confidence import DOUBTFUL
from tessella.imaging.cut import cut
from tessella.panels import Panels
from tessella.pictures import demo_picture


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize(("size", "resized"), [(12, False), (14, True)])
def test_the_model_is_named_and_that_pieces_were_resized_for_it(size, resized):
    puzzle, _ = cut(demo_picture()[: 2 * size, : 3 * size], size)
    told = summary(puzzle, api.solve(puzzle, measure="dlcm", settings={"population": 4}), Path("o"))
    assert "Measured by model tiny-12" in told
    assert ("resized to 12 px" in told) == resized


@pytest.mark.parametrize("panels", [None, Panels(1)])
def test_worth_is_told_where_the_search_goes_by_it(panels):
    puzzle, _ = cut(demo_picture()[:84, :112], 28)
    by = {"measure": "mgc", "settings": {"population": 4, "patience": 2}}
    result = api.solve(puzzle, panels=panels, runs=2, **by)
    told = summary(puzzle, result, Path("o"))
    assert ("and worth " in told) == (panels is not None)
    assert f"{sum(j.confidence < DOUBTFUL for j in result.joins)} doubtful" in told
    runs = result.to_json()["runs"]
    assert [each.get("worth") for each in runs] == list(result.worths or (None, None))
    if panels is not None:
        assert result.worth == pytest.approx(max(result.worths))


def test_fewer_panels_than_were_told_are_named():
    puzzle, _ = cut(demo_picture()[:84, :112], 28)
    by = {"measure": "mgc", "settings": {"population": 4, "patience": 2}}
    told = [
        summary(puzzle, api.solve(puzzle, panels=panels, **by), Path("o"))
        for panels in (None, Panels(), Panels(1), Panels(2))
    ]
    said = "2 panels told, but 1 is found of 8 pieces or more."
    assert [said in each for each in told] == [False, False, False, True]
    assert not any("told, but" in each for each in told[:3])


def test_a_classical_measure_has_no_model_to_be_named():
    puzzle, _ = cut(demo_picture()[:24, :36], 12)
    told = summary(puzzle, api.solve(puzzle, measure="ssd", settings={"population": 4}), Path("o"))
    assert "model" not in told
