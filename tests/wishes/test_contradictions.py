"""Wishes that contradict each other are told in one sentence that names them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.errors import InputError
from tessella.wishes import Barred, Code, Fixed, Wishes
from tessella.wishes.contradictions import check_wishes, culprits
from tessella.wishes.facts import Facts

UPRIGHT = Facts(9, upright=True, square=True, shape=(3, 3))
TURNED = Facts(9, upright=False, square=True, shape=(3, 3))
OBLONG = Facts(9, upright=False, square=False, shape=(3, 3))
SHEETS = Facts(9, upright=True, square=True, sheets=None, whole=False)
STRIPS = Facts(9, upright=False, square=False, sheets=2, flat=True)
RIGHT, TOP, LEFT, BOTTOM = range(4)


def edge(piece, side):
    return 4 * piece + side


def beside(a, b):
    """Return that `b` lies at the right of `a`."""
    return edge(a, RIGHT), edge(b, LEFT)


def below(a, b):
    return edge(a, BOTTOM), edge(b, TOP)


TWO = {
    "two pieces in one cell": (UPRIGHT, Wishes(fixed=(Fixed(0, 0, 1, 1), Fixed(1, 0, 1, 1)))),
    "a piece in two cells": (UPRIGHT, Wishes(fixed=(Fixed(0, 0, 1, 1), Fixed(0, 0, 1, 2)))),
    "a piece turned two ways": (TURNED, Wishes(fixed=(Fixed(0, 0, 1, 1, 1), Fixed(0, 0, 1, 1, 2)))),
    "two partners of an edge": (UPRIGHT, Wishes(joined=(beside(0, 1), beside(0, 2)))),
    "joined and forbidden": (
        UPRIGHT,
        Wishes(joined=(beside(0, 1),), forbidden=(beside(0, 1)[::-1],)),
    ),
    "joined twice at different sides": (TURNED, Wishes(joined=(beside(0, 1), below(0, 1)))),
    "together and apart": (SHEETS, Wishes(together=((0, 1, 2),), apart=((2, 0),))),
    "joined and apart": (SHEETS, Wishes(joined=(beside(0, 1),), apart=((0, 1),))),
    "one panel and apart": (
        SHEETS,
        Wishes(codes=(Code(0, panel="A"), Code(1, panel="A")), apart=((0, 1),)),
    ),
    "joined and on two panels": (
        SHEETS,
        Wishes(codes=(Code(0, panel="A"), Code(1, panel="B")), joined=(beside(0, 1),)),
    ),
    "joined and fixed elsewhere": (
        UPRIGHT,
        Wishes(joined=(beside(0, 1),), fixed=(Fixed(0, 0, 0, 0), Fixed(1, 0, 2, 2))),
    ),
    "fixed side by side though forbidden": (
        UPRIGHT,
        Wishes(fixed=(Fixed(0, 0, 0, 0), Fixed(1, 0, 0, 1)), forbidden=(beside(0, 1),)),
    ),
    "upright and fixed otherwise": (
        TURNED,
        Wishes(fixed=(Fixed(0, 0, 0, 0, 1),), upright=((0, 2),)),
    ),
    "upright twice": (TURNED, Wishes(upright=((0, 2), (0, 3)))),
    "joined with turns that do not go together": (
        TURNED,
        Wishes(joined=(beside(0, 1),), upright=((0, 0), (1, 1))),
    ),
    "fixed and barred": (UPRIGHT, Wishes(fixed=(Fixed(0, 0, 1, 1),), barred=(Barred(0, 0, 1, 1),))),
    "marked and barred": (
        UPRIGHT,
        Wishes(codes=(Code(0, row=1, col=1),), barred=(Barred(0, 0, 1, 1),)),
    ),
    "marked for one cell": (UPRIGHT, Wishes(codes=(Code(0, 1, 1), Code(1, 1, 1)))),
    "marked and fixed elsewhere": (
        UPRIGHT,
        Wishes(fixed=(Fixed(0, 0, 1, 1),), codes=(Code(0, row=2),)),
    ),
    "marked twice": (UPRIGHT, Wishes(codes=(Code(0, row=1), Code(0, row=2)))),
    "side by side in different rows": (
        UPRIGHT,
        Wishes(joined=(beside(0, 1),), codes=(Code(0, row=1), Code(1, row=2))),
    ),
    "two panels on one sheet": (UPRIGHT, Wishes(codes=(Code(0, panel="A"), Code(1, panel="B")))),
    "on the sheet called 2, and on another": (
        SHEETS,
        Wishes(fixed=(Fixed(0, 0, 1, 1), Fixed(0, 1, 1, 1))),
    ),
}


@pytest.mark.parametrize(("facts", "wishes"), TWO.values(), ids=TWO)
def test_what_contradicts_is_named_in_one_sentence(facts, wishes):
    with pytest.raises(InputError) as told:
        check_wishes(wishes, facts)
    assert re.fullmatch(r"These wishes contradict each other: .*, but [^.]*\.", str(told.value))
    for piece in {0, 1} & {p for wish in wishes.each() for p in _pieces(wish)}:
        assert f"piece {piece}" in str(told.value)


def _pieces(wish):
    from tessella.wishes.wish import pieces_of

    return pieces_of(wish)


@pytest.mark.parametrize(("facts", "wishes"), TWO.values(), ids=TWO)
def test_without_any_one_of_the_culprits_all_is_well(facts, wishes):
    blamed = culprits(wishes, facts)
    for left_out in blamed:
        check_wishes(wishes.only(w for w in blamed if w != left_out), facts)


ONE = {
    "outside the shape": (UPRIGHT, Wishes(fixed=(Fixed(0, 0, 3, 0),)), "the shape is 3 x 3 cells"),
    "a row that is not": (UPRIGHT, Wishes(codes=(Code(0, row=7),)), "the shape is 3 x 3 cells"),
    "turned though upright": (UPRIGHT, Wishes(upright=((0, 1),)), "no piece is turned"),
    "a quarter turn of an oblong": (OBLONG, Wishes(upright=((0, 1),)), "turned by 0 or 2"),
    "sides of upright pieces": (UPRIGHT, Wishes(joined=((0, 5),)), "only opposite sides"),
    "sides of two lengths": (OBLONG, Wishes(joined=((0, 5),)), "different lengths"),
    "strips one above the other": (STRIPS, Wishes(joined=((1, 7),)), "side by side"),
    "another sheet": (UPRIGHT, Wishes(fixed=(Fixed(0, 1, 0, 0),)), "there is 1 sheet"),
    "apart on one sheet": (UPRIGHT, Wishes(apart=((0, 1),)), "there is 1 sheet"),
    "three apart on two sheets": (STRIPS, Wishes(apart=((0, 1, 2),)), "too few sheets"),
    "too wide": (
        Facts(4, upright=True, square=True, shape=(4, 1)),
        Wishes(joined=(beside(0, 1),)),
        "the shape is 4 x 1 cells",
    ),
}


@pytest.mark.parametrize(("facts", "wishes", "why"), ONE.values(), ids=ONE)
def test_a_wish_that_the_puzzle_rules_out_is_told_with_the_reason(facts, wishes, why):
    with pytest.raises(InputError) as told:
        check_wishes(wishes, facts)
    assert re.fullmatch(r"This wish cannot be met: .*, but [^.]*\.", str(told.value))
    assert why in str(told.value)


def test_joins_that_lead_round_and_do_not_close_are_all_named():
    round_about = (beside(0, 1), below(1, 2), (edge(2, LEFT), edge(3, RIGHT)), below(3, 0))
    with pytest.raises(InputError) as told:
        check_wishes(Wishes(joined=round_about), UPRIGHT)
    assert str(told.value).count("against") == 4


def test_joins_that_close_a_loop_of_four_are_fine():
    known = check_wishes(
        Wishes(joined=(beside(0, 1), below(1, 3), beside(2, 3), below(0, 2))), UPRIGHT
    )
    (group,) = known.groups
    assert sorted(group.pieces) == [0, 1, 2, 3]


def test_more_pieces_of_one_row_than_there_are_columns_are_told():
    wishes = Wishes(codes=tuple(Code(piece, row=0) for piece in range(4)))
    with pytest.raises(InputError, match="contradict each other"):
        check_wishes(wishes, UPRIGHT)


def test_joins_that_force_an_overlap_are_told():
    # From 0 two to the right, and from 0 by a detour to the same cell.
    joined = (
        beside(0, 1),
        beside(1, 2),
        below(3, 2),
        beside(4, 3),
        (edge(4, BOTTOM), edge(5, TOP)),
    )
    with pytest.raises(InputError, match="contradict each other"):
        check_wishes(Wishes(joined=(*joined, below(6, 1), beside(6, 7))), UPRIGHT)


def test_pieces_are_called_by_their_names():
    wishes = Wishes(fixed=(Fixed(0, 0, 1, 1), Fixed(1, 0, 1, 1)), names=("a.png", "b.png"))
    with pytest.raises(
        InputError, match=r"a\.png is fixed in row 2, column 2 with 0 turns, but b\."
    ):
        check_wishes(wishes, Facts(2, upright=True, square=True))


def test_a_piece_that_there_is_not_is_told():
    with pytest.raises(InputError, match=r"names piece 9, but the puzzle has 9 pieces"):
        check_wishes(Wishes(upright=((9, 0),)), UPRIGHT)


def test_a_panel_called_by_a_number_is_that_sheet():
    wishes = Wishes(fixed=(Fixed(0, 0, 0, 0), Fixed(1, 1, 0, 0)), codes=(Code(0, panel="2"),))
    with pytest.raises(InputError, match="contradict each other"):
        check_wishes(wishes, SHEETS)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**31 - 1), known=st.booleans(), upright=st.booleans())
def test_what_an_arrangement_meets_is_no_contradiction(draw, seed, known, upright):
    rng = np.random.default_rng(seed)
    wishes = draw.met_by(draw.laid(9, (3, 4), upright, True, rng), rng, 6)
    check_wishes(wishes, Facts(9, upright, True, (3, 4) if known else None))
