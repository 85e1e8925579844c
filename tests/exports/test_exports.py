"""Every export holds the arrangement, as another program would read it."""

import io
import itertools
import json
import re
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from tessella import exports
from tessella.arrangement import Arrangement, Sheet
from tessella.documents.render import render_strips
from tessella.documents.strips import strips_of
from tessella.errors import InputError, NameUnknown
from tessella.exports.tiff import write_pyramid
from tessella.imaging.cut import cut
from tessella.imaging.folder import write_puzzle
from tessella.imaging.render import render
from tessella.imaging.unknown import checker


@pytest.fixture(scope="module")
def laid(picture):
    """Thirty turned pieces on two sheets, one with a hole."""
    puzzle, _ = cut(picture, 56, turned=True, seed=3)
    first = Sheet(np.array([[0, 1, 2], [3, -1, 4]]), np.array([[0, 1, 2], [3, 0, 1]]))
    return puzzle, Arrangement((first, Sheet(np.array([[7, 8]]), np.array([[2, 0]]))))


@pytest.fixture
def written(laid, tmp_path):
    """Return a function that writes an export and returns its folder."""

    def write(name, **more):
        exports.find(name)(exports.Target(tmp_path, *laid, **more))
        return tmp_path

    return write


def test_pictures_are_those_of_render(laid, written):
    puzzle, arrangement = laid
    for name, suffix in (("png", ".png"), ("tiff", ".tif")):
        folder = written(name)
        for number, sheet in enumerate(arrangement.sheets):
            path = folder / f"assembled{'-002' if number else ''}{suffix}"
            assert np.array_equal(np.array(Image.open(path)), render(puzzle, sheet))


