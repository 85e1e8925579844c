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
        ("count = 0\n" + LEAST, "count must be at least 1"),
        ("seed = -1\n" + LEAST, "seed 0 or more"),
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


def test_a_recipe_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match="Cannot read"):
        read(tmp_path / "none.toml")


def test_a_recipe_that_is_no_text_is_told(tmp_path):
    path = tmp_path / "r.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not valid TOML"):
        read(path)
