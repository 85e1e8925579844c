"""The server answers what it should, and refuses who should not ask."""

import io
import json
import os
import shutil
import signal
import threading
import time
import zipfile
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
import pytest
from PIL import Image

from tessella import exports
from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.imaging.read import png
from tessella.studio import acts, intake
from tessella.studio.errors import Refused

from .conftest import ORIGIN, PORT, running

SCRIPT = "<img src=x onerror=alert(1)>\"'&"


def place(client, here, piece, row, col, **more):
    args = {"pieces": [piece], "sheet": 0, "rows": [row], "cols": [col]}
    return client.post(f"{here}/acts", json={"act": "place", "args": args, **more})


def measured(desk):
    """Let a project have compatibilities without a worker."""
    from tessella import api
    from tessella.plan import make_plan
    from tessella.studio.worker import COMPATIBILITY

    session = desk.session(desk.first)
    prepared = api.prepare(session.puzzle(), make_plan("ssd"))
    compatibility = prepared.compatibility.relabelled(np.asarray(prepared.order, np.intp))
    compatibility.save(session.project.folder / "cache" / COMPATIBILITY)
    return compatibility


# What it answers.


def test_every_page_has_a_twin_in_json(client, desk, here):
    assert client.get("/").headers["location"] == f"/p/{desk.first}"
    for page, twin in (("/desk", "/api/projects"), (f"/p/{desk.first}", here)):
        assert client.get(page).headers["content-type"].startswith("text/html")
        assert client.get(twin).headers["content-type"] == "application/json"
    found = client.get(here).json()
    assert (found["facts"]["pieces"], found["version"]) == (30, 0)
    assert [each["name"] for each in client.get("/api/projects").json()["projects"]] == ["caravel"]


def test_every_route_is_documented(client):
    paths = client.get("/api/openapi.json").json()["paths"]
    page = Path(__file__).parent.parent.parent / "docs" / "studio_http.md"
    text = page.read_text(encoding="utf-8")
    for path, methods in paths.items():
        for method, about in methods.items():
            assert about["summary"], path
            assert f"{method.upper()} {path}" in text, f"{page.name} lacks {method} {path}"
    for name in acts.names():
        assert f"`{name}`" in text, f"{page.name} lacks the act {name}"


def test_the_description_says_what_is_answered(client, here):
    paths = client.get("/api/openapi.json").json()["paths"]
    place(client, here, 3, 1, 2)
    kinds = {
        path: [*about["get"]["responses"]["200"]["content"]]
        for path, about in paths.items()
        if "get" in about
    }
    for path, known in kinds.items():
        if path.startswith("/api/uploads") or path.endswith(
            ("stream", "back", "sheet}", "fitting")
        ):
            continue
        asked = path.format(project=here.split("/")[-1], number=0, piece=3, sheet=0)
        answer = client.get(asked, params={"as": "csv", "piece": 1})
        if answer.status_code == 200:
            assert [answer.headers["content-type"]] == known, path
    assert kinds["/api/projects/{project}/stream"] == ["text/event-stream"]
    refused = paths["/api/projects/{project}/acts"]["post"]["responses"]
    assert {"401", "403", "404", "409", "413", "421", "422", "507"} <= set(refused)


def test_an_act_is_acknowledged_and_can_be_undone(client, here):
    told = place(client, here, 3, 1, 2, base=0).json()
    assert told["version"] == 1
    assert told["changes"] == [["place", "3", None, [0, 1, 2, 0]]]
    assert client.get(here).json()["state"] == {"place": {"3": [0, 1, 2, 0]}}
    assert client.post(f"{here}/undo", json={}).json()["redo"] == 1
    assert client.get(here).json()["state"] == {}
    assert client.post(f"{here}/redo", json={}).json()["undo"] == 1
    events = client.get(f"{here}/history").json()["events"]
    assert [event["act"] for event in events] == ["place", "undo", "redo"]


