"""What several test files share: small puzzles, and the command line called in this process."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from PIL import Image, ImageDraw, ImageFont
from skimage import data as pictures_of

from tessella import models
from tessella.cli import main
from tessella.compatibility import from_lists
from tessella.files import write_json
from tessella.imaging.cut import cut
from tessella.imaging.folder import write_puzzle
from tessella.imaging.read import write_image
from tessella.networks import embedding, gan, squeezenet
from tessella.networks.architecture import Architecture
from tessella.networks.model import Model, Subnetwork
from tessella.networks.pair_model import Kind, PairModel
from tessella.networks.shred_form import Form as ShredForm
from tessella.networks.shred_model import ShredModel
from tessella.networks.tile_form import Form as TileForm
from tessella.networks.tile_model import TileModel
from tessella.networks.twins import Form, Twin
from tessella.odds import Calibration, odds_of
from tessella.pictures import demo_picture
from tessella.scores import Scores

SRC = Path(__file__).parent.parent / "src"

# The same examples in every run: a failure is then the change's, not chance's.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")


def pytest_terminal_summary(terminalreporter):
    """Say in one line when no browser test ran."""
    skipped = [str(each.longrepr) for each in terminalreporter.stats.get("skipped", [])]
    missed = [each for each in skipped if "browser test" in each]
    if missed:
        terminalreporter.write_line(
            f"WARNING: the studio was tried in no browser: {len(missed)} tests need Chromium and "
            "playwright (.ci/run installs them)."
        )


@dataclass(frozen=True)
class Called:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def call(capsys):
    """Return a function that runs ``tessella ARGUMENTS`` in this process."""

    def run(*arguments: object) -> Called:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        told = capsys.readouterr()
        return Called(code, told.out, told.err)

    return run


@pytest.fixture(scope="session")
def picture() -> np.ndarray:
    """A part of the demo picture that every solver gets right: 5 x 6 pieces of 56 px."""
    return demo_picture()[:280, :336]


@pytest.fixture(scope="session")
def cut_folder(tmp_path_factory, picture) -> Path:
    """What ``tessella cut`` makes of a picture, turned; not to be changed by a test."""
    folder = tmp_path_factory.mktemp("cut")
    write_image(folder / "picture.png", picture)
    puzzle, truth = cut(picture, 56, turned=True, seed=3)
    write_json(folder / "truth.json", truth.to_json(write_puzzle(folder / "puzzle", puzzle)))
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with one suite, `tiny`: three pictures of 20, 20 and (portrait) 12 pieces."""
    folder = tmp_path / "data" / "tiny"
    folder.mkdir(parents=True)
    write_image(folder / "1.png", pictures_of.chelsea()[60:172, 100:240])
    write_image(folder / "2.png", pictures_of.coffee()[100:212, 200:340])
    write_image(folder / "10.png", pictures_of.astronaut()[30:142, 180:264])
    return folder.parent


def random_subnetwork(
    layers: tuple[int | str, ...], rows: int, depth: int, planes: str = "rgb", seed: int = 0
) -> Subnetwork:
    """Make a sub-network of random weights."""
    form = Architecture(planes, layers, rows, depth)
    rng = np.random.default_rng(seed)
    kernels = tuple(
        (rng.normal(size=(b, a, 3, 3)) * np.sqrt(2 / (9 * a))).astype(np.float32)
        for a, b in form.kernels
    )
    last = form.levels[-1]
    head = rng.normal(size=(last.channels, last.rows, last.width)) / np.sqrt(last.rows)
    return Subnetwork(form, kernels, head.astype(np.float32))


@pytest.fixture(scope="session")
def subnetwork():
    """Return a function that makes a sub-network of random weights."""
    return random_subnetwork


def random_pair_model(kind: Kind, name: str, piece: int = 12, **known) -> PairModel:
    """Make a model of pairs, of random weights, that looks at 8 x 24 px."""
    rng = np.random.default_rng(4)
    rows, depth = 8, 12
    layers = gan.layers(rows, depth) if kind == "gan" else squeezenet.layers()
    weights = {}
    for layer_name, layer in layers.items():
        for key, shape in layer.shapes(layer_name).items():
            scale = np.sqrt(2 / np.prod(shape[1:])) if len(shape) > 1 else 0.1
            weights[key] = (scale * rng.normal(size=shape)).astype(np.float16).astype(np.float32)
    settings = {"eroded": (0, 0), "hide": 2 if kind == "gan" else 0, **known}
    return PairModel(
        kind=kind, name=name, piece=piece, rows=rows, depth=depth, weights=weights, **settings
    )


@pytest.fixture(scope="session")
def pair_model():
    """Return a function that makes a model of pairs, of random weights."""
    return random_pair_model


def random_twin_model(
    form: Form, piece: int, name: str = "twins", seed: int = 0
) -> embedding.Model:
    """Make a model of `embedding` whose random weights change little of what rims foretell."""
    rng = np.random.default_rng(seed)

    def twin() -> Twin:
        kernels = tuple(
            (rng.normal(size=shape) * np.sqrt(2 / shape[0])).astype(np.float32)
            for shape in form.kernels
        )
        biases = tuple(rng.normal(0, 0.1, out).astype(np.float32) for _, out in form.kernels)
        heads = (rng.normal(0, 0.02, shape).astype(np.float32) for shape in form.heads)
        return Twin(form, kernels, biases, *heads)

    return embedding.Model(name, piece, (0, 0), twin(), twin(), reach=7.0, steep=0.05)


