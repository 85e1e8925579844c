"""The server is killed while five clients act: nothing acknowledged is lost.

``TESSELLA_SERVER_KILLS=200`` tries as many times.
"""

import os
import random
import shutil
import signal
import threading
import time

import httpx
import pytest

from tessella.studio.project import Project

from .conftest import running

KILLS = int(os.environ.get("TESSELLA_SERVER_KILLS", "2"))
CLIENTS = 5


def work(base: str, cookies, seed: int, told: dict[int, list]) -> None:
    """Act until the server is gone; write down what was acknowledged."""
    chance = random.Random(seed)
    with httpx.Client(base_url=base, headers={"origin": base}, cookies=cookies) as client:
        try:
            path = f"/api/projects/{client.get('/api/projects').json()['first']}"
            while True:
                piece, row, col = (chance.randrange(most) for most in (30, 6, 6))
                args = {"pieces": [piece], "sheet": 0, "rows": [row], "cols": [col]}
                if chance.random() < 0.2:
                    answer = client.post(f"{path}/undo", json={})
                else:
                    answer = client.post(f"{path}/acts", json={"act": "place", "args": args})
                if answer.status_code == 200:
                    found = answer.json()
                    if found["changes"]:  # else it is no event, and the version is another's
                        told[found["version"]] = found["changes"]
        except (httpx.HTTPError, ValueError):
            return  # it was killed


@pytest.mark.slow
def test_a_killed_server_loses_nothing_that_it_acknowledged(made, tmp_path, environment):
    folder = tmp_path / "caravel.tessella"
    shutil.copytree(made, folder)
    chance = random.Random(0)
    told: dict[int, list] = {}
    for kill in range(KILLS):
        before = len(told)
        with running(environment, folder) as (process, address):
            base = address.split("/launch")[0]
            cookies = httpx.get(address).cookies
            clients = [
                threading.Thread(target=work, args=(base, cookies, 100 * kill + k, told))
                for k in range(CLIENTS)
            ]
            for client in clients:
                client.start()
            while len(told) == before:
                time.sleep(0.001)
            time.sleep(chance.random() * 0.5)
            process.send_signal(signal.SIGKILL)
            for client in clients:
                client.join()
        project = Project(folder)
        events = {event.version: event for event in project.events(0)}
        assert sorted(events) == list(range(1, project.version + 1))
        for version, changes in told.items():
            assert [list(change) for change in events[version].changes] == changes
        told_of = f"{kill + 1} kills, {len(told)} acts acknowledged, {project.version} events"
        print(f"{told_of}, none lost", flush=True)
    assert len(told) >= KILLS
