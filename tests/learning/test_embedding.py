"""Twin networks learn, their vectors are those of the package's own, and trainings resume."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from tessella import edges
from tessella.errors import InputError
from tessella.learning.embedding import codes, exported, loss, partners, rims
from tessella.learning.recipe import Augment, Recipe, Training, Twins, read
from tessella.learning.train import train
from tessella.learning.twins import Twins as Networks
from tessella.networks.embedding import Model
from tessella.networks.twins import Form
from tessella.puzzle import Puzzle

TRAINING = Training(steps=20, pictures=2, grid=5, candidates=8, hard=3, check=10)
RECIPE = Recipe(
    "small",
    12,
    (),
    depth=5,
    kind="embedding",
    twins=Twins(channels=8, blocks=1, free=2, whole=4),
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
    assert loaded.form == model.form == Form(12, 5, 8, 1, 2, 4)
    assert loaded.facts["steps"] == 20
    np.testing.assert_array_equal(loaded.left.kernels[0], model.left.kernels[0])
    assert not np.array_equal(loaded.left.kernels[0], loaded.right.kernels[0])


def test_the_log_tells_loss_top1_and_recall(undisturbed):
    lines = (undisturbed[0] / "log.jsonl").read_text().splitlines()
    told = [json.loads(line) for line in lines]
    assert [each["step"] for each in told] == [10, 20]
    assert 0 <= told[0]["top1"] <= told[0]["recall32"] <= 1
    assert 0 <= told[0]["mgc top1"] <= 1


def test_a_killed_training_resumes_and_ends_the_same(killed, photographs, undisturbed, tmp_path):
    killed(train, RECIPE, [photographs], tmp_path, after=14)
    resumed = train(RECIPE, [photographs], tmp_path, resume=True)
    np.testing.assert_allclose(resumed.left.row, undisturbed[1].left.row, atol=1e-6)
    assert resumed.reach == pytest.approx(undisturbed[1].reach)


def test_training_lowers_the_loss(photographs, tmp_path):
    longer = replace(TRAINING, steps=150, check=50, rate=3e-3)
    blank = replace(RECIPE.twins, foretells=False)  # So it begins with nothing known.
    train(replace(RECIPE, training=longer, twins=blank), [photographs], tmp_path)
    told = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert told[-1]["loss"] < 0.8 * told[0]["loss"]


@pytest.mark.parametrize("foretells", [True, False])
def test_torch_and_the_package_agree(foretells):
    torch.manual_seed(1)
    form = Form(8, 4, 6, 2, 2, 3, foretells)
    networks = Networks(form)
    pieces = np.random.default_rng(0).integers(0, 256, (3, 8, 8, 3), np.uint8)
    seen = rims(torch.from_numpy(pieces)[None].float(), 0, form)[0]
    with torch.no_grad():
        wanted = networks.scores(networks(seen))[0].numpy()
    model = as_model(networks)
    every = np.arange(12, dtype=np.int32)
    right, left = (
        model.vectors(Puzzle(pieces).facing(every, way), 0, way)
        for way in (edges.RIGHT, edges.LEFT)
    )
    np.testing.assert_allclose(model.scores(right, left), wanted, rtol=1e-4, atol=1e-3)


def as_model(networks):
    reach, steep = networks.scale.detach().double().exp().tolist()
    twins = exported(networks.left), exported(networks.right)
    return Model("x", 8, (0, 0), *twins, reach=reach, steep=steep)


def test_partners_are_mutual_and_face_each_other():
    partner = partners(2, 3)
    assert partner[0] == 4 * 1 + edges.LEFT
    assert partner[4 * 5 + edges.TOP] == 4 * 2 + edges.BOTTOM
    some = (partner >= 0).nonzero().flatten()
    assert len(some) == 2 * (2 * 2 + 3)
    assert (partner[partner[some]] == some).all()


def test_rims_of_true_partners_lie_side_by_side():
    # Numbers rise smoothly, so across a seam they differ by a pixel's worth.
    y, x = np.mgrid[:16, :24]
    picture = torch.from_numpy(np.stack([5 * x, 5 * y, x + y], axis=-1)).float()
    pieces = picture.view(2, 8, 3, 8, 3).transpose(1, 2).flatten(0, 1)
    seen = rims(pieces[None], 0, Form(8, 4, 1, 0, 0, 1))[0]  # (E, rows, depth, 3)
    partner = partners(2, 3)
    some = (partner >= 0).nonzero().flatten()
    step = seen[some, :, 0] - seen[partner[some]].flip(1)[:, :, 0]
    assert step.abs().max() <= 5


def test_rims_that_look_like_the_partners_do_not_count():
    partner = partners(2, 2)
    code = torch.arange(16.0)[None]
    scores = torch.randn(1, 16, 16, generator=torch.Generator().manual_seed(0))
    before = loss(scores, partner, code)
    scores[0, 0, 9] = 50.0  # a wrong one, liked by the right edge of the first piece
    assert loss(scores, partner, code) > before + 0.5
    code[0, 9] = code[0, partner[0]]
    code[0, 0] = code[0, partner[9]]
    assert loss(scores, partner, code) < before + 0.1


def test_equal_rims_have_equal_codes():
    seen = torch.randint(0, 256, (1, 3, 8, 4, 3)).float()
    seen[0, 2, :, :2] = seen[0, 0, :, :2]
    code = codes(seen)[0]
    assert code[0] == code[2] != code[1]


def test_upright_pieces_alone_are_refused(photographs, tmp_path):
    upright = replace(RECIPE, training=replace(TRAINING, turned=False))
    with pytest.raises(InputError, match="set turned = true"):
        train(upright, [photographs], tmp_path)


def test_sub_networks_are_refused():
    with pytest.raises(InputError, match="form of its own"):
        replace(RECIPE, subnetworks=(("rgb", (8, 8)),))


def test_a_training_can_begin_with_the_weights_of_a_model(photographs, undisturbed, tmp_path):
    gentle = replace(RECIPE, training=replace(TRAINING, steps=1, rate=1e-9))
    begun = train(gentle, [photographs], tmp_path, begin=undisturbed[0] / "small.npz")
    np.testing.assert_allclose(begun.right.row, undisturbed[1].right.row, atol=1e-6)
    assert begun.steep == pytest.approx(undisturbed[1].steep)


def test_a_training_does_not_begin_with_another_form(photographs, undisturbed, tmp_path):
    wider = replace(RECIPE, twins=replace(RECIPE.twins, channels=9))
    with pytest.raises(InputError, match="recipe's form"):
        train(wider, [photographs], tmp_path, begin=undisturbed[0] / "small.npz")


def test_a_recipe_says_how_large_the_twins_are(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text('name = "own"\nkind = "embedding"\npiece = 12\n[twins]\nchannels = 5\n')
    assert read(file).twins == Twins(channels=5)
    file.write_text('name = "own"\nkind = "embedding"\npiece = 12\n[twins]\nwidth = 5\n')
    with pytest.raises(InputError, match="twins has no width"):
        read(file)
