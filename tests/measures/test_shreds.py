from __future__ import annotations

import itertools

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from tessella import api, models
from tessella.documents.strips import strips_of
from tessella.errors import InputError
from tessella.measures.shreds import Shreds, find
from tessella.measuring import measure
from tessella.networks.shred_engine import Engine, stretches
from tessella.networks.shred_form import Form
from tessella.networks.shred_model import ShredModel
from tessella.puzzle import Puzzle


def printed(height: int = 640, width: int = 600, seed: int = 0) -> np.ndarray:
    """A page of lines of letters."""
    rng = np.random.default_rng(seed)
    font = ImageFont.load_default(size=38)
    page = Image.new("L", (width, height), 255)
    for top in range(10, height - 50, 52):
        words = "".join(rng.choice(list("aeosnrtcmdvgkwzx   "), 60))
        ImageDraw.Draw(page).text((12, top), words, fill=20, font=font)
    return np.asarray(page)


def shredded(page: np.ndarray, width: int = 50, lost: int = 4, seed: int = 1) -> list[np.ndarray]:
    """Strips that lost columns on either side, single rows of which are frayed."""
    rng = np.random.default_rng(seed)
    strips = []
    for x in range(0, page.shape[1] - width + 1, width):
        strip = page[:, x + lost // 2 : x + width - lost // 2].copy()
        for side in (slice(None, 3), slice(None, -4, -1)):
            strip[:, side][rng.random((len(strip), 3)) < (0.8, 0.5, 0.2)] = 255
        strips.append(strip)
    return strips


def row_of(result) -> list[int]:
    return result.arrangement.sheets[0].piece[0].tolist()


@pytest.mark.parametrize("upright", [True, False])
def test_print_is_found_to_go_on_over_lost_columns_and_frayed_rows(upright):
    strips = shredded(printed())
    if not upright:
        strips = [np.rot90(s, 2) if i % 3 == 1 else s for i, s in enumerate(strips)]
    puzzle = strips_of(strips, upright=upright)
    result = api.search(api.prepare(puzzle, api.make_plan("shreds", "path", puzzle=puzzle)))
    found = row_of(result)
    assert found in (list(range(12)), list(range(12))[::-1])


def test_strips_that_slipped_are_found_too():
    strips = [
        np.roll(strip, 3 * (i % 3) - 3, axis=0) for i, strip in enumerate(shredded(printed(seed=2)))
    ]
    puzzle = strips_of(strips, upright=True)
    found = row_of(api.search(api.prepare(puzzle, api.make_plan("shreds", "path", puzzle=puzzle))))
    assert found == list(range(12))


def beheaded(strips: list[np.ndarray], lost: int = 60) -> list[np.ndarray]:
    """Every other strip without its top, as if it had reached over the scan's upper end."""
    return [strip[lost * (i % 2) :] for i, strip in enumerate(strips)]


def test_strips_of_unequal_height_are_compared_at_the_end_that_lies_level():
    strips = shredded(printed())[:6]
    told = measure(
        strips_of(beheaded(strips), upright=False), Shreds(), keep=None, dense=True
    ).dense
    level = strips_of([strip[60:] for strip in strips], upright=False)
    both = measure(level, Shreds(), keep=None, dense=True).dense
    one = 4 * np.arange(5)  # the right side of a strip, and the left side of the next
    np.testing.assert_array_equal(told[one, one + 6], told[one + 6, one])
    # What stands alone at the longer strip's top counts a little against the join.
    np.testing.assert_allclose(told[one, one + 6], both[one, one + 6], atol=4)


def test_strips_without_their_tops_find_their_places():
    strips = beheaded(shredded(printed(seed=3)))
    strips = [np.rot90(s, 2) if i % 3 == 1 else s for i, s in enumerate(strips)]
    puzzle = strips_of(strips, upright=False)
    result = api.search(api.prepare(puzzle, api.make_plan("shreds", "path", puzzle=puzzle)))
    assert row_of(result) in (list(range(12)), list(range(12))[::-1])


def test_blank_beside_blank_says_nothing():
    blank = np.full((300, 40), 255, np.uint8)
    scores = measure(strips_of([blank] * 3, upright=True), Shreds(), keep=None, dense=True)
    assert set(scores.dense[np.isfinite(scores.dense)].tolist()) == {0.0}


def test_two_sides_get_the_same_score_whoever_asks():
    strips = strips_of(shredded(printed())[:5], upright=False)
    told = measure(strips, Shreds(), keep=None, dense=True).dense
    sides = np.arange(0, 20, 2)  # right and left
    some = told[sides][:, sides]
    fine = np.isfinite(some)
    assert fine.sum() == 80
    np.testing.assert_allclose(some[fine], some.T[fine], atol=0.2)


def test_the_run_of_the_blade_counts_where_strips_are_ragged():
    rng = np.random.default_rng(3)
    y = np.arange(1200)
    waves = [
        sum(np.sin(y / rng.uniform(8, 30) + rng.uniform(0, 6)) for _ in range(5)) for _ in "abcde"
    ]
    blank = [np.full((1200, 60), 255, np.uint8)] * 4
    rims = [
        np.stack([6 + left, 54 + right]).round().astype(np.int32)
        for left, right in itertools.pairwise(waves)
    ]
    puzzle = strips_of(blank, upright=True, rims=rims)
    told = measure(puzzle, Shreds(), keep=None, dense=True).dense[::4]
    assert told[:3].argmax(axis=1).tolist() == [1, 2, 3]
    alone = measure(puzzle, Shreds(weight=0), keep=None, dense=True).dense[::4]
    assert not alone[np.isfinite(alone)].any()


def test_pieces_of_a_picture_are_refused():
    with pytest.raises(InputError, match="shreds is for strips"):
        measure(Puzzle(np.zeros((4, 12, 12, 3), np.uint8)), Shreds())


def test_settings_and_models_that_cannot_be_are_refused(shred_model, tmp_path):
    with pytest.raises(InputError, match="weight must be 0 or more"):
        Shreds(weight=-1)
    with pytest.raises(InputError, match="sides-16"):
        Shreds(model="sides-16")
    model = shred_model()
    with pytest.raises(InputError, match="do not fit its form"):
        ShredModel("wrong", Form(), model.weights)
    for wrong in ({"size": 20}, {"vector": 0}, {"slips": -1}):
        with pytest.raises(InputError):
            Form(**wrong)


def test_without_a_shipped_model_it_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    with pytest.raises(InputError, match="No model of shreds ships"):
        measure(strips_of(shredded(printed())[:3]), Shreds())


def test_a_model_is_read_as_it_was_written(shred_model, tmp_path):
    model = shred_model()
    model.save(tmp_path / "own.npz")
    again = find(str(tmp_path / "own.npz"))
    assert again.form == model.form
    for name, array in model.weights.items():
        np.testing.assert_allclose(again.weights[name], array, rtol=1e-3)


def test_what_lies_far_from_ink_is_described_by_zeros_and_leaves_no_trace(shred_model):
    engine = Engine(shred_model())
    side = np.full((1, 800, 16), 255, np.uint8)
    side[0, 400:410] = 0
    asks, answers = engine.describe(side)
    assert asks[0, 200:205].any()
    assert not asks[0, :100].any()
    assert not asks[0, 300:].any()
    higher = np.roll(side, -160, axis=1)
    np.testing.assert_allclose(engine.describe(higher)[1][0, :300], answers[0, 80:380], atol=1e-4)


def test_stretches_end_where_a_gap_is_long():
    some = np.zeros(30, bool)
    some[[2, 3, 6, 20, 29]] = True
    assert stretches(some, 4) == [(2, 7), (20, 21), (29, 30)]
    assert stretches(np.zeros(5, bool), 4) == []
