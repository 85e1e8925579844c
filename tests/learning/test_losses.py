import math

import pytest
import torch

from tessella.learning.losses import from_other_side, loss

SCORES = torch.tensor([[2.0, 1.0, -1.0]])
NONE = torch.zeros(1, 3, dtype=torch.bool)


def test_listwise_is_the_cross_entropy_of_the_first():
    wanted = -math.log(math.exp(2) / (math.exp(2) + math.exp(1) + math.exp(-1)))
    assert float(loss("listwise", SCORES, NONE)) == pytest.approx(wanted)


def test_binary_cross_entropy_is_the_papers_equation():
    pair = SCORES[:, :2]
    wanted = -(math.log(1 / (1 + math.exp(-2))) + math.log(1 - 1 / (1 + math.exp(-1))))
    assert float(loss("bce", pair, NONE[:, :2])) == pytest.approx(wanted)


def test_triplet_wants_a_margin_of_one():
    assert float(loss("triplet", torch.tensor([[2.0, 1.0]]), NONE[:, :2])) == 0
    assert float(loss("triplet", torch.tensor([[2.0, 1.5]]), NONE[:, :2])) == pytest.approx(0.5)


@pytest.mark.parametrize("kind", ["listwise", "bce", "triplet"])
def test_candidates_that_look_the_same_do_not_count(kind):
    same = torch.tensor([[False, True, False]])
    changed = torch.tensor([[2.0, 50.0, -1.0]])
    assert loss(kind, SCORES, same) == loss(kind, changed, same)


def from_other_side_slowly(scores, which, rim):
    """The specification: for every true right piece, cross-entropy over anchors that asked it."""
    total = 0.0
    for true in range(len(scores)):
        asked = [
            float(scores[a, k])
            for a in range(len(scores))
            for k in range(scores.shape[1])
            if which[a, k] == which[true, 0] and (a == true or rim[a] != rim[true])
        ]
        total += math.log(sum(map(math.exp, asked))) - float(scores[true, 0])
    return total / len(scores)


def test_from_the_other_side_is_the_cross_entropy_of_the_true_left_partner():
    chance = torch.Generator().manual_seed(0)
    scores = torch.randn(4, 3, generator=chance)
    which = torch.tensor([[1, 2, 5], [2, 1, 4], [3, 2, 1], [4, 0, 3]])
    rim = torch.tensor([0.5, 1.5, 0.5, 2.5])  # the first and the third look the same
    wanted = from_other_side_slowly(scores, which, rim)
    assert float(from_other_side(scores, which, rim)) == pytest.approx(wanted, rel=1e-5)


def test_what_only_the_left_piece_says_is_no_loss_from_one_side_but_from_the_other():
    which = torch.tensor([[1, 2], [2, 1]])
    rim = torch.tensor([0.0, 1.0])
    fair = torch.tensor([[3.0, 0.0], [3.0, 0.0]])
    biased = fair + torch.tensor([[0.0], [9.0]])  # the second anchor likes everybody
    none = torch.zeros(2, 2, dtype=torch.bool)
    assert loss("listwise", biased, none) == loss("listwise", fair, none)
    assert from_other_side(biased, which, rim) > from_other_side(fair, which, rim) + 1
