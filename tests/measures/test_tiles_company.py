"""Who is heard beside the measure `tiles`, what they see, and when they are not asked."""

from dataclasses import replace

import numpy as np
import pytest

from tessella import models
from tessella.company import Company
from tessella.imaging.cut import cut
from tessella.measures import _companions, tiles
from tessella.measures._companions import Network, companions
from tessella.measures.tiles import Tiles
from tessella.measuring import measure
from tessella.networks.model import Model
from tessella.watch import SILENT

PAIRS = np.array([[0, 6], [0, 10], [4, 2]], np.int32)


@pytest.fixture
def at_hand(tile_model, tiny_models, tmp_path, monkeypatch):
    """Ship a tile model and two that know no tiles, and let these be its companions."""
    tile_model().save(tmp_path / "tile-16.npz")
    for name in ("tiny-12", "worn-16"):
        Model.load(tiny_models / f"{name}.npz").save(tmp_path / f"{name}.npz")
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    heard = (Network("tiny-12", gap=0, widest=0), Network("worn-16", gap=1, widest=2))
    monkeypatch.setattr(_companions, "NETWORKS", heard)


@pytest.fixture
def puzzle(picture):
    return cut(picture, 28)[0]


def test_a_network_that_knows_frames_sees_smaller_pieces_inside_one(at_hand, puzzle):
    seen = Network("worn-16", gap=1, widest=2).seen(puzzle)
    assert seen.eroded == 1
    assert seen.piece_size == (16, 16)
    assert not seen.pieces[:, 0].any()
    assert seen.pieces[:, 1:-1, 1:-1].mean() == pytest.approx(puzzle.pieces.mean(), rel=0.05)


def test_a_frame_that_is_there_stands_for_the_joint_up_to_what_the_model_knows(at_hand, puzzle):
    pieces = puzzle.pieces.copy()
    width = 7  # Four of 16 px, of which the model knows two.
    for side in (np.s_[:, :width], np.s_[:, -width:], np.s_[:, :, :width], np.s_[:, :, -width:]):
        pieces[side] = 0
    worn = replace(puzzle, pieces=pieces, eroded=width)
    assert Network("worn-16", gap=1, widest=2).seen(worn).eroded == 2
    assert Network("tiny-12", gap=0, widest=0).seen(worn).pieces.min(axis=(1, 2, 3)).max() > 0


def test_all_whose_models_are_there_are_heard_and_borders(at_hand, puzzle, monkeypatch):
    assert len(companions(puzzle)) == 3
    known = (*_companions.NETWORKS, Network("gone", gap=0, widest=0))
    monkeypatch.setattr(_companions, "NETWORKS", known)
    assert len(companions(puzzle)) == 3


def test_a_pair_is_scored_alike_among_others(at_hand, puzzle):
    for companion in companions(puzzle):
        every = companion(PAIRS, 1, SILENT)
        assert every.shape == (3,)
        assert companion(PAIRS[1:2], 1, SILENT) == pytest.approx(every[1:2], abs=1e-4)


def test_what_is_measured_is_what_all_say_together(at_hand, puzzle):
    alone = measure(puzzle, Tiles(company=False), threads=1)
    together = measure(puzzle, Tiles(), threads=1)
    expected = Company().heard(alone, companions(puzzle), 1)
    assert (together.score == expected.score).all()
    assert (together.score != alone.score).any()


def test_very_many_pieces_are_measured_by_the_tile_model_alone(at_hand, puzzle, monkeypatch):
    monkeypatch.setattr(tiles, "MOST", len(puzzle) - 1)
    alone = measure(puzzle, Tiles(company=False), threads=1)
    assert (measure(puzzle, Tiles(), threads=1).score == alone.score).all()


def test_the_fingerprint_tells_who_is_heard(at_hand):
    assert Tiles().fingerprint() != Tiles(company=False).fingerprint()
