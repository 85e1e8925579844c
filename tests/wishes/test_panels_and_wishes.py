"""Several panels and wishes: what is wished and what is told of panels holds in every answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tessella
from tessella.errors import InputError
from tessella.imaging.cut import cut_panels
from tessella.panels import Panels
from tessella.placement import places
from tessella.sorting import counted
from tessella.wishes import Barred, Code, Fixed, Wishes
from tessella.wishes.checking import check

SIDE = 6
QUICK = {"population": "4", "patience": "2", "islands": "1"}
seeds = st.integers(0, 2**31 - 1)
shapes = st.sampled_from([((3, 3), (2, 5)), ((3, 3), (3, 3)), ((2, 6), (3, 4))])


def mixed(shapes, turned, missing, rng):
    """Return pieces of two pictures of noise, and the truth."""
    images = [
        rng.integers(0, 256, (rows * SIDE, cols * SIDE, 3), np.uint8) for rows, cols in shapes
    ]
    # Smooth enough that some neighbours are found, and some are not.
    smooth = [
        (image // 2 + np.roll(image, 1, 0) // 4 + np.roll(image, 1, 1) // 4) for image in images
    ]
    stranger = rng.integers(0, 256, (2 * SIDE, 2 * SIDE, 3), np.uint8)
    return cut_panels(smooth, SIDE, missing=missing, foreign=2, foreign_from=[stranger],
                      turned=turned, seed=int(rng.integers(1000)))  # fmt: skip


def met_by(arrangement, rng):
    """Return wishes of all kinds that `arrangement`, of two sheets, meets."""
    every = list(places(arrangement))
    rng.shuffle(every)
    joins = arrangement.joins().tolist()
    have = {frozenset(join) for join in joins}
    sheets = [[at.piece for at in every if at.sheet == k] for k in (0, 1)]
    edges = rng.permutation(4 * (1 + max(at.piece for at in every)))
    apart = [(int(e), int(f)) for e, f in zip(edges[:6:2], edges[1:6:2], strict=True)]

    def few(most=2):
        return every[: int(rng.integers(0, most + 1))]

    name = (lambda k: str(k + 1)) if rng.integers(2) else (lambda k: "NS"[k])
    return Wishes(
        fixed=tuple(Fixed(a.piece, a.sheet, a.row, a.col, a.turns) for a in few(3)),
        joined=tuple((e, f) for e, f in rng.permutation(joins)[: rng.integers(3)].tolist()),
        forbidden=tuple(p for p in apart if frozenset(p) not in have and p[0] // 4 != p[1] // 4),
        barred=tuple(Barred(a.piece, 1 - a.sheet, 0, 0) for a in few()),
        together=(tuple(sheets[0][:3]),) if rng.integers(2) and len(sheets[0]) > 2 else (),
        apart=((sheets[0][0], sheets[1][0]),) if rng.integers(2) else (),
        upright=tuple((a.piece, a.turns) for a in few()),
        codes=tuple(Code(a.piece, a.row if rng.integers(2) else None, panel=name(a.sheet))
                    for a in every[3 : 3 + rng.integers(4)]),
    )  # fmt: skip


@settings(max_examples=12, deadline=None)
@given(
    shapes=shapes,
    turned=st.booleans(),
    missing=st.sampled_from([0.0, 0.2]),
    count=st.sampled_from([None, 2, 3]),
    told=st.integers(0, 2),
    seed=seeds,
)
def test_wishes_and_panels_hold_together_in_every_answer(
    shapes, turned, missing, count, told, seed
):
    rng = np.random.default_rng(seed)
    puzzle, truth = mixed(shapes, turned, missing, rng)
    wishes = met_by(truth.arrangement, rng)
    panels = Panels(count, shapes[:told])
    session = tessella.Session(puzzle, measure="ssd", settings=QUICK, threads=1, panels=panels)
    found = session.solve(wishes)
    check_answer(found.arrangement, wishes, panels)
    more = replace(wishes, forbidden=())
    check_answer(session.resolve(found, more).arrangement, more, panels)


def check_answer(arrangement, wishes, panels):
    same = panels.count == len(panels.shapes) == 2 and len(set(panels.shapes)) == 1
    if same:
        assert check(arrangement, wishes, shape=panels.shapes[0]) == ()
    else:
        assert check(arrangement, wishes, frames=panels.shapes) == ()
    assert panels.count is None or len(counted(arrangement)) <= panels.count


@settings(max_examples=12, deadline=None)
@given(
    turned=st.booleans(),
    kind=st.sampled_from(["together", "codes", "numbers", "apart"]),
    seed=seeds,
)
def test_what_is_told_of_sheets_tears_no_fragment_of_an_answer(turned, kind, seed):
    rng = np.random.default_rng(seed)
    puzzle, _ = mixed(((4, 4), (2, 6)), turned, 0.0, rng)
    still = QUICK | {"without": "move"}
    session = tessella.Session(puzzle, measure="mgc", settings=still, threads=1, panels=Panels())
    found = session.solve()
    some = [int(rng.choice(s.piece[s.piece >= 0])) for s in found.arrangement.sheets]
    wishes = {
        "together": Wishes(together=(tuple(some),) if len(some) > 1 else ()),
        "codes": Wishes(codes=tuple(Code(piece, panel="N") for piece in some)),
        "numbers": Wishes(codes=tuple(Code(piece, panel="1") for piece in some)),
        "apart": Wishes(apart=(tuple(some),) if len(some) > 1 else ()),
    }[kind]
    again = session.resolve(found, wishes)
    check_answer(again.arrangement, wishes, Panels())
    before, after = ({frozenset(pair) for pair in each.arrangement.joins().tolist()}
                     for each in (found, again))  # fmt: skip
    assert before <= after
    assert len(again.arrangement.sheets) == (len(some) if kind == "apart" else 1)


@settings(max_examples=10, deadline=None)
@given(turned=st.booleans(), count=st.sampled_from([None, 2]), told=st.integers(0, 2), seed=seeds)
def test_wishes_that_contradict_each_other_never_solve(turned, count, told, seed):
    rng = np.random.default_rng(seed)
    puzzle, truth = mixed(((3, 3), (2, 5)), turned, 0.0, rng)
    wishes = met_by(truth.arrangement, rng)
    first, second = (sheet.piece.ravel()[:2].tolist() for sheet in truth.arrangement.sheets)
    (a, b), c = first, second[0]
    wrong = [
        Wishes(fixed=(Fixed(a, 0, 0, 0), Fixed(a, 1, 0, 0))),
        Wishes(fixed=(Fixed(a, 0, 0, 0), Fixed(b, 1, 0, 0)), together=((a, b),)),
        Wishes(codes=(Code(a, panel="1"), Code(b, panel="2")), joined=((4 * a, 4 * b + 2),)),
        Wishes(codes=(Code(a, panel="N"), Code(c, panel="N")), apart=((a, c),)),
        Wishes(fixed=(Fixed(a, 0, 0, 0),), codes=(Code(a, panel="2"),)),
    ]
    if told:
        wrong.append(Wishes(fixed=(Fixed(a, 0, 3, 3),)))
    both = wishes.and_also(wrong[int(rng.integers(len(wrong)))])
    panels = Panels(count, ((3, 3), (2, 5))[:told])
    with pytest.raises(InputError, match=r"contradict|cannot be met"):
        tessella.solve(puzzle, measure="ssd", settings=QUICK, wishes=both, panels=panels)
