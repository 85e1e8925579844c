"""Questions, what was said, and acts while the solver's best is shown, in a real browser."""

from __future__ import annotations

import numpy as np

from tessella.documents.strips import strips_of
from tessella.imaging.folder import write_puzzle
from tessella.studio import intake
from tessella.studio.project import Project

from .browsing import NEEDED, opened
from .test_browser_looks import does, laid, measured

__all__ = ["laid", "measured"]
pytestmark = NEEDED


def asked(tab):
    return tab.page.evaluate("[...studio.store.tables.asked].map(([key, said]) => [key, said])")


def test_each_question_is_asked_once_and_back_takes_the_answer_back(browser, environment, laid):
    with opened(browser, environment, laid) as tab:
        page = tab.page
        page.click("#tab-ask")
        page.wait_for_selector("[data-say=yes]")
        first = page.inner_text("#panel-ask p:nth-of-type(2)")
        does(tab, lambda: page.keyboard.press("ArrowRight"))
        assert [said for _, said in asked(tab)] == ["yes"]
        second = page.inner_text("#panel-ask p:nth-of-type(2)")
        assert second != first
        does(tab, lambda: page.keyboard.press("ArrowDown"))
        assert sorted(said for _, said in asked(tab)) == ["unsure", "yes"]
        assert page.inner_text("#panel-ask p:nth-of-type(2)") not in (first, second)
        # Something else is done in between; Back takes back the answer, and nothing but that.
        does(tab, lambda: page.evaluate("studio.hands.act('lock', {pieces: [0]})"))
        does(tab, lambda: page.keyboard.press("ArrowUp"))
        assert [said for _, said in asked(tab)] == ["yes"]
        assert page.evaluate("studio.store.locked(0)")
        assert page.inner_text("#panel-ask p:nth-of-type(2)") == second
        does(tab, lambda: page.keyboard.press("b"))
        assert asked(tab) == []
        assert page.inner_text("#panel-ask p:nth-of-type(2)") == first
        assert page.is_disabled("[data-say=back]")
        does(tab, lambda: page.keyboard.press("ArrowLeft"))
        assert [said for _, said in asked(tab)] == ["no"]


def test_all_that_was_said_is_a_list_and_taken_back_one_by_one(browser, environment, laid):
    with opened(browser, environment, laid) as tab:
        page = tab.page
        for act in (
            "'lock', {pieces: [3, 7]}",
            "'forbid', {first: 0, second: 6}",
            "'join', {first: 4, second: 10}",
            "'bar', {piece: 9, sheet: 0, row: 7, col: 7}",
        ):
            does(tab, lambda act=act: page.evaluate(f"studio.hands.act({act})"))
        page.click("#tab-said")
        tab.shot("said")
        backs = "[data-back]"
        assert page.locator(backs).count() == 6  # and the code of the project
        page.focus("[data-back^='unlock']")
        does(tab, lambda: page.keyboard.press("Enter"))
        assert page.evaluate("[...studio.store.tables.lock.keys()]") == ["7"]
        assert page.evaluate("document.activeElement.dataset.back.slice(0, 6)") == "unlock"
        while page.locator(backs).count():
            does(tab, lambda: page.locator(backs).first.click())
        assert (
            page.evaluate("['lock', 'join', 'bar', 'code'].map((n) => studio.store.tables[n].size)")
            == [0] * 4
        )


