import math

import pytest
import torch

from tessella.learning.losses import loss

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
