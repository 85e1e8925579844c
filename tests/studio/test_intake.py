"""What becomes of documents and of pieces of the tray, and in which words problems are told."""

import io

import pytest
from PIL import Image, ImageDraw

from .test_server import upload

pytest.importorskip("pypdfium2", reason="documents need pypdfium2")


@pytest.fixture(scope="module")
def document():
    """A PDF of two pages with lines of writing."""
    pages = []
    for number in range(2):
        page = Image.new("L", (620, 877), 255)
        pen = ImageDraw.Draw(page)
        for line in range(20):
            pen.text((40, 40 + 38 * line), f"Page {number}, line {line}: " + "words " * 14, fill=0)
        pages.append(page)
    out = io.BytesIO()
    pages[0].save(out, "PDF", resolution=75, save_all=True, append_images=pages[1:])
    return out.getvalue()


def facts(client, answer):
    assert answer.status_code == 200, answer.text
    return client.get(f"/api/projects/{answer.json()['id']}").json()["facts"]


def test_a_document_that_is_shredded_for_trying_has_its_own_number_of_pages(client, document):
    found = facts(client, upload(client, {"two.pdf": document}, name="two", kind="document"))
    assert (found["pieces"], found["panels"], found["kind"]) == (68, 2, "strips")
    both = upload(client, {"a.pdf": document, "b.pdf": document}, name="both", kind="document")
    found = facts(client, both)
    assert (found["pieces"], found["panels"]) == (136, 4)
    unknown = upload(client, {"two.pdf": document}, name="any", kind="document", panels=None)
    assert facts(client, unknown)["panels"] is None


def test_a_problem_names_files_as_the_person_who_sent_them_does(client, document):
    told = upload(client, {"two.pdf": document}, name="two", kind="pieces")
    assert told.status_code == 422
    assert told.json()["error"] == "two.pdf is a PDF; say that it is to be shredded for trying."
    for kind in ("pieces", "document"):
        told = upload(client, {"box/not.png": b"no picture"}, name="not", kind=kind)
        assert told.status_code == 422
        assert "not.png" in told.json()["error"]
        assert "tessella-uploads" not in told.json()["error"]


def test_a_refusal_names_pieces_by_their_files(client, desk, here):
    names = desk.session(desk.first).project.facts.names
    told = client.post(f"{here}/acts", json={"act": "lock", "args": {"pieces": [3]}})
    assert told.status_code == 409
    expected = f"Piece {names[3]} lies in the tray; lay it in a cell to lock it."
    assert told.json()["error"] == expected


def test_pieces_of_the_tray_go_to_a_sheet_of_their_own(client, here):
    deed = {"act": "split_sheet", "args": {"sheet": -1, "pieces": [4, 7, 9]}}
    assert client.post(f"{here}/acts", json=deed).status_code == 200
    place = client.get(here).json()["state"]["place"]
    assert place == {"4": [1, 0, 0, 0], "7": [1, 0, 1, 0], "9": [1, 1, 0, 0]}
    client.post(f"{here}/undo", json={})
    assert client.get(here).json()["state"] == {}