@pytest.mark.parametrize("shape", [(700, 300, 3), (513, 257), (1, 1, 3), (256, 256)])
def test_a_tiff_has_smaller_copies_in_tiles(tmp_path, shape):
    image = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    write_pyramid(tmp_path / "a.tif", image)
    with Image.open(tmp_path / "a.tif") as held:
        sizes = []
        for frame in range(held.n_frames):
            held.seek(frame)
            assert held.tag_v2[322] == held.tag_v2[323] == 256
            assert held.tag_v2[254] == int(frame > 0)
            sizes.append(held.size)
            held.load()
        held.seek(0)
        assert np.array_equal(np.array(held), image)
    assert sizes[0] == shape[1::-1]
    assert max(sizes[-1]) <= 256
    assert all(b == tuple(max(1, side // 2) for side in a) for a, b in itertools.pairwise(sizes))


def test_openraster_has_a_layer_a_piece(laid, written):
    puzzle, arrangement = laid
    with zipfile.ZipFile(written("ora") / "layers.ora") as file:
        entry = file.infolist()[0]
        assert (entry.filename, entry.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert file.read("mimetype") == b"image/openraster"
        root = ElementTree.fromstring(file.read("stack.xml"))
        assert (root.get("w"), root.get("h")) == ("168", "112")
        drawn = np.zeros((112, 168, 3), np.uint8)
        layers = list(root.iter("layer"))
        for layer in layers:
            piece = np.array(Image.open(io.BytesIO(file.read(layer.get("src")))))
            x, y = int(layer.get("x")), int(layer.get("y"))
            drawn[y : y + 56, x : x + 56] = piece
        assert [layer.get("name") for layer in layers] == [puzzle.names[k] for k in range(5)]
        whole = render(puzzle, arrangement.sheets[0], missing=(0, 0, 0))
        assert np.array_equal(drawn, whole)
        merged = np.array(Image.open(io.BytesIO(file.read("mergedimage.png"))))
        assert merged.shape == whole.shape


def test_iiif_paints_turned_pieces_on_canvases(laid, written):
    puzzle, _ = laid
    folder = written("iiif", base_url="https://example.org/panel/")
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["id"] == "https://example.org/panel/manifest.json"
    assert [(c["width"], c["height"]) for c in manifest["items"]] == [(168, 112), (112, 56)]
    painted = manifest["items"][0]["items"][0]["items"][1]
    assert painted["target"].endswith("#xywh=56,0,56,56")
    image = folder / painted["body"]["id"].removeprefix("https://example.org/panel/")
    assert np.array_equal(np.array(Image.open(image)), puzzle.one(1, 1))
    with pytest.raises(InputError, match="base URL"):
        written("iiif", base_url="javascript:alert(1)")


def test_lists_and_pages(laid, written):
    _, arrangement = laid
    held = json.loads((written("json") / "arrangement.json").read_text())
    assert Arrangement.from_json(held).same(arrangement)
    lines = (written("csv") / "placement.csv").read_text().splitlines()
    assert len(lines) == 31
    pages = pypdfium2.PdfDocument(written("pdf") / "pages.pdf")
    assert len(pages) == 2
    pages.close()


def test_several_files_are_packed_and_one_is_not(laid, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    target = exports.Target(tmp_path, *laid)
    assert exports.packed(exports.find("csv"), tmp_path / "a", target).name == "placement.csv"
    made = exports.packed(exports.find("png"), tmp_path / "b", target)
    assert zipfile.ZipFile(made).namelist() == ["assembled-002.png", "assembled.png"]


def test_the_report_has_every_file_that_it_links_to(laid, written):
    folder = written("report")
    page = (folder / "report.html").read_text(encoding="utf-8")
    links = re.findall(r"href='([^#'][^']*)'", page)
    assert {"placement.csv", "arrangement.json", "run.json"} <= set(links)
    for name in links:
        assert (folder / name).is_file(), name
    assert json.loads((folder / "arrangement.json").read_text())["confidence"]
    assert "left over" in page  # most pieces lie nowhere


def test_an_unknown_export_lists_the_known():
    with pytest.raises(NameUnknown, match="iiif"):
        exports.find("bmp")


def test_the_command_exports_what_solve_wrote(call, laid, tmp_path):
    puzzle, arrangement = laid
    names = write_puzzle(tmp_path / "pieces", puzzle)
    (tmp_path / "a.json").write_text(json.dumps(arrangement.to_json(names)))
    given = (tmp_path / "a.json", tmp_path / "out", "--pieces", tmp_path / "pieces")
    told = call("export", *given, "--as", "tiff")
    assert (told.code, "assembled.tif" in told.out) == (0, True)
    again = call("export", *given)
    assert (again.code, "not empty" in again.err) == (2, True)
    assert call("export", *given, "--as", "bmp").code == 2
    (tmp_path / "pieces" / "puzzle.json").unlink()
    (tmp_path / "pieces" / names[-1]).unlink()
    other = call("export", given[0], tmp_path / "new", *given[2:])
    assert (other.code, "29" in other.err) == (2, True)
    assert not (tmp_path / "new").exists()


def test_strips_lie_in_layers_and_on_canvases_as_on_the_page(tmp_path):
    chance = np.random.default_rng(2)
    strips = strips_of([chance.integers(0, 200, (90 + k, 12 + k), np.uint8) for k in range(3)])
    page = Sheet(
        np.array([[2, 0, 1]]), np.zeros((1, 3)), np.array([[0, 5, -2]]), np.array([[3, 0, 7]])
    )
    target = exports.Target(tmp_path, strips, Arrangement((page,)))
    exports.find("ora")(target)
    exports.find("iiif")(target)
    drawn = render_strips(strips, page)
    with zipfile.ZipFile(tmp_path / "layers.ora") as file:
        found = {
            layer.get("src"): (int(layer.get("x")), int(layer.get("y")))
            for layer in ElementTree.fromstring(file.read("stack.xml")).iter("layer")
        }
    assert found == {
        "data/000002.png": (0, 3), "data/000000.png": (19, 0), "data/000001.png": (29, 7)
    }  # fmt: skip
    assert np.array_equal(drawn[3:95, :14], strips.one(2))
    (canvas,) = json.loads((tmp_path / "manifest.json").read_text())["items"]
    where = {each["target"].split("xywh=")[1] for each in canvas["items"][0]["items"]}
    assert where == {"0,3,14,92", "19,0,12,90", "29,7,13,91"}


@pytest.mark.parametrize("name", ["png", "tiff", "ora", "pdf"])
def test_a_sheet_too_large_for_one_picture_is_told_and_not_drawn_smaller(laid, tmp_path, name):
    puzzle, _ = laid
    wide = np.full((1, 80_001), -1)
    wide[0, 0], wide[0, -1] = 0, 1
    far = Arrangement((Sheet(wide, np.zeros(wide.shape)),))
    with pytest.raises(InputError, match=r"56 x 4480056 px is too large .* as deepzoom"):
        exports.find(name)(exports.Target(tmp_path, puzzle, far))
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def broken(laid):
    """The same, but the upper left corner of the second piece, a quarter turned, is not there."""
    puzzle, arrangement = laid
    known = np.ones(puzzle.pieces.shape[:3], np.bool_)
    known[1, :10, :10] = False
    return replace(puzzle, known=known), arrangement


def test_layers_and_single_pieces_are_transparent_where_they_are_unknown(broken, tmp_path):
    for name in ("ora", "iiif"):
        (tmp_path / name).mkdir()
        exports.find(name)(exports.Target(tmp_path / name, *broken))
    with zipfile.ZipFile(tmp_path / "ora" / "layers.ora") as held:
        layers = [Image.open(io.BytesIO(held.read(f"data/{k:06d}.png"))) for k in (0, 1)]
    images = []
    for k in (0, 1):
        with Image.open(tmp_path / "iiif" / "images" / f"{k:06d}.png") as image:
            images.append(image.copy())
    for whole, part in (layers, images):
        assert (whole.mode, part.mode) == ("RGB", "RGBA")
        assert (np.array(part)[-10:, :10, 3] == 0).all()  # turned counter-clockwise
        assert (np.array(part)[..., 3] == 0).sum() == 100


@pytest.mark.parametrize("name", ["png", "tiff", "pdf", "deepzoom", "report"])
def test_whole_pictures_show_the_checker_where_a_piece_is_unknown(name, broken, tmp_path):
    puzzle, arrangement = broken
    exports.find(name)(exports.Target(tmp_path, puzzle, arrangement))
    if name == "pdf":
        with pypdfium2.PdfDocument(tmp_path / "pages.pdf") as document:
            image = document[0].render(scale=150 / 72).to_numpy()[..., :3]
    else:
        place = {"tiff": "assembled.tif", "deepzoom": "assembled_files/8/0_0.jpg"}
        with Image.open(tmp_path / place.get(name, "assembled.png")) as held:
            image = np.array(held.convert("RGB"))
    corner = image[48:54, 58:64].astype(int)
    expected = checker(56, 56)[48:54, 2:8].astype(int)
    assert np.abs(corner - expected).max() <= (3 if name != "pdf" else 20)  # JPEG
