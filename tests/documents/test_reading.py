"""Columns of print tell which is read first by the lines where they break."""

from __future__ import annotations

import numpy as np
import pytest

from tessella.documents.reading import READS_ON, Ends, lines_of, read_before
from tessella.documents.reading import ends_of as ends_of_lines

WIDTH, PITCH, HEIGHT = 300, 20, 10


def ends_of(page):
    return ends_of_lines(lines_of(page), len(page))


def column(*kinds, lines=20):
    """Draw justified lines: `kinds` are those of the first and of the last line."""
    page = np.full((60 + PITCH * lines, WIDTH + 40), 255, np.uint8)
    for row in range(lines):
        kind = {0: kinds[0], lines - 1: kinds[-1]}.get(row, "plain")
        left = 20 + 30 * (kind == "indented")
        right = 20 + (WIDTH // 2 if kind in ("short", "heading") else WIDTH)
        top = 30 + PITCH * row
        letters = page[top : top + HEIGHT, left:right]
        letters[:, :: 2 if kind == "heading" else 4] = 0
        letters[:, -1] = 0
    return page


@pytest.mark.parametrize(("kind", "first"), [("plain", 0), ("indented", 1), ("heading", 2)])
@pytest.mark.parametrize(("end", "last"), [("short", 0), ("plain", 1)])
def test_a_column_shows_how_it_begins_and_ends(kind, first, end, last):
    assert ends_of(column(kind, end)) == Ends(first, last)


def test_a_short_first_line_of_usual_weight_is_no_heading():
    assert ends_of(column("short", "plain")) == Ends(0, 1)


def test_notes_under_a_rule_do_not_count():
    page = column("plain", "plain", lines=23)
    below = 30 + PITCH * 20
    page[below - 5 : below + HEIGHT] = 255  # the rule stands in for a line
    page[below + 4 : below + 6, 20 : 20 + WIDTH // 3] = 0
    page[below + 2 * PITCH :, 20 + WIDTH // 2 :] = 255  # the note ends short
    assert ends_of(page) == Ends(0, 1)


def test_a_picture_above_the_print_hides_where_it_begins():
    page = column("plain", "plain")
    page[30 : 30 + 3 * PITCH + HEIGHT, 20:200] = 0
    assert ends_of(page) is None


def test_ragged_or_little_print_says_nothing():
    ragged = column("plain", "plain")
    for row in range(20):
        ragged[30 + PITCH * row :, 200 + 7 * (row % 13) :][:PITCH] = 255
    assert ends_of(ragged) is None
    assert ends_of(column("plain", "plain", lines=5)) is None
    assert ends_of(np.full((50, 30), 255, np.uint8)) is None


def test_a_column_that_breaks_off_is_read_before_one_that_goes_on():
    heading, going_on = Ends(2, 1), Ends(0, 1)
    assert read_before(heading, going_on) > 0
    assert read_before(going_on, heading) == -read_before(heading, going_on)
    assert read_before(going_on, going_on) == 0
    assert read_before(None, going_on) == read_before(going_on, None) == 0


def test_a_short_line_is_followed_by_a_fresh_start_and_a_full_one_is_not():
    (short_left, short_indented, short_heading), (left, indented, heading) = READS_ON
    assert min(short_indented, short_heading) > 0 > short_left
    assert left > 0 > max(indented, heading)
