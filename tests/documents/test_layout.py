"""Strips are solved alike from Python and from the command line, and nobody asks for their type."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import tessella
from tessella.arrangement import Arrangement
from tessella.documents.cut import cut_strips
from tessella.documents.pagination import paginate
from tessella.documents.strips import strips_of
from tessella.errors import InputError
from tessella.files import read_json
from tessella.imaging.folder import read_puzzle, write_puzzle
from tessella.imaging.read import write_image
from tessella.layout import GridLayout

PACKAGE = Path(tessella.__file__).parent


def commanded(call, folder, puzzle, *options):
    """Return the arrangement and the record of ``tessella solve``."""
    told = call("solve", puzzle, folder, *options)
    assert told.code == 0, told.err
    return Arrangement.from_json(read_json(folder / "arrangement.json")), read_json(
        folder / "run.json"
    )


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("count", "pages"), [(1, None), (2, None), (2, 2), (2, 1)])
def test_solving_strips_in_python_gives_the_commands_answer(
    call, tmp_path, printed, turned, count, pages
):
    strips, _ = cut_strips(printed[:count], 20, turned=turned, seed=2)
    write_puzzle(tmp_path / "strips", strips)
    options = [] if pages is None else ["--pages", pages]
    arrangement, run = commanded(call, tmp_path / "out", tmp_path / "strips", *options)
    known = read_puzzle(tmp_path / "strips", pages=pages)
    result = tessella.solve(known)
    assert result.arrangement.same(arrangement)
    assert result.fitness == run["fitness"]
    assert len(result.arrangement.sheets) == (pages or count)
    for part in ("measure", "adjustment", "solver", "pages"):
        assert result.settings[part] == run["settings"][part]
    assert result.seconds.keys() == run["seconds"].keys() - {"reading"}
    if pages is None:
        assert tessella.solve(strips).arrangement.same(arrangement)


def test_solving_shreds_in_python_gives_the_commands_answer(call, tmp_path):
    rng = np.random.default_rng(3)
    for k in range(6):
        shred = np.full((220, 60), 20, np.uint8)
        for y, (left, right) in enumerate(rng.integers(0, 3, (200, 2)), 10):
            shred[y, 8 + left : 52 - right] = 240
        write_image(tmp_path / f"{k}.png", shred)
    arrangement, run = commanded(call, tmp_path / "out", tmp_path, "--pages", 2)
    result = tessella.solve(read_puzzle(tmp_path, pages=2))
    assert result.settings["measure"]["name"] == run["settings"]["measure"]["name"] == "shreds"
    assert result.arrangement.same(arrangement)
    assert result.fitness == run["fitness"]


def test_the_record_names_what_worked_where_none_was_named(call, tmp_path, printed):
    strips, _ = cut_strips(printed[:1], 12, seed=2)
    write_puzzle(tmp_path / "strips", strips)
    _, run = commanded(call, tmp_path / "out", tmp_path / "strips", "--measure", "ssd")
    assert (run["command"]["measure"], run["command"]["solver"]) == ("ssd", "path")


def test_pages_can_be_cut_anew_and_keep_every_strip(printed):
    strips, _ = cut_strips(printed[:2], 20, seed=2)
    result = tessella.solve(strips)
    assert len(result.arrangement.sheets) == 2
    again = paginate(strips, result, 1).arrangement
    assert again.placed().tolist() == list(range(40))


@pytest.mark.parametrize("pages", [0, 4])
def test_strips_of_more_pages_than_strips_are_refused(pages):
    with pytest.raises(InputError, match="1 to the number of strips, 3"):
        tessella.Strips(np.zeros((3, 8, 4, 3), np.uint8), pages=pages)
    assert tessella.Strips(np.zeros((3, 8, 4, 3), np.uint8), pages=3).pages == 3


def test_pages_say_that_a_folder_holds_strips(tmp_path):
    for k in range(3):
        write_image(tmp_path / f"{k}.png", np.full((50, 6 + k), 255, np.uint8))
    found = read_puzzle(tmp_path, pages=2)
    assert isinstance(found, tessella.Strips)
    assert found.pages == 2


def test_pages_are_told_recorded_and_drawn_in_grey():
    strips = strips_of([np.full((9, 4), v, np.uint8) for v in (10, 20, 30)])
    one = Arrangement.single(np.array([[2, 0, 1]]))
    two = Arrangement(tuple(Arrangement.single(np.array([c])).sheets[0] for c in ([2, 0], [1])))
    layout = strips.layout
    assert (layout.described(one), layout.described(two)) == ("1 page", "2 pages")
    assert layout.facts(one) == {
        "kind": "strips",
        "pages": 1,
        "gaps": 0,
        "apart": None,
        "notes": [],
    }
    assert layout.draw(one.sheets[0]).shape == layout.scrambled().shape == (9, 12)
    assert layout.drawable(one) is strips


def test_the_pages_of_a_document_are_one_file(tmp_path):
    strips = strips_of([np.full((110, 85), 255, np.uint8)] * 2)
    pages = Arrangement(tuple(Arrangement.single(np.array([[k]])).sheets[0] for k in (0, 1)))
    strips.layout.write_besides(tmp_path, pages)
    assert len(tessella.read_pages([tmp_path / "pages.pdf"], 20)) == 2
    GridLayout(strips).write_besides(tmp_path / "grid", pages)
    assert not (tmp_path / "grid").exists()


def asks(tree: ast.AST) -> int:
    """Count calls of isinstance or issubclass whose second argument names Strips."""
    return sum(
        isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in ("isinstance", "issubclass")
        and any("Strips" in (getattr(n, "id", ""), getattr(n, "attr", "")) for n in ast.walk(node))
        for node in ast.walk(tree)
    )


def test_nobody_asks_whether_a_puzzle_is_of_strips():
    """`Puzzle.layout`, `usual`, `ragged` and `contents` answer instead: one dispatch, by type."""
    found = {
        str(file.relative_to(PACKAGE)): count
        for file in sorted(PACKAGE.rglob("*.py"))
        if (count := asks(ast.parse(file.read_text(encoding="utf-8"))))
    }
    assert found == {}


@pytest.mark.parametrize(
    "text", ["isinstance(p, Strips)", "x = [isinstance(p, (Puzzle, strips.Strips))]"]
)
def test_such_a_question_would_be_found(text):
    assert asks(ast.parse(text)) == 1
    assert asks(ast.parse(text.replace("Strips", "Sheet"))) == 0
