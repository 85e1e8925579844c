"""Training learns, survives being killed, and leaves a model that scores without torch."""

import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from tessella.errors import InputError
from tessella.learning.recipe import Augment, Recipe, Training
from tessella.learning.train import train
from tessella.measures.dlcm import Dlcm
from tessella.networks.model import Model
from tessella.odds import calibration_of

TRAINING = Training(
    steps=30, pictures=2, grid=4, candidates=6, hard=3, joint=True, beside=("mgc",), check=10
)
RECIPE = Recipe(
    "small",
    12,
    (("rgb", (8, 8, "pool", 8)),),
    training=TRAINING,
    augment=Augment(jpeg=0.5),
)


@pytest.fixture(scope="module")
def undisturbed(photographs, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed")
    return out, train(RECIPE, [photographs], out)


def test_the_model_file_holds_what_was_trained(undisturbed):
    out, model = undisturbed
    loaded = Model.load(out / "small.npz")
    assert loaded.name == "small"
    assert loaded.facts["steps"] == 30
    assert loaded.facts["recipe"]["training"]["loss"] == "listwise"
    assert len(loaded.facts["data"]) == 32
    assert loaded.facts["validated with"] == "the training pictures themselves"
    assert set(loaded.beside) == {"mgc"}
    for a, b in zip(model.subnetworks[0].kernels, loaded.subnetworks[0].kernels, strict=True):
        np.testing.assert_array_equal(a, b)
    assert not (out / "checkpoint.pt").exists()


def test_what_is_trained_is_calibrated_on_held_pictures(undisturbed):
    out, model = undisturbed
    told = model.facts["calibration"]
    assert told["slope"] > 0
    assert told["levelled"]
    by = calibration_of(Dlcm(model=str(out / "small.npz")))
    assert (by.slope, by.offset, by.fitted) == (told["slope"], told["offset"], True)


def test_the_log_tells_loss_and_top1(undisturbed):
    lines = (undisturbed[0] / "log.jsonl").read_text().splitlines()
    told = [json.loads(line) for line in lines]
    assert [each["step"] for each in told] == [10, 20, 30]
    assert all(each["loss"] > 0 for each in told)
    assert 0 <= told[0]["sum after"] <= 1


def test_a_killed_training_resumes_and_ends_the_same(killed, photographs, undisturbed, tmp_path):
    killed(train, RECIPE, [photographs], tmp_path, after=14)
    with pytest.raises(InputError, match="add --resume"):
        train(RECIPE, [photographs], tmp_path)
    resumed = train(RECIPE, [photographs], tmp_path, resume=True)
    wanted = undisturbed[1].subnetworks[0]
    np.testing.assert_allclose(resumed.subnetworks[0].head, wanted.head, atol=1e-6)
    assert resumed.beside == pytest.approx(undisturbed[1].beside)


def test_another_recipe_or_other_pictures_are_not_resumed(killed, photographs, tmp_path):
    killed(train, RECIPE, [photographs], tmp_path, after=14)
    with pytest.raises(InputError, match="another recipe"):
        train(replace(RECIPE, seed=1), [photographs], tmp_path, resume=True)
    (photographs / "more.png").write_bytes((photographs / "coffee.png").read_bytes())
    try:
        with pytest.raises(InputError, match="other pictures"):
            train(RECIPE, [photographs], tmp_path, resume=True)
    finally:
        (photographs / "more.png").unlink()


def test_training_lowers_the_loss(photographs, tmp_path):
    longer = replace(TRAINING, steps=120, check=40, beside=(), rate=3e-3)
    train(replace(RECIPE, training=longer), [photographs], tmp_path)
    told = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert told[-1]["loss"] < 0.8 * told[0]["loss"]


def test_sub_networks_and_scout_are_trained_side_by_side(photographs, tmp_path):
    every = replace(
        RECIPE,
        subnetworks=(("rgb", (4, 4, "pool", 4)), ("r", (4, "pool", 4))),
        scout=("y", (2, "pool", 2)),
        by="scout",
        eroded=(1, 2),
        training=replace(TRAINING, steps=2, joint=False, beside=(), loss="bce", dropout=0.25),
    )
    model = train(every, [photographs], tmp_path)
    assert len(model.subnetworks) == 2
    assert model.scout is not None
    assert {"1 px sum after", "2 px sum after"} <= set(model.facts["top1"])


def test_panels_are_trained_on_whole_tiles(photographs, tmp_path):
    tiles = replace(
        RECIPE,
        piece=16,
        training=replace(TRAINING, steps=2, beside=(), joint=False),
        augment=Augment(simulate="azulejo", panels=2, degrade=1, shift=1),
    )
    model = train(tiles, [photographs], tmp_path)
    assert model.facts["pictures"] == 2


def test_a_time_limit_ends_the_training_early(photographs, tmp_path):
    endless = replace(TRAINING, steps=10**6)
    model = train(replace(RECIPE, training=endless), [photographs], tmp_path, seconds=1)
    assert 0 < model.facts["steps"] < 10**6


def test_folders_without_pictures_are_refused(tmp_path):
    with pytest.raises(InputError, match="no pictures"):
        train(RECIPE, [tmp_path], tmp_path / "out")
    with pytest.raises(InputError, match="not a folder"):
        train(RECIPE, [tmp_path / "none"], tmp_path / "out")


def test_pictures_that_are_too_small_are_refused(tmp_path):
    Image.new("RGB", (20, 20)).save(tmp_path / "small.png")
    with pytest.raises(InputError, match="48 x 48 px"):
        train(RECIPE, [tmp_path], tmp_path / "out")


def test_what_is_no_picture_is_named(photographs, tmp_path):
    (tmp_path / "broken.png").write_text("no picture")
    with pytest.raises(InputError, match=r"broken\.png is no picture"):
        train(RECIPE, [photographs, tmp_path], tmp_path / "out")


def test_held_pictures_that_are_too_small_are_refused(photographs, tmp_path):
    Image.new("RGB", (20, 200)).save(tmp_path / "small.png")
    with pytest.raises(InputError, match="2 x 2 pieces of 12 px"):
        train(RECIPE, [photographs], tmp_path / "out", held=tmp_path)


def test_a_file_in_place_of_the_folder_is_refused_before_anything_is_read(tmp_path):
    (tmp_path / "out").touch()
    with pytest.raises(InputError, match="is a file"):
        train(RECIPE, [tmp_path / "none"], tmp_path / "out")


def test_a_training_begins_a_log_of_its_own(photographs, tmp_path):
    (tmp_path / "log.jsonl").write_text("of an earlier training\n")
    brief = replace(TRAINING, steps=2)
    train(replace(RECIPE, training=brief), [photographs], tmp_path)
    lines = (tmp_path / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [2]


def test_a_training_can_begin_with_the_weights_of_a_model(photographs, undisturbed, tmp_path):
    gentle = replace(RECIPE, training=replace(TRAINING, steps=1, rate=1e-9))
    begun = train(gentle, [photographs], tmp_path, begin=undisturbed[0] / f"{RECIPE.name}.npz")
    wanted = undisturbed[1].subnetworks[0]
    np.testing.assert_allclose(begun.subnetworks[0].head, wanted.head, atol=1e-6)
    assert begun.beside == pytest.approx(undisturbed[1].beside)
    assert begun.facts["begun with"] == RECIPE.name


def test_a_training_does_not_begin_with_other_networks(photographs, undisturbed, tmp_path):
    planes, layers = RECIPE.subnetworks[0]
    wider = replace(RECIPE, subnetworks=((planes, (2 * layers[0], *layers[1:])),))
    with pytest.raises(InputError, match="not those of the recipe"):
        train(wider, [photographs], tmp_path, begin=undisturbed[0] / f"{RECIPE.name}.npz")


def test_asked_from_both_sides_the_loss_is_that_of_both(photographs, tmp_path):
    once = replace(TRAINING, steps=1, turned=False, rivals="row", candidates=3, hard=1, check=1)
    told = []
    for sides in (1, 2):
        asked = replace(RECIPE, training=replace(once, sides=sides))
        train(asked, [photographs], tmp_path / str(sides))
        told.append(json.loads((tmp_path / str(sides) / "log.jsonl").read_text())["loss"])
    assert told[1] > told[0]


def test_trust_and_a_second_look_are_the_finished_models(photographs, undisturbed, tmp_path):
    trusting = replace(RECIPE, mirrored=True, training=replace(TRAINING, trust=2.0))
    model = train(trusting, [photographs], tmp_path)
    assert model.mirrored
    assert not undisturbed[1].mirrored
    assert model.beside["mgc"] == pytest.approx(2 * undisturbed[1].beside["mgc"])
    np.testing.assert_allclose(model.subnetworks[0].head, undisturbed[1].subnetworks[0].head)
