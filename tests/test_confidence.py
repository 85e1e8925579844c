"""Confidence: the chance that a join is right; and which joins to ask about."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.arrangement import EMPTY, Arrangement
from tessella.compatibility import Compatibility, from_lists
from tessella.confidence import Join, best_other, judge, local_fitness, of_pieces, to_json
from tessella.imaging.cut import cut
from tessella.questions import worthwhile

# Upright: edge 4i of piece i (right) meets edge 4j + 2 of piece j (left).
RIGHT_OF_0, LEFT_OF_1, LEFT_OF_2, LEFT_OF_3 = 0, 6, 10, 14


def told(pieces: int, pairs: dict[tuple[int, int], float]) -> Compatibility:
    """Return compatibilities of upright square pieces from what `pairs` says, 0 elsewhere."""
    listed: list[list[tuple[float, int]]] = [[] for _ in range(4 * pieces)]
    for (e, f), value in pairs.items():
        listed[e].append((value, f))
        listed[f].append((value, e))
    best_first = [sorted(entries, key=lambda x: -x[0]) for entries in listed]
    flat = [entry for entries in best_first for entry in entries]
    start = np.concatenate([[0], np.cumsum([len(entries) for entries in listed])])
    partner = np.array([f for _, f in flat], np.int32)
    score = np.array([value for value, _ in flat], np.float32)
    return Compatibility(pieces, True, True, start.astype(np.int64), partner, score)


def test_without_odds_a_join_is_as_sure_as_a_coin():
    (join,) = judge(Arrangement.single([[0, 1]]), told(6, {(RIGHT_OF_0, LEFT_OF_1): 0.8}), None)
    assert join.confidence == 0.5


def test_in_one_row_a_join_is_as_sure_as_its_own_odds(odds_from):
    def sure(pairs):
        compatibility = told(6, pairs)
        (join,) = judge(Arrangement.single([[0, 1]]), compatibility, odds_from(compatibility))
        return join.confidence

    own = {(RIGHT_OF_0, LEFT_OF_1): 0.9}
    tie = sure({**own, (RIGHT_OF_0, LEFT_OF_2): 0.9})
    clear = sure({**own, (RIGHT_OF_0, LEFT_OF_2): 0.1, (8, LEFT_OF_1): 0.1})
    worse = sure({(RIGHT_OF_0, LEFT_OF_1): 0.4, (RIGHT_OF_0, LEFT_OF_2): 0.9})
    unlisted = sure({(RIGHT_OF_0, LEFT_OF_2): 0.9})
    assert unlisted < 0.01
    assert unlisted <= worse < tie < clear
    assert clear > 0.9


@pytest.fixture(scope="module")
def grid():
    """A grid of 5 x 6 pieces whose true joins lead by 0.5."""
    _, truth = cut(np.random.default_rng(1).integers(0, 256, (20, 24, 3), dtype=np.uint8), 4)
    every = range(truth.pieces)
    sides = ((0, 2), (3, 1))
    pairs = {(4 * i + a, 4 * j + b): 0.3 for a, b in sides for i in every for j in every if i != j}
    pairs |= {(int(e), int(f)): 0.9 for e, f in truth.arrangement.joins()}
    return truth, told(truth.pieces, pairs)


def test_wrong_joins_are_less_sure_than_right_ones(grid, odds_from):
    truth, compatibility = grid
    piece = truth.arrangement.sheets[0].piece.copy()
    piece[1, 1], piece[3, 4] = piece[3, 4], piece[1, 1]
    true = {tuple(sorted(pair)) for pair in truth.arrangement.joins().tolist()}
    joins = judge(Arrangement.single(piece), compatibility, odds_from(compatibility))
    right = [j.confidence for j in joins if tuple(sorted(j.edges)) in true]
    wrong = [j.confidence for j in joins if tuple(sorted(j.edges)) not in true]
    assert len(wrong) == 8
    assert max(wrong) < min(right)
    assert all(0 <= chance <= 1 for chance in right + wrong)


def test_the_same_join_is_surer_where_it_closes_loops(grid, odds_from):
    truth, compatibility = grid
    piece = truth.arrangement.sheets[0].piece
    odds = odds_from(compatibility)
    whole = judge(Arrangement.single(piece), compatibility, odds)
    bare = piece.copy()
    bare[1:], bare[0, 3:] = EMPTY, EMPTY
    alone = judge(Arrangement.single(bare), compatibility, odds)
    first = {j.edges: j.confidence for j in whole}
    assert all(first[join.edges] > join.confidence for join in alone)


def test_confidence_does_not_ask_which_way_a_sheet_lies(grid, odds_from):
    truth, compatibility = grid
    odds = odds_from(compatibility)
    sheet = truth.arrangement.sheets[0]
    here, there = (
        {
            tuple(sorted(j.edges)): j.confidence
            for j in judge(Arrangement((s,)), compatibility, odds)
        }
        for s in (sheet, sheet.turned(1))
    )
    assert here.keys() == there.keys()
    assert all(here[pair] == pytest.approx(there[pair]) for pair in here)


def test_questions_prefer_doubt_on_which_much_hangs(grid, odds_from):
    truth, compatibility = grid
    piece = truth.arrangement.sheets[0].piece.copy()
    piece[1, 1], piece[3, 4] = piece[3, 4], piece[1, 1]
    joins = judge(Arrangement.single(piece), compatibility, odds_from(compatibility))
    asked = worthwhile(joins)
    assert sorted((q.join for q in asked), key=id) == sorted(joins, key=id)
    swapped = {int(piece[1, 1]), int(piece[3, 4])}
    about = [bool({e // 4 for e in q.join.edges} & swapped) for q in asked]
    assert about[:2] == [True, True]
    worth = [q.value for q in asked]
    assert min(w for w, a in zip(worth, about, strict=True) if a) > max(
        w for w, a in zip(worth, about, strict=True) if not a
    )


def test_the_best_other_partner_is_never_the_given_one():
    compatibility = told(4, {(RIGHT_OF_0, LEFT_OF_1): 0.8, (RIGHT_OF_0, LEFT_OF_2): 0.7})
    pairs = np.array([[RIGHT_OF_0, LEFT_OF_1], [RIGHT_OF_0, LEFT_OF_2], [15, 1]], np.int32)
    edge, score = best_other(compatibility, pairs)
    assert edge.tolist() == [LEFT_OF_2, LEFT_OF_1, -1]
    assert score == pytest.approx([0.7, 0.8, 0])


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 9999))
def test_the_best_other_partner_agrees_with_a_plain_search(seed):
    rng = np.random.default_rng(seed)
    partner = rng.integers(0, 16, (16, 3)).astype(np.int32)
    partner[partner // 4 == np.arange(16)[:, None] // 4] = -1
    partner = -np.sort(-partner, axis=1)
    partner[:, 1:][partner[:, 1:] == partner[:, :-1]] = -1
    partner = -np.sort(-partner, axis=1)
    compatibility = from_lists(4, False, True, partner, rng.random((16, 3)).astype(np.float32))
    pairs = rng.integers(0, 16, (30, 2)).astype(np.int32)
    edge, score = best_other(compatibility, pairs)
    for (e, f), g, value in zip(pairs.tolist(), edge.tolist(), score.tolist(), strict=True):
        part = slice(compatibility.start[e], compatibility.start[e + 1])
        entries = zip(compatibility.partner[part].tolist(), compatibility.score[part], strict=True)
        others = [(x, float(s)) for x, s in entries if x != f]
        assert (g, value) == (others[0] if others else (-1, 0))


def test_lists_that_hold_nothing_have_no_other_partner():
    edge, score = best_other(told(2, {}), np.array([[0, 6]], np.int32))
    assert (edge.tolist(), score.tolist()) == ([-1], [0])


def test_local_fitness_is_the_mean_over_the_neighbours_there_are():
    pairs = {(0, 6): 0.8, (4, 10): 0.4}
    fitness = local_fitness(told(3, pairs), Arrangement.single([[0, 1, 2]]).sheets[0])
    assert fitness == pytest.approx(np.array([[0.8, 0.6, 0.4]]))


def test_empty_cells_and_lonely_pieces_have_no_local_fitness():
    sheet = Arrangement.single([[0, EMPTY, 1]]).sheets[0]
    assert np.isnan(local_fitness(told(2, {(0, 6): 1.0}), sheet)).all()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 999))
def test_local_fitness_adds_up_to_twice_the_fitness(seed):
    rng = np.random.default_rng(seed)
    picture = rng.integers(0, 256, (12, 16, 3), dtype=np.uint8)
    puzzle, truth = cut(picture, 4, turned=True, seed=seed)
    partner = truth.partners()[:, None].copy()
    scores = rng.random(partner.shape).astype(np.float32)
    compatibility = from_lists(len(puzzle), False, True, partner, scores)
    neighbours = np.full((3, 4), 4) - np.isin(np.arange(3), [0, 2])[:, None]
    neighbours = neighbours - np.isin(np.arange(4), [0, 3])
    local = local_fitness(compatibility, truth.arrangement.sheets[0])
    assert (local * neighbours).sum() == pytest.approx(
        2 * compatibility.fitness(truth.arrangement), rel=1e-5
    )


def test_json_has_a_number_for_every_join_and_null_elsewhere():
    pairs = {(0, 6): 0.8, (3, 9): 0.5}
    arrangement = Arrangement.single([[0, 1], [2, EMPTY]])
    sheets = to_json(judge(arrangement, told(3, pairs), None), arrangement)
    own = [[0.5, 0.5], [0.5, None]]
    assert sheets == [{"right": [[0.5], [None]], "down": [[0.5, None]], "piece": own}]


def test_json_of_a_single_cell_is_empty():
    arrangement = Arrangement.single([[0]])
    assert to_json((), arrangement) == [{"right": [[]], "down": [], "piece": [[None]]}]


def test_a_piece_is_as_sure_as_its_joins_on_the_mean():
    joins = [
        Join(0, 0, 0, False, (0, 6), 0.0, 0.9),
        Join(0, 0, 1, False, (4, 10), 0.0, 0.4),
        Join(0, 0, 0, True, (3, 13), 0.0, 0.5),
    ]
    assert of_pieces(joins) == pytest.approx({0: 0.7, 1: 0.65, 2: 0.4, 3: 0.5})


def test_joins_come_in_reading_order_of_their_sheets():
    one = Arrangement.single([[0, 1], [2, 3]]).sheets[0]
    two = Arrangement.single([[4, 5]]).sheets[0]
    joins = judge(Arrangement((one, two)), told(6, {}), None)
    found = [(j.sheet, j.row, j.col, j.down) for j in joins]
    assert found == sorted(found)
    assert len(found) == 5
