"""Confidence: a join against the best other partner of either of its edges."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.arrangement import EMPTY, Arrangement
from tessella.compatibility import Compatibility, from_lists
from tessella.confidence import CROWD, best_other, judge, local_fitness, to_json
from tessella.imaging.cut import cut

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


def confidence(pairs: dict[tuple[int, int], float]) -> float:
    (join,) = judge(Arrangement.single([[0, 1]]), told(6, pairs))
    return join.confidence


def test_a_join_without_rival_is_certain():
    assert confidence({(RIGHT_OF_0, LEFT_OF_1): 0.8}) == 1


def test_a_rival_as_good_leaves_it_open():
    assert confidence({(RIGHT_OF_0, LEFT_OF_1): 0.8, (RIGHT_OF_0, LEFT_OF_2): 0.8}) == 0.5


def test_a_better_rival_of_either_edge_lowers_it_below_one_half():
    own = {(RIGHT_OF_0, LEFT_OF_1): 0.6}
    assert confidence({**own, (RIGHT_OF_0, LEFT_OF_2): 0.9}) < 0.5
    assert confidence({**own, (8, LEFT_OF_1): 0.9}) < 0.5


def test_a_join_that_no_list_knows_has_no_confidence_beside_one_that_is_listed():
    assert confidence({(RIGHT_OF_0, LEFT_OF_2): 0.9}) == 0


def test_two_edges_nobody_knows_anything_about_are_open():
    assert confidence({}) == 0.5


@settings(max_examples=25, deadline=None)
@given(
    scores=st.lists(st.integers(1, 100), min_size=4, max_size=4),
    shrink=st.sampled_from([0.5, 0.25]),
    lift=st.sampled_from([0.0, 0.25]),
)
def test_confidence_does_not_depend_on_how_values_are_spread(scores, shrink, lift):
    partners = (LEFT_OF_1, LEFT_OF_2, LEFT_OF_3, 18)
    wide = {(RIGHT_OF_0, f): s / 128 for f, s in zip(partners, scores, strict=True)}
    tight = {pair: lift + shrink * value for pair, value in wide.items()}
    # The other edge has one candidate only, which is measured from 0 and always certain.
    assert confidence(tight) == pytest.approx(confidence(wide), abs=1e-5)


def test_the_crowd_begins_at_a_fixed_rank():
    many = {(RIGHT_OF_0, 4 * j + 2): 0.9 - 0.01 * j for j in range(1, 60)}
    near = judge(Arrangement.single([[0, 1]]), told(60, many))[0].confidence
    crowd = 0.9 - 0.01 * CROWD
    assert near == pytest.approx((1 + 0.01 / (0.89 - crowd)) / 2, abs=1e-4)


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
    sheets = to_json(judge(arrangement, told(3, pairs)), arrangement)
    assert sheets == [{"right": [[1.0], [None]], "down": [[1.0, None]]}]


def test_json_of_a_single_cell_is_empty():
    arrangement = Arrangement.single([[0]])
    assert to_json((), arrangement) == [{"right": [[]], "down": []}]


def test_joins_come_in_reading_order_of_their_sheets():
    one = Arrangement.single([[0, 1], [2, 3]]).sheets[0]
    two = Arrangement.single([[4, 5]]).sheets[0]
    joins = judge(Arrangement((one, two)), told(6, {}))
    found = [(j.sheet, j.row, j.col, j.down) for j in joins]
    assert found == sorted(found)
    assert len(found) == 5