def test_a_piece_is_locked_where_the_best_so_far_shows_it(browser, environment, laid):
    with opened(browser, environment, laid) as tab:
        page = tab.page
        page.evaluate(
            """studio.table.show(Array.from({length: 30}, (_, k) =>
            [0, Math.floor((29 - k) / 6), (29 - k) % 6, k % 4]))"""
        )
        page.evaluate("studio.hands.choose([2])")
        does(tab, lambda: page.evaluate("studio.hands.lock()"))
        assert tab.spot(2) == [0, 4, 3, 2]
        assert page.evaluate("studio.store.locked(2)")
        assert page.evaluate("studio.table.spot(5)") == [0, 4, 0, 1]  # still shown
        does(tab, lambda: page.evaluate("studio.hands.choose([5]); studio.hands.turn(false)"))
        assert tab.spot(5) == [0, 4, 0, 2]
        # A join is that of the neighbours that are seen.
        does(
            tab,
            lambda: page.evaluate("studio.hands.choose([10]); studio.hands.verdict('forbid', 0)"),
        )
        (key,) = page.evaluate("[...studio.store.tables.join.keys()]")
        assert {int(edge) // 4 for edge in key.split("-")} == {9, 10}
        page.click("#tab-sheets")
        page.click("[data-look='0']")
        page.wait_for_selector("#page-picture img")
        page.keyboard.press("Escape")


def test_words_and_acts_are_about_the_piece_that_is_shown(browser, environment, laid):
    with opened(browser, environment, laid) as tab:
        page = tab.page
        tab.until("studio.store.joins && studio.store.joins.measured")
        here = "document.querySelector('#twin .here')"
        page.evaluate("studio.table.cursor = {sheet: 0, row: 0, col: 1}; studio.hands.choose([])")
        name = page.evaluate("[1, 28].map((piece) => studio.store.name(piece))")
        assert name[0] in page.evaluate(f"{here}.getAttribute('aria-label')")
        page.evaluate(
            """studio.table.show(Array.from({length: 30}, (_, k) =>
            [0, Math.floor((29 - k) / 6), (29 - k) % 6, k % 4 ? 0 : 1]))"""
        )
        label = page.evaluate(f"{here}.getAttribute('aria-label')")
        assert label == f"sheet 1, row 1, column 2: {name[1]}, turned by 90°"  # and no confidence
        page.keyboard.press("g")
        page.keyboard.press("Space")
        assert page.evaluate("[...studio.table.chosen]") == [28]
        assert page.inner_text("#said") == label
        does(tab, lambda: page.keyboard.press("l"))
        assert tab.spot(28) == [0, 0, 1, 1]
        page.evaluate("studio.table.show(null)")
        assert name[1] in page.evaluate(f"{here}.getAttribute('aria-label')")
        page.select_option("#language", "pt")
        tab.until("document.documentElement.lang === 'pt'")
        tab.until(f"{here}.getAttribute('aria-label').startsWith('folha 1, linha 1')")


def test_refusals_are_in_the_language_of_the_page(browser, environment, laid, tmp_path):
    with opened(browser, environment, laid, locale="pt-PT") as tab:
        page = tab.page
        name = page.evaluate("studio.store.name(29)")
        page.evaluate("studio.hands.choose([29])")
        page.evaluate("studio.hands.lock()")
        tab.until("document.getElementById('said').classList.contains('problem')")
        said = f"A peça {name} está no tabuleiro; pouse-a numa célula para a fixar."
        assert page.inner_text("#said") == said
        does(tab, lambda: page.evaluate("studio.hands.act('join', {first: 0, second: 6})"))
        page.evaluate("studio.hands.act('join', {first: 0, second: 10})")
        tab.until("document.getElementById('said').textContent.startsWith('O lado direito')")
        assert "já está unido à peça" in page.inner_text("#said")
        page.click("#tab-sheets")
        path = tmp_path / "códigos.csv"
        for content, words in (
            (
                "file,row\nx.png,1\n",
                "A linha 2 de códigos.csv não se pode usar: códigos.csv nomeia",
            ),
            ("file,rows\n", "A primeira linha de códigos.csv tem de nomear colunas"),
            ("", "file entre elas; está vazia."),
        ):
            path.write_text(content)
            page.set_input_files("#wishes", path)
            tab.until(f"document.getElementById('said').textContent.includes({words!r})")
        told = """import('/static/i18n.js').then(({ told }) => { window.words = told(
            "b.png is damaged or cut short (image file is truncated); replace it."); })"""
        page.evaluate(told)
        expected = "b.png está danificado ou incompleto (image file is truncated); substitua-o."
        tab.until("window.words")
        assert page.evaluate("window.words") == expected
        tab.complaints.clear()  # the browser's own words for 409


def test_the_keyboard_reaches_every_sheet_candidates_and_back(browser, environment, laid):
    with opened(browser, environment, laid) as tab:
        page = tab.page
        cursor = "[studio.table.cursor.sheet, studio.table.cursor.row, studio.table.cursor.col]"
        does(
            tab,
            lambda: page.evaluate("studio.hands.act('split_sheet', {sheet: 0, pieces: [27, 28]})"),
        )
        page.focus("#table")
        page.keyboard.press("PageDown")
        assert page.evaluate(cursor) == [1, 0, 0]
        page.keyboard.press("PageDown")
        assert page.evaluate("studio.table.cursor.piece") == 29
        page.keyboard.press("PageUp")
        page.keyboard.press("PageUp")
        assert page.evaluate(cursor) == [0, 0, 0]
        # Candidates take the focus; laid by Enter; Esc leads back to the table.
        page.evaluate("studio.table.cursor = {sheet: 0, row: 4, col: 3}; studio.hands.choose([])")
        page.keyboard.press("c")
        tab.until("document.activeElement.dataset.fits !== undefined")
        page.evaluate("studio.store.say('judged')")  # which draws the panel anew
        assert page.evaluate("document.activeElement.dataset.fits !== undefined")
        does(tab, lambda: page.keyboard.press("Enter"))
        assert page.evaluate("studio.store.at(0, 4, 3)") is not None
        assert page.evaluate("document.activeElement.closest('aside') !== null")
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.id") == "table"


def test_a_move_leaves_the_confidence_of_all_other_joins(browser, environment, laid):
    with opened(browser, environment, laid) as tab:
        page = tab.page
        tab.until("studio.store.joins && studio.store.joins.measured")
        count = page.evaluate("studio.store.joins.first.length")
        does(tab, lambda: page.evaluate("studio.hands.act('tray', {pieces: [0]})"))
        assert page.evaluate("studio.store.joins.first.length") == count - 2
        told = page.evaluate(
            "studio.hands.choose([9]), document.getElementById('said').textContent"
        )
        assert "least sure" in told
        tab.until("!studio.store.stale")
        assert page.evaluate("studio.store.joins.first.length") == count - 2


def test_strips_are_pages_and_are_shown_where_most_is_written(browser, environment, tmp_path):
    chance = np.random.default_rng(0)
    strips = np.full((6, 400, 24), 255, np.uint8)
    strips[:, 300:340] = chance.integers(0, 2, (6, 40, 24), np.uint8) * 255
    write_puzzle(tmp_path / "shreds", strips_of(list(strips)))
    folder = tmp_path / "shreds.tessella"
    intake.make(intake.Order(str(tmp_path / "shreds"), str(folder), "shreds"))
    Project(folder).act(
        "answer", {"pieces": [list(range(6))], "turns": [[0] * 6], "cols": [6]}, by="solver"
    )
    with opened(browser, environment, folder) as tab:
        page = tab.page
        page.click("#tab-sheets")
        assert "Page 1: 6 pieces" in page.inner_text("#panel-sheets")
        page.evaluate(
            """import('/static/strips.js').then(({part, thin}) => {
            const {table, pictures} = studio;
            window.shown = thin(table.layout)
              && part(pictures, table.layout, [[0, 0], [1, 2]], {seam: 1, wide: 24, high: 60});
            })"""
        )
        dark = """(() => { const data = shown && shown.getContext('2d')
          .getImageData(0, 0, 24, 60).data; let sum = 0;
          for (let k = 0; data && k < data.length; k += 4) sum += data[k + 3] && data[k] < 128;
          return sum; })()"""
        tab.until(f"window.shown && {dark} > 300")
