"""Histories: fitness against generations, the best run in front."""

import pytest

from tessella.errors import InputError
from tessella.plots.history import history


def test_every_run_is_a_line_through_its_generations():
    lines = history([[1.0, 2.0, 2.5], [1.0, 1.5]]).axes[0].lines
    assert [list(line.get_xdata()) for line in lines] == [[1, 2, 3], [1, 2]]
    assert [list(line.get_ydata()) for line in lines] == [[1.0, 2.0, 2.5], [1.0, 1.5]]


def test_the_best_run_is_thickest_and_named():
    axes = history([[1.0, 2.0], [1.0, 3.0], [2.0, 2.5]]).axes[0]
    widths = [line.get_linewidth() for line in axes.lines]
    assert widths.index(max(widths)) == 1
    assert axes.lines[1].get_label() == "run 2: 3.0 (best)"


def test_runs_differ_without_colour():
    styles = {line.get_linestyle() for line in history([[1.0], [2.0], [3.0]]).axes[0].lines}
    assert len(styles) == 3


def test_runs_without_generations_are_passed_over():
    assert len(history([[], [1.0, 2.0]]).axes[0].lines) == 1


@pytest.mark.parametrize("runs", [[], [[]]])
def test_a_history_of_nothing_is_refused(runs):
    with pytest.raises(InputError, match="at least one run"):
        history(runs)


def test_axes_are_labelled():
    axes = history([[1.0, 2.0]]).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("generation", "best fitness")
