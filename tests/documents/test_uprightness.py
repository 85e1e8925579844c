from __future__ import annotations

import numpy as np
import pytest

from tessella.arrangement import Sheet
from tessella.documents.strips import strips_of
from tessella.documents.uprightness import overhang, uprightness


def row(count):
    return Sheet(np.arange(count)[None], np.zeros((1, count)))


@pytest.mark.parametrize("ragged", [False, True])
def test_print_stands_on_its_baseline(printed, ragged):
    for page in printed:
        parts = np.split(page, 6, axis=1)
        rims = [np.repeat([[0], [120]], 960, axis=1).astype(np.int32)] * 6 if ragged else None
        strips = strips_of(parts, upright=False, rims=rims)
        assert uprightness(strips, row(6)) > 0 > uprightness(strips, row(6).turned(2))


def test_blank_strips_and_rules_say_nothing():
    assert overhang(np.zeros(500)) == 0
    rules = np.zeros(500)
    rules[100:103] = rules[200:203] = 1
    assert overhang(rules) == 0


def test_ascenders_count_for_and_descenders_against():
    line = np.zeros(200)
    line[100:120] = 0.3
    above, below = line.copy(), line.copy()
    above[90:100] = 0.05
    below[120:130] = 0.05
    assert overhang(above) > 0 > overhang(below)
