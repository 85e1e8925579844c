"""Options are read as they are written in the help, and nothing else is."""

import pytest

from tessella.cli import options
from tessella.errors import InputError
from tessella.measuring import KEEP
from tessella.panels import Panels


@pytest.mark.parametrize(
    ("text", "expected"),
    [(None, None), ("auto", "auto"), ("28", (28, 28)), ("28x40", (28, 40)), ("28X40", (28, 40))],
)
def test_a_piece_size_is_a_number_two_or_auto(text, expected):
    assert options.read_piece(text) == expected


@pytest.mark.parametrize("text", ["", "x", "28x", "28x40x2", "-28", "2.5", "²", "9" * 10, "Auto "])
def test_another_piece_size_is_refused(text):
    with pytest.raises(InputError, match="--piece"):
        options.read_piece(text)


@pytest.mark.parametrize(
    ("text", "expected"), [(None, None), ("unknown", "unknown"), ("18x24", (18, 24))]
)
def test_a_shape_is_rows_and_columns_or_unknown(text, expected):
    assert options.read_shape(text) == expected


@pytest.mark.parametrize("text", ["18", "18x", "x24", "1x2x3", "18,24", "auto"])
def test_another_shape_is_refused(text):
    with pytest.raises(InputError, match="--shape"):
        options.read_shape(text)


@pytest.mark.parametrize(
    ("shapes", "panels", "expected"),
    [
        (None, None, (None, None)),
        (["3x4"], None, ((3, 4), None)),
        (["unknown"], None, ("unknown", None)),
        (None, "2", (None, Panels(2))),
        (None, "unknown", (None, Panels())),
        (["unknown"], "1", ("unknown", Panels(1))),
        (["3x4", "1x2"], "2", ("unknown", Panels(2, ((3, 4), (1, 2))))),
        (["3x4"], "unknown", ("unknown", Panels(None, ((3, 4),)))),
    ],
)
def test_shapes_are_of_one_sheet_or_of_panels(shapes, panels, expected):
    assert options.read_shapes(shapes, panels) == expected


@pytest.mark.parametrize(
    ("shapes", "panels", "said"),
    [
        (["3x4", "1x2"], None, "several shapes need --panels"),
        (["3x4", "unknown"], "2", "stands alone"),
        (["3x4", "1x2"], "1", "2 shapes for 1"),
        (["0x4"], "1", "at least 1 x 1"),
        (None, "0", "--panels must be"),
        (None, "2x3", "--panels must be"),
        (None, "some", "--panels must be"),
        (None, "99999", "from 1 to 10000, or unknown"),
        (None, "100000000000000000000", "from 1 to 10000, or unknown"),
    ],
)
def test_other_shapes_and_panels_are_refused(shapes, panels, said):
    with pytest.raises(InputError, match=said):
        options.read_shapes(shapes, panels)


@pytest.mark.parametrize(("text", "expected"), [(None, None), ("6x4", (6, 4))])
def test_a_block_is_rows_and_columns(text, expected):
    assert options.read_block(text) == expected


@pytest.mark.parametrize(("text", "expected"), [(None, "usual"), ("all", None), ("12", 12)])
def test_a_shortlist_is_a_number_or_all(text, expected):
    assert options.read_shortlist(text) == expected


@pytest.mark.parametrize("text", ["0", "-1", "some", "3x4", "1000001", "1" + "0" * 20])
def test_another_shortlist_is_refused(text):
    with pytest.raises(InputError, match="--shortlist must be a number from 1 to 1000000, or all"):
        options.read_shortlist(text)


@pytest.mark.parametrize(("text", "expected"), [("auto", None), ("0", 0), ("20000", 20000)])
def test_a_worn_frame_is_a_number_of_pixels_or_auto(text, expected):
    assert options.read_worn(text) == expected


@pytest.mark.parametrize("text", ["-1", "some", "3x4", "20001", "1" + "0" * 20])
def test_another_worn_frame_is_refused(text):
    with pytest.raises(InputError, match="--worn must be a number of pixels from 0 to 20000"):
        options.read_worn(text)


@pytest.mark.parametrize(("text", "expected"), [(None, None), ("unknown", None), ("8", 8)])
def test_pages_are_counted_or_unknown(text, expected):
    assert options.read_pages(text) == expected


@pytest.mark.parametrize("text", ["0", "-1", "some", "3x4", "1000000", "1" + "0" * 20])
def test_other_pages_are_refused(text):
    with pytest.raises(InputError, match="--pages must be a number from 1 to 999999, or unknown"):
        options.read_pages(text)


def test_the_help_tells_the_usual_length_of_a_shortlist(call):
    assert f"{KEEP} by default" in call("solve", "--help").out


def test_settings_are_keys_and_values():
    assert options.read_settings(["a=1", "b=c=d", "e="]) == {"a": "1", "b": "c=d", "e": ""}
    assert options.read_settings(None) == {}


@pytest.mark.parametrize("given", [["a"], ["=1"], ["a=1", "a=2"]])
def test_other_settings_are_refused(given):
    with pytest.raises(InputError, match="--set"):
        options.read_settings(given)


def test_a_model_and_a_device_reach_a_measure_that_has_them(monkeypatch):
    monkeypatch.setattr("tessella.registry.settings", lambda cls: {"model": "", "device": ""})
    given = options.with_model({"a": "1"}, "ssd", "tiles", "cuda")
    assert given == {"a": "1", "model": "tiles", "device": "cuda"}


def test_a_model_or_a_device_that_is_given_twice_is_refused():
    with pytest.raises(InputError, match="model was given twice"):
        options.with_model({"model": "a"}, "dlcm", "b", "auto")
    with pytest.raises(InputError, match="device was given twice"):
        options.with_model({"device": "cpu"}, "dlcm", None, "cuda")
    assert options.with_model({"device": "cpu"}, "dlcm", None, "auto") == {"device": "cpu"}


@pytest.mark.parametrize("device", ["auto", "cpu"])
def test_a_classical_measure_runs_on_the_cpu(device):
    assert options.with_model({}, "ssd", None, device) == {}


@pytest.mark.parametrize(("model", "device"), [("tiles", "auto"), (None, "cuda"), (None, "tpu")])
def test_a_classical_measure_has_no_models_and_no_gpu(model, device):
    with pytest.raises(InputError):
        options.with_model({}, "ssd", model, device)
