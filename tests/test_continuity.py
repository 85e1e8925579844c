"""Whether pieces go on from one to the next, whatever their colour."""

from dataclasses import replace

import numpy as np
import pytest

from tessella import continuity
from tessella.imaging.cut import cut
from tessella.measures.mgc import Mgc
from tessella.measuring import measure
from tessella.puzzle import Puzzle


@pytest.mark.parametrize("turned", [False, True])
def test_clean_pieces_go_on(picture, turned):
    assert continuity.share(cut(picture, 28, turned=turned)[0]) > continuity.CLEAN


@pytest.mark.parametrize("turned", [False, True])
def test_pieces_that_lost_their_sides_do_not(picture, turned):
    puzzle, _ = cut(picture, 28, turned=turned)
    inside = np.ascontiguousarray(puzzle.pieces[:, 3:-3, 3:-3])
    assert continuity.share(replace(puzzle, pieces=inside)) < continuity.CLEAN


def test_edges_with_several_best_partners_do_not_count():
    plain = Puzzle(np.full((6, 8, 8, 3), 120, np.uint8))
    assert continuity.agreed(measure(plain, Mgc(), keep=2)) == 1
