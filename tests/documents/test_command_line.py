"""Documents on the command line: cut, solve, score."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image

from tessella.files import read_json
from tessella.imaging.read import write_image


@pytest.fixture
def document(tmp_path, printed):
    pages = [Image.fromarray(page) for page in printed[:2]]
    file = tmp_path / "letter.pdf"
    pages[0].save(file, "PDF", save_all=True, append_images=pages[1:], resolution=100)
    return file


def test_a_document_is_cut_solved_and_scored(call, tmp_path, document):
    told = call("cut", document, tmp_path / "cut", "--strips", 24, "--dpi", 100, "--turned")
    assert (told.code, told.err) == (0, "")
    assert "48 strips of 2 pages" in told.out
    puzzle, out = tmp_path / "cut" / "puzzle", tmp_path / "out"
    told = call("solve", puzzle, out, "--pages", "unknown")
    assert told.code == 0, told.err
    assert "48 strips of 960 x 30 px: 2 pages" in told.out
    held = {path.name for path in out.iterdir()}
    assert held == {
        "arrangement.json",
        "assembled.png",
        "assembled-002.png",
        "pages.pdf",
        "placement.csv",
        "report.html",
        "run.json",
    }
    run = read_json(out / "run.json")
    assert (run["puzzle"]["kind"], run["puzzle"]["pages"]) == ("strips", 2)
    assert run["settings"]["measure"]["name"] == "ink"
    assert run["settings"]["solver"]["name"] == "path"
    told = call("score", out / "arrangement.json", tmp_path / "cut" / "truth.json")
    assert json.loads(told.out)["content"] > 0.97
    assert call("solve", puzzle, out, "--force", "--pages", 2).code == 0


def test_named_parts_win_over_the_usual_ones(call, tmp_path, document):
    call("cut", document, tmp_path / "cut", "--strips", 12, "--dpi", 50)
    told = call(
        "solve", tmp_path / "cut" / "puzzle", tmp_path / "out", "--solver", "genetic",
        "--measure", "ssd", "--set", "patience=2",
    )  # fmt: skip
    assert told.code == 0, told.err
    assert read_json(tmp_path / "out" / "run.json")["settings"]["solver"]["name"] == "genetic"


def test_shreds_of_a_bare_folder_are_measured_by_shreds(call, tmp_path):
    for name in ("1", "2", "3"):
        shred = np.zeros((200, 40), np.uint8)
        shred[5:-5, 5:-5] = 240
        write_image(tmp_path / f"{name}.png", shred)
    told = call("solve", tmp_path, tmp_path / "out", "--pages", 1)
    assert told.code == 0, told.err
    run = read_json(tmp_path / "out" / "run.json")
    assert run["settings"]["measure"]["name"] == "shreds"


def test_pages_of_different_sizes_are_solved_together(call, tmp_path, printed):
    write_image(tmp_path / "a.png", printed[0])
    write_image(tmp_path / "b.png", printed[1][:900, :700])
    told = call("cut", tmp_path / "a.png", tmp_path / "b.png", tmp_path / "cut", "--strips", 30)
    assert "60 strips of 2 pages" in told.out
    told = call("solve", tmp_path / "cut" / "puzzle", tmp_path / "out", "--pages", 2)
    assert told.code == 0, told.err
    assert "60 strips of 900 to 960 x 23 to 24 px: 2 pages" in told.out
    told = call("score", tmp_path / "out" / "arrangement.json", tmp_path / "cut" / "truth.json")
    assert json.loads(told.out)["content"] > 0.9


def test_one_strip_is_a_page_of_its_own(call, tmp_path):
    write_image(tmp_path / "1.png", np.full((50, 6), 255, np.uint8))
    told = call("solve", tmp_path, tmp_path / "out", "--pages", "unknown")
    assert told.code == 0, told.err
    assert "1 page" in told.out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--strips", 2000], "too narrow"),
        (["--strips", 0], "at least 1"),
        (["--strips", 10, "--piece", 28], "leave --piece, --erode and --simulate out"),
        (["--strips", 10, "--dpi", 1], "20 to 2400"),
        (["--dpi", 100], "--strips"),
        ([], "not a picture"),
    ],
)
def test_cuts_that_make_no_sense_are_refused(call, tmp_path, document, arguments, reason):
    told = call("cut", document, tmp_path / "cut", *arguments)
    assert told.code == 2
    assert reason in told.err
    assert len(told.err.splitlines()) == 1
    assert not (tmp_path / "cut").exists()


def test_several_documents_are_no_pictures(call, tmp_path, document):
    told = call("cut", document, document, tmp_path / "cut")
    assert told.code == 2
    assert "not a picture" in told.err


@pytest.mark.parametrize(
    ("pages", "reason"),
    [("0", "from 1 to 999999"), ("many", "unknown"), ("99", "number of strips, 3")],
)
def test_odd_numbers_of_pages_are_refused(call, tmp_path, pages, reason):
    for name in ("1", "2", "3"):
        write_image(tmp_path / f"{name}.png", np.full((50, 6), 255, np.uint8))
    told = call("solve", tmp_path, tmp_path / "out", "--pages", pages)
    assert told.code == 2
    assert reason in told.err


def test_pages_are_refused_for_grids(call, tmp_path, cut_folder):
    told = call("solve", cut_folder / "puzzle", tmp_path / "out", "--pages", 1)
    assert told.code == 2
    assert "is a grid" in told.err
