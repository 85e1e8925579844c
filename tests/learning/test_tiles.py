"""The networks for tiles: training and its torch-free twin give the same, and a recipe trains."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.learning import tile_import
from tessella.learning.domain import Domain
from tessella.learning.recipe import Mix, Recipe, Training, read
from tessella.learning.tile_export import weights
from tessella.learning.tile_loss import losses, partners, table, top1
from tessella.learning.tile_network import TileNetwork
from tessella.learning.train import train
from tessella.measures.tiles import Tiles
from tessella.measuring import measure
from tessella.networks.tile_form import Form
from tessella.networks.tile_model import TileModel

FORM = Form(size=16, channels=(6, 8, 10), columns=(4, 3, 2), width=8, along=1, vector=3, pair=6)
RECIPE = Recipe(
    name="tile-16",
    kind="tiles",
    piece=16,
    subnetworks=(),
    networks=FORM,
    training=Training(steps=4, pictures=2, grid=3, candidates=6, hard=0, check=2),
)


@pytest.fixture
def network():
    torch.manual_seed(3)
    made = TileNetwork(FORM)
    for part in made.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.running_mean.normal_()
            part.running_var.uniform_(0.5, 2)
            torch.nn.init.uniform_(part.weight, 0.5, 1.5)
            torch.nn.init.normal_(part.bias)
    torch.nn.init.normal_(made.verdict.weight, std=0.3)
    return made


def test_without_torch_the_same_pairs_get_the_same_scores(network, picture, tmp_path):
    puzzle, _ = cut(picture[:48, :64], 16, turned=True)
    TileModel("own", FORM, weights(network)).save(tmp_path / "own.npz")
    expected = table(network, torch.from_numpy(puzzle.pieces.copy())).numpy()
    by = Tiles(str(tmp_path / "own.npz"), company=False)
    found = measure(puzzle, by, keep=None, dense=True).dense
    # Training counts sides as they come to face right: right, bottom, left, top.
    sides = (4 * np.arange(len(puzzle))[:, None] + np.array([0, 3, 2, 1])).ravel()
    found = found[sides][:, sides]
    assert np.isneginf(found).sum() == 16 * len(puzzle)
    some = np.isfinite(expected)
    np.testing.assert_allclose(found[some], expected[some], rtol=2e-2, atol=2e-2)


def test_partners_lie_side_by_side_and_ask_each_other():
    asked, true = partners(3, torch.device("cpu"))
    pairs = set(zip(asked.tolist(), true.tolist(), strict=True))
    assert len(pairs) == 24
    assert {(f, e) for e, f in pairs} == pairs
    assert (4 * 0, 4 * 1 + 2) in pairs
    assert (4 * 0 + 1, 4 * 3 + 3) in pairs


def test_top1_is_1_for_the_truth_and_0_for_its_opposite():
    asked, true = partners(3, torch.device("cpu"))
    scores = torch.zeros(36, 36)
    scores[asked, true] = 1.0
    assert top1(scores, 3, upright=True) == top1(scores, 3, upright=False) == 1
    assert top1(-scores, 3, upright=True) == 0


def test_a_few_steps_lower_the_loss_on_the_same_panels(network):
    panels = torch.rand(2, 3, 3, 16, 16, 3, generator=torch.Generator().manual_seed(1)) * 255
    optimizer = torch.optim.Adam(network.parameters(), 1e-2)
    told = []
    for _ in range(12):
        torch.manual_seed(0)
        loss = losses(network, panels, 6, half=False)[:2].sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        told.append(float(loss.detach()))
    assert told[-1] < 0.8 * told[0]


def test_a_recipe_trains_a_model_that_measures(photographs, tmp_path, picture):
    model = train(RECIPE, [photographs], tmp_path)
    assert 0 <= model.facts["top1"]["upright"] <= 1
    puzzle, _ = cut(picture[:64, :64], 16)
    scores = measure(puzzle, Tiles(str(tmp_path / "tile-16.npz")))
    assert np.isfinite(scores.hi).all()


def test_killed_and_resumed_it_ends_as_if_undisturbed(photographs, tmp_path, killed):
    whole = train(RECIPE, [photographs], tmp_path / "whole")
    killed(train, RECIPE, [photographs], tmp_path / "cut", after=3)
    resumed = train(RECIPE, [photographs], tmp_path / "cut", resume=True)
    for name, array in whole.weights.items():
        np.testing.assert_array_equal(resumed.weights[name], array)


def test_networks_that_do_not_look_at_whole_pieces_are_refused(photographs, tmp_path):
    odd = replace(RECIPE, piece=24)
    with pytest.raises(InputError, match="16 px, but piece is 24"):
        train(odd, [photographs], tmp_path)


def test_a_recipe_names_networks_and_domain(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(
        'name = "own"\nkind = "tiles"\npiece = 32\n[networks]\nchannels = [8, 8, 8]\n'
        "columns = [4, 4, 4]\n[domain]\nlost = [0.0, 0.02]\n"
    )
    recipe = read(path)
    assert recipe.networks == Form(size=32, channels=(8, 8, 8), columns=(4, 4, 4))
    assert recipe.domain == Domain(lost=(0.0, 0.02))


@pytest.mark.parametrize("table", ["[networks]\nwidth = 8\n", "[domain]\nglare = 0.5\n"])
def test_tables_of_tiles_are_refused_elsewhere(tmp_path, table):
    path = tmp_path / "own.toml"
    part = '[[subnetwork]]\nplanes = "rgb"\nlayers = [4]\n'
    path.write_text(f'name = "own"\npiece = 32\n{part}{table}')
    with pytest.raises(InputError, match='belongs to kind = "tiles"'):
        read(path)


def test_weights_begun_with_come_out_as_they_were(network):
    plain = weights(network)
    tiles = torch.randn(64, 3, 16, 16, generator=torch.Generator().manual_seed(2))
    other = TileNetwork(FORM)
    tile_import.begin(other, plain, tiles)
    for name, array in weights(other).items():
        np.testing.assert_allclose(array, plain[name], rtol=1e-3, atol=1e-4)


def test_a_training_goes_on_from_a_model_with_other_sorts_of_panels(photographs, tmp_path):
    first = train(RECIPE, [photographs], tmp_path / "first")
    told = Training(steps=1, rate=1e-9, pictures=4, grid=3, candidates=6, hard=0, check=1)
    mixed = replace(RECIPE, eroded=(1, 2), mix=Mix(0.25, 0.25, panels=2), training=told)
    begin = tmp_path / "first" / "tile-16.npz"
    second = train(mixed, [photographs], tmp_path / "second", begin=begin)
    sorts = {f"{sort}{way}" for sort in ("", "aged ", "worn ") for way in ("upright", "turned")}
    assert set(second.facts["top1"]) == sorts
    assert second.facts["begun with"] == "tile-16"
    # One step that is next to nothing: only what normalises has looked at another batch.
    np.testing.assert_allclose(
        second.weights["asks.weight"], first.weights["asks.weight"], rtol=1e-2, atol=1e-3
    )


def test_a_model_of_another_form_cannot_be_begun_with(photographs, tmp_path, network):
    TileModel("own", FORM, weights(network)).save(tmp_path / "own.npz")
    other = replace(RECIPE, networks=replace(FORM, pair=7))
    with pytest.raises(InputError, match="another form"):
        train(other, [photographs], tmp_path / "out", begin=tmp_path / "own.npz")


@pytest.mark.parametrize("shares", [{"aged": 0.7, "worn": 0.4}, {"aged": -0.1}])
def test_shares_of_a_mixture_must_be_possible(shares):
    with pytest.raises(InputError, match="shares of 1 together"):
        Mix(**shares)


@pytest.mark.parametrize("panels", [0, 10**20])
def test_panels_of_a_mixture_are_bounded(panels):
    with pytest.raises(InputError, match="panels must be 1 to"):
        Mix(panels=panels)
