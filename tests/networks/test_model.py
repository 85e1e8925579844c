"""Architectures know their columns; models are read as they were written."""

import numpy as np
import pytest

from tessella.errors import FormatError, InputError
from tessella.networks.architecture import Architecture
from tessella.networks.model import Model, Subnetwork
from tessella.networks.specification import forward

PAPER = (4, 4, "pool", 4, "pool", 4)


def sub(planes="rgb", layers=PAPER, rows=12, depth=12, seed=0):
    chance = np.random.default_rng(seed)
    form = Architecture(planes, layers, rows, depth)
    last = form.levels[-1]
    kernels = [chance.normal(size=(b, a, 3, 3)) for a, b in form.kernels]
    head = chance.normal(size=(last.channels, last.rows, last.width))
    return Subnetwork(form, tuple(k.astype(np.float32) for k in kernels), head.astype(np.float32))


@pytest.mark.parametrize(
    ("size", "columns"),
    [
        (28, [0, 2, 4, 2, 4, 2, 4]),
        (64, [0, 2, 4, 2, 4, 2, 4]),
        (50, [0, 2, 4, 2, 4, 3, 5]),
        (27, [0, 2, 4, 3, 5, 3, 5]),
    ],
)
def test_as_many_columns_depend_on_both_pieces_as_the_maths_says(size, columns):
    levels = Architecture("rgb", (64, 64, "pool", 64, "pool", 64), size, size).levels
    assert [level.hi - level.lo for level in levels] == columns


@pytest.mark.parametrize("layers", [1, 2, 4, 6])
@pytest.mark.parametrize("depth", [12, 14, 15])
def test_columns_outside_depend_on_one_piece_alone(layers, depth):
    cut = Architecture("r", PAPER[:layers], 12, depth)
    whole = sub("r", cut.layers, 12, depth)
    level = cut.levels[-1]
    for column in range(level.width):
        head = np.zeros_like(whole.head)
        head[:, :, column] = 1
        model = Model("x", 16, (0, 0), (Subnetwork(cut, whole.kernels, head),))
        chance = np.random.default_rng(1)
        left, right, other = chance.integers(0, 256, (3, 40, 16, 16, 3)).astype(np.uint8)
        same_left = np.allclose(forward(model, left, right, 0), forward(model, left, other, 0))
        same_right = np.allclose(forward(model, left, right, 0), forward(model, other, right, 0))
        assert same_left == (column < level.lo)
        assert same_right == (column >= level.hi)


@pytest.mark.parametrize(
    ("planes", "layers", "rows", "depth", "said"),
    [
        ("", PAPER, 12, 12, "Planes"),
        ("rx", PAPER, 12, 12, "Planes"),
        ("r", (), 12, 12, "Layers"),
        ("r", ("pool", 4), 12, 12, "Layers"),
        ("r", (4, "pool"), 12, 12, "Layers"),
        ("r", (4, 0), 12, 12, "Layers"),
        ("r", (4, "pool", "pool", 4), 12, 12, "between"),
        ("r", PAPER, 3, 12, "too few"),
        ("r", PAPER, 12, 8, "too few"),
    ],
)
def test_architectures_that_cannot_be_are_refused(planes, layers, rows, depth, said):
    with pytest.raises(InputError, match=said):
        Architecture(planes, layers, rows, depth)


def test_a_model_is_read_as_it_was_written(tmp_path):
    scout = sub("y", (2, "pool", 2), seed=3)
    model = Model(
        "x",
        16,
        (1, 2),
        (sub(), sub("rw", seed=2)),
        {"mgc": 0.5},
        "scout",
        9,
        1.5,
        scout,
        {"steps": 3},
        mirrored=True,
    )
    model.save(tmp_path / "x.npz")
    read = Model.load(tmp_path / "x.npz")
    assert (read.name, read.piece, read.eroded, read.count) == ("x", 16, (1, 2), 9)
    assert read.slack == 1.5
    assert read.mirrored
    assert dict(read.beside) == {"mgc": 0.5}
    assert dict(read.facts) == {"steps": 3}
    assert read.scout is not None
    assert read.scout.architecture == scout.architecture
    for a, b in zip(model.subnetworks, read.subnetworks, strict=True):
        assert a.architecture == b.architecture
        np.testing.assert_array_equal(a.head, b.head)


@pytest.mark.parametrize("content", [b"", b"nothing", None])
def test_what_is_no_model_is_refused(tmp_path, content):
    path = tmp_path / "x.npz"
    if content is None:
        np.savez(path, other=np.zeros(3))
    else:
        path.write_bytes(content)
    with pytest.raises(FormatError, match="is not a model"):
        Model.load(path)


def test_parts_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="one rows and depth"):
        Model("x", 20, (0, 0), (sub(), sub(rows=16)))
    with pytest.raises(InputError, match="do not show"):
        Model("x", 14, (0, 2), (sub(),))
    with pytest.raises(InputError, match="scout if"):
        Model("x", 14, (0, 0), (sub(),), by="scout")
    good = sub()
    with pytest.raises(InputError, match="head's shape"):
        Subnetwork(good.architecture, good.kernels, good.head[:, :1])
    with pytest.raises(InputError, match="Kernels"):
        Subnetwork(good.architecture, good.kernels[:1], good.head)


@pytest.mark.parametrize("told", ['"by": "scout"', '"by": "mgc", "eroded": []'])
def test_a_description_that_lacks_something_is_refused(tmp_path, told):
    path = tmp_path / "x.npz"
    about = (
        '{"version": 1, "name": "x", "piece": 12, "subnetworks": [], "rows": 8, "depth": 8, '
        f"{told}}}"
    )
    np.savez(path, about=np.array(about))
    with pytest.raises(FormatError, match="not a model"):
        Model.load(path)
