"""Puzzle folders are written whole, read back the same, and refused when they lie."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from skimage import data

from tessella.errors import FormatError, ImageError, InputError, OutputError
from tessella.imaging import folder as storing
from tessella.imaging.cut import cut
from tessella.imaging.folder import read_puzzle, write_puzzle
from tessella.imaging.read import write_image
from tessella.imaging.render import scrambled
from tessella.puzzle import Puzzle


def picture(height: int, width: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def small_puzzle(**how: object) -> Puzzle:
    return cut(picture(24, 32), 8, **how)[0]


def bare_folder(path: Path, names: list[str], size: tuple[int, int] = (8, 8)) -> Path:
    path.mkdir(exist_ok=True)
    for seed, name in enumerate(names):
        write_image(path / name, picture(*size, seed))
    return path


def edit(path: Path, **changes: object) -> None:
    """Change keys of a puzzle.json; a key set to ... is removed."""
    value = json.loads((path / "puzzle.json").read_text()) | changes
    kept = {key: v for key, v in value.items() if v is not ...}
    (path / "puzzle.json").write_text(json.dumps(kept))


@pytest.fixture
def written(tmp_path) -> Path:
    write_puzzle(tmp_path / "puzzle", small_puzzle())
    return tmp_path / "puzzle"


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    piece=st.tuples(st.integers(4, 9), st.integers(4, 9)),
    turned=st.booleans(),
    erode=st.integers(0, 1),
    seed=st.integers(0, 99),
)
def test_a_written_puzzle_is_read_back_the_same(tmp_path, piece, turned, erode, seed):
    puzzle, _ = cut(picture(20, 30, seed), piece, turned=turned, erode=erode, seed=seed)
    names = write_puzzle(tmp_path / "puzzle", puzzle, force=True)
    again = read_puzzle(tmp_path / "puzzle")
    assert np.array_equal(again.pieces, puzzle.pieces)
    assert (again.upright, again.shape, again.eroded) == (not turned, puzzle.shape, erode)
    assert again.names == names == tuple(f"{name}.png" for name in puzzle.names)


def test_the_json_says_what_the_contract_names(written):
    assert json.loads((written / "puzzle.json").read_text()) == {
        "version": 1,
        "kind": "grid",
        "piece_height": 8,
        "piece_width": 8,
        "channels": 3,
        "upright": True,
        "shape": [3, 4],
        "eroded": 0,
        "pieces": [f"{i:02d}.png" for i in range(12)],
    }


def test_grey_pieces_are_one_channel_on_disk_and_three_in_memory(tmp_path):
    grey = np.repeat(picture(3, 32)[..., :1].reshape(-1, 4, 4, 1)[:6], 3, axis=3)
    write_puzzle(tmp_path / "p", Puzzle(grey))
    assert json.loads((tmp_path / "p" / "puzzle.json").read_text())["channels"] == 1
    with Image.open(tmp_path / "p" / "0.png") as stored:
        assert stored.mode == "L"
    assert np.array_equal(read_puzzle(tmp_path / "p").pieces, grey)


def test_a_puzzle_read_and_written_again_keeps_its_file_names(written, tmp_path):
    assert write_puzzle(tmp_path / "again", read_puzzle(written))[:2] == ("00.png", "01.png")


def test_an_earlier_puzzle_is_replaced_only_by_force(written):
    with pytest.raises(OutputError, match="--force"):
        write_puzzle(written, small_puzzle(seed=1))
    write_puzzle(written, small_puzzle(seed=1), force=True)
    assert np.array_equal(read_puzzle(written).pieces, small_puzzle(seed=1).pieces)


def test_a_folder_of_other_things_is_left_alone(tmp_path):
    (tmp_path / "diary.txt").touch()
    with pytest.raises(OutputError, match=r"diary\.txt"):
        write_puzzle(tmp_path, small_puzzle(), force=True)
    assert [p.name for p in tmp_path.iterdir()] == ["diary.txt"]


def test_a_failure_half_way_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail_at_the_third(path, image):
        if path.name == "02.png":
            raise OutputError("Cannot write: disk full.")
        write_image(path, image)

    monkeypatch.setattr(storing, "write_image", fail_at_the_third)
    with pytest.raises(OutputError, match="disk full"):
        write_puzzle(tmp_path / "p", small_puzzle())
    assert not (tmp_path / "p").exists()


def test_an_unwritable_place_is_an_output_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="file"):
        write_puzzle(tmp_path / "file" / "p", small_puzzle())


@pytest.mark.parametrize("names", [("a", "../b"), ("a", "a.png")])
def test_names_that_cannot_be_files_are_refused(tmp_path, names):
    with pytest.raises(InputError, match="cannot be written"):
        write_puzzle(tmp_path / "p", Puzzle(np.zeros((2, 4, 4, 3), np.uint8), names=names))
    assert not (tmp_path / "p").exists()


def test_flags_override_what_the_json_says(written):
    puzzle = read_puzzle(written, upright=False, shape="unknown")
    assert (puzzle.upright, puzzle.shape) == (False, None)
    assert read_puzzle(written, shape=(4, 4)).shape == (4, 4)
    assert read_puzzle(written).shape == (3, 4)


def test_a_shape_with_too_few_cells_is_refused(written):
    with pytest.raises(InputError, match="fewer than the 12 pieces"):
        read_puzzle(written, shape=(3, 3))


def test_the_order_of_the_list_is_the_order_of_the_pieces(written):
    before = read_puzzle(written)
    edit(written, pieces=[f"{i:02d}.png" for i in reversed(range(12))])
    after = read_puzzle(written)
    assert np.array_equal(after.pieces, before.pieces[::-1])
    assert after.names == before.names[::-1]


def test_files_that_are_not_listed_are_ignored(written):
    write_image(written / "99.png", picture(5, 5))
    assert len(read_puzzle(written)) == 12


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": 2}, "version 1; got 2"),
        ({"version": ...}, "version 1; got None"),
        ({"kind": "circles"}, "circles"),
        ({"upright": ..., "shape": ...}, "upright, shape is missing"),
        ({"piece_height": 9}, "9 x 8 px, but 00.png has 8 x 8"),
        ({"piece_width": None}, "whole numbers"),
        ({"channels": 1}, "the pieces have colours"),
        ({"pieces": ["00.png", "00.png"]}, "00.png is listed twice"),
        ({"pieces": ["../00.png"]}, "plain names"),
        ({"pieces": ["00.png", "absent.png"]}, "absent.png, but the folder has no such file"),
        ({"shape": [3, 3]}, "fewer than the 12 pieces"),
        ({"eroded": 4}, "eroded must be 0 to 3"),
        ({"eroded": -1}, "eroded must be 0 to 3"),
    ],
)
def test_a_puzzle_json_that_lies_is_refused_by_name(written, changes, reason):
    edit(written, **changes)
    with pytest.raises(FormatError, match=reason) as caught:
        read_puzzle(written)
    assert "puzzle.json" in str(caught.value)


@pytest.mark.parametrize("text", ["{", "[]", "\xff", ""])
def test_a_puzzle_json_that_is_not_an_object_is_refused(written, text):
    (written / "puzzle.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(FormatError, match=r"puzzle\.json"):
        read_puzzle(written)


def test_a_listed_piece_that_is_damaged_is_named(written):
    (written / "05.png").write_bytes((written / "05.png").read_bytes()[:40])
    with pytest.raises(ImageError, match=r"05\.png"):
        read_puzzle(written)


def test_a_bare_folder_is_turned_of_unknown_shape_in_natural_order(tmp_path):
    bare_folder(tmp_path, ["piece10.png", "Piece2.PNG", "piece1.png"])
    puzzle = read_puzzle(tmp_path)
    assert puzzle.names == ("piece1.png", "Piece2.PNG", "piece10.png")
    assert (puzzle.upright, puzzle.shape, puzzle.eroded) == (False, None, 0)
    assert np.array_equal(puzzle.pieces[2], picture(8, 8, 0))
    known = read_puzzle(tmp_path, upright=True, shape=(1, 3), piece=(8, 8))
    assert (known.upright, known.shape) == (True, (1, 3))


def test_hidden_files_other_files_and_folders_are_ignored(tmp_path):
    bare_folder(tmp_path, ["a.png", ".b.png"])
    (tmp_path / "notes.txt").touch()
    (tmp_path / "c.png").mkdir()
    assert read_puzzle(tmp_path).names == ("a.png",)


def test_a_damaged_picture_in_a_bare_folder_is_named(tmp_path):
    bare_folder(tmp_path, ["a.png"])
    (tmp_path / "b.jpg").touch()
    with pytest.raises(ImageError, match=r"b\.jpg is empty"):
        read_puzzle(tmp_path)


def test_a_picture_that_is_gone_or_lies_nowhere_is_named_and_not_left_out(tmp_path, monkeypatch):
    bare_folder(tmp_path, ["a.png", "c.png"])
    (tmp_path / "b.png").symlink_to(tmp_path / "nowhere.png")
    with pytest.raises(ImageError, match=r"Cannot read the picture .*b\.png: No such file"):
        read_puzzle(tmp_path)
    (tmp_path / "b.png").unlink()

    def listed(folder: Path) -> Iterator[Path]:
        files = sorted(os.scandir(folder), key=lambda entry: entry.name)
        (folder / "c.png").unlink()  # Somebody else does, once it was listed.
        return (Path(entry.path) for entry in files)

    monkeypatch.setattr(Path, "iterdir", listed)
    with pytest.raises(ImageError, match=r"Cannot read the picture .*c\.png: No such file"):
        read_puzzle(tmp_path)


def test_grey_and_transparent_pieces_mix_with_coloured_ones(tmp_path):
    bare_folder(tmp_path, ["a.png"])
    Image.new("L", (8, 8), 7).save(tmp_path / "b.png")
    Image.new("RGBA", (8, 8)).save(tmp_path / "c.webp", lossless=True)
    pieces = read_puzzle(tmp_path).pieces
    assert (pieces[1] == 7).all()
    assert (pieces[2] == 255).all()


def test_rectangular_pieces_of_one_size_are_fine(tmp_path):
    bare_folder(tmp_path, ["a.png", "b.png"], (8, 12))
    assert read_puzzle(tmp_path).piece_size == (8, 12)


def test_pieces_of_different_sizes_are_named_and_resize_helps(tmp_path):
    bare_folder(tmp_path, ["a.png", "b.png"])
    write_image(tmp_path / "c.png", picture(9, 10))
    with pytest.raises(InputError, match=r"a\.png has 8 x 8 px and c\.png has 9 x 10 .*--resize P"):
        read_puzzle(tmp_path)
    resized = read_puzzle(tmp_path, resize=6)
    assert resized.pieces.shape == (3, 6, 6, 3)
    assert np.array_equal(read_puzzle(tmp_path, resize=8).pieces[0], picture(8, 8, 0))


def test_resizing_serves_a_folder_with_puzzle_json_unless_it_is_worn(written, tmp_path):
    assert read_puzzle(written, resize=4).pieces.shape == (12, 4, 4, 3)
    write_puzzle(tmp_path / "worn", small_puzzle(erode=1))
    with pytest.raises(InputError, match="worn frames of 1 px"):
        read_puzzle(tmp_path / "worn", resize=4)


def test_a_useless_resize_is_refused(written):
    with pytest.raises(InputError, match="at least 2 px, and at most 20000; got 1"):
        read_puzzle(written, resize=1)


def test_the_pixels_of_all_pieces_together_are_limited(tmp_path, monkeypatch):
    bare_folder(tmp_path, ["a.png", "b.png"])
    monkeypatch.setattr(storing, "PIXELS_MAX", 128)
    assert len(read_puzzle(tmp_path)) == 2
    monkeypatch.setattr(storing, "PIXELS_MAX", 127)
    with pytest.raises(InputError, match=r"together more than .*--resize"):
        read_puzzle(tmp_path)
    assert len(read_puzzle(tmp_path, resize=4)) == 2


def test_a_piece_size_that_a_folder_does_not_have_is_refused(written):
    assert read_puzzle(written, piece="auto").piece_size == (8, 8)
    with pytest.raises(InputError, match="8 x 8 px, not 9 x 8"):
        read_puzzle(written, piece=(9, 8))


def test_a_missing_and_an_empty_folder_are_refused(tmp_path):
    with pytest.raises(InputError, match="no puzzle at"):
        read_puzzle(tmp_path / "none")
    with pytest.raises(InputError, match="holds no PNG"):
        read_puzzle(tmp_path)


def test_the_folder_above_a_puzzle_points_to_it(written):
    with pytest.raises(InputError, match=r"did you mean .*puzzle"):
        read_puzzle(written.parent)


def test_a_scrambled_picture_is_upright_and_has_its_own_shape(tmp_path):
    image = picture(30, 48)
    write_image(tmp_path / "a.png", image)
    puzzle = read_puzzle(tmp_path / "a.png", piece=(10, 12))
    assert (puzzle.upright, puzzle.shape) == (True, (3, 4))
    assert puzzle.names[0] == "r000c000"
    assert puzzle.names[-1] == "r002c003"
    assert np.array_equal(puzzle.pieces[5], image[10:20, 12:24])
    assert read_puzzle(tmp_path / "a.png", piece=(10, 12), upright=False).upright is False


@pytest.mark.parametrize("piece", [None, "auto"])
def test_the_piece_size_of_a_scrambled_picture_is_detected(tmp_path, piece):
    write_image(tmp_path / "a.png", scrambled(cut(data.coffee(), 50)[0]))
    puzzle = read_puzzle(tmp_path / "a.png", piece=piece)
    assert (puzzle.piece_size, puzzle.shape) == ((50, 50), (8, 12))


def test_a_picture_whose_piece_size_is_unclear_asks_for_it(tmp_path):
    write_image(tmp_path / "a.png", picture(32, 32))
    with pytest.raises(InputError, match="--piece"):
        read_puzzle(tmp_path / "a.png")


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        ({"piece": (10, 10)}, "30 x 48 px .* not a whole number of pieces of 10 x 10"),
        ({"piece": (31, 12)}, "smaller than one piece"),
        ({"piece": (1, 1)}, "at least 2 x 2"),
        ({"piece": (10, 12), "resize": 8}, "is one picture"),
        ({"piece": (10, 12), "shape": (2, 5)}, "fewer than the 12 pieces"),
    ],
)
def test_flags_that_do_not_fit_a_picture_are_refused(tmp_path, flags, reason):
    write_image(tmp_path / "a.png", picture(30, 48))
    with pytest.raises(InputError, match=reason):
        read_puzzle(tmp_path / "a.png", **flags)


def test_reading_is_watched(written):
    class Counter:
        total = seen = 0

        def stage(self, name, total):
            self.total = total

        def advance(self, steps=1):
            self.seen += steps

        def generation(self, generation):
            raise AssertionError

    watch = Counter()
    read_puzzle(written, watch=watch)
    assert watch.total == watch.seen == 12


def test_what_is_transparent_in_a_piece_goes_on_from_what_is_known(tmp_path):
    piece = np.full((8, 8, 4), (10, 90, 200, 255), np.uint8)
    piece[:, 6:] = (255, 255, 255, 0)
    for name in ("a.png", "b.png"):
        Image.fromarray(piece).save(tmp_path / name)
    puzzle = read_puzzle(tmp_path)
    assert (puzzle.pieces == (10, 90, 200)).all()
