"""Bad input: one sentence, exit code 2, and nothing left behind."""

import json
import shutil
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from tessella import registry
from tessella.imaging.read import write_image

SOLVE = ("solve", "{puzzle}", "{out}", "--quiet")
CUT = ("cut", "{picture}", "{out}")


def tree(folder: Path) -> dict[str, bytes | None]:
    return {
        str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None
        for p in sorted(folder.rglob("*"))
    }


@pytest.fixture
def place(cut_folder, tmp_path):
    """Return a folder with a good puzzle and its truth, for a test to spoil."""
    shutil.copytree(cut_folder, tmp_path / "given")
    return tmp_path / "given"


@pytest.fixture
def refused(call, place):
    """Return a function that calls a command, sees it refused, and returns the sentence."""

    def run(*arguments: object) -> str:
        known = {
            "puzzle": place / "puzzle",
            "truth": place / "truth.json",
            "picture": place / "picture.png",
            "out": place / "out",
        }
        before = tree(place)
        told = call(*(str(argument).format(**known) for argument in arguments))
        assert told.code == 2
        assert told.out == ""
        assert len(told.err.splitlines()) == 1
        assert told.err.endswith(".\n")
        assert told.err[0].isupper() or told.err.startswith(("/", "--"))
        assert "Traceback" not in told.err
        assert tree(place) == before
        return told.err

    return run


def edit(file: Path, **changes: object) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


def chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is enormous."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(1000))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


# Folders


def test_a_missing_folder(refused, place):
    assert "no puzzle at" in refused("solve", place / "nowhere", "{out}", "--quiet")


def test_an_empty_folder(refused, place):
    (place / "empty").mkdir()
    assert "holds no PNG" in refused("solve", place / "empty", "{out}", "--quiet")


def test_the_folder_above_the_puzzle_is_recognised(refused, place):
    (place / "picture.png").unlink()
    assert "did you mean" in refused("solve", place, place.parent / "out", "--quiet")


def test_pieces_of_different_sizes_name_resize_which_then_works(refused, call, place):
    tiles = place / "tiles"
    tiles.mkdir()
    rng = np.random.default_rng(0)
    for number, size in enumerate([16, 16, 17, 16]):
        write_image(tiles / f"{number}.png", rng.integers(0, 256, (size, size, 3), dtype=np.uint8))
    assert "--resize P" in refused("solve", tiles, "{out}", "--quiet")
    assert call("solve", tiles, place / "out", "--resize", 16, "--quiet").code == 0


def test_a_resize_that_leaves_no_piece(refused):
    assert "--resize" in refused(*SOLVE, "--resize", 1)


# Pictures


def test_a_picture_smaller_than_one_piece(refused, place):
    write_image(place / "small.png", np.zeros((20, 40, 3), np.uint8))
    assert "smaller than one piece" in refused("cut", place / "small.png", "{out}", "--piece", 28)
    told = refused("solve", place / "small.png", "{out}", "--piece", 28, "--quiet")
    assert "smaller than one piece" in told


def test_a_picture_whose_piece_size_cannot_be_found(refused):
    assert "--piece" in refused("solve", "{picture}", "{out}", "--quiet")


def test_a_truncated_picture(refused, place):
    whole = (place / "picture.png").read_bytes()
    (place / "picture.png").write_bytes(whole[: len(whole) // 2])
    assert "damaged or cut short" in refused(*CUT)


def test_a_truncated_piece(refused, place):
    piece = sorted((place / "puzzle").glob("*.png"))[3]
    piece.write_bytes(piece.read_bytes()[:200])
    assert piece.name in refused(*SOLVE)


def test_a_file_that_is_no_picture(refused, place):
    (place / "picture.png").write_text("a letter")
    assert "not a picture" in refused(*CUT)
    assert "not a picture" in refused("solve", "{picture}", "{out}", "--piece", 28, "--quiet")


def test_an_empty_file(refused, place):
    (place / "picture.png").write_bytes(b"")
    assert "is empty" in refused(*CUT)


@pytest.mark.parametrize("command", ["cut", "solve"])
def test_a_decompression_bomb(refused, place, command):
    (place / "picture.png").write_bytes(bomb(60000, 60000))
    told = refused(command, "{picture}", "{out}", "--piece", 28)
    assert "60000 x 60000" in told


# Names


@pytest.mark.parametrize("kind", ["measure", "solver"])
def test_an_unknown_name_lists_the_valid_ones(refused, kind):
    told = refused(*SOLVE, f"--{kind}", "nothing")
    assert "'nothing'" in told
    assert all(name in told for name in registry.names(kind))


def test_an_unknown_measure_to_rank_lists_the_valid_ones(refused):
    told = refused("rank", "{puzzle}", "{truth}", "--measure", "nothing", "--quiet")
    assert all(name in told for name in registry.names("measure"))


def test_an_unknown_adjustment_lists_the_valid_ones(refused):
    told = refused(*SOLVE, "--set", "adjust=nothing")
    assert all(name in told for name in registry.names("adjustment"))


def test_an_unknown_setting_lists_the_valid_ones(refused):
    told = refused(*SOLVE, "--set", "popluation=3")
    assert "'popluation'" in told
    assert " population" in told


@pytest.mark.parametrize("setting", ["population", "=3", "population=many", "population=0"])
def test_a_setting_that_says_nothing_usable(refused, setting):
    assert "set" in refused(*SOLVE, "--set", setting).lower()


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--piece", "large"], "--piece"),
        (["--shape", "18"], "--shape"),
        (["--shortlist", "some"], "--shortlist"),
        (["--device", "tpu"], "--device"),
        (["--device", "cuda"], "CPU"),
        (["--model", "tiles"], "no model called 'tiles'"),
        (["--pages", "2"], "strips"),
        (["--seconds", "0"], "more than 0"),
        (["--seconds", "nan"], "more than 0"),
        (["--runs", "0"], "--runs"),
        (["--piece", "28"], "leave --piece out"),
    ],
)
def test_an_option_that_makes_no_sense(refused, options, part):
    assert part in refused(*SOLVE, *options)


