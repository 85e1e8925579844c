"""Strokes across a seam count once each."""

from __future__ import annotations

import numpy as np

from tessella.documents.strokes import SHARE, strokes_that_go_on


def border(*spans, height=40):
    ink = np.zeros(height, np.bool_)
    for begins, stops in spans:
        ink[begins:stops] = True
    return ink


def slowly(right, left):
    """The specification: a stroke goes on if half of its rows find ink."""

    def of(ink, other):
        total, start = 0, None
        for row in range(len(ink) + 1):
            inside = row < len(ink) and ink[row]
            if inside and start is None:
                start = row
            if not inside and start is not None:
                total += 1 if other[start:row].mean() >= SHARE else -1
                start = None
        return total

    return [[of(a, b) + of(b, a) for b in left] for a in right]


def test_every_stroke_is_counted_once():
    chance = np.random.default_rng(0)
    right, left = (chance.random((5, 40)) < 0.4 for _ in range(2))
    assert strokes_that_go_on(right, left).tolist() == slowly(right, left)


def test_a_long_stroke_that_ends_weighs_no_more_than_a_letter_that_goes_on():
    picture = border((0, 20), (22, 24), (26, 28), (30, 32))
    caption = border((22, 24), (26, 28), (30, 32))
    assert strokes_that_go_on(picture[None], caption[None])[0, 0] == 3 - 1 + 3


def test_blank_borders_say_nothing():
    blank = border()
    assert strokes_that_go_on(blank[None], blank[None])[0, 0] == 0
    assert strokes_that_go_on(border((3, 5))[None], blank[None])[0, 0] == -1