def test_what_changes_nothing_leaves_redo_and_is_told_to_nobody(client, desk, here):
    names = desk.session(desk.first).project.facts.names
    table = f"file,row,col,turns,locked\n{names[0]},1,2,1,yes\n".encode()
    client.post(f"{here}/wishes?kind=csv", content=table)
    place(client, here, 3, 1, 2)
    client.post(f"{here}/undo", json={})
    heard = []
    desk.session(desk.first).listen(heard.append)
    again = client.post(f"{here}/wishes?kind=csv", content=table).json()
    assert (again["version"], again["changes"]) == (3, 0)
    told = place(client, here, 0, 0, 1).json()
    assert (told["version"], told["changes"], told["redo"]) == (3, [], 1)
    assert heard == []


def test_an_act_that_rests_on_what_was_changed_is_refused(client, here):
    place(client, here, 3, 1, 2)
    again = place(client, here, 3, 0, 0, base=0)
    assert again.status_code == 409
    assert "somebody else" in again.json()["error"]


def test_another_process_is_heard(client, desk, here):
    from tessella.studio.project import Project

    client.get(here)
    heard = []
    desk.session(desk.first).listen(heard.append)
    Project(desk.session(desk.first).project.folder).act("new_sheet", {"name": "theirs"})
    desk.session(desk.first).refresh()
    assert [message["act"] for message in heard] == ["new_sheet"]
    assert client.get(here).json()["version"] == 1


@pytest.mark.parametrize("asked", ["history", "refused", "act"])
def test_another_process_is_heard_once_whatever_is_asked_first(client, desk, here, asked):
    from tessella.studio.project import Project

    session = desk.session(desk.first)
    heard = []
    session.listen(heard.append)
    other = Project(session.project.folder)
    for name in ("first", "second"):
        other.act("new_sheet", {"name": name})
        if asked == "history":
            events = client.get(f"{here}/history?since=1").json()["events"]
            assert [event["version"] for event in events] == list(range(2, other.version + 1))
        elif asked == "refused":
            with pytest.raises(Refused):
                session.project.undo(base=-1)
        else:
            session._done(session.project.act("new_sheet", {}))
            other.refresh()
    session.refresh()
    session.refresh()
    assert [message["version"] for message in heard] == list(range(1, other.version + 1))


def test_an_act_is_taken_back_alone(client, here):
    place(client, here, 3, 1, 2)
    place(client, here, 4, 1, 3)
    assert client.post(f"{here}/retract", json={"of": 1}).json()["version"] == 3
    assert client.get(here).json()["state"] == {"place": {"4": [0, 1, 3, 0]}}
    again = client.post(f"{here}/retract", json={"of": 9})
    assert (again.status_code, "never done" in again.json()["error"]) == (409, True)


def test_thumbnails_and_pieces_are_pictures(client, here):
    index = client.get(f"{here}/atlas").json()
    assert (index["side"], index["count"], index["size"]) == (56, 1, [56, 56])
    sheet = Image.open(io.BytesIO(client.get(f"{here}/atlas/0").content))
    assert sheet.size == (2048, 56)
    assert Image.open(io.BytesIO(client.get(f"{here}/pieces/7").content)).size == (56, 56)
    for path in ("atlas/9", "pieces/30", "pieces/-1", "pieces/x"):
        assert client.get(f"{here}/{path}").status_code in (404, 422)


def test_a_sheet_is_one_picture(client, here):
    told = client.get(f"{here}/sheets/0")
    assert (told.status_code, told.json()["error"]) == (409, "Nothing lies on that sheet.")
    assert client.get(f"{here}/sheets/7").status_code == 409
    place(client, here, 3, 1, 2)
    place(client, here, 4, 1, 3)
    picture = Image.open(io.BytesIO(client.get(f"{here}/sheets/0").content))
    assert picture.size == (112, 56)


def test_before_anything_was_measured_the_studio_says_so(client, here):
    assert client.get(f"{here}/joins").json()["measured"] is False
    assert client.get(f"{here}/questions").json()["questions"] == []
    for path in ("fitting?sheet=0&row=0&col=0", "places?piece=0"):
        answer = client.get(f"{here}/{path}")
        assert answer.status_code == 409
        assert "solve first" in answer.json()["error"]


