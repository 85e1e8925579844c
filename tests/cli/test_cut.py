"""``tessella cut`` writes a puzzle and its truth that the other commands understand."""

import json

import numpy as np
import pytest

from tessella.arrangement import EMPTY, Arrangement
from tessella.imaging.folder import read_puzzle
from tessella.imaging.grid import tiles
from tessella.imaging.read import read_image, write_image
from tessella.imaging.render import render


def cut(call, cut_folder, out, *options):
    return call("cut", cut_folder / "picture.png", out, *options)


@pytest.mark.parametrize("options", [["--piece", "56"], ["--piece", "40x56", "--turned"]])
def test_the_truth_renders_the_picture(call, cut_folder, tmp_path, picture, options):
    told = cut(call, cut_folder, tmp_path / "out", *options)
    assert (told.code, told.err) == (0, "")
    assert "pieces" in told.out
    puzzle = read_puzzle(tmp_path / "out" / "puzzle")
    truth = json.loads((tmp_path / "out" / "truth.json").read_text())
    assert tuple(truth["pieces"]) == puzzle.names
    assert len(truth["edge_class"]) == 4 * len(puzzle)
    assert puzzle.upright == ("--turned" not in options)
    assert np.array_equal(render(puzzle, Arrangement.from_json(truth).sheets[0]), picture)


def test_the_seed_decides_the_order_and_erosion_is_recorded(call, cut_folder, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        cut(call, cut_folder, tmp_path / name, "--erode", 2, "--seed", seed)
    a, b, c = (read_puzzle(tmp_path / name / "puzzle") for name in "abc")
    assert a.eroded == 2
    assert np.array_equal(a.pieces, b.pieces)
    assert not np.array_equal(a.pieces, c.pieces)


def test_an_earlier_cut_is_replaced_only_with_force(call, cut_folder, tmp_path):
    assert cut(call, cut_folder, tmp_path, "--piece", 28).code == 0
    assert cut(call, cut_folder, tmp_path, "--piece", 56).code == 2
    assert len(read_puzzle(tmp_path / "puzzle")) == 120
    assert cut(call, cut_folder, tmp_path, "--piece", 56, "--force").code == 0
    assert len(read_puzzle(tmp_path / "puzzle")) == 30
    assert len(list((tmp_path / "puzzle").iterdir())) == 31


def test_a_folder_that_holds_something_else_called_puzzle_is_left_alone(call, cut_folder, tmp_path):
    (tmp_path / "notes.txt").touch()
    assert cut(call, cut_folder, tmp_path, "--force").code == 2
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


def test_a_simulated_panel_has_whole_tiles_of_fifty_pixels(call, cut_folder, tmp_path, picture):
    told = cut(call, cut_folder, tmp_path, "--simulate", "azulejo", "--turned")
    assert (told.code, told.err) == (0, "")
    puzzle = read_puzzle(tmp_path / "puzzle")
    assert puzzle.piece_size == (50, 50)
    assert len(puzzle) == (picture.shape[0] // 50) * (picture.shape[1] // 50)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--simulate", "mosaic"], "azulejo"),
        (["--simulate", "azulejo", "--piece", "40x50"], "Tiles are square"),
        (["--simulate", "azulejo", "--strips", "5"], "leave --piece, --erode and --simulate out"),
    ],
)
def test_what_cannot_be_simulated_is_refused(call, cut_folder, tmp_path, options, said):
    told = cut(call, cut_folder, tmp_path / "out", *options)
    assert told.code == 2
    assert said in told.err


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Three small pictures of noise: 4 x 5, 3 x 4 and 5 x 5 pieces of 10 px."""
    folder = tmp_path_factory.mktemp("pictures")
    rng = np.random.default_rng(8)
    for name, shape in (("a", (40, 50)), ("b", (30, 40)), ("c", (50, 50))):
        write_image(folder / f"{name}.png", rng.integers(0, 256, (*shape, 3), np.uint8))
    return folder


def test_several_pictures_become_one_folder_with_holes_and_strangers(call, pictures, tmp_path):
    files = [pictures / "a.png", pictures / "b.png"]
    options = ["--piece", 10, "--missing", 0.25, "--foreign", 3, "--turned"]
    told = call("cut", *files, tmp_path / "out", *options)
    assert (told.code, told.err) == (0, "")
    assert "27 pieces (4 rows x 5 columns, 3 rows x 4 columns), 8 missing, 3 of them" in told.out
    puzzle = read_puzzle(tmp_path / "out" / "puzzle")
    truth = json.loads((tmp_path / "out" / "truth.json").read_text())
    assert (len(puzzle), puzzle.shape, puzzle.upright) == (27, None, False)
    assert [(s["rows"], s["cols"]) for s in truth["sheets"]] == [(4, 5), (3, 4)]
    assert len(truth["foreign"]) == 3
    for sheet, file in zip(Arrangement.from_json(truth).sheets, files, strict=True):
        drawn, whole = render(puzzle, sheet), read_image(file)
        here = (sheet.piece != EMPTY).repeat(10, axis=0).repeat(10, axis=1)
        assert np.array_equal(drawn[here], whole[here])


def test_foreign_pieces_come_from_where_they_are_said_to(call, pictures, tmp_path):
    given = ["--piece", 10, "--foreign", 4, "--foreign-from", pictures / "c.png"]
    assert call("cut", pictures / "a.png", tmp_path / "out", *given).code == 0
    puzzle = read_puzzle(tmp_path / "out" / "puzzle")
    foreign = json.loads((tmp_path / "out" / "truth.json").read_text())["foreign"]
    theirs = {piece.tobytes() for piece in tiles(read_image(pictures / "c.png"), (10, 10))[0]}
    for number, piece in enumerate(puzzle.pieces):
        assert (piece.tobytes() in theirs) == (number in foreign)


def test_a_block_of_pieces_is_taken_out_of_every_picture(call, pictures, tmp_path):
    files = [pictures / "a.png", pictures / "c.png"]
    assert call("cut", *files, tmp_path / "out", "--piece", 10, "--block", "2x3").code == 0
    truth = json.loads((tmp_path / "out" / "truth.json").read_text())
    for sheet in Arrangement.from_json(truth).sheets:
        rows, cols = np.nonzero(sheet.piece == EMPTY)
        assert (len(rows), np.ptp(rows), np.ptp(cols)) == (6, 1, 2)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--missing", "1"], "below 1; got 1"),
        (["--missing", "-0.1"], "0 or more"),
        (["--missing", "nan"], "below 1"),
        (["--missing", "0.99"], "nothing would be left"),
        (["--block", "6"], "--block must be RxC"),
        (["--block", "unknown"], "--block must be RxC"),
        (["--block", "5x1"], "must fit into every picture; one has 4 x 5"),
        (["--block", "0x1"], "must fit"),
        (["--foreign", "-1"], "0 or more"),
        (["--foreign", "100000"], "ask for fewer, or name more pictures"),
        (["--foreign-from", "x.png"], "add --foreign N"),
        (["--strips", "3", "--missing", "0.1"], "leave them out with --strips"),
    ],
)
def test_what_cannot_be_lost_or_added_is_refused(call, pictures, tmp_path, options, said):
    size = [] if "--strips" in options else ["--piece", 10]
    told = call("cut", pictures / "a.png", tmp_path / "out", *size, *options)
    assert told.code == 2
    assert said in told.err
    assert len(told.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()
