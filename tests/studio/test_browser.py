"""The studio in a real browser: the newcomer's path, hands, the keyboard, and who is asked.

``TESSELLA_SCREENSHOTS=docs/images`` keeps the pictures that the guided tour shows.
"""

from __future__ import annotations

import time
from pathlib import Path

from PIL import Image

from tessella.studio import demo
from tessella.studio.project import Project

from .browsing import NEEDED, SHOTS, opened
from .conftest import running
from .test_server import SCRIPT

pytestmark = NEEDED


def test_the_path_of_a_newcomer(browser, environment, tmp_path):
    """Take the demo panel, solve live, lock, forbid, be asked, solve on, undo, export, reopen."""
    folder = demo.make(tmp_path)
    with opened(browser, environment, folder) as tab:
        page = tab.page
        assert page.inner_text("#name") == "caravel"
        tab.shot("tray")
        page.click("#solve")
        tab.until("studio.table.previews")
        tab.shot("solving")
        tab.until("studio.store.tables.about.has('answer')")
        tab.answered()
        assert "192 pieces" in page.inner_text("#said")
        assert tab.page.evaluate("studio.store.cells.size") == 192
        page.click("#fit")
        tab.shot("solved")

        # Lock the piece in the middle of the sun, and forbid a join elsewhere.
        page.fill("#find", "100")
        page.press("#find", "Enter")
        page.click("#table", position={"x": 470, "y": 320})  # where the found piece is brought
        version = tab.version()
        page.keyboard.press("l")
        tab.after(version)
        locked = page.evaluate("[...studio.store.tables.lock.keys()][0]")
        lying = tab.spot(locked)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("x")
        side = page.evaluate(
            "[0, 1, 2, 3].find((d) => studio.store.neighbour(studio.hands.chosen()[0], d) !== null)"
        )
        version = tab.version()
        page.keyboard.press(["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"][side])
        tab.after(version)
        assert page.evaluate("[...studio.store.tables.join.values()]") == ["forbidden"]
        tab.shot("hands")

        # Be asked, and solve on around all that.
        page.click("#tab-ask")
        for key in ("y", "u"):
            page.wait_for_selector("[data-say]")
            version = tab.version()
            page.keyboard.press(key)
            tab.after(version)
        page.wait_for_selector("[data-say]")
        tab.shot("ask")
        version = tab.version()
        page.click("#solve")
        tab.after(version)
        tab.answered()
        assert "problem" not in (page.get_attribute("#said", "class") or "")
        assert tab.spot(locked) == lying
        forbidden = page.evaluate(
            "[...studio.store.tables.join].filter(([k, w]) => w === 'forbidden').map(([k]) => k)[0]"
        )
        first, second = map(int, forbidden.split("-"))
        assert not page.evaluate(f"studio.store.meet({first}, {second})")

        page.click("#tab-doubts")
        page.wait_for_selector(".doubts li")
        page.click("text=Show")
        page.click("#overlay-confidence")
        page.click("text=Show")
        page.click("#fit")
        tab.shot("doubts")

        # Undo the answer, redo it, write a note, export.
        before = tab.version()
        page.click("#undo")
        tab.after(before)
        page.click("#redo")
        tab.after(before + 1)
        page.click("#tab-piece")
        page.fill("#find", "017")
        page.press("#find", "Enter")
        page.fill("#note", "seen in the store room")
        version = tab.version()
        page.click("[data-do=save_note]")
        tab.after(version)
        page.click("text=Export")
        with page.expect_download() as download:
            page.click("#export-png")
        with Image.open(download.value.path()) as picture:
            assert max(picture.size) >= 16 * 56
        state = page.evaluate("[...studio.store.tables.place]")
        version = tab.version()
    with opened(browser, environment, folder) as tab:
        assert tab.version() == version
        assert tab.page.evaluate("[...studio.store.tables.place]") == state
        assert tab.page.evaluate("[...studio.store.tables.lock.keys()]") == [locked]
        assert "store room" in str(tab.page.evaluate("[...studio.store.tables.note]"))
        assert tab.page.is_enabled("#undo")


def test_pieces_are_moved_by_dragging(browser, environment, folder):
    made = Project(folder)
    made.act("place", {"pieces": [0, 1], "sheet": 0, "rows": [0, 2], "cols": [0, 2]})
    with opened(browser, environment, folder) as tab:
        far = tab.where(1)
        near = tab.where(0)
        version = tab.version()
        tab.drag(tab.where(5), (near[0], far[1]))  # from the tray to row 3, column 1
        tab.after(version)
        assert tab.spot(5) == [0, 2, 0, 0]
        version = tab.version()
        tab.drag(tab.where(5), tab.where(0))  # onto another: they change places
        tab.after(version)
        assert (tab.spot(5), tab.spot(0)) == ([0, 0, 0, 0], [0, 2, 0, 0])
        version = tab.version()
        tab.drag(tab.where(0), tab.where(7))  # into the tray
        tab.after(version)
        assert tab.spot(0)[0] == -1

        # Who is laid back where it lay was not moved, and what was undone can be redone.
        version = tab.version()
        tab.page.click("#undo")
        tab.after(version)
        posted = len(tab.asked)
        there, tray = tab.where(1), tab.where(9)
        tab.drag((there[0] - 8, there[1]), (there[0] + 8, there[1]))
        tab.drag((tray[0] - 8, tray[1]), (tray[0] + 8, tray[1]))
        tab.page.focus("#table")
        tab.page.keyboard.press("t")
        tab.until("studio.table.sprites[9].x === studio.table.layout.middle(9, [-1])[0]")
        assert not [url for url in tab.asked[posted:] if url.endswith("/acts")]
        version = tab.version()
        tab.page.click("#redo")
        tab.after(version)
        assert tab.spot(0)[0] == -1

        # Two by a rectangle, moved together.
        left, right = tab.where(5), tab.where(1)
        tab.page.keyboard.down("Shift")
        tab.drag((left[0] - 60, left[1] - 60), (right[0] + 40, right[1] + 40))
        tab.page.keyboard.up("Shift")
        assert tab.page.evaluate("[...studio.table.chosen].sort()") == [1, 5]
        version = tab.version()
        step = (right[0] - left[0]) / 2
        tab.drag(left, (left[0] + step, left[1]))
        tab.after(version)
        assert (tab.spot(5), tab.spot(1)) == ([0, 0, 1, 0], [0, 2, 3, 0])


