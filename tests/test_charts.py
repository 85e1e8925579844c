"""The report's charts: SVG that a reader of XML accepts, with everything where it belongs."""

import base64
from xml.etree import ElementTree as Xml

import numpy as np
import pytest

from tessella.plots.heatmap import Scale
from tessella.report.charts import heatmap_chart, history_chart, ticks

SVG = "{http://www.w3.org/2000/svg}"


def parsed(uri: str) -> Xml.Element:
    head, _, body = uri.partition(",")
    assert head == "data:image/svg+xml;base64"
    return Xml.fromstring(base64.b64decode(body))


def words(chart: Xml.Element) -> list[str]:
    return [text.text for text in chart.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("low", "high", "whole", "expected"),
    [(1, 24, True, [5, 10, 15, 20]), (1, 2, True, [1, 2]), (0.2, 0.9, False, [0.2, 0.4, 0.6, 0.8])],
)
def test_ticks_are_round_numbers_within_the_range(low, high, whole, expected):
    assert ticks(low, high, whole) == pytest.approx(expected)


def test_a_history_has_a_line_a_run_the_best_one_thick():
    chart = parsed(history_chart([[1.0, 2.0, 3.0], [1.0, 4.0]], 1))
    first, second = chart.iter(f"{SVG}polyline")
    assert float(first.get("stroke-width")) < float(second.get("stroke-width"))
    assert "run 2: 4.0 (best)" in words(chart)
    heights = [float(point.split(",")[1]) for point in first.get("points").split()]
    assert heights == sorted(heights, reverse=True)


def test_the_run_that_was_chosen_is_thick_though_another_is_fitter():
    chart = parsed(history_chart([[1.0, 2.0], [1.0, 4.0]], 0))
    first, second = chart.iter(f"{SVG}polyline")
    assert float(first.get("stroke-width")) > float(second.get("stroke-width"))
    assert "run 1: 2.0 (best)" in words(chart)


@pytest.mark.parametrize("run", [[5.0], [5.0, 5.0], [0.0, 0.0], [1e9, 1e9 + 1]])
def test_a_history_that_hardly_changes_is_drawn_all_the_same(run):
    (line,) = parsed(history_chart([run], 0)).iter(f"{SVG}polyline")
    assert len(line.get("points").split()) == len(run)


def test_a_heatmap_has_the_cells_a_colour_bar_and_its_scale():
    chart = parsed(heatmap_chart(np.array([[0.2, np.nan], [0.5, 0.8]]), (8, 8), Scale(0.2, 0.8)))
    assert len(list(chart.iter(f"{SVG}image"))) == 2
    assert {"row", "column", "local fitness", "0.2", "0.8"} <= set(words(chart))