def test_joins_questions_and_candidates(client, desk, here):
    compatibility = measured(desk)
    best = int(compatibility.best()[0])  # the partner of the right side of piece 0
    turns = (2 - best) % 4
    place(client, here, 0, 0, 0)
    found = client.get(f"{here}/fitting?sheet=0&row=0&col=1").json()["candidates"]
    assert (found[0]["piece"], found[0]["turns"]) == (best // 4, turns)
    where = client.get(f"{here}/places?piece={best // 4}").json()["places"]
    assert {"sheet": 0, "row": 0, "col": 1, "turns": turns} in [
        {key: each[key] for key in ("sheet", "row", "col", "turns")} for each in where
    ]
    args = {"pieces": [best // 4], "sheet": 0, "rows": [0], "cols": [1], "turns": [turns]}
    client.post(f"{here}/acts", json={"act": "place", "args": args})
    joins = client.get(f"{here}/joins").json()
    assert (joins["first"], joins["second"]) == ([0], [best])
    asked = client.get(f"{here}/questions").json()["questions"]
    assert (asked[0]["first"], asked[0]["second"]) == (0, best)
    reply = {"act": "reply", "args": {"first": 0, "second": best, "said": "no"}}
    client.post(f"{here}/acts", json=reply)
    assert client.get(f"{here}/questions").json()["questions"] == []
    forbidden = client.get(f"{here}/fitting?sheet=0&row=0&col=1").json()["candidates"]
    assert (best // 4, turns) not in [(each["piece"], each["turns"]) for each in forbidden]


def test_nothing_is_proposed_that_was_forbidden_and_who_lies_elsewhere_is_said(client, desk, here):
    def act(name, **args):
        assert client.post(f"{here}/acts", json={"act": name, "args": args}).status_code == 200

    def fitting(piece):
        every = client.get(f"{here}/fitting?sheet=0&row=0&col=1&count=200").json()["candidates"]
        return {each["turns"]: each for each in every if each["piece"] == piece}

    def places(piece):
        every = client.get(f"{here}/places?piece={piece}&count=200").json()["places"]
        return {(each["row"], each["col"], each["turns"]) for each in every}

    best = int(measured(desk).best()[0])
    piece, turns = best // 4, (2 - best) % 4
    below = next(p for p in range(1, 30) if p != piece)
    place(client, here, 0, 0, 0)
    place(client, here, below, 1, 1)  # below the cell that is looked at
    assert (0, 1, turns) in places(piece)
    assert fitting(piece)[turns]["placed"] is False
    # The side that would face down there must not lie on the piece below.
    act("forbid", first=4 * piece + (3 - turns) % 4, second=4 * below + 1)
    assert turns not in fitting(piece)
    assert (0, 1, turns) not in places(piece)
    client.post(f"{here}/undo", json={})
    place(client, here, piece, 5, 5)
    assert fitting(piece)[turns]["placed"] is True
    act("lock", pieces=[piece])
    assert fitting(piece)[turns]["locked"] is True
    act("bar", piece=piece, sheet=0, row=0, col=1)
    assert fitting(piece) == {}
    assert not {(row, col) for row, col, _ in places(piece)} & {(0, 1)}


def test_wishes_and_codes_come_from_a_list_and_go_to_one(client, desk, here):
    names = desk.session(desk.first).project.facts.names
    table = f"file,panel,row,col,turns,locked\n{names[0]},A,1,2,1,yes\n{names[1]},A,3,,,\n"
    told = client.post(f"{here}/wishes?kind=csv", content=table.encode())
    assert told.status_code == 200, told.text
    state = client.get(here).json()["state"]
    assert state["place"]["0"] == [0, 0, 1, 1]
    assert state["lock"] == {"0": True}
    assert state["code"]["1"] == {"row": 2, "panel": "A"}
    saved = client.get(f"{here}/wishes").json()
    assert [wish["piece"] for wish in saved["fixed"]] == [names[0]]
    client.post(f"{here}/undo", json={})
    assert client.get(here).json()["state"] == {}
    again = client.post(f"{here}/wishes?kind=json", content=json.dumps(saved).encode())
    assert again.status_code == 200, again.text
    assert client.post(f"{here}/wishes?kind=csv", content=b"\xff\0").status_code == 422
    assert client.post(f"{here}/wishes?kind=exe", content=b"").status_code == 422


@pytest.mark.parametrize(
    ("name", "called"),
    [("", "wishes.json"), ("códigos.json", "códigos.json"), ("a/list", "list.json")],
)
def test_a_list_of_wishes_is_called_what_the_person_calls_it(client, here, name, called):
    given = {"kind": "json", "name": name} if name else {"kind": "json"}
    for content, words in (
        (b"{", f"{called} is not valid JSON: "),
        (b"[]", f"{called} must hold a JSON object, not list."),
        (b'{"version": 1, "fix": []}', f"{called} has 'fix', which is no kind of wish; "),
        (b'{"version": 1, "codes": [{"piece": "x"}]}', f"{called} names 'x', which is no piece"),
    ):
        told = client.post(f"{here}/wishes", params=given, content=content)
        assert (told.status_code, told.json()["error"][: len(words)]) == (422, words)
        assert "/" not in told.json()["error"].replace("docs/", "")
    strange = client.post(f"{here}/wishes", params={"kind": "json", "name": "../a"}, content=b"{}")
    assert strange.status_code == 422


def test_wishes_that_the_studio_has_no_place_for_are_counted(client, here):
    given = {"version": 1, "together": [[1, 2]], "apart": [[3, 4]]}
    given["upright"] = [{"piece": 5, "turns": 1}]
    told = client.post(f"{here}/wishes?kind=json", content=json.dumps(given).encode()).json()
    assert (told["version"], told["changes"], told["left_out"]) == (0, 0, 3)


@pytest.mark.parametrize("form", exports.names())
def test_every_export_is_a_button(client, desk, here, form):
    assert client.get(f"{here}/export?as={form}").status_code == 409  # nothing lies anywhere
    place(client, here, 3, 1, 2)
    place(client, here, 4, 1, 3)
    if form == "report":
        assert "solve first" in client.get(f"{here}/export?as={form}").json()["error"]
        measured(desk)
    answer = client.get(f"{here}/export?as={form}")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment")
    assert len(answer.content) > 20


def upload(client, files, **known):
    key = client.post("/api/uploads").json()["upload"]
    for name, content in files.items():
        sent = client.put(f"/api/uploads/{key}/files", params={"name": name}, content=content)
        if sent.status_code != 200:
            return sent
    return client.post("/api/projects", json={"upload": key, **known})


def zipped(files, compression=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return out.getvalue()


def pngs(cut_folder, count=4):
    files = sorted((cut_folder / "puzzle").glob("*.png"))[:count]
    return {f"box/{file.name}": file.read_bytes() for file in files}


def test_pictures_a_zip_and_a_scrambled_picture_become_projects(client, cut_folder, picture):
    pieces = pngs(cut_folder)
    puzzle, _ = cut(picture, 56, seed=2)
    scrambled = png(puzzle.layout.scrambled())
    for files, known, count in (
        (pieces, {"name": "pictures", "rows": 2, "cols": 2}, 4),
        ({"box.zip": zipped(pieces)}, {"name": "zip"}, 4),
        ({"grid.png": scrambled}, {"name": "scrambled"}, 30),
    ):
        answer = upload(client, files, **known)
        assert answer.status_code == 200, answer.text
        facts = client.get(f"/api/projects/{answer.json()['id']}").json()["facts"]
        assert (facts["pieces"], facts["name"]) == (count, known["name"])
        assert facts["refers"] is None
    assert (facts["shape"], facts["upright"]) == ([5, 6], True)
    first = client.get(f"/api/projects/{answer.json()['id']}/pieces/0").content
    assert np.array_equal(np.array(Image.open(io.BytesIO(first))), puzzle.one(0))
    names = [each["name"] for each in client.get("/api/projects").json()["projects"]]
    assert names == ["caravel", "pictures", "scrambled", "zip"]


# Whom it refuses.


def test_nobody_is_let_in_without_the_cookie(stranger, desk, here):
    for path in ("/", "/desk", f"/p/{desk.first}", here, "/static/desk.js", "/api/openapi.json"):
        assert stranger.get(path).status_code == 401
    assert stranger.post(f"{here}/acts", json={"act": "new_sheet"}).status_code == 401
    assert desk.session(desk.first).project.version == 0


def test_the_token_works_once_and_a_refused_request_never_uses_it_up(stranger, keys, here):
    token = keys.token
    for wrong in ("", "x", token[:-1], "é"):
        assert stranger.get("/launch", params={"token": wrong}).status_code == 401
    assert stranger.head("/launch", params={"token": token}).status_code == 401
    evil = {"host": "evil.example"}
    assert stranger.get("/launch", params={"token": token}, headers=evil).status_code == 421
    other = {"origin": "http://evil.example"}
    assert stranger.get("/launch", params={"token": token}, headers=other).status_code == 403
    answer = stranger.get("/launch", params={"token": token})
    assert answer.status_code == 303
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert stranger.get(here).status_code == 200
    stranger.cookies.clear()
    assert stranger.get("/launch", params={"token": token}).status_code == 401
    assert stranger.get(here, headers={"cookie": f"{keys.name}=old"}).status_code == 401


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", ""]
)
def test_a_foreign_name_that_points_here_is_refused(client, here, host):
    assert client.get(here, headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1", ""]
)
def test_a_page_from_elsewhere_cannot_act_or_listen(client, desk, here, origin):
    given = {"origin": origin}
    act = client.post(f"{here}/acts", json={"act": "new_sheet"}, headers=given)
    assert act.status_code == 403
    assert client.get(f"{here}/stream", headers=given).status_code == 403
    sites = {"origin": ORIGIN, "sec-fetch-site": "cross-site"}
    assert client.post(f"{here}/acts", json={"act": "new_sheet"}, headers=sites).status_code == 403
    assert desk.session(desk.first).project.version == 0


def test_an_act_without_origin_is_refused(client, desk, here):
    del client.headers["origin"]
    assert client.post(f"{here}/acts", json={"act": "new_sheet"}).status_code == 403
    assert client.get(here).status_code == 200


def test_every_answer_says_what_a_browser_may_do_with_it(client, here):
    for path in ("/desk", here, "/api/nothing", "/static/desk.js"):
        held = client.get(path).headers
        assert "default-src 'none'" in held["content-security-policy"]
        assert "unsafe" not in held["content-security-policy"]
        assert held["x-content-type-options"] == "nosniff"


ESCAPES = [
    "../a.png",
    "/etc/a.png",
    "a/../../a.png",
    "..\\a.png",
    "C:\\a.png",
    "a\0.png",
    "",
    "x" * 300 + ".png",
]


@pytest.mark.parametrize("name", ESCAPES)
def test_a_name_cannot_leave_the_upload(client, cut_folder, tmp_path, name):
    before = sorted(tmp_path.rglob("*"))
    assert upload(client, {name: b"x"}).status_code == 422
    assert sorted(tmp_path.rglob("*")) == before
    if name and "\0" not in name:
        answer = upload(client, {"a.zip": zipped({name: b"x", **pngs(cut_folder)})})
        assert answer.status_code == 422
        assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "path", ["../../etc/passwd", "%2e%2e/server.py", "..%2f..%2fserver.py", "/etc/passwd"]
)
def test_pages_are_made_of_their_own_files_alone(client, desk, path):
    for route in (
        f"/static/{path}",
        f"/p/{path}",
        f"/api/projects/{path}",
        f"/api/projects/{desk.first}/atlas/{path}",
    ):
        assert client.get(route).status_code in (404, 422)


def test_a_zip_with_a_link_is_refused(client, cut_folder):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        link = zipfile.ZipInfo("a.png")
        link.external_attr = 0o120777 << 16
        file.writestr(link, "/etc/passwd")
    answer = upload(client, {"a.zip": out.getvalue()})
    assert answer.status_code == 422
    assert "link" in answer.json()["error"]


def test_a_zip_bomb_is_refused(client, tmp_path):
    bomb = zipped({"a.png": bytes(300 * 2**20)}, zipfile.ZIP_DEFLATED)
    assert len(bomb) < 2**20
    answer = upload(client, {"bomb.zip": bomb})
    assert answer.status_code == 422
    assert "unpacks to more" in answer.json()["error"]
    assert not list(tmp_path.glob("bomb*"))


def test_a_picture_that_says_it_is_enormous_ends_nothing(client, here):
    image = Image.new("1", (40_000, 40_000))
    out = io.BytesIO()
    image.save(out, format="PNG")
    assert len(out.getvalue()) < 2**20
    answer = upload(client, {"large.png": out.getvalue()})
    assert answer.status_code == 422
    assert "million" in answer.json()["error"]
    assert client.get(here).status_code == 200


def test_a_reader_that_takes_too_much_memory_ends_alone(tmp_path):
    image = Image.new("RGB", (8000, 8000))  # 192 MB as pixels, and small as a file
    image.save(tmp_path / "large.png")
    folder = tmp_path / "large.tessella"
    order = intake.Order(str(tmp_path / "large.png"), str(folder), "large", memory=2**29)
    with pytest.raises(InputError, match="memory"):
        intake.run(order)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["large.png"]


def test_what_is_no_picture_is_told(client):
    assert upload(client, {"a.png": b"no picture"}).status_code == 422
    assert upload(client, {"a.zip": b"no zip"}).status_code == 422
    assert upload(client, {"a.exe": b"MZ"}).status_code == 422


def test_scripts_in_names_and_notes_stay_texts(client, here):
    note = {"act": "note", "args": {"about": "piece:1", "text": SCRIPT}}
    client.post(f"{here}/acts", json=note)
    answer = client.get(here)
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["state"]["note"] == {"piece:1": SCRIPT}


def test_no_script_writes_markup():
    """Pages are built from texts and elements; nothing that reads markup is ever called."""
    folder = Path(intake.__file__).parent / "static"
    for path in folder.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert word not in text, f"{path.name} uses {word}"


def test_a_request_that_is_too_long_is_refused(client, here):
    answer = client.post(f"{here}/acts", content=b"[" * (9 * 2**20))
    assert answer.status_code == 413
    huge = {"content-length": "9" * 30}
    assert client.post(f"{here}/acts", content=b"{}", headers=huge).status_code == 400


# The whole, as it is started.


@contextmanager
def entered(address):
    base = address.split("/launch")[0]
    with httpx.Client(base_url=base, headers={"origin": base}, timeout=30) as client:
        assert client.get(address.removeprefix(base)).status_code == 303
        yield client


def test_the_command_serves_a_project_and_ctrl_c_ends_it(made, tmp_path, environment):
    folder = tmp_path / "caravel.tessella"
    shutil.copytree(made, folder)
    with running(environment, folder) as (process, address), entered(address) as client:
        project = client.get("/api/projects").json()["first"]
        here = f"/api/projects/{project}"
        heard = []

        def listen():
            with client.stream("GET", f"{here}/stream") as stream:
                for line in stream.iter_lines():
                    if line.startswith("data: "):
                        heard.append(json.loads(line[6:]))
                        if len(heard) == 2:
                            return

        listening = threading.Thread(target=listen)
        listening.start()
        while not heard:
            time.sleep(0.01)
        assert place(client, here, 1, 0, 0).status_code == 200
        listening.join(10)
        assert [message["kind"] for message in heard] == ["hello", "event"]
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
    from tessella.studio.project import Project

    assert Project(folder).version == 1


def test_a_project_is_made_beside_what_is_given(cut_folder, tmp_path, environment):
    shutil.copytree(cut_folder / "puzzle", tmp_path / "tiles")
    with running(environment, tmp_path / "tiles") as (_, address), entered(address) as client:
        (found,) = client.get("/api/projects").json()["projects"]
        assert (found["name"], found["pieces"]) == ("tiles", 30)
    assert (tmp_path / "tiles.tessella" / "events.jsonl").is_file()
    with running(environment, tmp_path / "tiles", "--project", tmp_path / "other.tessella"):
        assert (tmp_path / "other.tessella" / "project.json").is_file()


@pytest.mark.slow
def test_solving_is_live_and_ends_in_an_answer_around_what_is_locked(client, desk, here):
    heard = []
    desk.session(desk.first).listen(heard.append)
    begun = client.post(f"{here}/solve", json={"seconds": 20}).json()
    assert begun == {"busy": True, "queued": False}
    assert client.post(f"{here}/solve", json={}).status_code == 409
    begun = time.monotonic()
    while client.get(f"{here}/solving").json()["busy"] and time.monotonic() < begun + 300:
        time.sleep(0.1)
    while client.get(f"{here}/solving").json()["kind"] not in ("answer", "failed"):
        time.sleep(0.05)
    told = client.get(f"{here}/solving").json()
    assert told["kind"] == "answer", told
    assert {"stage", "answer"} <= {m["what"] for m in heard if m["kind"] == "solving"}
    state = client.get(here).json()["state"]
    assert len(state["place"]) == 30
    assert len(client.get(f"{here}/joins").json()["first"]) == 49
    assert client.get(f"{here}/history").json()["events"][-1]["by"] == "solver"


def solved(client, here, **wanted):
    """Solve, wait for the answer, and return what was told of it."""
    assert client.post(f"{here}/solve", json={"seconds": 30, **wanted}).status_code == 200
    begun = time.monotonic()
    while time.monotonic() < begun + 300:
        told = client.get(f"{here}/solving").json()
        if not told["busy"] and told["kind"] in ("answer", "failed"):
            return told
        time.sleep(0.05)
    raise AssertionError(told)


@pytest.mark.slow
def test_every_later_answer_holds_to_what_a_person_said(client, desk, here):
    assert solved(client, here)["kind"] == "answer"
    state = desk.session(desk.first).project.state
    joins = client.get(f"{here}/joins").json()
    spots = {piece: state.spot(piece) for piece in (3, 17)}
    client.post(f"{here}/acts", json={"act": "lock", "args": {"pieces": [3, 17]}})
    pair = next(
        (e, f)
        for e, f in zip(joins["first"], joins["second"], strict=True)
        if not {e // 4, f // 4} & {3, 17}
    )
    reply = {"first": pair[0], "second": pair[1], "said": "no"}
    client.post(f"{here}/acts", json={"act": "reply", "args": reply})
    told = solved(client, here)
    assert told["kind"] == "answer", told
    assert {piece: state.spot(piece) for piece in (3, 17)} == spots
    after = client.get(f"{here}/joins").json()
    pairs = {frozenset(each) for each in zip(after["first"], after["second"], strict=True)}
    assert frozenset(pair) not in pairs
    assert len(state.cells) == 30


@pytest.mark.slow
def test_stopping_keeps_the_best_so_far(client, desk, here):
    heard = []
    desk.session(desk.first).listen(heard.append)
    client.post(f"{here}/solve", json={"effort": "thorough", "runs": 100})
    begun = time.monotonic()
    while not any(m.get("what") == "live" for m in heard) and time.monotonic() < begun + 200:
        time.sleep(0.02)
    client.post(f"{here}/stop", json={})
    while client.get(f"{here}/solving").json()["busy"] and time.monotonic() < begun + 300:
        time.sleep(0.05)
    told = next(m for m in heard if m.get("what") == "answer")
    assert told["stopped"] is True
    assert len(desk.session(desk.first).project.state.cells) == 30


@pytest.mark.slow
def test_ctrl_c_during_a_search_keeps_its_best_so_far(made, tmp_path, environment):
    folder = tmp_path / "caravel.tessella"
    shutil.copytree(made, folder)
    with running(environment, folder) as (process, address), entered(address) as client:
        here = f"/api/projects/{client.get('/api/projects').json()['first']}"
        wanted = {"measure": "ssd", "runs": 100}
        assert client.post(f"{here}/solve", json=wanted).status_code == 200
        client.post(f"{here}/solve", json={**wanted, "after": True})  # it waits, and never begins
        begun = time.monotonic()
        while client.get(f"{here}/solving").json()["kind"] != "live":
            assert time.monotonic() < begun + 300
            time.sleep(0.02)
        lists = Path(f"/proc/{process.pid}/task").glob("*/children")
        children = [int(each) for path in lists for each in path.read_text().split()]
        assert children
        for each in (*children, process.pid):  # as a terminal does
            os.kill(each, signal.SIGINT)
        assert process.wait(30) == 0
    from tessella.studio.project import Project

    state = Project(folder).state
    assert state.tables["about"]["answer"]["stopped"] is True
    assert len(state.cells) == 30
