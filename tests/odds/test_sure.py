"""What is sure: an answer that breaks more of it than may be false is not believed."""

from __future__ import annotations

import numpy as np
from skimage import data

from tessella import api
from tessella.arrangement import Arrangement, Sheet
from tessella.imaging.cut import cut_panels
from tessella.odds import Calibration, Odds, Sure, odds_of
from tessella.plan import make_plan


def known(missing: float) -> tuple[Arrangement, Odds]:
    puzzle, truth = cut_panels([data.coffee()[:224, 200:424]], 28, missing=missing, seed=1)
    by = make_plan("mgc").measure
    scores = api.measure(puzzle, by, shuffled=True).scores
    return truth.arrangement, odds_of(scores, Calibration(7.9, 1.4))


def closed_up(arrangement: Arrangement) -> Arrangement:
    """Return all pieces row by row, as if there were no holes."""
    sheet = arrangement.sheets[0]
    held = sheet.piece >= 0
    cols = sheet.shape[1]
    pieces = np.full(-(-int(held.sum()) // cols) * cols, -1, np.int32)
    pieces[: int(held.sum())] = sheet.piece[held]
    grid = pieces.reshape(-1, cols)
    return Arrangement((Sheet(grid, np.zeros(grid.shape, np.int8)),))


def test_nothing_sure_speaks_against_the_truth():
    for missing in (0.0, 0.2):
        truth, odds = known(missing)
        sure = Sure.by(odds)
        assert len(sure.pairs) > 40
        assert sure.broken(truth) <= 1 + sure.false
        assert not sure.speaks_against(truth)


def test_closing_holes_breaks_what_is_sure():
    truth, odds = known(0.2)
    assert Sure.by(odds).speaks_against(closed_up(truth))


def test_an_answer_without_joins_breaks_everything():
    _, odds = known(0.0)
    apart = np.full((1, 2 * odds.pieces), -1, np.int32)
    apart[0, ::2] = np.arange(odds.pieces)
    alone = Arrangement((Sheet(apart, np.zeros(apart.shape, np.int8)),))
    sure = Sure.by(odds)
    assert sure.broken(alone) == len(sure.pairs)


def test_a_share_of_what_is_sure_may_be_allowed_to_break():
    truth, odds = known(0.2)
    sure, closed = Sure.by(odds), closed_up(truth)
    assert sure.speaks_against(closed, 0.0)
    assert not sure.speaks_against(closed, sure.broken(closed) / len(sure.pairs) + 1e-9)
