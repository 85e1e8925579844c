"""Figures become PNG, and nobody pays for matplotlib before one is drawn."""

import io
import subprocess
import sys

import numpy as np
from PIL import Image

from tessella.plots.figure import blank, png


def test_a_figure_becomes_a_png_of_its_size():
    with Image.open(io.BytesIO(png(blank(3, 2), dpi=50))) as picture:
        assert picture.format == "PNG"
        assert picture.size == (150, 100)


def test_the_same_figure_gives_the_same_file():
    assert png(blank(1, 1)) == png(blank(1, 1))


def test_an_empty_figure_is_white():
    with Image.open(io.BytesIO(png(blank(1, 1)))) as picture:
        assert (np.asarray(picture.convert("RGB")) == 255).all()


def test_matplotlib_is_imported_only_when_something_is_drawn():
    names = ("evolution", "figure", "heatmap", "reliability", "viridis")
    modules = ", ".join(f"tessella.plots.{name}" for name in names)
    code = (
        f"import sys, tessella.report, {modules}\n"
        "assert 'matplotlib' not in sys.modules, 'imported too early'\n"
        "tessella.plots.figure.blank(1, 1)\n"
        "assert 'matplotlib' in sys.modules\n"
        "assert 'matplotlib.pyplot' not in sys.modules, 'global state'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