def test_everything_can_be_done_by_keyboard(browser, environment, folder):
    made = Project(folder)
    made.act("place", {"pieces": [0, 1], "sheet": 0, "rows": [0, 0], "cols": [0, 1]})
    with opened(browser, environment, folder) as tab:
        page = tab.page

        def keys(*pressed):
            version = tab.version()
            for key in pressed:
                page.keyboard.press(key)
            tab.after(version)

        page.focus("#table")
        page.evaluate("studio.hands.choose([0])")
        keys("r")
        assert tab.spot(0)[3] == 1
        keys("Enter", "ArrowDown", "Enter")
        assert tab.spot(0) == [0, 1, 0, 1]
        assert "row 2, column 1" in page.inner_text("#said") or page.inner_text("#said") == "Laid."
        keys("s", "ArrowUp", "ArrowRight", "Enter")
        assert (tab.spot(0)[:3], tab.spot(1)[:3]) == ([0, 0, 1], [0, 1, 0])
        keys("Control+z")
        keys("Control+y")
        keys("l")
        keys("l")
        keys("t")
        assert page.evaluate("studio.store.tables.lock.size") == 0
        page.keyboard.press("g")
        cell = page.locator("#twin [tabindex='0']")
        cell.focus()
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("document.activeElement.getAttribute('role')") == "gridcell"
        assert "row" in page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert "sheet 1" in page.inner_text("#said")


def test_names_and_notes_with_scripts_are_shown_as_texts(browser, environment, folder):
    made = Project(folder)
    made.act("note", {"about": "piece:3", "text": SCRIPT})
    made.act("name_sheet", {"sheet": 0, "name": SCRIPT})
    facts = folder / "project.json"
    facts.write_text(facts.read_text().replace('"003.png"', '"<img src=x onerror=alert(2)>"'))
    facts.write_text(facts.read_text().replace('"03.png"', '"<img src=x onerror=alert(2)>"'))
    with opened(browser, environment, folder) as tab:
        tab.page.evaluate("studio.hands.choose([3])")
        assert tab.page.input_value("#note") == SCRIPT
        assert tab.page.inner_text("#panel-piece h2") == "<img src=x onerror=alert(2)>"
        tab.page.click("#tab-sheets")
        assert SCRIPT in tab.page.inner_text("#panel-sheets")
        assert tab.page.evaluate("document.querySelectorAll('img').length") == 0


def test_a_second_tab_sees_what_the_first_does(browser, environment, folder):
    context = browser.new_context()
    with running(environment, folder) as (_, address):
        first = context.new_page()
        first.goto(address)
        first.wait_for_selector("body[data-ready]", timeout=60_000)
        second = context.new_page()
        second.goto(first.url)
        second.wait_for_selector("body[data-ready]", timeout=60_000)
        first.evaluate("studio.hands.act('place', {pieces: [4], sheet: 0, rows: [1], cols: [1]})")
        begun = time.monotonic()
        while second.evaluate("studio.store.spot(4)") != [0, 1, 1, 0]:
            assert time.monotonic() < begun + 20
            time.sleep(0.02)
    context.close()


def test_a_project_is_made_of_dropped_pictures_in_portuguese(
    browser, environment, folder, cut_folder
):
    with running(environment, folder) as (_, address):
        page = browser.new_page(viewport={"width": 1280, "height": 720}, locale="pt-PT")
        page.goto(address)
        page.wait_for_selector("body[data-ready]", timeout=60_000)
        page.goto(address.split("/launch")[0] + "/desk")
        page.wait_for_selector("body[data-ready]")
        assert page.inner_text("h2 >> nth=0") == "Projetos"
        pictures = sorted((cut_folder / "puzzle").glob("*.png"))[:4]
        page.set_input_files("#files", pictures)
        page.fill("#project-name", "quatro")
        page.fill("#rows", "2")
        page.fill("#cols", "2")
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / "studio_desk.jpg", type="jpeg", quality=72)
        page.click("#make")
        page.wait_for_url("**/p/*", timeout=60_000)
        page.wait_for_selector("body[data-ready]", timeout=60_000)
        assert page.inner_text("#name") == "quatro"
        page.close()
    assert (folder.parent / "quatro.tessella" / "project.json").is_file()
