"""``tessella train`` from the shell."""

import json
import sys

import pytest
from PIL import Image
from skimage import data

from tessella.cli import main

RECIPE = """
name = "small"
piece = 12
[[subnetwork]]
planes = "rgb"
layers = [4, 4, "pool", 4]
[training]
steps = 2
pictures = 1
grid = 4
candidates = 4
hard = 2
"""


@pytest.fixture
def given(tmp_path):
    (tmp_path / "recipe.toml").write_text(RECIPE)
    (tmp_path / "photographs").mkdir()
    Image.fromarray(data.chelsea()[:100, :100]).save(tmp_path / "photographs" / "cat.png")
    out = tmp_path / "out"
    folder = tmp_path / "photographs"
    return [str(tmp_path / "recipe.toml"), "--data", str(folder), "--out", str(out)]


def test_a_recipe_and_photographs_give_a_model(given, capsys):
    assert main(["train", *given, "--device", "cpu"]) == 0
    told = capsys.readouterr()
    said = json.loads(told.out)
    assert said["model"].endswith("small.npz")
    assert 0 <= said["sum after"] <= 1
    assert "Training small on the CPU." in told.err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--device", "tpu"], "--device must be auto, cpu or cuda"),
        (["--seconds", "0"], "must be more than 0 seconds"),
        (["--seconds", "nan"], "must be more than 0 seconds"),
        (["--seconds", "1e300"], "at most 10^9"),
        (["--held", "nowhere"], "nowhere is not a folder"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(given, more, said, capsys):
    assert main(["train", *given, *more]) == 2
    assert said in capsys.readouterr().err


def test_without_torch_it_says_how_to_get_it(given, monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["train", *given]) == 2
    assert "pip install 'tessella[learn]'" in capsys.readouterr().err


def test_importing_the_command_line_brings_no_torch():
    import subprocess

    code = "import sys, tessella.cli as c; c.make_app(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
