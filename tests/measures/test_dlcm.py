from __future__ import annotations

import dataclasses
import sys

import numpy as np
import pytest

from tessella import api, models
from tessella.documents.strips import strips_of
from tessella.errors import InputError, NameUnknown
from tessella.imaging.cut import cut
from tessella.measures import _learned
from tessella.measures.dlcm import Dlcm
from tessella.measures.mgc import Mgc
from tessella.measuring import measure
from tessella.models import find
from tessella.networks import specification
from tessella.networks.model import Model
from tessella.pictures import demo_picture
from tessella.plan import make_plan
from tessella.puzzle import Puzzle

pytestmark = pytest.mark.usefixtures("shipped")


class Told:
    """Keeps the stages and adds up the steps of each."""

    def __init__(self):
        self.stages, self.done = {}, {}

    def stage(self, name, total):
        self.last = name
        self.stages[name], self.done[name] = total, 0

    def advance(self, steps=1):
        self.done[self.last] += steps

    def generation(self, generation): ...


def puzzle(size=12, rows=3, cols=4, **known) -> Puzzle:
    return cut(demo_picture()[80 : 80 + rows * size, 90 : 90 + cols * size], size, **known)[0]


def test_scores_are_the_networks_sum_and_the_weighted_classical_score():
    asked = puzzle()
    found = measure(asked, Dlcm("tiny-12"), keep=None, dense=True).dense
    classical = measure(asked, Mgc(), dense=True).dense
    model = find("tiny-12")
    pieces = asked.pieces
    for i, j in ((0, 1), (5, 3), (11, 2)):
        across = specification.forward(model, pieces[i][None], pieces[j][None], 0)[0]
        expected = across + 100 * classical[4 * i, j]
        np.testing.assert_allclose(found[4 * i, j], expected, rtol=1e-5)
        upward = [np.rot90(pieces[k], -1)[None] for k in (i, j)]  # The top faces right.
        expected = specification.forward(model, *upward, 0)[0] + 100 * classical[4 * i + 1, j]
        np.testing.assert_allclose(found[4 * i + 1, j], expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("asked", "model"),
    [
        (puzzle(12), "tiny-12"),
        (puzzle(15), "tiny-12"),
        (puzzle(16, erode=2), "worn-16"),
        (puzzle(12, erode=1), "worn-16"),
    ],
    ids=["its size", "another size", "worn", "worn, another size"],
)
def test_the_model_is_chosen_by_frame_and_size_and_told(asked, model):
    watch = Told()
    measure(asked, Dlcm(), watch=watch)
    stage = next(name for name in watch.stages if name.startswith("measuring with"))
    assert model in stage
    assert ("resized" in stage) == (asked.piece_size[0] != find(model).piece)
    assert watch.done == watch.stages


def test_the_plan_and_the_result_say_which_model_and_how_many_candidates():
    result = api.solve(puzzle(), measure="dlcm", settings={"population": 10})
    assert result.settings["measure"] == {
        "name": "dlcm",
        "model": "tiny-12",
        "device": "cpu",
        "count": None,
        "slack": None,
    }
    assert result.settings["keep"] == 5


@pytest.mark.parametrize(("count", "keep"), [(7, 7), (0, None), (None, 5)])
def test_how_many_are_proposed_is_the_models_unless_said(count, keep):
    assert Dlcm("tiny-12", count=count).usual() == keep


def test_a_frame_that_no_model_knows_is_an_error_that_lists_them():
    with pytest.raises(
        InputError, match=r"worn frame of 4 px on pieces of 16 px .*worn-16 for 1 to"
    ):
        measure(puzzle(16, erode=4), Dlcm())
    with pytest.raises(InputError, match="tiny-12 was trained for worn frames of 0 px"):
        measure(puzzle(12, erode=1), Dlcm("tiny-12"))


def test_without_models_there_is_a_clear_error(tmp_path, monkeypatch):
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    with pytest.raises(InputError, match="No model ships with this tessella"):
        measure(puzzle(), Dlcm())


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"model": "none-such"}, "There is no model called 'none-such'; choose one of: the path"),
        ({"model": "gone.npz"}, "There is no model file gone.npz"),
        ({"count": -1}, "count must be 0 or more"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, told):
    with pytest.raises(InputError, match=told):
        Dlcm(**settings)


