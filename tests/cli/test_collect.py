"""``tessella collect``, and ``tessella solve`` from pictures, end to end."""

import json

import numpy as np
import pytest
from PIL import Image

from tessella.provenance import provenance

BED = (250, 184, 93)


@pytest.fixture
def scan(tmp_path):
    """A scan of five strips of a page with text-like marks, a little apart."""
    rng = np.random.default_rng(4)
    page = np.full((420, 200), 250, np.uint8)
    for top in range(20, 400, 14):
        page[top : top + 6] = np.where(rng.random(200) < 0.5, 30, 250)
    image = np.tile(np.array(BED, np.uint8), (460, 360, 1))
    for place, number in enumerate([3, 0, 4, 1, 2]):
        left = 20 + 66 * place
        image[20:440, left : left + 40] = page[:, 40 * number : 40 * number + 40, None]
    Image.fromarray(image).save(tmp_path / "scan.png", dpi=(150, 150))
    return tmp_path / "scan.png"


@pytest.fixture
def table(tmp_path):
    """A photograph of four tiles."""
    image = np.full((400, 500, 3), (90, 92, 96), np.uint8)
    for number, (x, y) in enumerate([(60, 60), (300, 60), (60, 250), (300, 250)]):
        image[y : y + 80, x : x + 80] = (235, 232, 225)
        image[y + 20 : y + 40, x + 10 + 8 * number : x + 60] = (40, 60, 140)
    Image.fromarray(image).save(tmp_path / "table.png")
    return tmp_path / "table.png"


def test_strips_of_a_scan_become_a_puzzle(call, scan, tmp_path):
    out = tmp_path / "out"
    said = call("collect", scan, out, "--kind", "strips", "--quiet")
    assert said.code == 0, said.err
    listed = json.loads((out / "collect.json").read_text())
    assert listed["version"] == 1
    assert listed["kind"] == "strips"
    assert [piece["source"] for piece in listed["pieces"]] == ["scan.png"] * 5
    assert all(piece["doubts"] == [] for piece in listed["pieces"])
    with Image.open(out / "puzzle" / listed["pieces"][0]["file"]) as picture:
        assert picture.mode == "RGBA"
    with Image.open(out / "contact.png") as sheet:
        assert sheet.width > 500


def test_the_list_says_what_made_it(call, scan, table, tmp_path):
    panel = ("--shape", "2x2", "--corners", "60,60 380,60 380,330 60,330")
    for name, given in (("strips", (scan,)), ("panel", (table, *panel))):
        said = call("collect", given[0], tmp_path / name, "--kind", name, *given[1:], "--quiet")
        assert said.code == 0, said.err
        listed = json.loads((tmp_path / name / "collect.json").read_text())
        assert {key: listed[key] for key in provenance().to_json()} == provenance().to_json()


def test_the_kind_is_guessed_from_the_outlines_and_said(call, scan, table, tmp_path):
    for picture, kind in ((scan, "strips"), (table, "tiles")):
        said = call("collect", picture, tmp_path / kind)
        assert f"look like {kind}" in said.out
        assert json.loads((tmp_path / kind / "collect.json").read_text())["kind"] == kind


def test_pictures_are_collected_and_solved_in_one_go(call, scan, tmp_path):
    out = tmp_path / "solved"
    said = call("solve", scan, out, "--kind", "strips", "--pages", "1", "--upright", "--quiet")
    assert said.code == 0, said.err
    assert {"run.json", "collect.json", "contact.png", "puzzle"} <= {p.name for p in out.iterdir()}
    assert len(json.loads((out / "arrangement.json").read_text())["pieces"]) == 5


def test_tiles_come_out_at_the_size_asked_for(call, table, tmp_path):
    said = call(
        "collect", table, tmp_path / "t", "--kind", "tiles", "--tile-mm", "100", "--dpi", "20"
    )
    assert said.code == 0, said.err
    puzzle = json.loads((tmp_path / "t" / "puzzle" / "puzzle.json").read_text())
    assert puzzle["piece_height"] == puzzle["piece_width"] == 79
    assert puzzle["upright"] is False


