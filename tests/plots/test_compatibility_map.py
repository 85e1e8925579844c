"""The compatibility map: true partners stand just right of the diagonal."""

import numpy as np
import pytest

from tessella.arrangement import EMPTY, Sheet
from tessella.errors import InputError
from tessella.plots import compatibility_map as plot
from tessella.plots.compatibility_map import compatibility_map, table


def test_true_partners_stand_above_the_diagonal_save_at_the_end_of_a_row(solved):
    _, truth, compatibility = solved
    told = table(compatibility, truth.arrangement.sheets[0])
    beside = np.diagonal(told, 1)
    ends = (np.arange(len(beside)) + 1) % 5 == 0
    assert (beside[~ends] == np.float32(0.9)).all()
    assert (beside[ends] == 0).all()
    assert np.nansum(told) == pytest.approx(0.9 * (~ends).sum())


def test_a_piece_is_never_compared_with_itself(solved):
    _, truth, compatibility = solved
    told = table(compatibility, truth.arrangement.sheets[0])
    assert np.isnan(np.diagonal(told)).all()
    assert np.isnan(told).sum() == len(told)


def test_empty_cells_have_no_row(solved):
    _, truth, compatibility = solved
    sheet = truth.arrangement.sheets[0]
    piece = sheet.piece.copy()
    piece[1, 2] = EMPTY
    assert table(compatibility, Sheet(piece, sheet.turns)).shape == (19, 19)


def test_too_many_pieces_are_refused(solved, monkeypatch):
    _, truth, compatibility = solved
    monkeypatch.setattr(plot, "MOST", 19)
    with pytest.raises(InputError, match="at most 19 pieces; got 20"):
        table(compatibility, truth.arrangement.sheets[0])


def test_the_map_is_drawn_from_zero_to_one_with_labels(solved):
    _, truth, compatibility = solved
    main, bar = compatibility_map(compatibility, truth.arrangement.sheets[0]).axes
    assert main.images[0].get_clim() == (0, 1)
    assert "candidate" in main.get_xlabel()
    assert "anchor" in main.get_ylabel()
    assert bar.get_ylabel() == "compatibility"
