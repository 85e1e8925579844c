"""A batch asks about true neighbours and about wrong ones that look good."""

import numpy as np
import pytest
import torch

from tessella.learning.batches import cut, draw, worn
from tessella.learning.border import mgc
from tessella.learning.pictures import Album
from tessella.learning.recipe import Augment, Recipe, Training
from tessella.measures.mgc import Mgc

CPU = torch.device("cpu")
SUBNETWORKS = (("rgb", (4, 4, "pool", 4)),)


def recipe(**settings):
    training = Training(pictures=2, grid=4, candidates=6, hard=3, **settings)
    plain = Augment(scale=(1.0, 1.0), turn="none", flip=False)
    return Recipe("x", 8, SUBNETWORKS, training=training, augment=plain)


def album(side, augment, seed=0):
    picture = np.random.default_rng(seed).integers(0, 256, (side, side, 3)).astype(np.uint8)
    return Album([picture], side, augment, CPU)


def test_the_first_candidate_is_the_piece_that_lay_at_the_right():
    asked = recipe(turned=False)
    book = album(32, asked.augment)
    batch = draw(book, asked, np.random.default_rng(0))
    picture = book.pictures[0].float()
    whole = cut(picture.permute(2, 0, 1)[None], 4, 8)[0]
    for row in range(4):
        for column in range(3):
            anchor = 3 * row + column
            assert torch.equal(batch.left[anchor], whole[row, column])
            assert torch.equal(batch.right[batch.which[anchor, 0]], whole[row, column + 1])


def test_no_candidate_is_the_anchor_or_appears_twice():
    asked = recipe()
    batch = draw(album(32, asked.augment), asked, np.random.default_rng(0))
    place = batch.which % 32  # of the first view's 16 pieces, upright then turned
    for anchor, row in enumerate(place[:12].tolist()):
        assert len(set(row)) == len(row)
        own = 4 * (anchor // 3) + anchor % 3
        assert own not in {p % 16 for p in row}


def test_hard_candidates_are_those_that_mgc_likes_best():
    asked = recipe(turned=False)
    batch = draw(album(32, asked.augment), asked, np.random.default_rng(0))
    hard, others = batch.beside[:, 1:4], batch.beside[:, 4:]
    assert (hard.amin(1) >= others.amax(1)).all()


def test_rivals_of_a_row_lie_in_that_row():
    settings = {"rivals": "row", "turned": False, "candidates": 3, "hard": 1}
    training = Training(pictures=1, grid=4, **settings)
    asked = Recipe("x", 8, SUBNETWORKS, training=training, augment=Augment(scale=(1.0, 1.0)))
    batch = draw(album(32, asked.augment), asked, np.random.default_rng(0))
    rows = batch.which // 4
    assert (rows == rows[:, :1]).all()


def test_with_rivals_of_a_row_some_anchors_are_whole_rows():
    settings = {"rivals": "row", "turned": False, "candidates": 3, "hard": 1, "anchors": 7}
    training = Training(pictures=1, grid=4, **settings)
    asked = Recipe("x", 8, SUBNETWORKS, training=training, augment=Augment(scale=(1.0, 1.0)))
    batch = draw(album(32, asked.augment), asked, np.random.default_rng(0))
    true = batch.which[:, 0].tolist()
    rows = {place // 4 for place in true}
    assert len(rows) == 2  # as many as seven anchors fill
    assert sorted(true) == sorted(4 * row + column for row in rows for column in (1, 2, 3))
    assert len(set(batch.rim.tolist())) == len(true)


def test_what_looks_like_the_true_one_does_not_count():
    flat = np.full((32, 32, 3), 90, np.uint8)
    asked = recipe(turned=False)
    batch = draw(Album([flat], 32, asked.augment, CPU), asked, np.random.default_rng(0))
    assert batch.same[:, 1:].all()
    assert not batch.same[:, 0].any()


def test_mgc_in_torch_is_the_measure():
    pieces = np.random.default_rng(0).integers(0, 256, (2, 5, 10, 10, 3)).astype(np.uint8)
    by = Mgc()
    wanted = by.score(by.raw(by.right(pieces[0], 0), by.left(pieces[1], 0)))
    right = torch.from_numpy(pieces[0][:, :, [9, 8]].copy())
    left = torch.from_numpy(pieces[1][:, :, [0, 1]].copy())
    np.testing.assert_allclose(mgc(right[None], left[None])[0].numpy(), wanted, rtol=1e-4)


def test_degradation_blackens_frames_and_shift_moves_pieces():
    pieces = torch.full((1, 60, 10, 10, 3), 200.0)
    chance = np.random.default_rng(0)
    framed = worn(pieces, 2, 0, chance)[0]
    frames = {int((piece[5, :5, 0] == 0).sum()) for piece in framed}
    assert frames == {0, 1, 2}
    moved = worn(pieces, 0, 2, chance)[0]
    lost = {int((piece == 0).all(2).all(1).sum()) for piece in moved}
    assert lost == {0, 1, 2}
    assert worn(pieces, 0, 0, chance) is pieces


@pytest.mark.parametrize("turn", ["any", "half", "none"])
def test_views_are_turned_as_the_recipe_says(turn):
    augment = Augment(scale=(1.0, 1.0), turn=turn, flip=False)
    book = album(8, augment)
    whole = book.pictures[0].permute(2, 0, 1).float()
    views = book.views(40, np.random.default_rng(0))
    seen = {t for t in range(4) for v in views if torch.equal(v, torch.rot90(whole, t, (1, 2)))}
    assert seen == {"any": {0, 1, 2, 3}, "half": {0, 2}, "none": {0}}[turn]
