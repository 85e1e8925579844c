"""Outlines that a person looked at before pieces are made, and the backs of pieces."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from PIL import Image

from tessella.collect.recut import check_corners, corners_of, recut, strip_size
from tessella.collect.source import Source
from tessella.errors import InputError
from tessella.studio.faces import backs
from tessella.studio.facts import Facts

SQUARE = [[30.0, 30.0], [110.0, 30.0], [110.0, 110.0], [30.0, 110.0]]


@pytest.fixture
def found(client, photograph):
    """An upload in which pieces were found: its id, and what was found."""
    key = client.post("/api/uploads").json()["upload"]
    client.put(f"/api/uploads/{key}/files", params={"name": "a.png"}, content=photograph)
    answer = client.post(f"/api/uploads/{key}/outlines", json={"kind": "tiles"})
    assert answer.status_code == 200, answer.text
    return key, answer.json()


def test_outlines_are_shown_set_left_out_and_added(client, desk, found):
    key, told = found
    assert told["pictures"] == [{"name": "a.png", "width": 560, "height": 420}]
    count = len(told["pieces"])
    assert count == 6
    doubtful = [k for k, each in enumerate(told["pieces"]) if each["doubts"]]
    assert len(doubtful) == 1
    assert "not square" in told["pieces"][doubtful[0]]["doubts"][0]
    assert np.abs(np.array(told["pieces"][0]["corners"][0]) % 180 - 40).max() < 4
    shown = client.get(f"/api/uploads/{key}/pictures/0")
    assert Image.open(io.BytesIO(shown.content)).size == (560, 420)
    assert client.get(f"/api/uploads/{key}/pictures/1").status_code == 404
    said = [
        {"piece": 0, "corners": SQUARE},
        {"piece": 1, "keep": False},
        {"piece": doubtful[0]},
        {"picture": 0, "corners": [[400, 40], [520, 40], [520, 160], [400, 160]]},
    ]
    order = {"upload": key, "name": "walls", "kind": "tiles", "outlines": said}
    made = client.post("/api/projects", json=order)
    assert made.status_code == 200, made.text
    folder = desk.root / "walls.tessella"
    listed = json.loads((folder / "collect.json").read_text())["pieces"]
    assert Facts.read(folder / "project.json").pieces == len(listed) == count
    by_name = {each["file"]: each for each in listed}
    assert by_name["tile_0001.png"]["outline"] == SQUARE
    assert by_name["tile_0001.png"]["notes"] == ["outlined by a person"]
    assert "tile_0002.png" not in by_name
    assert not any(each["doubts"] for each in listed)
    assert f"tile_{count + 1:04d}.png" in by_name
    assert client.get(f"/api/uploads/{key}/pictures/0").status_code == 404  # all used up
    # Who asked while the answer was on its way is told that nothing is under way, not "unknown".
    assert client.get(f"/api/uploads/{key}").json() == {"stage": "", "total": 0, "done": 0}
    assert client.get("/api/uploads/none").status_code == 404


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ([{"piece": 99}], "no outline 99"),
        ([{"corners": SQUARE}], "one of the 1 pictures"),
        ([{"picture": 3, "corners": SQUARE}], "one of the 1 pictures"),
        ([{"piece": 0, "corners": SQUARE[::-1]}], "clockwise"),
        ([{"piece": k, "keep": False} for k in range(5)], "two pieces or more"),
    ],
)
def test_what_cannot_be_an_outline_is_told_and_the_upload_stays(client, found, said, words):
    key, told = found
    said = said + [
        {"piece": k, "keep": False} for k in range(5, len(told["pieces"])) if len(said) > 1
    ]
    order = {"upload": key, "name": "walls", "kind": "tiles", "outlines": said}
    answer = client.post("/api/projects", json=order)
    assert answer.status_code == 422
    assert words in answer.json()["error"]
    assert client.get(f"/api/uploads/{key}/pictures/0").status_code == 200


def test_nobody_outlines_what_nobody_looked_for(client):
    key = client.post("/api/uploads").json()["upload"]
    order = {"upload": key, "kind": "tiles", "outlines": [{"piece": 0}]}
    assert client.post("/api/projects", json=order).status_code == 422
    assert client.post("/api/uploads/none/outlines", json={}).status_code == 404


def test_a_piece_is_cut_anew_along_its_corners():
    image = np.zeros((80, 100, 3), np.uint8)
    image[10:50, 20:60] = 200
    corners = [(40.0, 20.0), (120.0, 20.0), (120.0, 100.0), (40.0, 100.0)]  # of the file
    piece = recut(Source("a", image, 0.5), corners, (40, 40))
    assert (piece.image[2:-2, 2:-2, :3] == 200).all()
    assert (piece.scale, piece.angle) == (0.5, 0.0)
    assert strip_size([(0, 0), (20, 0), (20, 300), (0, 300)], 0.5) == (150, 10)
    along = [(0.0, 0.0), (0.0, 5.0), (0.0, 9.0), (4.0, 9.0), (4.0, 5.0), (4.0, 0.0)]
    assert corners_of(along) == ((0, 0), (4, 0), (4, 9), (0, 9))
    for wrong in (corners[:3], [(0, 0), (9, 0), (1, 1), (0, 9)], [(0, 0)] * 4, [(np.nan, 0)] * 4):
        with pytest.raises(InputError):
            check_corners(wrong)


def test_a_back_is_the_picture_called_so_beside_its_front():
    assert backs(["a.jpg", "a_back.png"]) == {"a_back.png": "a.jpg"}
    assert backs(["a.jpg", "b_back.jpg", "a back.tif"]) == {"a back.tif": "a.jpg"}
    assert backs(["back_1.jpg", "front_1.jpg", "1.jpg", "aback.jpg", "a.jpg"]) == {}


def test_backs_are_shown_and_are_no_pieces(client, desk, cut_folder):
    files = sorted((cut_folder / "puzzle").glob("*.png"))[:4]
    key = client.post("/api/uploads").json()["upload"]
    for k, file in enumerate(files):
        for name in (f"p{k}.png", *([f"p{k}_back.png"] if k in (1, 3) else [])):
            path = f"/api/uploads/{key}/files"
            client.put(path, params={"name": name}, content=file.read_bytes())
    made = client.post("/api/projects", json={"upload": key, "name": "faces"}).json()["id"]
    facts = client.get(f"/api/projects/{made}").json()["facts"]
    assert (facts["pieces"], facts["backs"]) == (4, [1, 3])
    seen = client.get(f"/api/projects/{made}/pieces/3/back")
    assert Image.open(io.BytesIO(seen.content)).size == (56, 56)
    assert client.get(f"/api/projects/{made}/pieces/2/back").status_code == 404
