"""What is trained is calibrated on what it will see: turned pieces too, and tiles on panels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from skimage import data

from tessella import api, registry
from tessella.imaging import azulejo
from tessella.learning import calibrating
from tessella.learning.recipe import Recipe


@pytest.fixture
def asked(monkeypatch):
    """Return the puzzles that are measured, by `mgc` in the place of a model."""
    seen = []
    measure = api.measure

    def listening(puzzle, by, **more):
        seen.append(puzzle)
        return measure(puzzle, by, **more)

    mgc = registry.make("measure", "mgc", {})
    monkeypatch.setattr(calibrating.registry, "make", lambda *_: mgc)
    monkeypatch.setattr(calibrating.api, "measure", listening)
    return seen


PICTURES = [data.coffee()[:240, :240], data.chelsea()[:240, :240]]


@pytest.mark.parametrize("kind", ["dlcm", "embedding", "squeezenet", "gan", "tiles"])
def test_every_kind_is_calibrated_on_upright_and_turned_pieces(asked, kind):
    own = (("rgb", (8,)),) if kind == "dlcm" else ()
    recipe = Recipe("small", 20, own, kind=kind)
    by = calibrating.calibrated(recipe, PICTURES, Path("model.npz"))
    assert by.slope > 0
    assert by.fitted
    assert [puzzle.upright for puzzle in asked] == [True, False] * 4
    assert {len(puzzle) for puzzle in asked} == {64, 45}


def test_a_model_of_tiles_is_asked_about_worn_panels(asked):
    recipe = Recipe("small", 20, (), kind="tiles")
    calibrating.calibrated(recipe, PICTURES[:1], Path("model.npz"))
    panel = azulejo.panel(PICTURES[0], (8, 8), 20, 0)
    tiles = {panel[r : r + 20, c : c + 20].tobytes() for r in range(0, 160, 20)
             for c in range(0, 160, 20)}  # fmt: skip
    assert {np.ascontiguousarray(tile).tobytes() for tile in asked[0].pieces} == tiles
