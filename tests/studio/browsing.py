"""A real Chromium for tests: what a tab is asked, and what it asked for and complained of."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from .conftest import running

api = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright")
CHROMIUM = os.environ.get("TESSELLA_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
NEEDED = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium was found, so no browser test ran"),
]
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
SHOTS = os.environ.get("TESSELLA_SCREENSHOTS")
PATIENCE = 300


class Page:
    """A tab, and everything that it asked for and complained of."""

    def __init__(self, browser, address, **more):
        self.page = browser.new_page(viewport={"width": 1280, "height": 720}, **more)
        self.asked, self.complaints = [], []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.on(
            "console",
            lambda told: self.complaints.append(told.text) if told.type == "error" else None,
        )
        self.page.goto(address)
        self.page.wait_for_selector("body[data-ready]", timeout=60_000)
        self.base = address.split("/launch")[0]

    def until(self, expression):
        """Wait until something is true in the page; its policy forbids Playwright's own way."""
        begun = time.monotonic()
        while not (found := self.page.evaluate(expression)):
            assert time.monotonic() < begun + PATIENCE, expression
            time.sleep(0.05)
        return found

    def shot(self, name):
        if SHOTS:
            self.page.wait_for_timeout(400)
            self.page.screenshot(path=Path(SHOTS) / f"studio_{name}.jpg", type="jpeg", quality=72)

    def answered(self):
        self.until("document.getElementById('solving').hidden && !studio.table.preview")

    def where(self, piece):
        """Return where a piece is on the screen."""
        return self.page.evaluate(
            f"""(() => {{ const t = studio.table; const s = t.sprites[{piece}];
            const box = t.host.getBoundingClientRect();
            return [box.left + t.world.x + s.x * t.world.scale.x,
                    box.top + t.world.y + s.y * t.world.scale.y]; }})()"""
        )

    def spot(self, piece):
        return self.page.evaluate(f"studio.store.spot({piece})")

    def drag(self, start, end):
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
        mouse.move(*end, steps=3)
        mouse.up()

    def version(self):
        return self.page.evaluate("studio.store.version")

    def after(self, version):
        self.until(f"studio.store.version > {version}")

    def close(self):
        assert all(url.startswith((self.base, "data:", "blob:")) for url in self.asked)
        assert self.complaints == [], self.complaints
        self.page.close()


@contextmanager
def opened(browser, environment, folder, **more):
    with running(environment, folder) as (_, address):
        page = Page(browser, address, **more)
        yield page
        page.close()