@pytest.fixture(scope="session")
def twin_model():
    """Return a function that makes a model of `embedding`, of random weights."""
    return random_twin_model


def random_tile_model(name: str = "tile-16", seed: int = 0, **known) -> TileModel:
    """Make a model of `tiles` of random weights that says little."""
    rng = np.random.default_rng(seed)
    small = {"channels": (6, 8, 10), "columns": (4, 3, 2), "width": 8, "vector": 3, "pair": 6}
    form = TileForm(size=16, **small)
    quiet = "asks", "answers", "verdict"  # Their scores are not to drown what stands beside.
    weights = {
        key: rng.normal(0, 0.02 if key.split(".")[0] in quiet else (2 / shape[0]) ** 0.5, shape)
        .astype(np.float16)
        .astype(np.float32)
        for key, shape in form.shapes().items()
    }
    return TileModel(name, form, weights, **known)


@pytest.fixture(scope="session")
def tile_model():
    """Return a function that makes a model of `tiles`, of random weights."""
    return random_tile_model


def random_shred_model(name: str = "sides-16", seed: int = 0) -> ShredModel:
    """Make a model of `shreds` of random weights."""
    rng = np.random.default_rng(seed)
    form = ShredForm(size=16, channels=(6, 8, 10), width=8, along=1, vector=3, slips=2)
    weights = {
        key: rng.normal(0, (2 / shape[0]) ** 0.5, shape).astype(np.float16).astype(np.float32)
        for key, shape in form.shapes().items()
    }
    weights["slips"] = np.log(np.array([0.1, 0.2, 0.4, 0.2, 0.1], np.float32))
    return ShredModel(name, form, weights)


@pytest.fixture(scope="session")
def shred_model():
    """Return a function that makes a model of `shreds`, of random weights."""
    return random_shred_model


@pytest.fixture(scope="session")
def tiny_models(tmp_path_factory) -> Path:
    """Make a folder with two tiny models; MGC beside them knows what they do not."""
    folder = tmp_path_factory.mktemp("models")
    for name, piece, frame in (("tiny-12", 12, (0, 0)), ("worn-16", 16, (1, 2))):
        rows = piece - 2 * frame[1]
        parts = tuple(random_subnetwork((4, "pool", 4), rows, rows, p) for p in ("rgb", "y"))
        model = Model(name, piece, frame, parts, beside={"mgc": 100.0}, count=5)
        model.save(folder / f"{name}.npz")
        (folder / f"{name}.md").write_text(f"# {name}, for tests\n\nRandom weights.\n")
    return folder


@pytest.fixture
def shipped(tiny_models, monkeypatch) -> Path:
    """Let the tiny models stand in for those that ship."""
    monkeypatch.setattr(models, "FOLDER", tiny_models)
    return tiny_models


def page_of_print(seed: int = 0, size: tuple[int, int] = (960, 720)) -> np.ndarray:
    """Draw a page of made-up words with margins, greys ``(H, W)``."""
    rng = np.random.default_rng(seed)
    height, width = size
    page = Image.new("L", (width, height), 255)
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(size=34)
    words = "the shed held bold tall fields of light Kindle black hills but he had little left"
    for y in range(60, height - 70, 44):
        line = " ".join(rng.permutation(words.split()))
        pen.text((64, y), line, fill=0, font=font)
    pen.rectangle((width - 64, 0, width, height), fill=255)  # the right margin
    return np.array(page)


@pytest.fixture(scope="session")
def printed() -> list[np.ndarray]:
    """Return three pages of print."""
    return [page_of_print(seed) for seed in range(3)]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """Return the environment in which another Python finds this tessella."""
    return {**os.environ, "PYTHONPATH": str(SRC)}


@pytest.fixture(scope="session")
def told_of():
    """Return a maker of compatibilities from {(e, f): compatibility}; all others are 0."""

    def make(pieces, pairs, upright=True):
        width = max(sum(e in pair for pair in pairs) for e in range(4 * pieces))
        partner = np.full((4 * pieces, width), -1, np.int32)
        fit = np.zeros((4 * pieces, width), np.float32)
        for (e, f), value in sorted(pairs.items(), key=lambda item: -item[1]):
            for mine, other in ((e, f), (f, e)):
                place = int((partner[mine] >= 0).sum())
                partner[mine, place], fit[mine, place] = other, value
        return from_lists(pieces, upright, True, partner, fit)

    return make


@pytest.fixture(scope="session")
def grid():
    """Return a maker of the true pairs of pieces in reading order, all equally compatible."""

    def make(rows, cols, value=0.9):
        across = {(4 * i, 4 * i + 6): value for i in range(rows * cols) if i % cols < cols - 1}
        down = {(4 * i + 3, 4 * (i + cols) + 1): value for i in range((rows - 1) * cols)}
        return across | down

    return make


@pytest.fixture(scope="session")
def odds_from():
    """Return what reads compatibilities as scores of which one unit is worth ten in odds."""

    def made(compatibility):
        length = np.diff(compatibility.start)
        shape = len(length), max(int(length.max(initial=0)), 1)
        partner, score = np.full(shape, -1, np.int32), np.full(shape, -np.inf, np.float32)
        row = np.repeat(np.arange(len(length)), length)
        place = np.arange(len(row)) - compatibility.start[row]
        partner[row, place], score[row, place] = compatibility.partner, compatibility.score
        facts = compatibility.pieces, compatibility.upright, compatibility.square, False
        limit = np.zeros(len(length), np.float32)
        return odds_of(Scores(*facts, limit, limit, partner, score), Calibration(10.0, 1.4))

    return made
