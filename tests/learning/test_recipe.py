from pathlib import Path

import pytest

from tessella.errors import InputError
from tessella.learning.recipe import read

RECIPES = sorted((Path(__file__).parents[2] / "recipes").glob("*.toml"))
LEAST = 'name = "x"\npiece = 12\n[[subnetwork]]\nplanes = "rgb"\nlayers = [4, "pool", 4]\n'


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_the_recipes_can_be_read_and_are_named_as_their_files(path):
    assert read(path).name == path.stem


def test_there_are_recipes():
    assert len(RECIPES) >= 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LEAST.replace("[4", '["four"'), "Layers must be"),
        (LEAST + "[training]\nlosses = 1\n", "training has no losses"),
        (LEAST + '[training]\nloss = "l2"\n', "training.loss must be one of listwise, bce"),
        (LEAST + '[training]\nsteps = "many"\n', "training.steps must be int"),
        (LEAST + "[training]\nhard = 24\n", "hard fewer than candidates"),
        (LEAST + '[training]\nbeside = ["mgc"]\n', "beside needs joint"),
        (LEAST + '[training]\nsides = 2\nloss = "bce"\n', "sides = 2 needs loss"),
        (LEAST + "[training]\nsides = 3\n", "training.sides must be one of 1, 2"),
        (LEAST + "[augment]\nscale = 1\n", "augment.scale must be a list"),
        (LEAST + "[augment]\njpeg = 2\n", "jpeg is a share"),
        ('by = "scout"\n' + LEAST, "a [scout] if"),
        (LEAST.replace("piece = 12\n", ""), "recipe needs piece"),
        ('name = "x"\npiece = 12\n', "at least one [[subnetwork]]"),
        ("name =", "not valid TOML"),
        (LEAST.replace('"x"', '"a/b"'), "name must do as that of a file"),
        (LEAST.replace("[[subnetwork]]", "[subnetwork]"), "[[subnetwork]]"),
        (LEAST.replace('"rgb"', "5"), "planes such as"),
        (LEAST.replace('[4, "pool", 4]', "4"), "a list of layers"),
        ("training = 3\n" + LEAST, "training must be a table"),
        ("eroded = [3, 1]\n" + LEAST, "two ascending widths"),
        ('eroded = ["a", 1]\n' + LEAST, "recipe.eroded must be int"),
        ('by = "foo"\n' + LEAST, "no proposer called 'foo'"),
        ("count = 0\n" + LEAST, "count must be 1 to"),
        ("seed = -1\n" + LEAST, "A seed must be 0 or more"),
        (LEAST + "[training]\ndropout = 1.5\n", "dropout a share"),
        (LEAST + "[training]\nrate = -1\n", "rate more than 0"),
        (LEAST + '[augment]\nscale = ["a", "b"]\n', "augment.scale must be float"),
    ],
)
def test_a_wrong_recipe_is_refused_in_one_sentence(tmp_path, text, said):
    path = tmp_path / "r.toml"
    path.write_text(text)
    with pytest.raises(InputError) as problem:
        read(path)
    assert said in str(problem.value)
    assert str(path) in str(problem.value)


