"""Configurations hold everything that decides an answer."""

import json
from dataclasses import replace

import pytest

from tessella.bench.configuration import NONE, Configuration, Part, Setup, configure, parse
from tessella.errors import InputError, NameUnknown

TURNED = Setup(turned=True, shape_known=False, erode=1, piece=14)


def test_each_setting_reaches_the_part_that_has_it():
    by = configure("l1", "paikin_tal", {"scale": "2"})
    assert dict(by.adjustment.settings) == {"scale": 2.0}
    assert dict(by.solver.settings)["adjust"] == "ratio"
    assert "scale" not in dict(by.solver.settings)


def test_defaults_are_part_of_a_configuration():
    assert configure("l1", "paikin_tal") == configure("l1", "paikin_tal", {"scale": "1"})
    assert configure("l1", "paikin_tal") != configure("l1", "paikin_tal", {"scale": "2"})


def test_an_unknown_setting_is_refused():
    with pytest.raises(NameUnknown, match="colour"):
        configure("l1", "paikin_tal", {"colour": "red"})
    with pytest.raises(NameUnknown, match="colour"):
        configure("l1", "none", {"colour": "red"})


def test_unknown_parts_are_refused():
    with pytest.raises(NameUnknown, match="measure called 'guess'"):
        configure("guess", "paikin_tal")
    with pytest.raises(NameUnknown, match="solver called 'guess'"):
        configure("l1", "guess")


@pytest.mark.parametrize("solver", ["paikin_tal", "none"])
def test_json_brings_the_same_configuration_back(solver):
    by = configure("l1", solver, setup=TURNED)
    assert Configuration.from_json(json.loads(json.dumps(by.to_json()))) == by


def test_a_label_tells_only_what_is_not_the_default():
    assert configure("l1", "paikin_tal").label() == "l1, paikin_tal"
    told = configure("l1", "paikin_tal", {"adjust": "minmax"}).label()
    assert told == "l1, paikin_tal (adjust=minmax)"
    assert "ratio (scale=2.0)" in configure("l1", "paikin_tal", {"scale": "2"}).label()
    assert configure("l1", "paikin_tal", setup=TURNED).label().endswith("shape unknown")


def test_a_label_of_a_solver_that_is_gone_tells_all_settings(configured):
    assert configured("forgotten", speed=3).label() == "mgc, forgotten (speed=3)"


def test_a_label_of_an_old_record_tells_the_settings_that_came_later():
    by = configure("l1", "paikin_tal")
    old = replace(by, solver=Part("paikin_tal"))
    assert old.label() == "l1, paikin_tal (adjust unknown, foresight unknown)"
    assert old != by


def test_ranking_asks_neither_solver_nor_shape():
    ranking = configure("l1", "paikin_tal", setup=TURNED).ranking()
    assert ranking.solver == NONE
    assert ranking == configure("l1", "none", setup=TURNED)
    assert ranking.setup.shape_known
    assert ranking.setup.turned


def test_a_measure_without_a_choice_of_device_refuses_cuda():
    assert configure("l1", "paikin_tal", device="cpu") == configure("l1", "paikin_tal")
    with pytest.raises(InputError, match="CPU only"):
        configure("l1", "paikin_tal", device="cuda")
    with pytest.raises(InputError, match="auto, cpu or cuda"):
        configure("l1", "paikin_tal", device="tpu")


def test_settings_are_read_as_key_and_value():
    assert parse(["a=1", "b=x=y", "c="]) == {"a": "1", "b": "x=y", "c": ""}


@pytest.mark.parametrize("pairs", [["a"], ["=1"], ["a=1", "a=2"]])
def test_malformed_settings_are_refused(pairs):
    with pytest.raises(InputError, match="--set"):
        parse(pairs)
