"""Questions: what to ask a person, what the person says, and that answers help."""

from dataclasses import replace

import numpy as np
import pytest

import tessella
from tessella.bench import person
from tessella.confidence import Join
from tessella.imaging.cut import cut
from tessella.odds import Calibration, odds_of
from tessella.odds.informed import informed
from tessella.questions import SHOWN, next_questions, worthwhile
from tessella.scores import Scores
from tessella.wishes import Wishes


def join(first, second, sure):
    return Join(0, 0, first // 4, False, (first, second), 0.5, sure)


def asked(*joins, odds=None, count=None):
    return [question.join for question in worthwhile(joins, odds, count)]


def test_a_join_that_is_likely_wrong_is_asked_about_first():
    sure, doubtful = join(0, 6, 0.99), join(8, 14, 0.3)
    assert asked(sure, doubtful) == [doubtful, sure]


def test_of_equal_doubts_the_one_on_which_more_hangs_comes_first():
    alone, hub = join(0, 6, 0.5), join(8, 14, 0.5)
    others = [join(9, 19, 0.6), join(15, 21, 0.6)]
    assert asked(alone, hub, *others)[0] == hub


def test_a_round_does_not_ask_twice_about_one_piece_while_others_are_in_doubt():
    same = [join(0, 6, 0.30), join(3, 9, 0.31), join(1, 15, 0.32)]
    other = join(20, 26, 0.35)
    assert other in asked(*same, other, count=2)


def test_every_join_is_asked_about_in_the_end():
    joins = [join(4 * k, 4 * k + 6, 0.1 * k) for k in range(9)]
    assert sorted(asked(*joins), key=id) == sorted(joins, key=id)
    assert len(asked(*joins, count=4)) == 4


@pytest.fixture(scope="module")
def session():
    """A noisy puzzle whose first answer has mistakes, and its truth."""
    chance = np.random.default_rng(5)
    coarse = chance.integers(0, 256, (5, 6, 3)).astype(np.uint8)
    smooth = np.kron(coarse, np.ones((14, 14, 1), np.uint8)).astype(np.int16)
    picture = (smooth + chance.normal(0, 25, smooth.shape)).clip(0, 255).astype(np.uint8)
    puzzle, truth = cut(picture, 10, seed=2)
    return tessella.Session(puzzle, settings={"islands": "1"}, seed=1, threads=1), truth


@pytest.fixture(scope="module")
def first(session):
    return session[0].solve()


def test_questions_show_the_answers_partner_and_the_likeliest_others(first):
    for question in next_questions(first, 5):
        assert question.edge in question.join.edges
        assert question.partners[0] in question.join.edges
        assert 1 <= len(question.partners) <= SHOWN
        assert len(set(question.partners)) == len(question.partners)


def test_what_was_told_is_not_asked_again(session, first):
    told = next_questions(first, 1)[0].join
    wishes = Wishes(joined=(told.edges,))
    after = session[0].resolve(first, wishes)
    assert all(q.join.edges != told.edges for q in next_questions(after, 100, wishes))
    assert next(j for j in after.joins if set(j.edges) == set(told.edges)).confidence == 1.0


def test_what_follows_from_answers_is_certain_and_not_asked(session, first):
    around = next(j for j in first.joins if not j.down)
    sheet = first.arrangement.sheets[around.sheet]
    square = sheet.piece[around.row : around.row + 2, around.col : around.col + 2].ravel().tolist()
    four = [j for j in first.joins if {e // 4 for e in j.edges} <= set(square)]
    assert len(four) == 4
    wishes = Wishes(joined=tuple(j.edges for j in four[:3]))
    after = session[0].resolve(first, wishes)
    last = next(j for j in after.joins if set(j.edges) == set(four[3].edges))
    assert last.confidence == 1.0
    assert last not in [question.join for question in next_questions(after, 200)]


def test_who_is_shown_suits_the_other_neighbours_too():
    """Pieces 1 and 2 fit piece 0 alike; below the cell lies piece 3, which only 2 fits."""
    left, top = 2, 1
    fits = {0: [(4 + left, 2.0), (8 + left, 2.0), (16 + left, 2.1)], 12 + top: [(8 + 3, 9.0)]}
    lists = scores(fits, pieces=6)
    every = [join(0, 16 + left, 0.3), join(16 + 3, 12 + top, 0.3), join(12, 20 + left, 0.99)]
    asked = {q.join: q for q in worthwhile(every, odds_of(lists, Calibration(1.0, 0.0)))}
    assert asked[every[0]].edge == 0
    assert asked[every[0]].partners == (16 + left, 8 + left, 4 + left)


def test_a_truthful_person_picks_the_partner_or_says_that_it_is_none_of_these(session, first):
    _, truth = session
    partner = truth.partners()
    for question in next_questions(first, 30):
        said = person.answered(question, partner)
        true = partner[question.edge]
        if true in question.partners:
            assert said.joined == ((question.edge, true),)
        else:
            assert said.forbidden == tuple((question.edge, p) for p in question.partners)


def test_answers_leave_fewer_wrong_joins(session):
    rounds = list(person.conversation(*session, "worth", share=0.5))
    assert rounds[0].wrong > 4, "the puzzle must be hard enough to ask about"
    assert rounds[-1].wrong < rounds[0].wrong
    assert [each.answers for each in rounds[:3]] == [0, 10, 20]
    assert rounds[-1].answers <= round(0.5 * rounds[-1].joins)


def test_the_round_at_a_share_is_the_last_within_it():
    rounds = [person.Round(10 * k, 100, 20 - k, 80 + k) for k in range(4)]
    assert person.at_share(rounds, 0.1).answers == 10
    assert person.at_share(rounds, 0.29).answers == 20
    assert person.at_share(rounds, 0.0).answers == 0


def scores(pairs, pieces=4):
    """Return scores of upright pieces from what `pairs` says of edges."""
    shape = 4 * pieces, 3
    partner, score = np.full(shape, -1, np.int32), np.full(shape, -np.inf, np.float32)
    for e, listed in pairs.items():
        for place, (f, value) in enumerate(listed):
            partner[e, place], score[e, place] = f, value
    hi = np.where(partner[:, 0] >= 0, score[:, 0], -np.inf).astype(np.float32)
    return Scores(pieces, True, True, False, hi - 1, hi, partner, score)


RIGHT_0, LEFT_1, LEFT_2 = 0, 6, 10
BOTH = scores(
    {0: [(LEFT_1, 3.0), (LEFT_2, 2.9)], LEFT_1: [(RIGHT_0, 3.0)], LEFT_2: [(0, 2.9), (12, 1.0)]}
)


def test_a_join_is_surer_once_its_rival_is_known_to_lie_elsewhere():
    by = Calibration(5.0, 1.0)
    plain = odds_of(BOTH, by)
    after = informed(BOTH, by, joined=((12, LEFT_2),), forbidden=())
    table = {
        (int(e), int(f)): p
        for e, f, p in zip(plain.edge(), plain.partner, plain.chances()[0], strict=True)
    }
    known = {
        (int(e), int(f)): p
        for e, f, p in zip(after.edge(), after.partner, after.chances()[0], strict=True)
    }
    assert (RIGHT_0, LEFT_2) not in known
    assert known[RIGHT_0, LEFT_1] > table[RIGHT_0, LEFT_1]
    assert known[12, LEFT_2] > 0.99


def test_what_is_forbidden_has_no_odds():
    after = informed(BOTH, Calibration(5.0, 1.0), joined=(), forbidden=((LEFT_1, RIGHT_0),))
    pairs = set(zip(after.edge().tolist(), after.partner.tolist(), strict=True))
    assert (RIGHT_0, LEFT_1) not in pairs
    assert (LEFT_1, RIGHT_0) not in pairs
    assert (RIGHT_0, LEFT_2) in pairs


def test_the_level_of_an_edge_says_nothing_where_a_calibration_has_it_so():
    by = Calibration(1.0, 1.0, levelled=True)
    shift = np.random.default_rng(0).normal(0, 300, 16).astype(np.float32)
    moved = replace(BOTH, score=BOTH.score + shift[:, None], hi=BOTH.hi + shift)
    one, two = (odds_of(by.heard(each), by) for each in (BOTH, moved))
    assert one.lead == pytest.approx(two.lead, abs=1e-3)
    plain = Calibration(1.0, 1.0)
    drowned = odds_of(plain.heard(moved), plain)
    assert np.abs(drowned.lead - one.lead).max() > 50
