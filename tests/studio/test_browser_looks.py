"""What a person does at the table besides dragging, in a real browser, and how it looks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tessella import api
from tessella.imaging.folder import read_puzzle
from tessella.plan import make_plan
from tessella.studio.project import Project
from tessella.studio.worker import COMPATIBILITY

from .browsing import NEEDED, Page, opened
from .conftest import running

pytestmark = NEEDED
COLS = 6

CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
NAMELESS = (Path(__file__).parent / "nameless.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def measured(made, tmp_path_factory):
    """The compatibilities of the thirty pieces, so that nobody needs to solve."""
    puzzle = read_puzzle(made / "pieces")
    prepared = api.prepare(puzzle, make_plan("ssd"))
    order = np.asarray(prepared.order, np.intp)
    path = tmp_path_factory.mktemp("measured") / COMPATIBILITY
    prepared.compatibility.relabelled(order).save(path)
    return path


@pytest.fixture
def laid(folder, measured):
    """Twenty-nine pieces on a sheet, in the order of their files; the last in the tray."""
    (folder / "cache" / COMPATIBILITY).write_bytes(measured.read_bytes())
    project = Project(folder)
    cells = [*range(29), -1]
    project.act("answer", {"pieces": [cells], "turns": [[0] * 30], "cols": [COLS]}, by="solver")
    project.act("code", {"piece": 4, "row": 1, "panel": "B"})
    project.close()
    return folder


def does(tab, action):
    version = tab.version()
    action()
    tab.after(version)


def test_what_fits_where_it_goes_overlays_notes_and_sheets(browser, environment, laid):
    with opened(browser, environment, laid) as tab:
        page = tab.page
        # What fits here: the empty cell at the end; a click lays the candidate there.
        page.evaluate("studio.table.cursor = {sheet: 0, row: 4, col: 5}; studio.hands.choose([])")
        page.keyboard.press("c")
        page.wait_for_selector(".candidates button")
        does(tab, lambda: page.click(".candidates button >> nth=0"))
        filled = page.evaluate("studio.store.at(0, 4, 5)")
        assert filled is not None
        # Where does this go: whatever lies in the tray now.
        does(tab, lambda: page.evaluate("studio.hands.act('tray', {pieces: [28]})"))
        page.evaluate("studio.hands.choose([28])")
        page.keyboard.press("w")
        page.wait_for_selector(".candidates button")
        does(tab, lambda: page.click(".candidates button >> nth=0"))
        assert tab.spot(28)[0] == 0

        # Every overlay draws something, and takes it away again.
        marks, words = "studio.table.above.context.instructions", "studio.table.words.children"
        drawn = f"{marks}.length + {words}.length"
        page.evaluate("studio.table.centre(studio.table.layout.cell(0, 1, 1), 1)")
        page.click("text=Show")
        for name in ("confidence", "fit", "names", "codes"):
            before = page.evaluate(drawn)
            page.click(f"#overlay-{name}")
            tab.until(f"{drawn} > {before}")
            page.click(f"#overlay-{name}")
            tab.until(f"{drawn} === {before}")
        assert page.is_disabled("#overlay-backs")
        page.click("text=Show")

        # Names of pieces too far to be read appear when one comes near.
        page.evaluate("document.getElementById('overlay-names').click()")
        page.evaluate("studio.table.centre([0, 0], 0.2)")
        tab.until("studio.table.words.children.length === 0")
        page.evaluate("studio.table.centre(studio.table.layout.cell(0, 1, 1), 1)")
        tab.until("studio.table.words.children.length > 4")

        # A note on a join.
        page.evaluate("studio.hands.choose([7])")
        page.click("[data-note^='join:'] >> nth=0")
        page.fill("#join-note", "same crack")
        does(tab, lambda: page.click("#panel-piece .sides [data-do=save_note]"))
        assert page.evaluate("[...studio.store.tables.note.values()]") == ["same crack"]
        assert page.get_attribute("[data-note^='join:'] >> nth=0", "aria-pressed") == "true"

        # Sheets: to one of their own, named, merged again, cropped; each undone at once.
        page.click("#tab-sheets")
        page.evaluate("studio.hands.choose([0, 1])")
        does(tab, lambda: page.click("[data-do=split]"))
        assert tab.spot(0)[0] == 1
        page.fill("[data-sheet='1']", "the frieze")
        does(tab, lambda: page.press("[data-sheet='1']", "Enter"))
        assert "the frieze" in page.inner_text("#panel-sheets")
        does(tab, lambda: page.click("[data-merge='1']"))
        assert tab.spot(0)[0] == 0
        for _ in range(3):
            does(tab, lambda: page.click("#undo"))
        assert tab.spot(0) == [0, 0, 0, 0]
        page.evaluate("studio.hands.choose([0, 7])")
        does(tab, lambda: page.click("[data-do=crop]"))
        assert page.evaluate("studio.store.cells.size") == 4
        does(tab, lambda: page.click("#undo"))
        page.fill("#known-panels", "0")
        page.check("#known-missing")
        does(tab, lambda: page.click("[data-do=save_known]"))
        assert page.evaluate("studio.store.tables.about.get('known').missing")


def test_a_lasso_and_fingers_choose_and_move(browser, environment, laid):
    with running(environment, laid) as (_, address):
        tab = Page(browser, address, has_touch=True)
        page = tab.page
        page.set_viewport_size({"width": 820, "height": 1180})
        page.click("#fit")
        for tool, wanted in (("lasso", [0, 1, 6, 7]), ("box", [0, 1, 6, 7])):
            page.click(f"#tool-{tool}")
            (left, top), (right, bottom) = tab.where(0), tab.where(7)
            mouse = page.mouse
            mouse.move(left - 15, top - 15)
            mouse.down()
            for x, y in ((right + 15, top - 15), (right + 15, bottom + 15)):
                mouse.move(x, y, steps=2)
            if tool == "lasso":
                mouse.move(left - 15, bottom + 15, steps=2)
            mouse.up()
            assert sorted(page.evaluate("[...studio.table.chosen]")) == wanted
            assert page.get_attribute("#tool-hand", "aria-pressed") == "true"
        page.touchscreen.tap(*tab.where(14))
        assert page.evaluate("[...studio.table.chosen]") == [14]
        does(tab, lambda: page.click("[data-do=turn]"))
        assert tab.spot(14)[3] == 1
        tab.shot("tablet")
        tab.close()


def test_all_can_be_read_in_every_light_language_and_size(browser, environment, laid):
    with running(environment, laid) as (_, address):
        tab = Page(browser, address)
        page = tab.page
        page.evaluate("studio.hands.choose([7])")
        for language in ("en", "pt"):
            page.select_option("#language", language)
            tab.until(f"document.documentElement.lang === '{language}'")
            for width, height in ((1280, 720), (820, 1180)):
                page.set_viewport_size({"width": width, "height": height})
                page.click("#theme")
                for name in ("ask", "doubts", "sheets", "piece"):
                    page.click(f"#tab-{name}")
                    page.wait_for_selector(f"#panel-{name} p, #panel-{name} h2")
                    assert page.evaluate(CONTRAST) == []
                    assert page.evaluate(NAMELESS) == []
                    wide = "document.documentElement.scrollWidth <= innerWidth"
                    assert page.evaluate(wide), (language, width, name)
                    out = "document.querySelector('header').scrollWidth <= innerWidth"
                    assert page.evaluate(out), (language, width)
        page.keyboard.press("Tab")
        style = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(style) == "solid"
        tab.close()


def test_outlines_are_set_by_four_handles(browser, environment, folder, tmp_path, photograph):
    path = tmp_path / "photo.png"
    path.write_bytes(photograph)
    with running(environment, folder) as (_, address):
        tab = Page(browser, address)
        page = tab.page
        page.goto(tab.base + "/desk")
        page.wait_for_selector("body[data-ready]")
        page.set_input_files("#files", path)
        page.select_option("#kind", "tiles")
        page.click("#make")
        page.wait_for_selector("#outlines-host svg", timeout=120_000)
        count = page.evaluate("document.querySelectorAll('.found li').length")
        assert "? " in page.inner_text(".pick >> nth=0")  # the doubtful one comes first
        assert "not square" in page.inner_text(".pick >> nth=0")
        page.click(".pick >> nth=0")
        assert page.evaluate("document.querySelectorAll('.handle').length") == 4
        tab.shot("outlines")
        box = page.locator(".handle >> nth=0").bounding_box()
        tab.drag((box["x"] + 5, box["y"] + 5), (box["x"] - 20, box["y"] - 15))
        before = page.get_attribute(".handle >> nth=1", "cx")
        page.focus(".handle >> nth=1")
        page.keyboard.press("Shift+ArrowRight")
        assert float(page.get_attribute(".handle >> nth=1", "cx")) == float(before) + 10
        assert "set by hand" in page.inner_text(".found")
        page.click(".pick >> nth=1")
        page.click("[data-do=outline_no]")
        page.click("[data-do=add]")
        assert page.evaluate(CONTRAST) == []
        assert page.evaluate(NAMELESS) == []
        page.click("#outlines-done")
        page.wait_for_url("**/p/*", timeout=120_000)
        page.wait_for_selector("body[data-ready]", timeout=60_000)
        assert page.evaluate("studio.store.facts.pieces") == count
        tab.close()


def test_both_faces_of_a_piece_are_shown(browser, environment, folder):
    (folder / "backs").mkdir()
    Image.new("RGB", (40, 40), "red").save(folder / "backs" / "3.png")
    facts = folder / "project.json"
    facts.write_text(facts.read_text().replace('"backs": []', '"backs": [3]'))
    with opened(browser, environment, folder) as tab:
        page = tab.page
        page.evaluate("studio.hands.choose([3])")
        tab.until("document.querySelector('img.back')?.naturalWidth === 40")
        assert page.get_attribute("img.back", "alt").startswith("back of")
        page.focus("#table")
        page.keyboard.press("v")
        tab.until("studio.table.words.children.length === 1")
        page.keyboard.press("v")
        tab.until("studio.table.words.children.length === 0")
