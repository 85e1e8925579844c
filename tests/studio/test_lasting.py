"""What a long day brings: addresses opened twice, uploads left behind, full disks, long names."""

import errno
import socket

import pytest

from tessella.cli import studio as command
from tessella.studio import intake
from tessella.studio.facts import Facts
from tessella.studio.log import Log
from tessella.studio.project import Project

from .test_server import place, pngs, upload

HTML = {"accept": "text/html,application/xhtml+xml"}


def test_the_printed_address_opens_the_studio_again_for_who_is_in(stranger, keys):
    token = keys.token
    used = stranger.get("/launch", params={"token": "x"}, headers=HTML)
    assert used.status_code == 401
    assert used.headers["content-type"].startswith("text/html")
    assert "start it again" in used.text
    assert "comece-o de novo" in used.text
    assert "error" in stranger.get("/desk").json()
    assert "by the address" in stranger.get("/desk", headers=HTML).text
    assert stranger.get("/launch", params={"token": token}).status_code == 303
    again = stranger.get("/launch", params={"token": token}, headers=HTML)
    assert (again.status_code, again.headers["location"]) == (303, "/")
    stranger.cookies.clear()
    assert stranger.get("/launch", params={"token": token}).status_code == 401


def test_every_refusal_is_a_page_for_who_looks_at_pages(client, here):
    for path, status, words in (
        ("/p/unknown", 404, '<p lang="pt">Esse projeto não existe.</p>'),
        ("/nowhere", 404, "Not Found."),
        (f"{here}/sheets/0", 409, "Nothing lies on that sheet."),
        (f"{here}/fitting", 422, "cannot be understood"),
    ):
        told = client.get(path, headers=HTML)
        assert (told.status_code, words in told.text) == (status, True), path
        assert told.headers["content-type"].startswith("text/html")
        assert set(client.get(path).json()) == {"error"}
    long = {**HTML, "content-length": str(9 * 2**20)}
    told = client.post(f"{here}/acts", content=b"{}", headers=long)
    assert (told.status_code, "8388608 bytes" in told.text) == (413, True)
    assert told.headers["content-type"].startswith("text/html")
    bold = client.post(f"{here}/acts", json={"act": "<b>x</b>"}, headers=HTML)
    assert (bold.status_code, "&lt;b&gt;x" in bold.text, "<b>" in bold.text) == (422, True, False)


def test_uploads_that_nobody_came_back_to_make_room(client, cut_folder):
    keys = [client.post("/api/uploads").json()["upload"] for _ in range(16)]
    path, files = "/api/uploads/{}/files", list(pngs(cut_folder).items())
    assert (
        client.put(path.format(keys[0]), params={"name": "a.png"}, content=b"x").status_code == 200
    )
    assert client.post("/api/uploads").status_code == 200
    name, content = files[0]
    for key, status in ((keys[0], 200), (keys[1], 404), (keys[2], 200)):
        sent = client.put(path.format(key), params={"name": name}, content=content)
        assert sent.status_code == status, key
    assert upload(client, dict(files), name="after all").status_code == 200


@pytest.mark.parametrize("second", ["a.png", "a.png/b.png"])
def test_two_files_of_one_name_are_told(client, second):
    key = client.post("/api/uploads").json()["upload"]
    for name, status in (("a.png", 200), (second, 422)):
        sent = client.put(f"/api/uploads/{key}/files", params={"name": name}, content=b"x")
        assert sent.status_code == status
    assert "one name" in sent.json()["error"]


def test_a_long_body_of_no_told_length_is_refused(client, here):
    async def body():
        for _ in range(9):
            yield b"x" * 2**20

    for path in (f"{here}/wishes?kind=csv", f"{here}/acts"):
        answer = client.post(path, content=body())
        assert (answer.status_code, "8388608 bytes" in answer.json()["error"]) == (413, True)


def test_a_full_disk_is_told_and_nothing_is_half_done(client, here, monkeypatch):
    def full(self, event):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Log, "add", full)
        answer = place(client, here, 1, 0, 0)
    assert (answer.status_code, "disk is full" in answer.json()["error"]) == (507, True)
    assert client.get(here).json()["state"] == {}
    assert place(client, here, 1, 0, 0).json()["version"] == 1


def test_a_download_keeps_its_name(client, cut_folder):
    made = upload(client, pngs(cut_folder), name="São João").json()["id"]
    here = f"/api/projects/{made}"
    place(client, here, 0, 0, 0)
    told = client.get(f"{here}/export?as=csv").headers["content-disposition"]
    assert 'filename="S-o-Jo-o.csv"' in told
    assert "filename*=UTF-8''S%C3%A3o-Jo%C3%A3o.csv" in told


def test_what_has_the_same_stem_becomes_a_project_of_its_own(tmp_path, monkeypatch):
    def run(order):
        facts = Facts(order.name, 1, ("a",), made_of=order.source)
        Project.create(tmp_path / order.folder, facts)
        kinds.append(order.kind)

    kinds = []
    monkeypatch.setattr(intake, "run", run)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiles").mkdir()
    for name in ("tiles.png", "tiles.pdf"):
        (tmp_path / name).touch()
    found = [
        command._project(tmp_path / name, None) for name in ("tiles", "tiles.png", "tiles.pdf")
    ]
    assert [path.name for path in found] == [
        "tiles.tessella", "tiles.png.tessella", "tiles.pdf.tessella"
    ]  # fmt: skip
    assert command._project(tmp_path / "tiles", None) == found[0]
    assert command._project(tmp_path / "tiles.png", None) == found[1]
    assert kinds == ["pieces", "pieces", "document"]


def test_the_browser_is_opened_when_the_studio_answers(desk, monkeypatch):
    from tessella.studio import server

    asked = []

    def browse(address):
        port = int(address.split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port), 5) as there:
            there.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            asked.append(there.recv(12))
        running.should_exit = True

    def made(config):
        nonlocal running
        running = uvicorn_server(config)
        return running

    running = None
    uvicorn_server = server.uvicorn.Server
    monkeypatch.setattr(server.uvicorn, "Server", made)
    monkeypatch.setattr(server.webbrowser, "open", browse)
    server.serve(desk, server.bind(0), lambda address: None)
    assert asked == [b"HTTP/1.1 421"]
