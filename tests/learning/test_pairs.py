"""Networks of pairs learn, leave models that score the same without torch, and can be resumed."""

import importlib
import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image
from skimage import data

from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.learning import gan, pairs, trainer
from tessella.learning.recipe import Augment, Recipe, Training
from tessella.learning.train import train
from tessella.measures import _learned
from tessella.measures.gan import Gan
from tessella.measures.squeezenet import Squeezenet
from tessella.measuring import measure
from tessella.networks import pair_scoring
from tessella.networks.pair_model import PairModel
from tessella.pictures import demo_picture

KINDS = ("squeezenet", "gan")
TRAINING = Training(
    loss="bce", steps=10, pictures=2, grid=3, candidates=3, hard=1, turned=False, check=5
)


def recipe(kind, **change):
    given = {"rows": 16, "depth": 12, "eroded": (1, 2), "training": TRAINING, **change}
    return Recipe("small", 28, (), kind=kind, augment=Augment(scale=(1, 1)), **given)


@pytest.fixture(scope="module")
def photographs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("photographs")
    for name in ("astronaut", "coffee"):
        picture = getattr(data, name)()[:336, :336]
        Image.fromarray(picture).resize((84, 84)).save(folder / f"{name}.png")
    return folder


@pytest.fixture(scope="module")
def undisturbed(photographs, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed")
    return {kind: (out / kind, train(recipe(kind), [photographs], out / kind)) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_the_model_scores_with_and_without_torch_alike(kind, undisturbed):
    out, made = undisturbed[kind]
    model = PairModel.load(out / "small.npz", kind)
    assert made.facts["steps"] == 10
    chance = np.random.default_rng(0)
    left, right = (chance.integers(0, 256, (n, 28, 28, 3)).astype(np.uint8) for n in (3, 20))
    which = np.array([(i, j) for i in range(3) for j in range(20)])
    for eroded in (1, 2):
        plain = pair_scoring.pairs(model, left, right, which, eroded, threads=1)
        known = pairs.pairs(model, left, right, which, eroded, device="cpu")
        np.testing.assert_allclose(plain, known, rtol=1e-4, atol=1e-4)
        assert np.ptp(plain) > 0


@pytest.mark.parametrize("kind", KINDS)
def test_what_normalises_while_learning_is_part_of_the_exported_weights(kind, photographs):
    pictures = [np.asarray(Image.open(file)) for file in sorted(photographs.glob("*.png"))]
    made = pairs_trainer(kind)(recipe(kind), pictures, pictures, "cpu")
    for step in range(6):
        made.advance(step / 10)
    made.units.eval()
    pair = torch.randn(5, made.rows, 24, 3, generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        wanted = made.judge(pair, 2).numpy()
    found = made.model({}).network(2)(pair.numpy())
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3)


def pairs_trainer(kind):
    return importlib.import_module(f"tessella.learning.{kind}").Trainer


@pytest.mark.parametrize("kind", KINDS)
def test_training_lowers_the_loss(kind, photographs, tmp_path, monkeypatch):
    monkeypatch.setattr(gan, "PAINTING", 0.0)
    monkeypatch.setattr(trainer, "WARM_UP", 1)
    longer = replace(TRAINING, steps=60, check=20, hard=0)
    train(recipe(kind, training=longer, eroded=(1, 1)), [photographs], tmp_path)
    told = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [each["step"] for each in told] == [20, 40, 60]
    assert told[-1]["loss"] < 0.9 * told[0]["loss"]


def test_painting_lowers_the_error_of_the_gap(photographs, tmp_path, monkeypatch):
    monkeypatch.setattr(gan, "PAINTING", 1.0)
    longer = replace(TRAINING, steps=45, check=15, rate=5e-3)
    train(recipe("gan", training=longer), [photographs], tmp_path)
    told = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert told[-1]["loss"] < 0.8 * told[0]["loss"]


def test_the_second_phase_leaves_the_generator_as_it_is(photographs):
    pictures = [np.asarray(Image.open(file)) for file in sorted(photographs.glob("*.png"))]
    made = gan.Trainer(recipe("gan"), pictures, pictures, "cpu")
    made.advance(0.0)

    def kept(units):
        return {name: value.clone() for name, value in units.state_dict().items()}

    painter, judging = kept(made.generator), kept(made.discriminator)
    made.validate(1)
    made.advance(gan.PAINTING)
    for name, value in made.generator.state_dict().items():
        torch.testing.assert_close(value, painter[name], rtol=0, atol=0)
    now = made.discriminator.state_dict()
    assert any(not torch.equal(now[name], value) for name, value in judging.items())


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_training_resumes_and_ends_the_same(
    killed, kind, photographs, undisturbed, tmp_path
):
    killed(train, recipe(kind), [photographs], tmp_path, after=7)
    resumed = train(recipe(kind), [photographs], tmp_path, resume=True)
    wanted = undisturbed[kind][1]
    for name, weight in resumed.weights.items():
        np.testing.assert_allclose(weight, wanted.weights[name], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rows": 20}, "rows in eights"),
        ({"eroded": (0, 0)}, "fills 1 to 4 px"),
        ({"eroded": (0, 0), "hide": -1}, "hide must be 0 or more"),
    ],
)
def test_what_gan_cannot_fill_is_refused_before_training(change, said, photographs, tmp_path):
    with pytest.raises(InputError, match=said):
        train(recipe("gan", **change), [photographs], tmp_path)


def test_networks_of_a_form_of_their_own_have_no_sub_networks():
    with pytest.raises(InputError, match=r"leave out \[\[subnetwork\]\]"):
        replace(recipe("gan"), subnetworks=(("rgb", (4, "pool", 4)),))


@pytest.mark.parametrize(("by", "kind"), [(Squeezenet, "squeezenet"), (Gan, "gan")])
def test_a_card_is_asked_for_the_same_pairs(by, kind, pair_model, tmp_path, monkeypatch):
    file = tmp_path / "one.npz"
    pair_model(kind, "one").save(file)
    puzzle = cut(demo_picture()[80:116, 90:138], 12)[0]
    known = measure(puzzle, by(str(file), device="cpu"), keep=None, dense=True)
    plain, asked = pairs.pairs, []

    def on_processor(*given, device, watch):
        asked.append(device)
        return plain(*given, device="cpu", watch=watch)

    monkeypatch.setattr(_learned, "card_present", lambda: True)
    monkeypatch.setattr(pairs, "pairs", on_processor)
    found = measure(puzzle, by(str(file)), keep=None, dense=True)
    assert set(asked) == {"cuda"}
    np.testing.assert_allclose(found.dense, known.dense, rtol=1e-4, atol=1e-4)