@pytest.mark.parametrize("options", [["--piece", "auto"], ["--piece", "1"], ["--erode", "14"]])
def test_a_cut_that_makes_no_sense(refused, options):
    refused(*CUT, *options)


# Shapes


@pytest.mark.parametrize("shape", ["5x5", "1x29", "0x40"])
def test_a_shape_with_fewer_cells_than_pieces(refused, shape):
    assert shape.replace("x", " x ") in refused(*SOLVE, "--shape", shape)


def test_a_shape_with_exactly_as_many_cells_is_fine(call, place):
    told = call("solve", place / "puzzle", place / "out", "--shape", "3x10", "--quiet")
    assert told.code == 0


# Files of ours


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 2},
        {"version": None},
        {"kind": "rings"},
        {"kind": "strips", "eroded": 1},
        {"pieces": []},
        {"pieces": ["00.png", "00.png"]},
        {"pieces": ["../truth.json"]},
        {"pieces": ["nowhere.png"]},
        {"pieces": 7},
        {"shape": [2, 2]},
        {"shape": "5x6"},
        {"upright": "no"},
        {"piece_height": 28},
        {"eroded": -1},
        {"channels": 1},
    ],
)
def test_a_malformed_puzzle_json(refused, place, changes):
    edit(place / "puzzle" / "puzzle.json", **changes)
    assert "puzzle.json" in refused(*SOLVE)


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "nothing", '{"version": 1}', "[" * 100000])
def test_a_puzzle_json_that_is_no_puzzle(refused, place, text):
    (place / "puzzle" / "puzzle.json").write_text(text)
    assert "puzzle.json" in refused(*SOLVE)


def spoiled(value: dict, change: str) -> dict:
    sheet = value["sheets"][0]
    first, second = sheet["cells"][0][:2]
    if change == "wrong version":
        value["version"] = 9
    elif change == "piece twice":
        second["piece"] = first["piece"]
    elif change == "index out of range":
        first["piece"] = len(value["pieces"])
    elif change == "negative index":
        first["piece"] = -1
    elif change == "fifth turn":
        first["turns"] = 4
    elif change == "short row":
        sheet["cells"][0].pop()
    elif change == "no sheets":
        value["sheets"] = []
    elif change == "empty cells":
        sheet["cells"] = [[None] * sheet["cols"] for _ in range(sheet["rows"])]
    return value


@pytest.mark.parametrize("which", ["arrangement", "truth"])
@pytest.mark.parametrize(
    "change",
    [
        "wrong version",
        "piece twice",
        "index out of range",
        "negative index",
        "fifth turn",
        "short row",
        "no sheets",
        "empty cells",
    ],
)
def test_a_malformed_arrangement(refused, place, which, change):
    value = spoiled(json.loads((place / "truth.json").read_text()), change)
    (place / "bad.json").write_text(json.dumps(value))
    files = ["{truth}", "{truth}"]
    files[which == "truth"] = place / "bad.json"
    assert "bad.json" in refused("score", *files)


@pytest.mark.parametrize("content", [None, "", "7", "{}"])
def test_an_arrangement_that_is_none(refused, place, content):
    if content is not None:
        (place / "bad.json").write_text(content)
    assert "bad.json" in refused("score", place / "bad.json", "{truth}")
    assert "bad.json" in refused("rank", "{puzzle}", place / "bad.json", "--measure", "ssd")


@pytest.mark.parametrize("classes", [7, [1, 2], ["a"] * 120])
def test_a_truth_with_odd_classes(refused, place, classes):
    edit(place / "truth.json", edge_class=classes)
    assert "edge_class" in refused("score", "{truth}", "{truth}")


# Output


@pytest.mark.parametrize("command", [SOLVE, CUT, ("demo", "--out", "{out}")])
def test_a_folder_that_holds_another_run(refused, place, command):
    (place / "out").mkdir()
    (place / "out" / "run.json").write_text("{}")
    (place / "out" / "truth.json").write_text("{}")
    assert "--force" in refused(*command)


@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize("command", [SOLVE, CUT, ("demo", "--out", "{out}")])
def test_a_folder_that_holds_something_else(refused, place, command, force):
    (place / "out").mkdir()
    (place / "out" / "thesis.tex").write_text("years of work")
    assert "not empty" in refused(*command, *force)


@pytest.mark.parametrize("command", [SOLVE, CUT, ("demo", "--out", "{out}")])
def test_an_output_that_is_a_file(refused, place, command):
    (place / "out").write_text("mine")
    assert "is a file" in refused(*command)


@pytest.mark.parametrize("command", [SOLVE, CUT, ("demo", "--out", "{out}")])
def test_an_output_that_cannot_be_written(refused, place, command):
    command = [part.replace("{out}", "{picture}/out") for part in command]
    assert "Cannot write" in refused(*command)


def test_bad_input_does_not_cost_an_earlier_run(refused, place):
    (place / "out").mkdir()
    (place / "out" / "run.json").write_text("{}")
    refused("solve", place / "nowhere", "{out}", "--quiet", "--force")
    refused(*SOLVE, "--force", "--shape", "2x2")
