"""What squeezenet and gan have in common; test_gan.py has what their shipped models know."""

from __future__ import annotations

import numpy as np
import pytest

from tessella import models
from tessella.errors import InputError, NameUnknown
from tessella.imaging.azulejo import panel
from tessella.imaging.cut import cut
from tessella.measures import _learned
from tessella.measures._pairs import find
from tessella.measures.gan import Gan
from tessella.measures.squeezenet import Squeezenet
from tessella.measuring import measure
from tessella.networks.pair_scoring import AT_ONCE
from tessella.networks.view import seen
from tessella.pictures import demo_picture
from tessella.puzzle import Puzzle

BOTH = pytest.mark.parametrize(("by", "kind"), [(Squeezenet, "squeezenet"), (Gan, "gan")])


def puzzle(size=12, rows=3, cols=4, **known) -> Puzzle:
    return cut(demo_picture()[80 : 80 + rows * size, 90 : 90 + cols * size], size, **known)[0]


def worn_tiles() -> Puzzle:
    """Tiles of 24 px whose sides do not go on."""
    return cut(panel(demo_picture()[:240, :240], (8, 8), tile=24, seed=1), 24)[0]


@pytest.fixture
def untaught(pair_model, tmp_path, monkeypatch):
    """Models of random weights stand in for those that ship."""
    for kind in ("squeezenet", "gan"):
        for name, known in {
            "plain": {"piece": 12},
            "large": {"piece": 24},
            "tiles": {"piece": 24, "tiles": True},
            "worn": {"piece": 24, "eroded": (2, 4)},
        }.items():
            pair_model(kind, f"{kind}-{name}", count=5, **known).save(
                tmp_path / f"{kind}-{name}.npz"
            )
    monkeypatch.setattr(models, "FOLDER", tmp_path)


@BOTH
@pytest.mark.usefixtures("untaught")
def test_a_score_is_what_the_network_says_of_the_pair(by, kind):
    asked = puzzle()
    found = measure(asked, by(f"{kind}-plain"), keep=None, dense=True, threads=2).dense
    assert found[0, 1:].size * 12 > AT_ONCE  # More than one portion.
    model = find(f"{kind}-plain", kind)
    network = model.network(0)
    for i, j in ((0, 1), (5, 3), (11, 2)):
        for turn in range(4):  # The side e is turned to face right by e turns back.
            left, right = (np.rot90(asked.pieces[k], -turn)[None] for k in (i, j))
            pair = np.concatenate(
                [seen(left, 0, "rgb", 8, 12, 0), seen(right, 0, "rgb", 8, 12, 2)], axis=2
            )
            expected = network(pair)[0]
            np.testing.assert_allclose(found[4 * i + turn, j], expected, rtol=1e-4, atol=1e-5)


@BOTH
@pytest.mark.parametrize(
    ("asked", "model"),
    [
        (puzzle(12), "plain"),
        (puzzle(20), "large"),
        (worn_tiles(), "tiles"),
        (puzzle(24, erode=3), "worn"),
        (puzzle(12, erode=1), "worn"),
    ],
    ids=["its size", "another size", "tiles", "worn", "worn, another size"],
)
@pytest.mark.usefixtures("untaught")
def test_the_model_is_chosen_by_frame_content_and_size(by, kind, asked, model):
    chosen = by(device="cpu").suited(asked)
    assert chosen.model == f"{kind}-{model}"
    assert np.isfinite(measure(asked, chosen, keep=None, threads=1).hi).all()


@BOTH
@pytest.mark.usefixtures("untaught")
def test_frames_that_no_model_knows_are_refused(by, kind):
    with pytest.raises(InputError, match=f"No shipped model of {kind} was trained"):
        by().suited(puzzle(24, erode=6))
    with pytest.raises(InputError, match="trained for worn frames of 2 to 4 px"):
        by(f"{kind}-worn").suited(puzzle(24))


@BOTH
@pytest.mark.usefixtures("untaught")
def test_as_many_candidates_are_asked_about_as_the_model_or_the_user_says(by, kind):
    asked = puzzle()
    assert by(f"{kind}-plain").usual() == 5
    assert by(f"{kind}-plain", count=3).usual() == 3
    assert by(f"{kind}-plain", count=0).usual() is None
    some = measure(asked, by(f"{kind}-plain"), dense=False, threads=1)
    every = measure(asked, by(f"{kind}-plain", count=0), dense=True, threads=1)
    e, place = np.nonzero(some.partner >= 0)
    assert 5 * len(some.partner) <= len(e) < 11 * len(some.partner)
    known = every.dense[e, some.partner[e, place] // 4]
    np.testing.assert_allclose(some.score[e, place], known, rtol=1e-4, atol=1e-5)


@BOTH
@pytest.mark.usefixtures("untaught")
def test_other_weights_have_another_fingerprint(by, kind):
    plain, large = by(f"{kind}-plain").fingerprint(), by(f"{kind}-large").fingerprint()
    assert plain == by(f"{kind}-plain").fingerprint() != large


@BOTH
@pytest.mark.usefixtures("untaught")
def test_settings_that_cannot_be_are_refused(by, kind):
    with pytest.raises(InputError, match="count must be 0 or more"):
        by(count=-1)
    with pytest.raises(NameUnknown, match=f"{kind}-plain"):
        by("nobody")


@BOTH
def test_a_card_that_is_not_there_is_an_error(by, kind, monkeypatch):
    monkeypatch.setattr(_learned, "card_present", lambda: False)
    with pytest.raises(InputError, match="--device cuda needs an NVIDIA card"):
        by(device="cuda")


@BOTH
def test_without_models_it_says_so(by, kind, tmp_path, monkeypatch):
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    with pytest.raises(InputError, match=f"No shipped model of {kind} .*there are none"):
        by().suited(puzzle())