def test_a_panel_is_made_straight_and_cut_with_its_truth(call, tmp_path):
    rng = np.random.default_rng(2)
    panel = rng.integers(0, 255, (4, 6, 3)).astype(np.uint8).repeat(40, 0).repeat(40, 1)
    image = np.zeros((220, 300, 3), np.uint8)
    image[30:190, 20:260] = panel
    Image.fromarray(image).save(tmp_path / "wall.png")
    corners = ["--corners", "20,30 260,30 260,190 20,190"]
    out = tmp_path / "panel"
    said = call(
        "collect", tmp_path / "wall.png", out, "--kind", "panel", "--shape", "4x6", *corners
    )
    assert said.code == 0, said.err
    truth = json.loads((out / "truth.json").read_text())
    first = truth["pieces"][truth["sheets"][0]["cells"][0][0]["piece"]]
    with Image.open(out / "puzzle" / first) as tile:
        assert tile.size == (40, 40)
        assert tile.convert("RGB").getpixel((20, 20)) == tuple(panel[0, 0])
    listed = json.loads((out / "collect.json").read_text())["pieces"]
    assert len(listed) == 24
    assert listed[0]["outline"] == [[20, 30], [60, 30], [60, 70], [20, 70]]


def test_an_earlier_collection_is_kept_unless_told_otherwise(call, scan, tmp_path):
    assert call("collect", scan, tmp_path / "o", "--kind", "strips", "--quiet").code == 0
    again = call("collect", scan, tmp_path / "o", "--kind", "strips", "--quiet")
    assert again.code == 2
    assert "--force" in again.err
    forced = call("collect", scan, tmp_path / "o", "--kind", "strips", "--force", "--quiet")
    assert forced.code == 0


A_PANEL = ("--kind", "panel", "--shape", "2x2", "--corners", "20,30 200,30 200,190 20,190")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--kind", "shreds"], "--kind must be one of"),
        (["--bed", "sort of orange"], "--bed must be a colour"),
        (["--dpi", "5"], "--dpi must be 20 to 2400"),
        (["--tile-mm", "0"], "--tile-mm must be"),
        (["--inset", "0.5"], "--inset must be"),
        (["--shape", "4x6"], "are for --kind panel"),
        (["--kind", "panel", "--shape", "4x6"], "four times --corners"),
        (["--kind", "panel", "--shape", "2x2", "--corners", "1,x"], "must be X,Y"),
        (["--kind", "panel", "--shape", "unknown"], "--shape must be RxC"),
        ([*A_PANEL, "--dpi", "100"], "give --tile-mm"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(call, scan, tmp_path, options, sentence):
    said = call("collect", scan, tmp_path / "o", *options)
    assert said.code == 2
    assert sentence in said.err
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("options", "side"), [((), 85), (("--tile-mm", "25.4"), 85), (("--dpi", "60"), 60)]
)
def test_a_panel_has_its_own_resolution_or_the_one_asked_for(call, scan, tmp_path, options, side):
    known = ("--tile-mm", "25.4", *options) if "--dpi" in options else options
    assert call("collect", scan, tmp_path / "o", *A_PANEL, *known).code == 0
    told = json.loads((tmp_path / "o" / "puzzle" / "puzzle.json").read_text())
    assert (told["piece_height"], told["upright"], told["shape"]) == (side, True, [2, 2])


def test_corners_in_the_wrong_order_are_told(call, scan, tmp_path):
    corners = "20,30 20,190 200,190 200,30"
    options = ["--kind", "panel", "--shape", "2x2", "--corners", corners]
    said = call("collect", scan, tmp_path / "o", *options)
    assert said.code == 2
    assert "must go around the panel" in said.err


def test_pictures_without_pieces_are_told_in_one_sentence(call, tmp_path):
    noise = np.random.default_rng(1).integers(100, 130, (300, 400, 3)).astype(np.uint8)
    Image.fromarray(noise).save(tmp_path / "a.png")
    for kind in ("strips", "tiles"):
        said = call("collect", tmp_path / "a.png", tmp_path / kind, "--kind", kind, "--quiet")
        assert said.code == 2, kind
        assert said.err.count("\n") == 1
        assert not (tmp_path / kind).exists()


def test_a_panorama_is_refused_before_it_is_decoded(call, tmp_path):
    huge = Image.new("1", (30_000, 20_000))
    huge.save(tmp_path / "huge.png")
    said = call("collect", tmp_path / "huge.png", tmp_path / "o", "--quiet")
    assert said.code == 2
    assert "at most 250 million" in said.err


def test_several_puzzles_need_a_kind(call, scan, table, tmp_path):
    said = call("solve", scan, table, tmp_path / "o", "--quiet")
    assert said.code == 2
    assert "--kind" in said.err