def test_a_file_that_is_no_model_is_refused(tmp_path):
    path = tmp_path / "other.npz"
    path.write_bytes(b"no model")
    with pytest.raises(InputError, match="is not a model"):
        Dlcm(str(path))


def test_a_scout_proposes_by_its_own_scores(subnetwork, tmp_path):
    scout = subnetwork((3,), 12, 12, "y", 7)
    path = tmp_path / "scouted.npz"
    tiny = find("tiny-12")
    dataclasses.replace(tiny, beside={}, by="scout", scout=scout, count=2).save(path)
    alone = Model("scout", 12, (0, 0), (scout,), count=2)
    alone.save(tmp_path / "alone.npz")
    watch = Told()
    found = measure(puzzle(), Dlcm(str(path)), watch=watch)
    best = measure(puzzle(), Dlcm(str(tmp_path / "alone.npz")), keep=None).partner[:, :2]
    for e, row in enumerate(best.tolist()):
        assert set(row) <= set(found.partner[e].tolist())
    assert watch.done == watch.stages
    assert any("the scout of" in stage for stage in watch.stages)


def test_the_card_is_an_error_where_there_is_none(monkeypatch):
    monkeypatch.setattr(_learned, "card_present", lambda: False)
    with pytest.raises(InputError, match="--device cuda needs an NVIDIA card"):
        make_plan("dlcm", settings={"device": "cuda"})


def test_torch_is_not_imported_where_no_card_is_seen(monkeypatch):
    monkeypatch.setattr(_learned.Path, "exists", lambda _: False)
    monkeypatch.setattr(_learned.shutil, "which", lambda _: None)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert not _learned.card_present()


def test_a_card_is_asked_for_the_same_pairs(monkeypatch):
    asked = {}

    class Card:
        @staticmethod
        def pairs(model, left, right, which, eroded, *, device, watch):
            asked.update(device=device, shapes=(left.shape[1:], right.shape[1:]), count=len(which))
            watch.advance(2 * len(which))
            return np.zeros(len(which), np.float32)

    monkeypatch.setattr(_learned, "card_present", lambda: True)
    monkeypatch.setitem(sys.modules, "tessella.learning.scoring", Card)
    monkeypatch.setattr("tessella.learning.scoring", Card, raising=False)
    watch = Told()
    measure(puzzle(), Dlcm("tiny-12"), watch=watch)
    assert asked["device"] == "cuda"
    assert asked["shapes"] == ((12, 12, 3), (12, 12, 3))
    assert watch.done == watch.stages


def test_rectangles_are_refused_in_one_sentence():
    with pytest.raises(InputError, match="need square pieces; these have 12 x 10 px"):
        measure(Puzzle(np.zeros((4, 12, 10, 3), np.uint8)), Dlcm("tiny-12"))


def test_an_unknown_name_is_a_name_unknown():
    with pytest.raises(NameUnknown):
        find("no-such-model")


def test_other_weights_have_another_fingerprint(tmp_path, subnetwork):
    path = tmp_path / "one.npz"
    tiny = find("tiny-12")
    dataclasses.replace(tiny, subnetworks=tiny.subnetworks[:1]).save(path)
    told = Dlcm(str(path)).fingerprint()
    assert told == Dlcm(str(path)).fingerprint() != Dlcm("tiny-12").fingerprint()


def test_another_weight_beside_has_another_fingerprint(tmp_path):
    told = []
    for weight in (1.0, 2.0):
        path = tmp_path / f"{weight}.npz"
        dataclasses.replace(find("tiny-12"), beside={"mgc": weight}).save(path)
        told.append(Dlcm(str(path)).fingerprint())
    assert told[0] != told[1]


def test_strips_that_happen_to_be_square_are_refused():
    with pytest.raises(InputError, match="square pieces"):
        Dlcm().suited(strips_of([np.zeros((20, 20), np.uint8)] * 2))
