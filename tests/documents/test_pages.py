"""Pages from PDF files and pictures."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from tessella.documents import pages
from tessella.documents.pages import read_pages, to_grey
from tessella.errors import ImageError, InputError

ENCRYPTED = b"""%%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] >> endobj
4 0 obj << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >> endobj
trailer << /Root 1 0 R /Encrypt 4 0 R /ID [<00> <00>] /Size 5 >>
%%%%EOF
""" % (b"11" * 32, b"22" * 32)


def write_pdf(path, pages, dpi=100):
    first, *others = [Image.fromarray(page) for page in pages]
    first.save(path, "PDF", save_all=True, append_images=others, resolution=dpi)
    return path


def test_a_pdf_is_rendered_page_by_page_at_the_resolution_asked_for(tmp_path, printed):
    file = write_pdf(tmp_path / "letter.pdf", printed[:2])
    pages = read_pages([file], 100)
    assert [page.source for page in pages] == ["letter.pdf page 1", "letter.pdf page 2"]
    for page, drawn in zip(pages, printed, strict=False):
        assert page.grey.shape == drawn.shape
        assert np.corrcoef(page.grey.ravel(), drawn.ravel())[0, 1] > 0.8
        assert not page.coloured
    assert read_pages([file], 50)[0].grey.shape == (480, 360)


def test_pictures_are_pages_as_they_are_and_colours_are_noted(tmp_path):
    image = np.full((20, 30, 3), 255, np.uint8)
    image[5:10, :, 0] = 0
    Image.fromarray(image).save(tmp_path / "a.png")
    (page,) = read_pages([tmp_path / "a.png"])
    assert page.grey.shape == (20, 30)
    assert page.coloured
    assert not to_grey(np.repeat(image[..., 1:2], 3, axis=2))[1]


def test_pictures_of_known_resolution_are_brought_to_the_one_asked_for(tmp_path):
    Image.new("L", (60, 90), 255).save(tmp_path / "a.png", dpi=(300, 300))
    assert read_pages([tmp_path / "a.png"], 100)[0].grey.shape == (30, 20)


def test_mixed_resolutions_are_refused_unless_one_is_named(tmp_path):
    files = [tmp_path / "a.png", tmp_path / "b.png"]
    for file, dpi in zip(files, (300, 500), strict=True):
        Image.new("L", (60, 90), 255).save(file, dpi=(dpi, dpi))
    with pytest.raises(InputError, match=r"a\.png has 300 .* b\.png 500"):
        read_pages(files)
    assert [page.grey.shape for page in read_pages(files, 100)] == [(30, 20), (18, 12)]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (ENCRYPTED, "is encrypted"),
        (b"%PDF-1.4\nnothing of the sort", "damaged"),
        (b"not a PDF at all", "damaged"),
        (b"", "damaged"),
    ],
)
def test_pdf_files_that_cannot_be_read_are_refused(tmp_path, content, reason):
    (tmp_path / "a.pdf").write_bytes(content)
    with pytest.raises(ImageError, match=reason):
        read_pages([tmp_path / "a.pdf"])


def test_no_file_a_missing_file_and_an_odd_resolution_are_refused(tmp_path):
    with pytest.raises(InputError, match="no page"):
        read_pages([])
    with pytest.raises(InputError, match=r"Cannot read .*a\.pdf"):
        read_pages([tmp_path / "a.pdf"])
    with pytest.raises(InputError, match="20 to 2400"):
        read_pages([tmp_path / "a.pdf"], 5)


def test_a_page_too_large_to_draw_is_refused_before_it_is_drawn(tmp_path, printed):
    file = write_pdf(tmp_path / "letter.pdf", printed[:1], dpi=1)
    with pytest.raises(ImageError, match="smaller --dpi"):
        read_pages([file], 2400)


def test_a_document_with_too_many_pixels_is_refused_while_it_is_read(
    tmp_path, printed, monkeypatch
):
    file = write_pdf(tmp_path / "letter.pdf", printed[:1] * 4, dpi=100)
    page = read_pages([file], 20)[0].grey.size
    monkeypatch.setattr(pages, "PIXELS_MAX", 2 * page + 1)
    with pytest.raises(InputError, match="page 3 is the last that was looked at"):
        read_pages([file], 20)
