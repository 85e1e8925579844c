"""Models of pairs are read as they were written, and refuse what cannot be run."""

import dataclasses

import numpy as np
import pytest

from tessella.errors import FormatError, InputError
from tessella.networks import squeezenet
from tessella.networks.pair_model import PairModel

KINDS = ("squeezenet", "gan")


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_is_read_as_it_was_written(kind, pair_model, tmp_path):
    model = pair_model(kind, "one", tiles=True, count=7, facts={"top1": 0.5})
    model.save(tmp_path / "one.npz")
    read = PairModel.load(tmp_path / "one.npz", kind)
    for field in dataclasses.fields(PairModel):
        if field.name != "weights":
            assert getattr(read, field.name) == getattr(model, field.name)
    for name, weight in model.weights.items():
        assert read.weights[name].dtype == np.float32
        np.testing.assert_array_equal(read.weights[name], weight)


def test_a_model_of_the_other_kind_is_refused(pair_model, tmp_path):
    pair_model("gan", "one").save(tmp_path / "one.npz")
    with pytest.raises(FormatError, match="for --measure gan"):
        PairModel.load(tmp_path / "one.npz", "squeezenet")


def test_what_is_no_model_is_refused(tmp_path):
    (tmp_path / "one.npz").write_text("no model")
    with pytest.raises(FormatError, match="is not a model"):
        PairModel.load(tmp_path / "one.npz", "gan")


@pytest.mark.parametrize("kind", KINDS)
def test_weights_that_are_not_those_of_the_network_are_refused(kind, pair_model):
    model = pair_model(kind, "one")
    fewer = dict(list(model.weights.items())[1:])
    with pytest.raises(InputError, match="weights of one"):
        dataclasses.replace(model, weights=fewer)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rows": 10}, "rows in eights"),
        ({"depth": 10}, "depth in fours"),
        ({"depth": 8}, "12 at least"),
        ({"hide": 0}, "fills 1 to 4 px"),
        ({"hide": 5}, "fills 1 to 4 px"),
        ({"eroded": (3, 2)}, "do not show"),
        ({"eroded": (0, 4)}, "do not show"),
        ({"kind": "dlcm"}, "squeezenet or gan"),
    ],
)
def test_forms_that_cannot_be_are_refused(change, said, pair_model):
    with pytest.raises(InputError, match=said):
        dataclasses.replace(pair_model("gan", "one"), **change)


def test_squeezenet_refuses_what_is_smaller_than_a_kernel(pair_model):
    model = pair_model("squeezenet", "one")
    dataclasses.replace(model, rows=3, depth=3)
    for size in ({"rows": 2}, {"depth": 2}):
        with pytest.raises(InputError, match="3 rows and columns"):
            dataclasses.replace(model, **size)


def test_squeezenet_has_as_many_weights_as_its_paper_says():
    shapes = [s for n, layer in squeezenet.layers().items() for s in layer.shapes(n).values()]
    classes = 512 * 1000 + 1000 - 512 * 2 - 2  # ImageNet has a thousand classes, we have two.
    assert sum(int(np.prod(shape)) for shape in shapes) + classes == 1_235_496


@pytest.mark.parametrize("gap", [1, 2, 4])
def test_gan_paints_the_gap_and_nothing_else(gap, pair_model):
    model = pair_model("gan", "one", hide=gap)
    pair = np.random.default_rng(1).normal(size=(3, 8, 24, 3)).astype(np.float32)
    filled = model.network(0).fill(pair)
    lost = np.zeros(24, np.bool_)
    lost[12 - gap : 12 + gap] = True
    np.testing.assert_array_equal(filled[:, :, ~lost, :3], pair[:, :, ~lost])
    np.testing.assert_array_equal(filled[..., 3], np.broadcast_to(lost, (3, 8, 24)))
    other = pair.copy()
    other[:, :, lost] = 9
    np.testing.assert_array_equal(model.network(0).fill(other), filled)
    assert np.abs(filled[:, :, lost, :3]).max() > 0
