"""What the studio's tests share: a project of thirty pieces, and a client that may act."""

from __future__ import annotations

import asyncio
import io
import shutil

import numpy as np
import pytest
from PIL import Image

from tessella.studio import intake
from tessella.studio.started import started

pytest.importorskip("fastapi", reason="the studio's tests need the extra studio")
httpx = pytest.importorskip("httpx")
PORT = 8765
ORIGIN = f"http://127.0.0.1:{PORT}"


@pytest.fixture(scope="session")
def made(tmp_path_factory, cut_folder):
    """A project of 30 turned pieces; copy it before changing anything."""
    folder = tmp_path_factory.mktemp("studio") / "caravel.tessella"
    intake.make(intake.Order(str(cut_folder / "puzzle"), str(folder), "caravel"))
    return folder


def running(environment, what, *more):
    """Run ``tessella studio``; yields the process and its address."""
    return started(what, *map(str, more), environment=environment)


class Client:
    """An application asked in this process, by a browser that follows no redirect."""

    def __init__(self, app, origin):
        self._runner = asyncio.Runner()
        self._client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url=origin, headers={"origin": origin}
        )
        self.headers, self.cookies = self._client.headers, self._client.cookies

    def request(self, method, path, **more):
        return self._runner.run(self._client.request(method, path, **more))

    def get(self, path, **more):
        return self.request("GET", path, **more)

    def head(self, path, **more):
        return self.request("HEAD", path, **more)

    def post(self, path, **more):
        return self.request("POST", path, **more)

    def put(self, path, **more):
        return self.request("PUT", path, **more)

    def close(self):
        self._runner.run(self._client.aclose())
        self._runner.close()


@pytest.fixture
def desk(tmp_path, made):
    shutil.copytree(made, tmp_path / "caravel.tessella")
    from tessella.studio.desk import Desk

    opened = Desk(tmp_path)
    opened.first = opened.add(tmp_path / "caravel.tessella")
    yield opened
    opened.close()


@pytest.fixture
def keys():
    from tessella.studio.guard import Keys

    return Keys(PORT)


@pytest.fixture
def stranger(desk, keys):
    """A client that was not let in."""
    from tessella.studio.guard import Guard
    from tessella.studio.server import make_app

    app = Guard(make_app(desk), keys)
    client = Client(app, ORIGIN)
    yield client
    client.close()


@pytest.fixture
def client(stranger, keys):
    assert stranger.get("/launch", params={"token": keys.token}).status_code == 303
    return stranger


@pytest.fixture
def here(desk):
    return f"/api/projects/{desk.first}"


@pytest.fixture(scope="module")
def browser():
    """Chromium; of one module alone, for its loop bears no other beside it."""
    from .browsing import CHROMIUM, FLAGS, api

    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def folder(tmp_path, made):
    """A copy of the project."""
    shutil.copytree(made, tmp_path / "caravel.tessella")
    return tmp_path / "caravel.tessella"


@pytest.fixture(scope="session")
def photograph():
    """Six tiles on a grey table; the last one is not square, and so doubted."""
    chance = np.random.default_rng(0)
    table = np.full((420, 560, 3), 120, np.uint8)
    for k in range(6):
        top, left = 40 + k // 3 * 180, 40 + k % 3 * 180
        tile = chance.integers(0, 256, (5, 5, 3), np.uint8).repeat(24, 0).repeat(24, 1)
        tile = tile if k < 5 else tile[:, :104]
        table[top : top + 120, left : left + tile.shape[1]] = tile
    out = io.BytesIO()
    Image.fromarray(table).save(out, format="PNG")
    return out.getvalue()
