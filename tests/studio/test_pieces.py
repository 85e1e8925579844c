"""Pieces of a project open at once, and show what is broken off."""

import io
import shutil

import numpy as np
import pytest
from PIL import Image

from tessella.imaging.folder import read_puzzle, write_puzzle
from tessella.imaging.unknown import checker
from tessella.puzzle import Puzzle
from tessella.studio import intake, pieces
from tessella.studio.facts import Facts
from tessella.studio.project import FILE


@pytest.fixture(scope="module")
def broken(tmp_path_factory, cut_folder):
    """Return a project of thirty pieces, the third without its upper left corner."""
    puzzle, place = read_puzzle(cut_folder / "puzzle"), tmp_path_factory.mktemp("broken")
    known = np.ones(puzzle.pieces.shape[:3], np.bool_)
    known[2, :20, :17] = False
    write_puzzle(place / "puzzle", Puzzle(puzzle.pieces, upright=False, known=known))
    intake.make(intake.Order(str(place / "puzzle"), str(place / "a.tessella"), "a"))
    return place / "a.tessella"


def test_what_is_unknown_of_the_pieces_opens_with_them(broken, tmp_path):
    folder = tmp_path / "a.tessella"
    shutil.copytree(broken, folder)
    facts = Facts.read(folder / FILE)
    quick = pieces.read(folder, facts)
    (folder / "cache" / "pieces.npy").unlink()
    slow = pieces.read(folder, facts)
    assert np.array_equal(quick.pieces, slow.pieces)
    assert np.array_equal(quick.known, slow.known)
    assert (~slow.known).sum() == 20 * 17


def test_a_project_of_whole_pieces_keeps_no_mask(made):
    assert not (made / "cache" / "known.npy").exists()
    assert pieces.read(made, Facts.read(made / FILE)).known is None


def test_the_page_is_shown_the_checker(broken, tmp_path, client, desk):
    folder = tmp_path / "b.tessella"
    shutil.copytree(broken, folder)
    project = desk.add(folder)
    shown = client.get(f"/api/projects/{project}/pieces/2").content
    image = np.array(Image.open(io.BytesIO(shown)))
    assert np.array_equal(image[:20, :17], checker(56, 56)[:20, :17])
    atlas = np.array(Image.open(folder / "cache" / "atlas-0.jpg"))
    thumbnail = atlas[:56, 112:168].astype(int)
    assert np.abs(thumbnail[:16, :13] - checker(56, 56)[:16, :13]).max() < 12
