"""Embedding finds its model, resizes pieces, refuses what it cannot read, and can propose."""

from dataclasses import replace

import numpy as np
import pytest

from tessella import describing, models
from tessella.errors import InputError, NameUnknown
from tessella.imaging.cut import cut
from tessella.imaging.resize import resized
from tessella.measures.dlcm import Dlcm
from tessella.measures.embedding import GRAIN, Embedding
from tessella.measures.mgc import Mgc
from tessella.measuring import measure
from tessella.networks.model import Model as DlcmModel
from tessella.networks.twins import Form
from tessella.recall import recall
from tessella.workshop import Workshop

FORM = Form(rows=12, depth=6, channels=4, blocks=1, free=1, whole=2)


@pytest.fixture(autouse=True)
def shipped(twin_model, tmp_path, monkeypatch):
    folder = tmp_path / "models"
    folder.mkdir()
    twin_model(FORM, piece=12, name="twins-12").save(folder / "twins-12.npz")
    monkeypatch.setattr(models, "FOLDER", folder)
    return folder


@pytest.fixture
def puzzle(picture):
    return cut(picture[:120, :96], 12, turned=True, seed=2)


def test_the_shipped_model_is_taken_and_others_can_be_named(puzzle, tmp_path, twin_model):
    twin_model(FORM, piece=12, seed=5).save(tmp_path / "own.npz")
    taken = measure(puzzle[0], Embedding(), dense=True).dense
    np.testing.assert_array_equal(
        taken, measure(puzzle[0], Embedding("twins-12"), dense=True).dense
    )
    other = measure(puzzle[0], Embedding(str(tmp_path / "own.npz")), dense=True).dense
    assert not np.array_equal(taken, other)


def test_without_a_shipped_model_one_must_be_named(puzzle, tmp_path, monkeypatch):
    (tmp_path / "none").mkdir()
    monkeypatch.setattr(models, "FOLDER", tmp_path / "none")
    with pytest.raises(InputError, match="No model of embedding ships"):
        measure(puzzle[0], Embedding())


def test_unknown_models_are_named_with_the_valid_ones():
    with pytest.raises(NameUnknown, match="twins-12"):
        Embedding("photo-28")


def test_even_untaught_it_ranks_true_neighbours_high(puzzle):
    # At first the networks leave foretelling to the rim's own slopes.
    found, by_mgc = (
        recall(measure(puzzle[0], by, keep=8), puzzle[1]) for by in (Embedding(), Mgc())
    )
    assert found > by_mgc - 0.05


def test_pieces_of_another_size_are_resized(picture):
    large, _ = cut(picture[:120, :120], 24, turned=True, seed=2)
    found = measure(large, Embedding(), dense=True).dense
    # Turning before resizing, or after, rounds differently.
    small = measure(resized(large, 12), Embedding(), dense=True).dense
    some = np.isfinite(found)
    assert np.corrcoef(found[some], small[some])[0, 1] > 0.99


def test_worn_frames_it_was_not_trained_for_are_refused(puzzle):
    worn = replace(puzzle[0], eroded=1)
    with pytest.raises(InputError, match="trained for worn frames of 0 px"):
        measure(worn, Embedding())


def test_scores_are_whole_grains(puzzle):
    scores = measure(puzzle[0], Embedding(), dense=True).dense
    grains = scores[np.isfinite(scores)] / GRAIN
    np.testing.assert_array_equal(grains, np.rint(grains))


def test_edges_of_a_large_puzzle_are_described_in_blocks_and_not_again_after_a_kill(
    puzzle, tmp_path, monkeypatch
):
    monkeypatch.setattr(describing, "EDGES", 100)
    alone = measure(puzzle[0], Embedding(), dense=False)
    counts, first, whole = [], 0, Embedding._vectors

    def counted(self, pieces, eroded, direction):
        if not first and len(counts) == 4:
            raise KeyboardInterrupt
        counts.append(len(pieces))
        return whole(self, pieces, eroded, direction)

    workshop = Workshop(tmp_path, "key")
    with monkeypatch.context() as patch:
        patch.setattr(Embedding, "_vectors", counted)
        with pytest.raises(KeyboardInterrupt):
            measure(puzzle[0], Embedding(), dense=False, workshop=workshop)
        first = sum(counts)
        counts.clear()
        again = measure(puzzle[0], Embedding(), dense=False, workshop=workshop)
    assert first + sum(counts) == 8 * len(puzzle[0])
    for name in ("partner", "score", "lo", "hi"):
        np.testing.assert_array_equal(getattr(again, name), getattr(alone, name))


def test_it_proposes_candidates_to_dlcm(puzzle, shipped, subnetwork):
    parts = (subnetwork((4, "pool", 4), 12, 12),)
    DlcmModel("plain", 12, (0, 0), parts, by="embedding", count=5).save(shipped / "plain.npz")
    asked = measure(puzzle[0], Dlcm("plain", device="cpu"), dense=False)
    proposed = measure(puzzle[0], Embedding(), keep=5, dense=False)
    for listed, named in zip(asked.partner, proposed.partner, strict=True):
        assert set(named) <= set(listed)
