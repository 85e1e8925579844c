"""Company: companions weigh as much as the puzzle bears out, and nobody else is touched."""

import numpy as np
import pytest

from tessella.arrangement import Sheet
from tessella.company import Company, Lists
from tessella.edges import groups
from tessella.scores import Scores

ROWS, COLS = 8, 9
COUNT = ROWS * COLS
LISTED = 24


def mates(turns: bool) -> np.ndarray:
    """Return the true partner of every edge of a shuffled sheet, -1 at its sides."""
    rng = np.random.default_rng(3)
    piece = rng.permutation(COUNT).reshape(ROWS, COLS).astype(np.int32)
    turned = rng.integers(0, 4 if turns else 1, piece.shape).astype(np.int8)
    mate = np.full(4 * COUNT, -1, np.int64)
    for first, second in Sheet(piece, turned).joins().tolist():
        mate[first], mate[second] = second, first
    return mate


def table(mate: np.ndarray, lead: float, noise: float, seed: int) -> np.ndarray:
    """Return the scores of all pairs, in which true ones lead so far above noise."""
    rng = np.random.default_rng(seed)
    made = rng.normal(0, noise, (len(mate), len(mate)))
    made = (made + made.T) / 2
    some = np.flatnonzero(mate >= 0)
    made[some, mate[some]] += lead
    return made


def scores(said: np.ndarray, *, upright: bool, dense: bool = False) -> Scores:
    """Return lists of the best by a table of all pairs."""
    allowed = np.zeros(said.shape, np.bool_)
    for group in groups(COUNT, upright=upright, square=True):
        allowed[np.ix_(group.right, group.left)] = True
    piece = np.arange(len(said)) // 4
    allowed &= piece[:, None] != piece
    value = np.where(allowed, said, -np.inf).astype(np.float32)
    order = np.argsort(-value, axis=1, kind="stable")[:, :LISTED].astype(np.int32)
    best = np.take_along_axis(value, order, axis=1)
    every = value
    if upright:
        facing = [np.where(allowed[e])[0] % 4 for e in range(len(said))]
        side = np.array([each[0] for each in facing])
        every = value[np.arange(len(said))[:, None], 4 * np.arange(COUNT) + side[:, None]]
    return Scores(
        pieces=COUNT,
        upright=upright,
        square=True,
        distance=False,
        lo=np.where(allowed, value, np.inf).min(axis=1),
        hi=best[:, 0],
        partner=order,
        score=best,
        dense=every if dense else None,
    )


def companion(said: np.ndarray):
    """Return somebody who knows a table of all pairs."""

    def tell(pairs, threads, watch):
        watch.advance(len(pairs))
        return said[pairs[:, 0], pairs[:, 1]].astype(np.float32)

    return tell


def right(found: Scores, mate: np.ndarray) -> float:
    some = mate >= 0
    return float((found.partner[some, 0] == mate[some]).mean())


@pytest.mark.parametrize("upright", [True, False])
def test_three_sure_joins_tell_who_lies_around_the_corner(upright):
    mate = mates(not upright)
    lists = Lists.of(scores(table(mate, 9, 0.1, 0), upright=upright))
    found = lists.implied(mate)
    assert (mate[lists.edge[found]] == lists.partner[found]).all()
    inside = 2 * ((ROWS - 1) * COLS + ROWS * (COLS - 1))  # Every join, both ways, has a corner.
    assert len(found) == inside


@pytest.mark.parametrize("upright", [True, False])
def test_who_knows_is_heard(upright):
    mate = mates(not upright)
    leading = scores(table(mate, 4.5, 2.0, 0), upright=upright)
    knows, guesses = (
        companion(table(mate, lead, 2.0, seed)) for lead, seed in ((6.0, 1), (0.0, 2))
    )
    before = right(leading, mate)
    assert before < 0.9
    assert right(Company().heard(leading, [knows, guesses]), mate) > before + 0.05