OF_ITS_OWN = 'name = "x"\npiece = 64\nkind = "{}"\n'
TRAINING, AUGMENT = LEAST + "[training]\n", LEAST + "[augment]\n"
TWINS = OF_ITS_OWN.format("embedding") + "[twins]\n"
TILES, SHREDS = OF_ITS_OWN.format("tiles"), OF_ITS_OWN.format("shreds")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"seed = {10**20}\n{LEAST}", "recipe.seed must lie within 1e+18"),
        (f"seed = {'9' * 5000}\n{LEAST}", "not valid TOML"),
        ("slack = nan\n" + LEAST, "recipe.slack must lie within"),
        ("slack = -1.0\n" + LEAST, "slack 0 or more"),
        ("count = 1000001\n" + LEAST, "count must be 1 to 1000000"),
        (LEAST.replace("12", "1025"), "piece must be 2 to 1024 px"),
        (LEAST.replace("12", "1"), "piece must be 2 to 1024 px"),
        ("eroded = [0, 6]\n" + LEAST, "leaves nothing of a piece"),
        ("depth = 13\n" + LEAST, "rows and depth must be 0 to 12 px"),
        ("rows = -1\n" + LEAST, "rows and depth must be 0 to 12 px"),
        ("hide = 6\n" + LEAST, "leave something of a piece"),
        (LEAST.replace("[4,", "[4097,"), "A layer may have 4096 channels"),
        (LEAST.replace("[4,", f"[{10**9},"), "A layer may have 4096 channels"),
        (LEAST.replace("[4,", f"[{'4, ' * 99}"), "A network may have 100 layers"),
        (LEAST.replace("[4,", f"[{'4096, ' * 5}"), "100000000 weights"),
        (TRAINING + "rate = inf", "training.rate must lie within"),
        (TRAINING + "rate = nan", "training.rate must lie within"),
        (TRAINING + "rate = 1.1", "at most 1"),
        (TRAINING + f"steps = {10**20}", "training.steps must lie within"),
        (TRAINING + "pictures = 1025", "A batch may have 1024 pictures"),
        (TRAINING + "trust = nan", "training.trust must lie within"),
        (LEAST.replace("12", "1024") + "[training]\ngrid = 64", "at most 268435456 can be held"),
        (AUGMENT + "scale = [0.01, 1.0]", "factors from 1/16 to 16"),
        (AUGMENT + "scale = [1.0, inf]", "augment.scale must lie within"),
        (AUGMENT + "panels = 10001", "panels must be 1 to 10000"),
        (AUGMENT + "shift = 1025", "degrade and shift must be 0 to 1024"),
        (TWINS + f"channels = {10**9}", "A layer may have 4096 channels"),
        (TWINS + f"blocks = {10**9}", "A network may have 100 layers"),
        (TWINS + "free = -1", "must be 0 or more"),
        (TWINS + "channels = 4096\nblocks = 9", "100000000 weights"),
        (TILES + f"[networks]\nalong = {10**9}", "A network may have 100 layers"),
        (TILES + f"[networks]\nblocks = [1, {10**9}, 1]", "A network may have 100 layers"),
        (TILES + "[networks]\nblocks = [1, -1, 1]", "Blocks must be 0 or more"),
        (TILES + "[domain]\nnoise = [0.0, 1001.0]", "ascending numbers from 0 to 1000"),
        (TILES + "[domain]\nextent = [0.5, 1.1]", "domain's extent must be a share"),
        (TILES + "[mix]\npanels = 0", "panels must be 1 to 10000"),
        (SHREDS + f"[sides]\nslips = {10**9}", "A network may have 100 layers"),
        (SHREDS + "[shredding]\nscale = [0.0, 1.0]", "scale must be 0.01 or more"),
        (SHREDS + "[shredding]\nmissing = [nan, 1.0]", "shredding.missing must lie within"),
    ],
)
def test_every_number_of_a_recipe_is_bounded(tmp_path, text, said):
    path = tmp_path / "r.toml"
    path.write_text(text)
    with pytest.raises(InputError) as problem:
        read(path)
    assert said in str(problem.value)
    assert len(str(problem.value)) < len(str(path)) + 250


@pytest.mark.parametrize(
    "text",
    [
        f"seed = {10**18}\n{LEAST}",
        "slack = inf\n" + LEAST,
        LEAST.replace("12", "1024") + "[training]\npictures = 1",
        LEAST.replace("[4,", "[4096,"),
        TRAINING + "rate = 1",
        AUGMENT + "scale = [0.0625, 16.0]",
        TWINS + "channels = 512",
    ],
)
def test_the_greatest_numbers_of_a_recipe_are_accepted(tmp_path, text):
    path = tmp_path / "r.toml"
    path.write_text(text)
    assert read(path).name == "x"


def test_a_recipe_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match="Cannot read"):
        read(tmp_path / "none.toml")


def test_a_recipe_that_is_no_text_is_told(tmp_path):
    path = tmp_path / "r.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not valid TOML"):
        read(path)
