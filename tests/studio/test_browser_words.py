"""What the page says when something cannot be, and the menus, in a real browser."""

from __future__ import annotations

import json
import signal

from tessella.studio.project import Project

from .browsing import NEEDED, Page, opened
from .conftest import running

pytestmark = NEEDED
REFUSED = "Failed to load resource"  # what Chromium notes of every refusal


def said(tab, part):
    tab.until(f"document.getElementById('said').textContent.includes({json.dumps(part)})")


def test_exports_are_named_in_words_and_refusals_are_told(browser, environment, folder):
    with opened(browser, environment, folder) as tab:
        page = tab.page
        page.click("text=Export")
        assert "for GIMP and Krita" in page.inner_text("#export-ora")
        page.click("#export-png")
        said(tab, "All pieces lie in the tray")
        assert tab.complaints.pop().startswith(REFUSED)
        page.evaluate("studio.hands.act('place', {pieces: [4], sheet: 0, rows: [0], cols: [0]})")
        tab.until("studio.store.cells.size === 1")
        page.fill("#base-url", "https://example.org/iiif")
        with page.expect_download() as download:
            page.click("#export-iiif")
        assert download.value.suggested_filename == "caravel.zip"
        said(tab, "caravel.zip is written.")
        assert any("base_url=https%3A%2F%2Fexample.org" in url for url in tab.asked)

        # One menu at a time; Esc and a click elsewhere close it; none leaves the window.
        page.set_viewport_size({"width": 820, "height": 1180})
        is_open = "[...document.querySelectorAll('details.menu')].filter((m) => m.open).length"
        page.click("text=Show")
        assert page.evaluate(is_open) == 1
        page.keyboard.press("Escape")
        assert page.evaluate(is_open) == 0
        page.click("text=Export")
        box = "document.getElementById('exports').getBoundingClientRect()"
        tab.until(f"{box}.left >= 0 && {box}.right <= 820")  # a menu is told that it opened
        page.click("#name")
        assert page.evaluate(is_open) == 0


def test_lists_of_wishes_are_taken_up_and_their_faults_told(browser, environment, folder, tmp_path):
    names = Project(folder).facts.names
    path = tmp_path / "codes.csv"
    with opened(browser, environment, folder) as tab:
        page = tab.page
        page.click("#tab-sheets")
        path.write_text("file,row\nelsewhere.png,1\n")
        page.set_input_files("#wishes", path)
        said(tab, "elsewhere.png")
        assert tab.complaints.pop().startswith(REFUSED)
        table = f"file,panel,row,col,turns,locked\n{names[0]},A,1,2,1,yes\n{names[1]},A,3,,,\n"
        path.write_text(table)
        page.set_input_files("#wishes", path)  # the same name, mended
        said(tab, "entries were taken up")
        assert tab.spot(0) == [0, 0, 1, 1]
        assert page.evaluate("studio.store.locked(0)")
        assert page.evaluate("studio.store.tables.code.get('1').row") == 2

        # Nothing is cropped or taken apart where nothing is chosen.
        version = tab.version()
        page.evaluate("studio.hands.choose([])")
        page.click("[data-do=crop]")
        said(tab, "Choose pieces of one sheet first")
        page.click("[data-do=split]")
        said(tab, "Choose pieces first")
        assert tab.version() == version
        wide = "document.getElementById('known-rows').clientWidth"
        assert page.evaluate(wide) >= 60  # two figures can be read


def test_the_view_and_the_cursor_follow_the_answer(browser, environment, folder):
    with opened(browser, environment, folder) as tab:
        page = tab.page
        before = page.evaluate("studio.table.world.scale.x")
        answer = {"pieces": [list(range(30))], "turns": [[0] * 30], "cols": [6]}
        Project(folder).act("answer", answer, by="solver")
        tab.until("studio.store.cells.size === 30")
        page.evaluate("studio.table.show(null)")  # as when the solver has answered
        assert page.evaluate("studio.table.world.scale.x") != before
        assert page.evaluate("[studio.table.cursor.sheet, studio.table.cursor.piece]") == [0, 0]
        top = "Math.min(...studio.table.labels.children.map((each) => each.getBounds().minY))"
        assert page.evaluate(top) >= 0
        page.evaluate("studio.table.pan(40, 0); studio.table.show(null)")
        assert page.evaluate("studio.table.whole") is False  # a person looks elsewhere
        page.select_option("#language", "pt")
        tab.until("document.documentElement.lang === 'pt'")
        said(tab, "folha 1")


