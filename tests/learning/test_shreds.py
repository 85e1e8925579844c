"""The network for strips: training and its torch-free twin give the same, and a recipe trains."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image

from tessella.errors import InputError
from tessella.learning.recipe import Recipe, Training, read
from tessella.learning.shred_export import weights
from tessella.learning.shred_loss import losses, partners
from tessella.learning.shred_network import ShredNetwork
from tessella.learning.shredder import Shredder
from tessella.learning.shredding import Shredding
from tessella.learning.train import train
from tessella.measures.shreds import Shreds
from tessella.networks.shred_engine import Engine
from tessella.networks.shred_form import STEP, Form
from tessella.networks.shred_model import ShredModel

FORM = Form(size=16, channels=(6, 8, 10), width=8, along=1, vector=3, slips=2)
RECIPE = Recipe(
    name="sides-16",
    kind="shreds",
    piece=16,
    subnetworks=(),
    sides=FORM,
    training=Training(steps=2, pictures=2, grid=5, candidates=6, hard=0, check=1),
)
CLEAN = Shredding(kinds=(1, 0, 0, 0), angle=(0, 0), rough=(0, 0), own=(0, 0), bend=(0, 0))


@pytest.fixture
def network():
    torch.manual_seed(3)
    made = ShredNetwork(FORM)
    for part in made.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.running_mean.normal_()
            part.running_var.uniform_(0.5, 2)
            torch.nn.init.uniform_(part.weight, 0.5, 1.5)
            torch.nn.init.normal_(part.bias)
    torch.nn.init.normal_(made.asks.weight, std=0.3)
    torch.nn.init.normal_(made.answers.weight, std=0.3)
    return made.eval()


@pytest.fixture(scope="module")
def page() -> np.ndarray:
    """Lines of letters, none like another."""
    rng = np.random.default_rng(4)
    made = np.full((700, 900), 255, np.uint8)
    for top in range(30, 660, 40):
        letters = rng.random((5, 140)) < 0.45
        made[top : top + 20, 30:870] = np.where(letters.repeat(4, 0).repeat(6, 1), 20, 255)
    return made


@pytest.fixture
def pages(page, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for i in range(3):
        Image.fromarray(np.roll(page, 40 * i, axis=0)).save(folder / f"{i}.png")
    return folder


def test_without_torch_sides_are_described_alike(network, page):
    model = ShredModel("own", FORM, weights(network))
    sides = np.stack([page[96:496, x : x + 16] for x in (30, 200, 410)])
    around = FORM.reach  # Beyond a strip's ends lies white paper.
    ink = np.pad(1 - sides / 255, ((0, 0), (around, around), (0, 0)))
    with torch.no_grad():
        left, right = network.describe(torch.from_numpy(ink).float())
    rows, scale = slice(around // STEP, -around // STEP), float(network.scale.exp().sqrt().detach())
    asks, answers = Engine(model).describe(sides)
    vector = FORM.vector
    expected = left[:, rows].numpy()
    np.testing.assert_allclose(asks[..., :-1] * scale, expected[..., :vector], atol=1e-3)
    found = asks[..., -1] + answers[..., -1]
    np.testing.assert_allclose(found, expected[..., 2 * vector], atol=1e-2)
    turned = right.flip(1)[:, rows].numpy()
    np.testing.assert_allclose(answers[..., :-1] / scale, turned[..., :vector], atol=1e-2)


def test_two_sides_were_cut_from_each_other_and_the_outer_two_from_nobody():
    other = partners(3, torch.device("cpu")).tolist()
    assert other == [3, -1, 5, 0, -1, 2]


def test_a_cut_that_loses_nothing_goes_on(page):
    quiet = dict.fromkeys(("slip", "stretch", "lean", "blur", "hard", "pale"), (0.0, 0.0))
    quiet |= dict.fromkeys(("grey", "fray", "shadow", "noise", "doubled"), (0.0, 0.0))
    look = replace(CLEAN, **quiet, bits=0.0, compressed=0.0, scale=(1.0, 1.0), missing=(0.0, 0.0))
    shredder = Shredder([page], look, torch.device("cpu"), strips=6, rows=96, columns=16)
    ink, gone = shredder.windows(4, np.random.default_rng(1))
    assert ink.shape == (4, 6, 2, 96, 16)
    assert not gone.any()
    right, left = ink[:, :-1, 0, :, -1], ink[:, 1:, 1].flip(2)[..., -1]
    near, far = (right - left).abs().mean(), (right - left.roll(1, 1)).abs().mean()
    assert near < 0.6 * far


def test_windows_are_the_same_for_the_same_chance_and_within_0_and_1(page):
    shredder = Shredder([page], Shredding(), torch.device("cpu"), strips=5, rows=64, columns=16)
    one, two = (shredder.windows(3, np.random.default_rng(7))[0] for _ in range(2))
    assert torch.equal(one, two)
    assert one.min() >= 0
    assert one.max() <= 1


def test_a_few_steps_lower_the_loss_on_the_same_windows(network, page):
    shredder = Shredder([page], CLEAN, torch.device("cpu"), strips=5, rows=64, columns=16)
    ink, gone = shredder.windows(3, np.random.default_rng(2))
    network.train()
    optimizer = torch.optim.Adam(network.parameters(), 1e-2)
    told = []
    for _ in range(15):
        loss = losses(network, ink, gone, half=False)[0]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        told.append(float(loss.detach()))
    assert told[-1] < 0.7 * told[0]


def test_a_recipe_trains_a_model_that_the_measure_takes(pages, tmp_path):
    model = train(RECIPE, [pages], tmp_path)
    assert 0 <= model.facts["top1"]["top1"] <= 1
    assert Shreds(str(tmp_path / "sides-16.npz")).model is not None


def test_a_recipe_names_sides_and_shredding(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(
        'name = "own"\nkind = "shreds"\npiece = 24\n[sides]\nchannels = [8, 8, 8]\n'
        "[shredding]\nslip = [0.0, 2.0]\n"
    )
    recipe = read(path)
    assert recipe.sides == Form(size=24, channels=(8, 8, 8))
    assert recipe.shredding == Shredding(slip=(0.0, 2.0))


def test_sides_of_another_width_than_piece_are_refused(pages, tmp_path):
    with pytest.raises(InputError, match="16 columns of a side, but piece is 24"):
        train(replace(RECIPE, piece=24), [pages], tmp_path)


@pytest.mark.parametrize("table", ["[sides]\nwidth = 8\n", "[shredding]\nbits = 0.5\n"])
def test_tables_of_shreds_are_refused_elsewhere(tmp_path, table):
    path = tmp_path / "own.toml"
    part = '[[subnetwork]]\nplanes = "rgb"\nlayers = [4]\n'
    path.write_text(f'name = "own"\npiece = 32\n{part}{table}')
    with pytest.raises(InputError, match='belongs to kind = "shreds"'):
        read(path)


@pytest.mark.parametrize("wrong", [{"bits": 1.5}, {"slip": (3.0, 1.0)}, {"kinds": (0, 0, 0, 0)}])
def test_a_shredding_that_cannot_be_is_refused(wrong):
    with pytest.raises(InputError, match=next(iter(wrong))):
        Shredding(**wrong)
