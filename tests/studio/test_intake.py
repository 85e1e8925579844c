"""What becomes of documents and of pieces of the tray, and in which words problems are told."""

import io
import random
import zipfile
from contextlib import suppress

import pytest
from PIL import Image, ImageDraw

from tessella.errors import InputError
from tessella.studio import unpack

from .test_server import upload, zipped

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


def picture(height, width):
    out = io.BytesIO()
    Image.effect_noise((width, height), 60).convert("RGB").save(out, format="PNG")
    return out.getvalue()


SMALL, LARGE = picture(40, 40), picture(40, 60)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (b"no picture", "b.png is not a picture that can be read; "),
        (LARGE[:900], "b.png is damaged or cut short ("),
        (b"", "b.png is empty; "),
        (LARGE, "Pieces must have one size, but a.png has 40 x 40 px and b.png has 40 x 60 px; "),
    ],
)
def test_a_bad_picture_is_named_however_it_was_sent(client, second, words):
    files = {"box/a.png": SMALL, "box/b.png": second}
    for sent in (files, {"box.zip": zipped(files)}):
        told = upload(client, sent, name="bad")
        assert (told.status_code, told.json()["error"][: len(words)]) == (422, words)
    key = client.post("/api/uploads").json()["upload"]
    archive = zipped({"a.png": second})
    client.put(f"/api/uploads/{key}/files", params={"name": "a.zip"}, content=archive)
    told = client.post(f"/api/uploads/{key}/outlines", json={"kind": "tiles"})
    assert (told.status_code, told.json()["error"][:6]) == (422, "a.png ")


METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


@pytest.mark.parametrize("method", METHODS)
def test_a_zip_that_is_damaged_anywhere_is_told_in_a_sentence(tmp_path, method):
    chance = random.Random(0)
    whole = zipped({"a.png": chance.randbytes(900), "b.png": b"x" * 9000}, method)
    for number in range(150):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 3))):
            damaged[chance.randrange(len(whole))] = chance.randrange(256)
        archive, folder = tmp_path / f"{number}.zip", tmp_path / str(number)
        archive.write_bytes(damaged[: chance.choice((len(whole), len(whole) // 2))])
        folder.mkdir()
        with suppress(InputError):  # nothing else may come
            unpack.unzip(archive, folder)


def test_a_damaged_zip_is_called_so(client):
    whole = zipped({"a.png": random.Random(0).randbytes(900)}, zipfile.ZIP_DEFLATED)
    damaged = whole[:60] + b"\xff" * 200 + whole[260:]
    for content in (damaged, whole[:400], b"no zip"):
        told = upload(client, {"a.zip": content})
        assert (told.status_code, told.json()["error"].split(",")[0]) == (422, "The zip is damaged")


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