def test_the_keyboard_is_never_left_nowhere(browser, environment, folder):
    made = Project(folder)
    made.act("place", {"pieces": [0, 1], "sheet": 0, "rows": [0, 0], "cols": [0, 1]})
    with opened(browser, environment, folder) as tab:
        page = tab.page
        page.evaluate("studio.hands.choose([0])")
        focused = "document.activeElement.dataset.do ?? document.activeElement.id"

        # A button of the panel keeps the focus when the panel is drawn anew.
        page.focus("[data-do=lock]")
        page.keyboard.press("Enter")
        tab.until("studio.store.locked(0)")
        assert page.evaluate(focused) == "unlock"

        # A note that is being written survives what others do meanwhile.
        page.focus("#table")
        page.keyboard.press("n")
        page.keyboard.type("a crack in the ")
        Project(folder).act("place", {"pieces": [5], "sheet": 0, "rows": [3], "cols": [3]})
        tab.until("studio.store.cells.size === 3")
        page.keyboard.type("glaze")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        tab.until("studio.store.tables.note.get('piece:0') === 'a crack in the glaze'")
        tab.until(f"({focused}) === 'table'")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("[...studio.table.chosen]") == [1]

        # Where nothing has the focus, keys are the table's.
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("l")
        tab.until("studio.store.locked(1)")


def test_keys_are_the_tables_whatever_button_has_the_focus(browser, environment, folder):
    made = Project(folder)
    made.act("place", {"pieces": [0, 1], "sheet": 0, "rows": [0, 0], "cols": [0, 1]})
    with opened(browser, environment, folder) as tab:
        page = tab.page
        focused = "document.activeElement.id"
        page.evaluate("studio.hands.choose([0])")
        page.focus("#zoom-in")
        page.keyboard.press("r")
        tab.until("studio.store.spot(0)[3] === 1")
        page.keyboard.press("j")
        page.keyboard.press("ArrowRight")
        tab.until("studio.store.tables.join.size === 1")
        assert page.evaluate(focused) == "zoom-in"
        page.focus("#panel-piece [data-do=turn]")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("[...studio.table.chosen]") == [1]
        page.keyboard.press("l")
        tab.until("studio.store.locked(1)")

        # Enter and Space press the button, and arrows are the tabs' where a tab has the focus.
        page.focus("#theme")
        theme = page.get_attribute("#theme", "aria-pressed")
        page.keyboard.press("Enter")
        assert page.get_attribute("#theme", "aria-pressed") != theme
        page.keyboard.press("Space")
        assert page.get_attribute("#theme", "aria-pressed") == theme
        assert page.evaluate("studio.hands.carried") is None
        page.focus("#tab-piece")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate(focused) == "tab-sheets"
        page.keyboard.press("ArrowRight")
        assert page.evaluate("[...studio.table.chosen]") == [1]

        # Who writes a name turns no piece; Esc leads from the header to the table.
        page.focus("#find")
        page.keyboard.type("lrt")
        assert page.input_value("#find") == "lrt"
        page.keyboard.press("Escape")
        assert page.evaluate(focused) == "table"
        page.focus("#undo")
        page.keyboard.press("Escape")
        assert page.evaluate(focused) == "table"
        page.click("text=Export")
        page.focus("#export-png")
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.tagName") == "SUMMARY"  # the menu closed
        page.keyboard.press("Escape")
        assert page.evaluate(focused) == "table"

        # Swapping ends by Enter on the table, also where a button began it.
        page.keyboard.press("l")
        tab.until("!studio.store.locked(1)")
        page.focus("#panel-piece [data-do=swap_with]")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        tab.until("studio.store.at(0, 0, 0) === 1")
        page.focus("#help")
        page.keyboard.press("?")
        page.keyboard.press("t")
        assert page.evaluate("studio.store.cells.size") == 2  # a dialog is open


def test_a_studio_that_ended_is_told_of(browser, environment, folder):
    with running(environment, folder) as (process, address):
        tab = Page(browser, address)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        tab.page.evaluate("studio.hands.act('lock', {pieces: [1]})")
        said(tab, "Is it still running")
        tab.page.close()


def test_a_document_is_known_as_one(browser, environment, folder):
    with running(environment, folder) as (_, address):
        tab = Page(browser, address)
        page = tab.page
        page.goto(tab.base + "/desk")
        page.wait_for_selector("body[data-ready]")
        pdf = {"name": "letter.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4"}
        page.set_input_files("#files", pdf)
        assert page.input_value("#kind") == "document"
        page.set_input_files("#files", {"name": "a.png", "mimeType": "image/png", "buffer": b"x"})
        assert page.input_value("#kind") == "pieces"
        page.click("#make")
        said(tab, "a.png is not a picture that can be read")
        assert tab.complaints.pop().startswith(REFUSED)
        tab.close()