def test_who_guesses_weighs_next_to_nothing():
    mate = mates(turns=False)
    leading = table(mate, 5.0, 2.0, 0)
    lists = Lists.of(scores(leading, upright=True))
    tables = [leading, table(mate, 6.0, 2.0, 1), table(mate, 0.0, 2.0, 2)]
    said = [lists.levelled(each[lists.edge, lists.partner]) for each in tables]
    weights = Company().weighed(lists, np.stack(said))
    assert weights[1] > 0.5
    assert 0 <= weights[2] < 0.1 * weights[1]


def test_a_companion_that_misleads_gets_no_weight():
    mate = mates(turns=False)
    leading = table(mate, 5.0, 2.0, 0)
    lists = Lists.of(scores(leading, upright=True))
    said = [
        lists.levelled(each[lists.edge, lists.partner])
        for each in (leading, table(mate, -5.0, 2.0, 1))
    ]
    assert Company().weighed(lists, np.stack(said))[1] == 0


def test_where_nothing_is_sure_the_leading_measure_stays():
    mate = mates(turns=False)
    leading = scores(table(mate, 0.0, 1e-3, 0), upright=True)
    found = Company().heard(leading, [companion(table(mate, 9.0, 1.0, 1))])
    lists = Lists.of(found)
    before = Lists.of(leading)
    assert np.allclose(lists.score, before.levelled(before.score), atol=1e-6)


def test_only_who_is_near_the_best_is_asked_about_and_a_pair_both_ways():
    mate = mates(turns=False)
    asked = []

    def tell(pairs, threads, watch):
        asked.append(pairs)
        return np.zeros(len(pairs), np.float32)

    leading = scores(table(mate, 4.0, 2.0, 0), upright=True)
    Company(near=1.0, least=4).heard(leading, [tell])
    (pairs,) = asked
    known = set(map(tuple, pairs.tolist()))
    gap = leading.score[:, :1] - leading.score
    wanted = (gap <= 1.0) | (np.arange(LISTED) < 4)
    for edge, place in zip(*np.nonzero(wanted), strict=True):
        partner = int(leading.partner[edge, place])
        assert (edge, partner) in known
        if edge in leading.partner[partner]:
            assert (partner, edge) in known
    assert len(known) < 2 * wanted.sum()


def test_who_was_not_asked_about_counts_as_the_one_in_the_middle():
    lists = Lists(
        start=np.array([0, 4]),
        edge=np.zeros(4, np.int32),
        partner=np.array([5, 6, 7, 8], np.int32),
        score=np.zeros(4),
        back=np.arange(4),
    )
    told = lists.levelled(np.array([1.0, np.nan, 3.0, 7.0]))
    assert told.tolist() == [-6.0, -4.0, -4.0, 0.0]


@pytest.mark.parametrize("upright", [True, False])
def test_lists_and_table_agree_and_nobody_is_lost(upright):
    mate = mates(not upright)
    before = scores(table(mate, 4.0, 1.0, 0), upright=upright, dense=True)
    found = Company().heard(before, [companion(table(mate, 5.0, 1.0, 1))])
    assert found.dense is not None
    assert before.dense is not None
    assert (np.diff(found.score, axis=1) <= 0).all()
    assert (np.sort(found.partner, axis=1) == np.sort(before.partner, axis=1)).all()
    column = found.partner // 4 if upright else found.partner
    assert (np.take_along_axis(found.dense, column, axis=1) == found.score).all()
    assert (np.isneginf(found.dense) == np.isneginf(before.dense)).all()
    finite = np.where(np.isneginf(found.dense), np.inf, found.dense)
    assert np.allclose(found.lo, finite.min(axis=1), atol=1e-4)
    assert (found.hi == found.score[:, 0]).all()
    # Who is not listed stays as far below the last as before.
    gap = before.score[:, -1:] - before.dense
    unlisted = np.ones(before.dense.shape, np.bool_)
    np.put_along_axis(unlisted, column, False, axis=1)
    unlisted &= np.isfinite(before.dense)
    now = found.score[:, -1:] - found.dense
    assert np.allclose(now[unlisted], gap[unlisted], atol=1e-3)
