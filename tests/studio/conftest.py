"""What the studio's tests share: a project of thirty pieces, and a client that may act."""

from __future__ import annotations

import asyncio

import pytest

from tessella.studio import intake
from tessella.studio.started import started

pytest.importorskip("fastapi", reason="the studio's tests need the extra studio")
httpx = pytest.importorskip("httpx")


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
