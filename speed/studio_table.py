"""How smooth the table is: opening, script time a frame while panning, memory of the tab.

    python speed/studio_table.py [PIECES ...]

Makes a project of so many pieces of 28 px (500 and 20,000 by default), opens it in Chromium, and
drags the table. The graphics of a machine without a graphics card are drawn by the processor, in
another process than the script that is timed.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from tessella.imaging.folder import write_puzzle
from tessella.puzzle import Puzzle
from tessella.studio import intake
from tessella.studio.project import Project
from tessella.studio.started import started

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
FRAMES = 120


def make(place: Path, count: int) -> tuple[Path, float, float]:
    """Make a project whose pieces lie on one sheet; return it, wall and processor seconds."""
    chance = np.random.default_rng(0)
    coarse = chance.integers(0, 256, (count, 4, 4, 3), np.uint8)
    pieces = coarse.repeat(7, axis=1).repeat(7, axis=2)
    write_puzzle(place / "puzzle", Puzzle(pieces, upright=False))
    began = time.perf_counter()
    folder = intake.run(intake.Order(str(place / "puzzle"), str(place / "p.tessella"), "speed"))
    took = time.perf_counter() - began
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    cols = round(count**0.5)
    cells = list(range(count)) + [-1] * (-count % cols)
    project = Project(folder)
    answer = {"pieces": [cells], "turns": [[k % 4 for k in range(len(cells))]], "cols": [cols]}
    project.act("answer", answer, by="solver")
    project.close()
    return folder, took, spent.ru_utime + spent.ru_stime


def panned(page: Page) -> list[float]:
    """Return the milliseconds of script that every frame took while the table was dragged."""
    page.evaluate("studio.table.frames.length = 0")
    page.mouse.move(500, 400)
    page.mouse.down()
    for k in range(FRAMES):
        page.mouse.move(500 + 2 * (k % 60), 400 + k % 60)
        page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
    page.mouse.up()
    return [float(each) for each in page.evaluate("studio.table.frames")]


def renderers(browser: Browser) -> list[dict[str, Any]]:
    """Return what Chromium says of the processes that hold its tabs."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return [each for each in told if each["type"] == "renderer"]


def processor(browser: Browser) -> float:
    """Return how many seconds of processor time the tab took so far."""
    return max(float(each["cpuTime"]) for each in renderers(browser))


def memory(browser: Browser) -> float:
    """Return how many MB the tab's process has for itself."""
    found = []
    for each in renderers(browser):
        status = Path(f"/proc/{each['id']}/status").read_text(encoding="utf-8")
        sizes = {
            line.split(":")[0]: int(line.split()[1])
            for line in status.splitlines()
            if " kB" in line
        }
        found.append((sizes["VmRSS"] - sizes.get("RssFile", 0)) / 1024)
    return max(found)


def look(folder: Path) -> None:
    """Open a project in a browser and print how it went."""
    with started(folder) as (_, address), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        began = time.perf_counter()
        page.goto(address)
        page.wait_for_selector("body[data-ready]", timeout=300_000)
        opened = time.perf_counter() - began
        busy = processor(browser)
        page.wait_for_timeout(1000)
        # The middle of the table is held by nothing: pan with the space around it.
        page.evaluate("studio.hands.panning = true")
        frames = panned(page)
        held = memory(browser)
        print(
            f"  opened in {opened:.1f} s (processor {busy:.1f} s, load {os.getloadavg()[0]:.0f}); "
            f"script a frame: median {statistics.median(frames):.1f} ms, "
            f"95 % {sorted(frames)[int(0.95 * len(frames))]:.1f} ms ({len(frames)} frames); "
            f"memory of the tab {held:.0f} MB"
        )
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pieces", type=int, nargs="*", default=[500, 20_000])
    for count in parser.parse_args().pieces:
        with tempfile.TemporaryDirectory() as place:
            folder, took, spent = make(Path(place), count)
            print(f"{count} pieces: made in {took:.1f} s (processor {spent:.1f} s)", flush=True)
            look(folder)


if __name__ == "__main__":
    main()
