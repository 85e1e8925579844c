"""Every wish is honoured in every answer of every solver that takes wishes; others refuse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella import registry
from tessella.arrangement import Arrangement
from tessella.errors import InputError
from tessella.evidence import Evidence
from tessella.solving import Job, covered
from tessella.wishes import Code, Fixed, Wishes
from tessella.wishes.checking import check
from tessella.wishes.contradictions import check_wishes
from tessella.wishes.facts import Facts
from tessella.wishes.honouring import laid_anew

SETTINGS = {"rika": {"population": 6, "patience": 3}, "genetic": {"population": 6, "patience": 3}}
EVERY = registry.names("solver")
HONOURING = [name for name in EVERY if covered(registry.find("solver", name)).wishes]
GRIDS = [name for name in HONOURING if name != "path"]


seeds = st.integers(0, 2**31 - 1)
kinds = st.sampled_from([(True, True), (True, False), (False, True), (False, False)])
"""Whether pieces are upright, and square."""


def honoured(arrangement, wishes, job):
    """Return `arrangement` laid anew so that all of `wishes` hold."""
    known = check_wishes(wishes, Facts.of_job(job))
    return laid_anew(arrangement, known, job.compatibility, seed=job.seed)


def made(name):
    return registry.make("solver", name, SETTINGS.get(name, {}))


def check_answer(arrangement, wishes, job, upright, square):
    """Every piece lies in one cell of one sheet that fits; every wish holds."""
    assert check(arrangement, wishes, shape=job.shape) == ()
    (sheet,) = arrangement.sheets
    np.testing.assert_array_equal(arrangement.placed(), np.arange(job.compatibility.pieces))
    if upright:
        assert not sheet.turns.any()
    elif not square:
        assert not (sheet.turns % 2).any()
    if job.shape is not None:
        allowed = [job.shape, job.shape[::-1]] if square and not upright else [job.shape]
        assert any(sheet.shape[0] <= r and sheet.shape[1] <= c for r, c in allowed)


def test_the_four_take_wishes():
    assert HONOURING == ["genetic", "paikin_tal", "path", "rika"]


@pytest.mark.parametrize("name", sorted(set(EVERY) - set(HONOURING)))
def test_all_others_refuse_by_name(draw, name):
    told = draw.noise(4, True, True, np.random.default_rng(0))
    job = Job(Evidence(told), (2, 2), wishes=Wishes(upright=((0, 0),)))
    with pytest.raises(InputError, match=f"The solver {name} cannot hold to wishes"):
        made(name).solve(job)


@pytest.mark.parametrize("name", sorted(set(EVERY) - {"genetic"}))
def test_all_but_genetic_refuse_to_better_an_answer(draw, name):
    told = draw.noise(4, True, True, np.random.default_rng(0))
    job = Job(Evidence(told), (1, 4), begin=Arrangement.single([[0, 1, 2, 3]]))
    with pytest.raises(InputError, match=f"The solver {name} cannot better an answer"):
        made(name).solve(job)


@settings(max_examples=25, deadline=None)
@given(
    pieces=st.integers(1, 9), kind=kinds, known=st.booleans(), spare=st.integers(0, 2), seed=seeds
)
@pytest.mark.parametrize("name", GRIDS)
def test_every_wish_is_honoured_in_every_answer(draw, name, pieces, kind, known, spare, seed):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, pieces + 1))
    shape = rows, -(-pieces // rows) + spare
    told = draw.noise(pieces, *kind, rng)
    wishes = draw.met_by(draw.laid(pieces, shape, *kind, rng), rng)
    job = Job(Evidence(told), shape if known else None, seed=seed, threads=1, wishes=wishes)
    found = made(name).solve(job)
    check_answer(found.arrangement, wishes, job, *kind)
    assert found.fitness == pytest.approx(told.fitness(found.arrangement))


@settings(max_examples=40, deadline=None)
@given(pieces=st.integers(1, 9), upright=st.booleans(), spare=st.integers(0, 2), seed=seeds)
def test_every_wish_is_honoured_in_a_row(draw, pieces, upright, spare, seed):
    rng = np.random.default_rng(seed)
    shape = 1, pieces + spare
    told = draw.noise(pieces, upright, False, rng, row=True)
    wishes = draw.met_by(draw.laid(pieces, shape, upright, False, rng), rng)
    job = Job(Evidence(told), shape, seed=seed, threads=1, wishes=wishes)
    found = made("path").solve(job)
    check_answer(found.arrangement, wishes, job, upright, False)


@settings(max_examples=60, deadline=None)
@given(
    pieces=st.integers(1, 16), kind=kinds, known=st.booleans(), most=st.integers(1, 8), seed=seeds
)
def test_any_arrangement_can_be_laid_anew(draw, pieces, kind, known, most, seed):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, pieces + 1))
    shape = rows, -(-pieces // rows)
    told = draw.noise(pieces, *kind, rng)
    wishes = draw.met_by(draw.laid(pieces, shape, *kind, rng), rng, most)
    job = Job(Evidence(told), shape if known else None, seed=0)
    found = honoured(draw.laid(pieces, shape, *kind, rng), wishes, job)
    check_answer(found, wishes, job, *kind)


@settings(max_examples=25, deadline=None)
@given(pieces=st.integers(2, 9), kind=kinds, known=st.booleans(), seed=seeds)
@pytest.mark.parametrize("name", HONOURING)
def test_contradictory_wishes_never_solve(draw, name, pieces, kind, known, seed):
    rng = np.random.default_rng(seed)
    shape = 1, pieces
    if name == "path":
        kind = kind[0], False
    told = draw.noise(pieces, *kind, rng, row=name == "path")
    truth = draw.laid(pieces, shape, *kind, rng)
    wishes = draw.met_by(truth, rng)
    (row,) = truth.sheets[0].piece
    a, b = int(row[0]), int(row[1])
    e, f = truth.joins()[0].tolist()
    wrong = [
        Wishes(fixed=(Fixed(a, 0, 0, 0), Fixed(b, 0, 0, 0))),
        Wishes(fixed=(Fixed(a, 0, 0, 0), Fixed(a, 0, 0, 1))),
        Wishes(joined=((e, f),), forbidden=((f, e),)),
        Wishes(together=((a, b),), apart=((b, a),)),
        Wishes(upright=((a, 0), (a, 2))),
        Wishes(codes=(Code(a, panel="A"), Code(b, panel="B"))),
        Wishes(codes=(Code(a, row=0), Code(a, row=1))),
        Wishes(fixed=(Fixed(a, 0, 0, 0),), codes=(Code(a, col=1),)),
    ]
    both = wishes.and_also(wrong[int(rng.integers(len(wrong)))])
    job = Job(Evidence(told), shape if known or name == "path" else None, threads=1, wishes=both)
    with pytest.raises(InputError, match=r"^Th(is|ese) wish(es)? [^.]*\.$"):
        made(name).solve(job)


@pytest.mark.parametrize("upright", [True, False], ids=["upright", "turned"])
def test_the_same_seed_gives_the_same_answer_on_any_number_of_threads(draw, upright):
    rng = np.random.default_rng(3)
    told = draw.noise(12, upright, True, rng)
    wishes = draw.met_by(draw.laid(12, (3, 4), upright, True, rng), rng)
    answers = [
        made("genetic").solve(Job(Evidence(told), (3, 4), seed=5, threads=threads, wishes=wishes))
        for threads in (1, 1, 2)
    ]
    assert answers[0].arrangement.same(answers[1].arrangement)
    assert answers[0].arrangement.same(answers[2].arrangement)


@settings(max_examples=20, deadline=None)
@given(kind=kinds, known=st.booleans(), seed=seeds)
def test_an_answer_is_bettered_and_every_wish_holds(draw, kind, known, seed):
    rng = np.random.default_rng(seed)
    told = draw.noise(12, *kind, rng)
    begin = draw.laid(12, (3, 4), *kind, rng)
    wishes = draw.met_by(draw.laid(12, (3, 4), *kind, rng), rng)
    job = Job(Evidence(told), (3, 4) if known else None, threads=1, begin=begin)
    plain = made("genetic").solve(job)
    assert plain.fitness >= told.fitness(begin) - 1e-6
    wished = Job(Evidence(told), job.shape, threads=1, begin=plain.arrangement, wishes=wishes)
    found = made("genetic").solve(wished)
    check_answer(found.arrangement, wishes, wished, *kind)


def test_a_wish_that_holds_already_changes_nothing_but_for_the_better(draw):
    rng = np.random.default_rng(1)
    told = draw.noise(20, True, True, rng)
    begin = made("genetic").solve(Job(Evidence(told), (4, 5), threads=1)).arrangement
    piece = int(begin.sheets[0].piece[1, 2])
    wishes = Wishes(fixed=(Fixed(piece, 0, 1, 2),))
    job = Job(Evidence(told), (4, 5), threads=1)
    assert honoured(begin, wishes, job).same(begin)
    again = made("genetic").solve(
        Job(Evidence(told), (4, 5), threads=1, begin=begin, wishes=wishes)
    )
    assert again.fitness >= told.fitness(begin) - 1e-6


def test_what_finds_no_room_is_told_in_one_sentence(draw):
    told = draw.noise(6, True, True, np.random.default_rng(0))
    across = ((0, 6), (4, 10))  # 0 1 2 in a row of three
    down = ((4 * 3 + 3, 4 * 4 + 1), (4 * 4 + 3, 4 * 5 + 1))  # 3 4 5 in a column of three
    job = Job(Evidence(told), (3, 3), threads=1, wishes=Wishes(joined=across + down))
    with pytest.raises(InputError, match=r"^No way was found to lay the pieces"):
        made("paikin_tal").solve(job)
